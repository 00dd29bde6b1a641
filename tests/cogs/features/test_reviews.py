"""Reviews of finished deals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.play.refusals import NoDealFinished, NoMatch, NoReplay, NoReplayReason, NotSeated
from bot.sandbox import Message, Person, ResponseKind
from bot.store import tables
from bot.values.ids import PersonId
from bot.workers import Workers
from cogs.features import reviews
from cogs.kit import answers
from cogs.kit.actions import Action
from cogs.kit.answers import TOKEN_LIFETIME
from cogs.panels.review import WHOLE_MATCH
from cogs.text import refusals
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, won_match
from tests.helpers.components import actions_of, controls
from tests.helpers.databases import fetch
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.thinkers import Mind, make_reviews_brief, think_here

REVIEW = {Action.REVIEW, Action.REPLAY, Action.SHOW_REVIEW_TO_ALL}
"""Actions that a review has, and a progress message does not."""


@pytest.fixture(autouse=True)
def mind(monkeypatch: pytest.MonkeyPatch) -> Mind:
    """Use two determinizations for each choice, in this process: quality and workers are tested elsewhere."""
    make_reviews_brief(monkeypatch)
    return think_here(monkeypatch)


def hold_reviews(monkeypatch: pytest.MonkeyPatch, mind: Mind) -> asyncio.Event:
    """Block reviews until the event is set."""
    released, weigh = asyncio.Event(), mind.weigh

    async def held(_: Workers, *asked: Any, **named: Any) -> Any:
        await released.wait()
        return await weigh(*asked, **named)

    monkeypatch.setattr(Workers, "weigh", held)
    return released


async def practised(scene: Scene) -> Message:
    """Have North win a practice match, and return the last message."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, target=10)
    for action in (Action.TAKE, Action.GIN):
        await scene.press(scene.north, await scene.turn(scene.north), action)
    await scene.quiet()
    return scene.north.direct_messages()[-1]


async def reviewed(scene: Scene, message: Message) -> Message:
    """Wait until a message has become a review, and return it."""
    await scene.sandbox.until(lambda: actions_of(message) & REVIEW)
    return message


async def ask(scene: Scene, person: Person, deal: str | None = None) -> Message:
    """Have a person ask for a review in the channel, and return the first answer."""
    given = {} if deal is None else {"deal": deal}
    return (await scene.use(person, "gin-deal review", scene.channel, **given)).message


async def kept(scene: Scene) -> int:
    """Return the number of stored reviews, which are all that were made."""
    await scene.quiet()
    return len(await fetch(scene.alive.database, tables.review.select()))


