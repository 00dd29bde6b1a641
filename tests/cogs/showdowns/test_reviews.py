"""Reviews of finished deals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.model.ids import PersonId
from bot.play.refusals import NoDealFinished, NoMatch, NoReplay, NoReplayReason, NotSeated
from bot.sandbox import Message, Person, ResponseKind
from bot.store import tables
from bot.workers.workers import Workers
from cogs import refusals
from cogs.actions import Action
from cogs.delivery.refusals import STILL_WORKING, may_not_show
from cogs.kit import answers
from cogs.kit.answers import TOKEN_LIFETIME
from cogs.showdowns import reviews
from cogs.showdowns.refusals import MANY_REVIEWS, SLOW_REVIEW, UNREADABLE_DEAL_OR_ALL
from cogs.showdowns.review_panel import WHOLE_MATCH
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene, play_match
from tests.helpers.components import actions_of, controls
from tests.helpers.databases import fetch
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.thinkers import LocalThinker, make_reviews_brief, use_local_thinker

REVIEW_ACTIONS = {Action.REVIEW, Action.REPLAY, Action.SHOW_REVIEW_TO_ALL}
"""Actions of a review's buttons. A progress message has none of them."""


@pytest.fixture(autouse=True)
def mind(monkeypatch: pytest.MonkeyPatch) -> LocalThinker:
    """Return the computer player that makes the reviews in this process, and make it fast.

    Other tests cover the quality of reviews and the worker processes.
    """
    make_reviews_brief(monkeypatch)
    return use_local_thinker(monkeypatch)


def block_reviews(monkeypatch: pytest.MonkeyPatch, mind: LocalThinker) -> asyncio.Event:
    """Block reviews until the returned event is set."""
    released, weigh = asyncio.Event(), mind.evaluate_move

    async def held(_: Workers, *asked: Any, **named: Any) -> Any:
        await released.wait()
        return await weigh(*asked, **named)

    monkeypatch.setattr(Workers, "evaluate_move", held)
    return released


