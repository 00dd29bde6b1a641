"""Reviews of deals that are over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.play.matches import reviewer
from bot.sandbox import Message, Person, ResponseKind
from bot.store import tables
from bot.values.ids import PersonId
from cogs.features import reviews
from cogs.kit import answers
from cogs.kit.actions import Action
from cogs.kit.answers import TOKEN_LIFETIME
from cogs.text.refusals import SLOW_REVIEW
from tests.cogs.scenes import Scene, at_table, clubhouse, labels
from tests.helpers.databases import fetch
from tests.helpers.forgery import click
from tests.helpers.players import Player
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.thinkers import make_reviews_brief

pytestmark = pytest.mark.slow

A_WHILE = 60
"""Seconds in which a deal is reviewed, also where everything is slow."""


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh each choice in two worlds: how well that is done is tested elsewhere."""
    make_reviews_brief(monkeypatch)


async def practised(scene: Scene) -> Message:
    """Let North play a practice match to its end; gives the last message."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, target=20, level="novice")
    await scene.turn(scene.north)
    player = Player(scene.sandbox, "North", scene.north.dm, seed=1)

    def newest() -> Message:
        return scene.north.direct_messages()[-1]

    def is_over() -> bool:
        return "Rematch" in labels(newest())

    while not is_over():
        # A computer that takes its time moves after the answer.
        await scene.sandbox.until(lambda: player.has_turn or is_over(), A_WHILE)
        await player.act()
    await scene.quiet()
    return newest()


async def reviewed(scene: Scene, person: Person, message: Message, label: str = "Review") -> Message:
    """Press a button, and return the review that it brings once it is made."""
    answer = (await scene.press(person, message, label)).message
    await scene.sandbox.until(lambda: answer.text.startswith("### Review"), A_WHILE)
    return answer


async def kept(scene: Scene) -> int:
    """Return how many reviews are kept: all that were made."""
    return len(await fetch(scene.alive.database, tables.review.select()))


async def test_a_deal_and_a_match_are_reviewed(tmp_path: Path) -> None:
    """By a press: how accurate the choices were, where the result came from, and the costliest with their hands."""
    async with clubhouse(tmp_path) as scene:
        over = await practised(scene)
        review = await reviewed(scene, scene.north, over)
        assert review.text.startswith("### Review · ⁨North⁩ in Deal ")
        assert "**Accuracy " in review.text
        assert "· own choices **−" in review.text
        assert "**1. Turn " in review.text
        assert len(review.images) == review.text.count(" better")
        assert all(image.alt for image in review.images)
        assert labels(review) == ["Whole match", "Replay"]
        whole = await reviewed(scene, scene.north, review, "Whole match")
        assert "⁨North⁩ vs ⁨Computer⁩" in whole.text
        assert re.search(r"\nDeal \d+: accuracy \d+% · choices ", whole.text)
        again = (await scene.use(scene.north, "gin-deal review", scene.north.dm)).message
        assert again.text == review.text


async def test_it_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the review is there, the same message says what is done, and a second one waits for it."""
    monkeypatch.setattr(reviews, "TOLD_AFTER", 0.01)
    monkeypatch.setattr(reviewer, "WORLDS", 64)
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        over = await practised(scene)
        answer = (await scene.press(scene.north, over, "Review")).message
        assert answer.text.startswith("I am playing on from each of your choices, many times: ")
        refused = await scene.use(scene.north, "gin-deal review", scene.north.dm)
        assert refused.text == "I am still working on what you asked for before. It will be there soon."
        await scene.sandbox.until(lambda: answer.text.startswith("### Review"), A_WHILE)


async def test_a_late_progress_is_one_message_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the click had to be deferred before the first word, the message that follows becomes the review."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)
    monkeypatch.setattr(reviews, "TOLD_AFTER", 0.3)
    monkeypatch.setattr(reviews, "TOLD_EVERY", 0.1)
    monkeypatch.setattr(reviewer, "WORLDS", 128)
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        over = await practised(scene)
        pressed = await scene.press(scene.north, over, "Review")
        assert pressed.response is not None
        assert pressed.response.kind is ResponseKind.DEFERRED_UPDATE
        (told,) = await scene.sandbox.until(lambda: pressed.followups)
        assert told.text.startswith("I am playing on from each of your choices")
        await scene.sandbox.until(lambda: told.text.startswith("### Review"), A_WHILE)
        assert pressed.followups == [told]


