"""Reviews of deals that are over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.sandbox import Message, Person
from bot.values.ids import PersonId
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, clubhouse, labels
from tests.helpers.forgery import click
from tests.helpers.players import Player
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

A_WHILE = 60
"""Seconds in which a deal is reviewed, also where everything is slow."""


async def practised(scene: Scene, target: int = 20) -> Message:
    """Let North play a practice match to its end; gives the last message."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, target=target, level="novice")
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


async def test_it_tells_how_far_it_is(tmp_path: Path) -> None:
    """Until the review is there, the same message says what is done, and a second one waits for it."""
    async with clubhouse(tmp_path) as scene:
        over = await practised(scene)
        answer = (await scene.press(scene.north, over, "Review")).message
        assert answer.text.startswith("I am playing on from each of your choices, many times: ")
        refused = await scene.use(scene.north, "gin-deal review", scene.north.dm)
        assert refused.text == "I am still working on what you asked for before. It will be there soon."
        await scene.sandbox.until(lambda: answer.text.startswith("### Review"), A_WHILE)


async def test_only_those_who_played_see_it_until_they_show_it(tmp_path: Path) -> None:
    """*Review* below a showdown answers its players alone; what they show everyone has no buttons and says who did."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        showdown = await scene.post("Review")
        refused = await scene.press(scene.east, showdown, "Review")
        assert refused.message.ephemeral
        assert "Accuracy" not in refused.text
        review = await reviewed(scene, scene.north, showdown)
        assert review.ephemeral
        assert labels(review) == ["Whole match", "Replay", "Show everyone"]
        await scene.press(scene.north, review, "Show everyone")
        assert review.text == "Everyone in this channel can see the review now."
        shown = await scene.sandbox.until(lambda: [one for one in scene.posts if one.text.startswith("### Review")])
        assert labels(shown[0]) == []
        assert "Shown by ⁨North⁩" in shown[0].text


async def test_what_cannot_be_reviewed_says_why(tmp_path: Path) -> None:
    """A deal that is not over, one that there is not, and what is no deal; and before anything was played."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        told = [
            (await scene.use(scene.north, "gin-deal review", scene.channel, deal=deal)).text
            for deal in ("1", "9", "soon", "all")
        ]
        assert told == [
            "That deal is still in play. You can watch it once all hands are laid down.",
            "⁨North⁩ vs ⁨South⁩ has no such deal. Choose from the list that opens as you type.",
            "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board.",
            "No deal of ⁨North⁩ vs ⁨South⁩ has reached a showdown yet. Ask again after the first.",
        ]
        nothing = await scene.use(scene.west, "gin-deal review", scene.west.dm)
        assert "match" in nothing.text


async def test_a_forged_button_reviews_nothing(tmp_path: Path) -> None:
    """Who did not play sees no review of it, whatever button they make up."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await practised(scene)
        (match,) = [await scene.alive.app.lookup.last_ended_of(PersonId(scene.north.id))]
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.REVIEW, Action.SHOW_REVIEW_TO_ALL):
            told = await click(scene.south, here.message, action, match.id, argument="all")
            assert "Accuracy" not in told.text
            assert "Computer" not in told.text