async def test_a_deal_is_reviewed_by_a_press(tmp_path: Path) -> None:
    """The review is private and has its buttons."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        end = await scene.post(Action.REVIEW)
        pressed = await reviewed(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        assert pressed.ephemeral
        assert buttons(pressed) == [Action.REVIEW, Action.REPLAY, Action.SHOW_REVIEW_TO_ALL]
        assert pressed.text.startswith("### Review · ⁨North⁩ in Deal 1: ⁨North⁩ goes gin")


@pytest.mark.thorough
async def test_a_command_shows_the_review_that_a_press_showed(tmp_path: Path) -> None:
    """The command shows the stored review instead of making another."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        end = await scene.post(Action.REVIEW)
        pressed = await reviewed(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        asked = await reviewed(scene, await ask(scene, scene.north))
        assert asked.text == pressed.text
        assert await kept(scene) == 1


@pytest.mark.thorough
async def test_a_deal_and_a_match_are_reviewed(tmp_path: Path) -> None:
    """A review shows accuracy, the sources of the result, and the costliest choices with their hands."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene, None, None, "take", "x Kh", "draw", "x Ts", "draw", "k Qh")
        end = await scene.post(Action.REVIEW)
        review = await reviewed(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        assert len(review.images) == 1
        assert all(image.alt for image in review.images)
        whole = (await scene.press(scene.north, review, Action.REVIEW, WHOLE_MATCH)).message
        assert buttons(await reviewed(scene, whole)) == [Action.SHOW_REVIEW_TO_ALL]
        # The texts of this feature. `cogs.text.reviews` has tests for the text about each choice.
        for part in ("**Accuracy ", "· own choices **−", "**1. Turn "):
            assert part in review.text


@pytest.mark.thorough
async def test_it_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: Mind) -> None:
    """The answer shows progress until the review is ready; a second request is refused until then."""
    monkeypatch.setattr(reviews, "TOLD_AFTER", 0.01)
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        released = hold_reviews(monkeypatch, mind)
        answer = await ask(scene, scene.north)
        assert "0%" in answer.text
        assert (await ask(scene, scene.north)).text == refusals.STILL_WORKING
        released.set()
        await reviewed(scene, answer)


@pytest.mark.thorough
async def test_a_late_progress_is_one_message_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: Mind) -> None:
    """If the click was deferred before the first progress, the follow-up message becomes the review."""
    monkeypatch.setattr(reviews, "TOLD_AFTER", 0.01)
    monkeypatch.setattr(reviews, "TOLD_EVERY", 0.01)
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        over = await practised(scene)
        released = hold_reviews(monkeypatch, mind)
        monkeypatch.setattr(answers, "DEFER_AFTER", 0)
        pressed = await scene.press(scene.north, over, Action.REVIEW)
        assert pressed.response is not None
        assert pressed.response.kind is ResponseKind.DEFERRED_UPDATE
        (told,) = await scene.sandbox.until(lambda: pressed.followups)
        assert not actions_of(told) & REVIEW
        released.set()
        await reviewed(scene, told)
        assert pressed.followups == [told]


@pytest.mark.thorough
async def test_a_review_is_given_up_while_there_is_time_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: Mind
) -> None:
    """The progress message says that the review takes too long, and the next request shows it."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await won_match(scene)
        released = hold_reviews(monkeypatch, mind)
        monkeypatch.setattr(reviews, "TOLD_AFTER", 0.01)
        with monkeypatch.context() as soon:
            soon.setattr(reviews, "GIVEN_UP_AFTER", 0.1)
            answer = await ask(scene, scene.north, WHOLE_MATCH)
            await scene.sandbox.until(lambda: answer.text == refusals.SLOW_REVIEW)
        released.set()
        await reviewed(scene, await ask(scene, scene.north, WHOLE_MATCH))


def test_a_review_is_given_up_before_its_answer_runs_out() -> None:
    """More than a minute is left to say that a review was given up."""
    assert reviews.GIVEN_UP_AFTER + 60 < TOKEN_LIFETIME


@pytest.mark.thorough
async def test_only_those_who_played_see_it_until_they_show_it(tmp_path: Path) -> None:
    """*Review* refuses spectators. A review shown to everyone has no buttons and names the person who showed it.

    Outside the match's channel the player is refused immediately, and no review is made.
    """
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        showdown = await scene.post(Action.REVIEW)
        refused = await scene.press(scene.east, showdown, Action.REVIEW)
        assert refused.message.ephemeral
        assert isinstance(scene.error(refused), NotSeated)
        away = (await scene.use(scene.north, "gin help", scene.north.dm)).message
        told = await click(scene.north, away, Action.SHOW_REVIEW_TO_ALL, 1, argument="all/1")
        assert told.text == refusals.may_not_show("a review")
        assert await kept(scene) == 0
        review = await reviewed(scene, (await scene.press(scene.north, showdown, Action.REVIEW)).message)
        before, told = scene.posts, review.text
        await scene.press(scene.north, review, Action.SHOW_REVIEW_TO_ALL)
        assert not actions_of(review)
        (shown,) = await scene.sandbox.until(lambda: [one for one in scene.posts if one not in before])
        assert buttons(shown) == []
        assert shown.text.startswith(told)
        assert "⁨North⁩" in shown.text.removeprefix(told)


@pytest.mark.thorough
async def test_what_is_shown_to_all_is_what_was_seen(tmp_path: Path) -> None:
    """If the match continued since, *Show everyone* posts the review with the deals that it had."""
    async with at_table(tmp_path, *[GIN_AT_ONCE] * 3, target=1000) as scene:
        for person in (scene.north, scene.south):
            await scene.ask(person, "take")
            await scene.ask(person, "gin")
        seen = await reviewed(scene, await ask(scene, scene.north, WHOLE_MATCH))
        told = seen.text
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        before = scene.posts
        await scene.press(scene.north, seen, Action.SHOW_REVIEW_TO_ALL)
        (shown,) = await scene.sandbox.until(lambda: [one for one in scene.posts if one not in before])
        assert shown.text.startswith(told)
        assert await kept(scene) == 2


@pytest.mark.nightly
async def test_right_after_a_rematch_began_the_match_before_is_meant(tmp_path: Path) -> None:
    """Until the rematch has a finished deal, the command and its completions refer to the previous match."""
    async with at_table(tmp_path, GIN_AT_ONCE, KNOCK_AT_ONCE, GIN_AT_ONCE, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post(Action.REMATCH)
        for person in (scene.north, scene.south):
            await scene.press(person, end, Action.REMATCH)
        await scene.quiet()
        offered = await scene.north.complete("gin-deal review", scene.channel, option="deal", value="")
        assert [choice["value"] for choice in (await offered.answer()).choices] == ["1"]
        review = await reviewed(scene, await ask(scene, scene.north))
        assert {one.event.subject for one in controls(review)} == {"1"}


@pytest.mark.thorough
async def test_what_cannot_be_reviewed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unfinished, unknown and invalid deals, too many reviews and a missing match are refused with a reason."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        for deal, reason in (
            ("1", NoReplayReason.IN_PLAY),
            ("9", NoReplayReason.UNKNOWN),
            ("all", NoReplayReason.NONE_YET),
        ):
            error = scene.error(await scene.use(scene.north, "gin-deal review", scene.channel, deal=deal))
            assert isinstance(error, NoReplay)
            assert error.reason is reason
        assert (await ask(scene, scene.north, "soon")).text == refusals.UNREADABLE_DEAL_OR_ALL
        nothing = await scene.use(scene.west, "gin-deal review", scene.west.dm)
        assert isinstance(scene.error(nothing), NoDealFinished)
        # A review takes longer than seconds, so the refusal does not ask to try again in a few seconds.
        monkeypatch.setattr(scene.alive.client.reviewing, "_most_waiting", 0)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        assert (await ask(scene, scene.north)).text == refusals.MANY_REVIEWS


@pytest.mark.thorough
async def test_a_forged_button_reviews_nothing(tmp_path: Path) -> None:
    """A forged button shows nobody a review of a match that they did not play."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await practised(scene)
        match = await scene.alive.app.lookup.last_ended_of(PersonId(scene.north.id))
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.REVIEW, Action.SHOW_REVIEW_TO_ALL):
            told = await click(scene.south, here.message, action, match.id, argument="all")
            assert told.text == refusals.text(NoMatch(here=False), PersonId(scene.south.id))
        assert await kept(scene) == 0