async def test_only_those_who_played_see_it_until_they_show_it(tmp_path: Path) -> None:
    """*Review* below a showdown answers its players alone; what they show everyone has no buttons and says who did."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        showdown = await scene.post("Review")
        refused = await scene.press(scene.east, showdown, "Review")
        assert refused.message.ephemeral
        assert refused.text == (
            "You are not playing in ⁨North⁩ vs ⁨South⁩: only ⁨North⁩ and ⁨South⁩ can do that. "
            "`/gin games` lists your own matches."
        )
        await scene.quiet()
        assert await kept(scene) == 0
        review = await reviewed(scene, scene.north, showdown)
        assert review.ephemeral
        assert labels(review) == ["Whole match", "Replay", "Show everyone"]
        await scene.press(scene.north, review, "Show everyone")
        assert review.text == "Everyone in this channel can see the review now."
        shown = await scene.sandbox.until(lambda: [one for one in scene.posts if one.text.startswith("### Review")])
        assert labels(shown[0]) == []
        assert "Shown by ⁨North⁩" in shown[0].text


async def test_what_is_shown_to_all_is_what_was_seen(tmp_path: Path) -> None:
    """Of a match that has gone on meanwhile, as many deals as the review had."""
    async with at_table(tmp_path, *[GIN_AT_ONCE] * 3, target=1000) as scene:
        for person in (scene.north, scene.south):
            await scene.ask(person, "take")
            await scene.ask(person, "gin")
        seen = (await scene.use(scene.north, "gin-deal review", scene.channel, deal="all")).message
        await scene.sandbox.until(lambda: seen.text.startswith("### Review"), A_WHILE)
        assert "vs ⁨South⁩: 2 deals\n" in seen.text
        told = seen.text
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.press(scene.north, seen, "Show everyone")
        (shown,) = await scene.sandbox.until(lambda: [one for one in scene.posts if one.text.startswith("### Review")])
        assert shown.text.startswith(told)
        await scene.quiet()
        assert await kept(scene) == 2


async def test_who_may_not_show_a_review_is_told_before_it_is_made(tmp_path: Path) -> None:
    """Away from the match's channel the answer comes at once, and nothing is reviewed for it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        (hand,) = await scene.alive.app.lookup.hands(PersonId(scene.north.id))
        here = await scene.use(scene.north, "gin help", scene.north.dm)
        told = await click(scene.north, here.message, Action.SHOW_REVIEW_TO_ALL, hand.match.id, argument="all/1")
        assert told.text == (
            "You can only show a review to everyone in its match's channel, and only if you may write there."
        )
        await scene.quiet()
        assert await kept(scene) == 0


async def test_a_review_is_given_up_while_there_is_time_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message that told how far it is says that it takes too long, and whoever asks again gets it."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await practised(scene)
        monkeypatch.setattr(reviews, "TOLD_AFTER", 0.01)
        monkeypatch.setattr(reviews, "GIVEN_UP_AFTER", 0.2)
        monkeypatch.setattr(reviewer, "WORLDS", 512)
        answer = (await scene.use(scene.north, "gin-deal review", scene.north.dm, deal="all")).message
        await scene.sandbox.until(lambda: answer.text == SLOW_REVIEW, A_WHILE)
        monkeypatch.setattr(reviews, "GIVEN_UP_AFTER", A_WHILE)
        monkeypatch.setattr(reviewer, "WORLDS", 2)
        again = (await scene.use(scene.north, "gin-deal review", scene.north.dm, deal="all")).message
        await scene.sandbox.until(lambda: again.text.startswith("### Review"), A_WHILE)


def test_a_review_is_given_up_before_its_answer_runs_out() -> None:
    """There are minutes left to say so."""
    assert reviews.GIVEN_UP_AFTER + 60 < TOKEN_LIFETIME


async def test_with_many_reviews_under_way_another_waits_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is refused then is not told to try again in seconds."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        monkeypatch.setattr(scene.alive.client.reviewing, "_most_waiting", 0)
        refused = await scene.use(scene.north, "gin-deal review", scene.channel)
        assert refused.text == "I am reviewing for very many people at once. Please try again in a few minutes."


async def test_right_after_a_rematch_began_the_match_before_is_meant(tmp_path: Path) -> None:
    """The new one has nothing to review yet; completions are of the match that is."""
    async with at_table(tmp_path, GIN_AT_ONCE, KNOCK_AT_ONCE, GIN_AT_ONCE, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post("Rematch")
        for person in (scene.north, scene.south):
            await scene.press(person, end, "Rematch")
        await scene.quiet()
        offered = await scene.north.complete("gin-deal review", scene.channel, option="deal", value="")
        assert [choice["value"] for choice in (await offered.answer()).choices] == ["1"]
        answer = (await scene.use(scene.north, "gin-deal review", scene.channel)).message
        await scene.sandbox.until(lambda: answer.text.startswith("### Review"), A_WHILE)
        assert "⁨North⁩ goes gin" in answer.text


async def test_what_cannot_be_reviewed_says_why(tmp_path: Path) -> None:
    """A deal that is not over, one that there is not, and what is no deal; and before anything was played."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        told = [
            (await scene.use(scene.north, "gin-deal review", scene.channel, deal=deal)).text
            for deal in ("1", "9", "soon", "all")
        ]
        assert told == [
            "That deal is still in play. You can have it reviewed once all hands are laid down.",
            "⁨North⁩ vs ⁨South⁩ has no such deal. Choose from the list that opens as you type.",
            "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board, or `all` for the "
            "whole match.",
            "No deal of ⁨North⁩ vs ⁨South⁩ has reached a showdown yet. Ask again after the first.",
        ]
        nothing = await scene.use(scene.west, "gin-deal review", scene.west.dm)
        assert nothing.text == "You have not finished a deal yet. `/gin practice start` begins one at once."


async def test_a_forged_button_reviews_nothing(tmp_path: Path) -> None:
    """Who did not play sees no review of it, whatever button they make up."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await practised(scene)
        (match,) = [await scene.alive.app.lookup.last_ended_of(PersonId(scene.north.id))]
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.REVIEW, Action.SHOW_REVIEW_TO_ALL):
            told = await click(scene.south, here.message, action, match.id, argument="all")
            assert told.text == "There is no such match, or you cannot see its channel. `/gin games` lists yours."
        await scene.quiet()
        assert await kept(scene) == 0
