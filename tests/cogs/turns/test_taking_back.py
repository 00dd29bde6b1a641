"""Asking to take a discard back, by presses."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.play.refusals import CannotTakeBack, NoOffer, NotSeated
from bot.sandbox import Message
from cogs.actions import Action
from cogs.turns.hand_text import ASKED_ONCE, drew_after_request, drew_before_request
from tests.cogs.scenes import Scene, buttons, open_match_scene, person_of
from tests.engine.decks import deck
from tests.helpers.components import controls, discard_buttons, find_button
from tests.helpers.forgery import click
from tests.helpers.table import prefer

DECK = deck("Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "3d", stock="Qd 8c 3h Tc")
"""North acts first, and South needs neither the queen nor the jack."""


@asynccontextmanager
async def open_discarded_scene(tmp_path: Path, *, allowed: bool = True) -> AsyncGenerator[tuple[Scene, Message]]:
    """Begin a match in which North has discarded the queen. Yield the scene and North's hand."""
    async with open_match_scene(tmp_path, DECK) as scene:
        await prefer(scene.bot.app, person_of(scene.south), take_backs=allowed)
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.DISCARD, "Qs")
        await scene.wait_until_idle()
        yield scene, hand


async def test_a_discard_is_taken_back_by_two_presses(tmp_path: Path) -> None:
    """The player asks, the opponent is notified and allows it, and the card is back in the player's hand."""
    async with open_discarded_scene(tmp_path) as (scene, hand):
        pushes = len(scene.south.pushes)
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        assert Action.KEEP_PLAYING in buttons(hand)
        await scene.wait_until_idle()
        assert len(scene.south.pushes) == pushes + 1
        theirs = await scene.wait_for_turn(scene.south)
        assert {Action.TAKE_BACK, Action.KEEP_PLAYING} <= {*buttons(theirs)}
        await scene.press(scene.south, theirs, Action.TAKE_BACK)
        assert Action.DRAW not in buttons(theirs)
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        assert "Qs" in {card.text for card in discard_buttons(hand)}
        await scene.press(scene.north, hand, Action.DISCARD, "Jh")
        assert Action.TAKE_BACK not in buttons(hand)


async def test_a_request_is_declined(tmp_path: Path) -> None:
    """The opponent can decline, and the player cannot ask again."""
    async with open_discarded_scene(tmp_path) as (scene, hand):
        ask = find_button(hand, Action.TAKE_BACK)
        assert ask is not None
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        await scene.wait_until_idle()
        await scene.press(scene.south, await scene.wait_for_turn(scene.south), Action.KEEP_PLAYING)
        await scene.wait_until_idle()
        assert Action.TAKE_BACK not in buttons(hand)
        assert scene.error_type(await scene.press_late(scene.north, hand, ask)) is CannotTakeBack


async def test_a_request_is_withdrawn(tmp_path: Path) -> None:
    """A player who withdraws a request reads that it was the only one in the deal, until the opponent moves."""
    async with open_discarded_scene(tmp_path) as (scene, hand):
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        withdrawn = await scene.press(scene.north, hand, Action.KEEP_PLAYING)
        assert Action.TAKE_BACK not in buttons(withdrawn.message)
        await scene.wait_until_idle()
        assert ASKED_ONCE in hand.text
        theirs = await scene.wait_for_turn(scene.south)
        await scene.press(scene.south, theirs, Action.DRAW)
        await scene.press(scene.south, theirs, Action.DISCARD, "Qd")
        assert ASKED_ONCE not in (await scene.wait_for_turn(scene.north)).text


async def test_nobody_can_ask_by_default(tmp_path: Path) -> None:
    """Unless the opponent has allowed it, there is no button, and a forged one is refused. So is one of a spectator."""
    async with open_discarded_scene(tmp_path, allowed=False) as (scene, hand):
        assert Action.TAKE_BACK not in buttons(hand)
        for person, error in ((scene.north, CannotTakeBack), (scene.south, CannotTakeBack), (scene.east, NotSeated)):
            forged = await click(person, scene.table, Action.TAKE_BACK, 1)
            assert scene.error_type(forged) is error
        forged = await click(scene.south, scene.table, Action.TAKE_BACK, 1, argument="answer")
        assert scene.error_type(forged) is NoOffer


async def test_a_player_who_has_drawn_cannot_allow_it(tmp_path: Path) -> None:
    """An opponent who has drawn a card has no button to allow it, and their hand says why.

    They are notified all the same: otherwise pings would show whether they have drawn.
    """
    async with open_discarded_scene(tmp_path) as (scene, hand):
        theirs = await scene.wait_for_turn(scene.south)
        await scene.press(scene.south, theirs, Action.DRAW)
        await scene.wait_until_idle()
        pushes = len(scene.south.pushes)
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        await scene.wait_until_idle()
        assert len(scene.south.pushes) == pushes + 1
        theirs = (await scene.use(scene.south, "gin hand", scene.channel)).message
        assert not {Action.TAKE_BACK, Action.KEEP_PLAYING} & {*buttons(theirs)}
        assert discard_buttons(theirs)
        assert drew_before_request(await scene.match()) in theirs.text


async def test_a_player_who_draws_reads_that_the_discard_stands(tmp_path: Path) -> None:
    """The disabled buttons for the answer keep their places, and the text beside them says why they are disabled."""
    async with open_discarded_scene(tmp_path) as (scene, hand):
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        theirs = await scene.wait_for_turn(scene.south)
        await scene.press(scene.south, theirs, Action.DRAW)
        assert drew_after_request(await scene.match()) in theirs.text
        assert Action.TAKE_BACK not in buttons(theirs)


async def test_a_late_answer(tmp_path: Path) -> None:
    """An opponent who has drawn a card can no longer allow it."""
    async with open_discarded_scene(tmp_path) as (scene, hand):
        await scene.press(scene.north, hand, Action.TAKE_BACK)
        await scene.wait_until_idle()
        theirs = await scene.wait_for_turn(scene.south)
        allow = find_button(theirs, Action.TAKE_BACK)
        assert allow is not None
        await scene.press(scene.south, theirs, Action.DRAW)
        # The button stays, disabled, so that the cards do not slide under the player's thumb.
        assert Action.TAKE_BACK in [shown.action for shown in controls(theirs, disabled=True)]
        assert Action.TAKE_BACK not in buttons(theirs)
        late = await scene.press_late(scene.south, theirs, allow)
        refusal = scene.error(late)
        assert isinstance(refusal, CannotTakeBack)
        assert refusal.has_drawn
