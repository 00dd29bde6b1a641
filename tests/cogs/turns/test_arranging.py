"""Arranging cards by presses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.cards.cards import Card
from bot.model.appearance import HandOrder
from bot.model.ids import MatchId, PersonId
from bot.play.matches.arranging import ARRANGING_TIME
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.refusals import NotSeated
from bot.sandbox import Message
from cardart import draw_hand
from cardart.text.queries import hand_in_order
from cogs.actions import Action
from cogs.delivery.refusals import OLD_BUTTON
from cogs.turns.arranging_panel import notation
from tests.cogs.scenes import Scene, buttons, open_match_scene
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.components import discard_buttons, find_button
from tests.helpers.forgery import click

DECK = deck("Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "3d")
"""North acts first and has two melds."""
QUEEN, KING, ACE = Card.parse("Qs"), Card.parse("Kc"), Card.parse("Ac")


async def order_of(scene: Scene) -> list[Card]:
    """Return North's cards in the order in which they are shown."""
    hand = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
    return list(hand_in_order(hand.view, hand.pictured.order))


async def check_picture(scene: Scene, message: Message) -> None:
    """Check that a message shows North's cards in their order."""
    hand = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
    assert message.images[0].alt == draw_hand(hand.view, hand.preferences.appearance, hand.pictured.order).alt


async def move(scene: Scene, hand: Message, picked: list[Card], before: Card | None) -> None:
    """Have North press a card, and the card before which it goes."""
    await scene.press(scene.north, hand, Action.ARRANGE, picked[0].text)
    if picked[1:]:
        await scene.press(scene.north, hand, Action.ARRANGE, notation(picked))
    await scene.press(scene.north, hand, Action.ARRANGE_BEFORE, notation(picked, before))


@pytest.mark.parametrize("by_dm", [True, False])
async def test_cards_and_melds_are_moved_by_two_presses(tmp_path: Path, by_dm: bool) -> None:
    """A pressed card or its whole meld goes before the next pressed card, or to the end. The picture follows.

    After *Done*, the buttons that discard the cards have the same order. The preferred order can be restored.
    """
    async with open_match_scene(tmp_path, DECK, open_dms=by_dm) as scene:
        asked = None if by_dm else await scene.use(scene.north, "gin hand", scene.channel)
        hand = await scene.wait_for_turn(scene.north) if asked is None else asked.message
        sorted_cards = await order_of(scene)
        await scene.press(scene.north, hand, Action.ARRANGE)
        assert Action.ARRANGE_BY_DEFAULT not in buttons(hand)
        await move(scene, hand, [QUEEN], ACE)
        assert await order_of(scene) == [QUEEN, *(card for card in sorted_cards if card is not QUEEN)]
        await check_picture(scene, hand)
        clubs = [Card.parse(text) for text in ("Ac", "2c", "3c")]
        await move(scene, hand, clubs, None)
        await move(scene, hand, [KING], QUEEN)
        await check_picture(scene, hand)
        arranged = await order_of(scene)
        assert (arranged[:2], arranged[-3:]) == ([KING, QUEEN], clubs)
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        await scene.press(scene.north, hand, Action.TAKE)
        assert [card for card in discard_buttons(hand) if card in arranged] == arranged
        await scene.press(scene.north, hand, Action.ARRANGE)
        await scene.press(scene.north, hand, Action.ARRANGE_BY_DEFAULT)
        restored = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))
        assert restored.pictured.order is HandOrder.MELDS
        await check_picture(scene, hand)


async def test_arranging_is_not_interrupted(tmp_path: Path) -> None:
    """After a card was moved, the message stays as it is: buttons that discard cards do not appear by themselves."""
    clock = Clock()
    async with open_match_scene(tmp_path, DECK, clock=clock) as scene:
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.ARRANGE)
        await move(scene, hand, [QUEEN], ACE)
        await scene.press(scene.north, hand, Action.ARRANGE, KING.text)
        await scene.advance_until_idle(clock, 2 * CLICK_ANSWER_DELAY)
        assert Action.ARRANGE_BEFORE in buttons(hand)
        assert discard_buttons(hand) == {}