async def win_practice_match(scene: Scene) -> Message:
    """Have North win a practice match, and return the last message."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, target=10)
    for action in (Action.TAKE, Action.GIN):
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), action)
    await scene.wait_until_idle()
    return scene.north.direct_messages()[-1]


async def wait_for_review(scene: Scene, message: Message) -> Message:
    """Wait until a message has become a review, and return it."""
    await scene.sandbox.until(lambda: actions_of(message) & REVIEW_ACTIONS)
    return message


async def ask_for_review(scene: Scene, person: Person, deal: str | None = None) -> Message:
    """Have a person ask for a review in the channel, and return the first answer."""
    options = {} if deal is None else {"deal": deal}
    return (await scene.use(person, "gin-deal review", scene.channel, **options)).message


async def stored_review_count(scene: Scene) -> int:
    """Wait until the bot is idle, and return the number of reviews in the database."""
    await scene.wait_until_idle()
    return len(await fetch(scene.bot.database, tables.review.select()))


async def test_a_deal_is_reviewed_by_a_press(tmp_path: Path) -> None:
    """*Review* below a result shows a private review of the deal, with buttons."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        end = await scene.wait_for_post(Action.REVIEW)
        pressed = await wait_for_review(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        assert pressed.ephemeral
        assert buttons(pressed) == [Action.REPLAY, Action.SHOW_REVIEW_TO_ALL]
        assert pressed.text.startswith("### Review of ⁨North⁩'s choices\n-# Deal 1: ⁨North⁩ goes gin")


@pytest.mark.thorough
async def test_a_review_is_made_once(tmp_path: Path) -> None:
    """`/gin-deal review` shows the stored review of a deal instead of making another."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        end = await scene.wait_for_post(Action.REVIEW)
        pressed = await wait_for_review(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        asked = await wait_for_review(scene, await ask_for_review(scene, scene.north))
        assert asked.text == pressed.text
        assert await stored_review_count(scene) == 1


@pytest.mark.thorough
async def test_a_deal_and_a_match_are_reviewed(tmp_path: Path) -> None:
    """Reviews of a deal and of a match show the accuracy, the causes of the result, and the costliest choices."""
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 3) as scene:
        moves = ["take", "gin"] * 2 + ["take", "x Kh", "draw", "x Ts", "draw", "k Qh"]
        await play_match(scene, None, None, *moves, rules="classic target=100")
        end = await scene.wait_for_post(Action.REVIEW)
        review = await wait_for_review(scene, (await scene.press(scene.north, end, Action.REVIEW)).message)
        assert len(review.images) == 1
        assert all(image.alt for image in review.images)
        match_review = (await scene.press(scene.north, review, Action.REVIEW, WHOLE_MATCH)).message
        assert buttons(await wait_for_review(scene, match_review)) == [Action.SHOW_REVIEW_TO_ALL]
        # Check the exact wording of these parts. `test_review_text.py` tests the text about each choice.
        for part in ("**Accuracy ", "· own choices **−", "**1. Turn "):
            assert part in review.text


@pytest.mark.thorough
async def test_a_review_shows_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: LocalThinker) -> None:
    """The answer shows progress until the review is ready; until then a second request is refused."""
    monkeypatch.setattr(reviews, "PROGRESS_DELAY", 0.01)
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        released = block_reviews(monkeypatch, mind)
        answer = await ask_for_review(scene, scene.north)
        assert "0%" in answer.text
        assert (await ask_for_review(scene, scene.north)).text == STILL_WORKING
        released.set()
        await wait_for_review(scene, answer)


@pytest.mark.thorough
async def test_progress_after_a_deferral_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: LocalThinker
) -> None:
    """If the answer to *Review* was deferred, a single message follows: it shows progress, then becomes the review."""
    monkeypatch.setattr(reviews, "PROGRESS_DELAY", 0.01)
    monkeypatch.setattr(reviews, "PROGRESS_INTERVAL", 0.01)
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        result = await win_practice_match(scene)
        released = block_reviews(monkeypatch, mind)
        monkeypatch.setattr(answers, "DEFER_AFTER", 0)
        pressed = await scene.press(scene.north, result, Action.REVIEW)
        assert pressed.response is not None
        assert pressed.response.kind is ResponseKind.DEFERRED_UPDATE
        (progress,) = await scene.sandbox.until(lambda: pressed.followups)
        assert not actions_of(progress) & REVIEW_ACTIONS
        released.set()
        await wait_for_review(scene, progress)
        assert pressed.followups == [progress]


@pytest.mark.thorough
async def test_a_slow_review_is_given_up_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mind: LocalThinker
) -> None:
    """If a review takes too long, the progress message says so, and a later request shows the finished review."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await play_match(scene)
        released = block_reviews(monkeypatch, mind)
        monkeypatch.setattr(reviews, "PROGRESS_DELAY", 0.01)
        with monkeypatch.context() as soon:
            soon.setattr(reviews, "REVIEW_TIMEOUT", 0.1)
            answer = await ask_for_review(scene, scene.north, WHOLE_MATCH)
            await scene.sandbox.until(lambda: answer.text == SLOW_REVIEW)
        released.set()
        await wait_for_review(scene, await ask_for_review(scene, scene.north, WHOLE_MATCH))


def test_the_review_timeout_precedes_the_token_expiry() -> None:
    """A review is given up more than a minute before the interaction's token expires, so that the bot can say so."""
    assert reviews.REVIEW_TIMEOUT + 60 < TOKEN_LIFETIME


@pytest.mark.thorough
async def test_a_review_is_private_until_shown(tmp_path: Path) -> None:
    """*Review* refuses spectators. A review shown to everyone has no buttons and names the person who showed it.

    Outside the match's channel the player is refused immediately, and no review is made.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        showdown = await scene.wait_for_post(Action.SHOWDOWN_DETAILS)
        refused = await scene.press(scene.east, await scene.details(showdown), Action.REVIEW)
        assert refused.message.ephemeral
        assert isinstance(scene.error(refused), NotSeated)
        away = (await scene.use(scene.north, "gin help", scene.north.dm)).message
        told = await click(scene.north, away, Action.SHOW_REVIEW_TO_ALL, 1, argument="all/1")
        assert told.text == may_not_show("a review")
        assert await stored_review_count(scene) == 0
        details = await scene.details(showdown, scene.north)
        review = await wait_for_review(scene, (await scene.press(scene.north, details, Action.REVIEW)).message)
        before, told = scene.posts, review.text
        await scene.press(scene.north, review, Action.SHOW_REVIEW_TO_ALL)
        assert not actions_of(review)
        (shown,) = await scene.sandbox.until(lambda: [post for post in scene.posts if post not in before])
        assert buttons(shown) == []
        assert shown.text.startswith(told)
        assert "⁨North⁩" in shown.text.removeprefix(told)


@pytest.mark.nightly
async def test_the_shown_review_is_the_one_seen(tmp_path: Path) -> None:
    """*Show everyone* posts the review that the player saw, even if the match has had more deals since."""
    async with open_match_scene(tmp_path, *[IMMEDIATE_GIN] * 3, target=1000) as scene:
        for person in (scene.north, scene.south):
            await scene.ask(person, "take")
            await scene.ask(person, "gin")
        review = await wait_for_review(scene, await ask_for_review(scene, scene.north, WHOLE_MATCH))
        review_text = review.text
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        before = scene.posts
        await scene.press(scene.north, review, Action.SHOW_REVIEW_TO_ALL)
        (shown,) = await scene.sandbox.until(lambda: [post for post in scene.posts if post not in before])
        assert shown.text.startswith(review_text)
        assert await stored_review_count(scene) == 2


@pytest.mark.nightly
async def test_a_new_rematch_defaults_to_the_previous_match(tmp_path: Path) -> None:
    """Until a rematch has a finished deal, `/gin-deal review` and its completions refer to the previous match."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_KNOCK, IMMEDIATE_GIN, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.wait_for_post(Action.REMATCH)
        await scene.press(scene.north, end, Action.REMATCH)
        await scene.press(scene.south, await scene.wait_for_post(Action.DECLINE_REMATCH), Action.REMATCH)
        await scene.wait_until_idle()
        offered = await scene.north.complete("gin-deal review", scene.channel, option="deal", value="")
        assert [choice["value"] for choice in (await offered.answer()).choices] == ["1"]
        review = await wait_for_review(scene, await ask_for_review(scene, scene.north))
        assert {control.event.subject for control in controls(review)} == {"1"}


@pytest.mark.thorough
async def test_missing_reviews_have_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A review is refused without a match, for an unfinished, unknown or invalid deal, and if too many people ask."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN, target=1000) as scene:
        for deal, reason in (
            ("1", NoReplayReason.IN_PLAY),
            ("9", NoReplayReason.UNKNOWN),
            ("all", NoReplayReason.NONE_YET),
        ):
            error = scene.error(await scene.use(scene.north, "gin-deal review", scene.channel, deal=deal))
            assert isinstance(error, NoReplay)
            assert error.reason is reason
        assert (await ask_for_review(scene, scene.north, "soon")).text == UNREADABLE_DEAL_OR_ALL
        nothing = await scene.use(scene.west, "gin-deal review", scene.west.dm)
        assert isinstance(scene.error(nothing), NoDealFinished)
        # Reviews can take minutes, so the refusal must not tell people to try again in a few seconds.
        monkeypatch.setattr(scene.bot.client.reviewing, "_max_people", 0)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        assert (await ask_for_review(scene, scene.north)).text == MANY_REVIEWS


@pytest.mark.thorough
async def test_a_forged_button_reviews_nothing(tmp_path: Path) -> None:
    """A forged review button is refused to people who did not play the match, and no review is made."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await win_practice_match(scene)
        match = await scene.bot.app.lookup.last_ended_match_of(PersonId(scene.north.id))
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.REVIEW, Action.SHOW_REVIEW_TO_ALL):
            answer = await click(scene.south, here.message, action, match.id, argument="all")
            assert answer.text == refusals.text(NoMatch(in_channel=False), PersonId(scene.south.id))
        assert await stored_review_count(scene) == 0