async def test_a_pick_is_taken_back(tmp_path: Path) -> None:
    """A second press of a picked card lets go of it, and changes nothing."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        before = await order_of(scene)
        await scene.press(scene.north, hand, Action.ARRANGE)
        await scene.press(scene.north, hand, Action.ARRANGE, QUEEN.text)
        await scene.press(scene.north, hand, Action.ARRANGE)
        assert Action.ARRANGE_BEFORE not in buttons(hand)
        assert await order_of(scene) == before


async def test_arranging_goes_on_after_the_opponents_move(tmp_path: Path) -> None:
    """If a player's turn begins while they arrange cards, their new hand keeps the picked card, until *Done*."""
    clock = Clock()
    async with open_match_scene(tmp_path, DECK, clock=clock) as scene:
        hand = await scene.wait_for_hand(scene.south)
        await scene.press(scene.south, hand, Action.ARRANGE)
        await scene.press(scene.south, hand, Action.ARRANGE, "Jd")
        await scene.press(scene.south, hand, Action.ARRANGE_BEFORE, notation([Card.parse("Jd")], Card.parse("2h")))
        await scene.press(scene.south, hand, Action.ARRANGE, "2h")
        await scene.ask(scene.north, "pass")
        await scene.advance_until_idle(clock, ARRANGING_TIME / 2)
        hand = scene.south.direct_messages()[-1]
        assert Action.TAKE not in buttons(hand)
        await scene.press(scene.south, hand, Action.ARRANGE_BEFORE, notation([Card.parse("2h")], Card.parse("6h")))
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        assert Action.TAKE in buttons(hand)
        assert str(hand.images[0].alt).index("J♦") < str(hand.images[0].alt).index("2♥")


async def arrange_until_own_turn(scene: Scene) -> Message:
    """Have South pick a card in a private answer in the channel until their turn begins. Return that answer."""
    hand = (await scene.use(scene.south, "gin hand", scene.channel)).message
    await scene.press(scene.south, hand, Action.ARRANGE)
    await scene.press(scene.south, hand, Action.ARRANGE, "2h")
    await scene.ask(scene.north, "pass")
    await scene.wait_until_idle()
    return hand


async def test_arranging_goes_on_in_a_private_answer(tmp_path: Path) -> None:
    """An answer in the channel in which a player arranges cards stays like that when their turn begins."""
    async with open_match_scene(tmp_path, DECK, open_dms=False) as scene:
        hand = await arrange_until_own_turn(scene)
        assert Action.ARRANGE_BEFORE in buttons(hand)
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        assert Action.TAKE in buttons(hand)


async def test_arranging_in_a_server_leaves_direct_messages_alone(tmp_path: Path) -> None:
    """A direct message about a player's turn has their moves, even if they arrange cards in a private answer."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await arrange_until_own_turn(scene)
        assert Action.ARRANGE_BEFORE in buttons(hand)
        assert Action.TAKE in buttons(scene.south.direct_messages()[-1])


async def test_a_forgotten_arrangement_ends(tmp_path: Path) -> None:
    """A player who has stopped pressing gets the hand of their turn as usual."""
    clock = Clock()
    async with open_match_scene(tmp_path, DECK, clock=clock) as scene:
        hand = await scene.wait_for_hand(scene.south)
        await scene.press(scene.south, hand, Action.ARRANGE)
        await scene.advance_until_idle(clock, ARRANGING_TIME)
        await scene.ask(scene.north, "pass")
        assert Action.TAKE in buttons(await scene.wait_for_turn(scene.south))


async def test_a_finished_arrangement_delays_nothing(tmp_path: Path) -> None:
    """After *Done*, the hand changes at once when the opponent moves."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await scene.wait_for_hand(scene.south)
        await scene.press(scene.south, hand, Action.ARRANGE)
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        hand = await scene.wait_for_turn(scene.south)
        assert Action.TAKE in buttons(hand)


async def test_late_and_forged_presses(tmp_path: Path) -> None:
    """A late press about cards that the player no longer has changes nothing, and unreadable cards are refused."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.ARRANGE)
        await scene.press(scene.north, hand, Action.ARRANGE, QUEEN.text)
        put = find_button(hand, Action.ARRANGE_BEFORE)
        assert put is not None
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card=QUEEN.text)
        before = await order_of(scene)
        late = await scene.press_late(scene.north, hand, put)
        assert not late.failed
        assert await order_of(scene) == before
        for argument in ("Qs>Qs", "2h>Ac", "Kc>", ">", "KcKc>Ac"):
            await click(scene.north, hand, Action.ARRANGE_BEFORE, 1, argument=argument)
        assert await order_of(scene) == [*(card for card in before if card is not KING), KING]
        for argument in ("banana", "K>A", "Kc>Kd>Ac"):
            forged = await click(scene.north, hand, Action.ARRANGE_BEFORE, 1, argument=argument)
            assert forged.text == OLD_BUTTON
        stranger = await click(scene.east, scene.table, Action.ARRANGE_BEFORE, 1, argument="Kc>Ac")
        assert scene.error_type(stranger) is NotSeated


async def test_nothing_is_arranged_after_the_end(tmp_path: Path) -> None:
    """Once the match is over, an old button shows the result."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        arrange = find_button(hand, Action.ARRANGE)
        assert arrange is not None
        await scene.ask(scene.south, "resign")
        resigned = (await scene.use(scene.south, "gin resign", scene.channel)).message
        await scene.press(scene.south, resigned, Action.RESIGN)
        late = await scene.press_late(scene.north, hand, arrange)
        assert not late.failed
        assert Action.REMATCH in buttons(late.message)
