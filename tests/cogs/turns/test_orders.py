"""Standing orders below a waiting player's hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.engine.cards.cards import Card
from bot.model.ids import MatchId, PersonId
from bot.model.orders import Orders, Planned
from bot.play.refusals import Stale
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.delivery.refusals import OLD_BUTTON
from cogs.people.preferences_panel import PREFERENCES
from cogs.turns.orders_panel import given_orders, orders_in_words
from tests.cogs.samples import hand_of, just_dealt
from tests.cogs.scenes import buttons, menus, open_match_scene, person_of
from tests.engine.decks import deck
from tests.helpers.components import actions_of, find_button, find_control
from tests.helpers.table import prefer

NORTH_HAND = "Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs"
SOUTH_HAND = "2h 4h 6h 7h Th 2s 5s 7s 9s Jd"
DECK = deck(NORTH_HAND, SOUTH_HAND, "3d", stock="Qd 8c 3h Tc")
"""North acts first and can discard the jack of hearts, which does not help South."""
KNOCK_DECK = deck("5h 8h 9h Jh 8s 9s Ts Js Qs Qd", "Ac 2c 3c 4d 5d 6d As 2h 4s Kd", "3h", stock="3s")
"""South can knock with each of the threes, the upcard and the card that North can draw, but has no meld with them."""


@pytest.mark.thorough
async def test_orders_are_shown_and_taken_back(tmp_path: Path) -> None:
    """A waiting player's hand has a menu of orders, and then the orders with *Undo*."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = await scene.wait_for_hand(scene.south)
        assert menus(hand) == [Action.GIVE_ORDERS]
        ordered = Orders(passes=True, draws=True, takes=(Card.parse("3h"),))
        await scene.choose(scene.south, hand, Action.GIVE_ORDERS, *ordered.words)
        assert orders_in_words(ordered, ENGLISH) in hand.text
        assert orders_in_words(ordered, ENGLISH) not in scene.table.text
        await scene.press(scene.south, hand, Action.UNDO_ORDERS)
        assert "On your next turn:" not in hand.text
        assert find_button(hand, Action.UNDO_ORDERS) is None


@pytest.mark.thorough
async def test_a_turn_with_an_order_is_one_press(tmp_path: Path) -> None:
    """After an ordered draw, the player is notified once, with a hand that offers the discards."""
    async with open_match_scene(tmp_path, DECK) as scene:
        await scene.choose(scene.south, await scene.wait_for_hand(scene.south), Action.GIVE_ORDERS, "draw")
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        before = len(scene.south.direct_messages())
        await scene.ask(scene.north, "discard", card="Jh")
        hand = await scene.wait_for_turn(scene.south)
        await scene.wait_until_idle()
        assert len(scene.south.direct_messages()) == before
        (outcome,) = given_orders(await scene.bot.app.lookup.hand(PersonId(scene.south.id), MatchId(1)))
        assert str(outcome) in hand.text
        assert Action.DISCARD in actions_of(hand)
        assert Action.DRAW not in buttons(hand)
        assert ENGLISH.short(Card.parse("Qd")) in str(hand.images[0].alt)
        await scene.press(scene.south, hand, Action.DISCARD, "Qd")
        assert menus(hand) == [Action.GIVE_ORDERS]


@pytest.mark.thorough
async def test_orders_from_the_menu_stop_at_a_knock(tmp_path: Path) -> None:
    """A pass and a draw are not made if the card on offer lets the player knock, and the hand says why."""
    async with open_match_scene(tmp_path, KNOCK_DECK) as scene:
        south = PersonId(scene.south.id)
        await scene.choose(scene.south, await scene.wait_for_hand(scene.south), Action.GIVE_ORDERS, "pass", "draw")
        await scene.ask(scene.north, "pass")
        hand = await scene.wait_for_turn(scene.south)
        assert {Action.TAKE, Action.PASS} <= {*buttons(hand)}
        (outcome,) = given_orders(await scene.bot.app.lookup.hand(south, MatchId(1)))
        assert str(outcome) in hand.text
        await scene.press(scene.south, hand, Action.PASS)
        await scene.choose(scene.south, hand, Action.GIVE_ORDERS, "draw")
        await scene.ask(scene.north, "draw")
        await scene.ask(scene.north, "discard", card="3s")
        hand = await scene.wait_for_turn(scene.south)
        assert {Action.TAKE, Action.DRAW} <= {*buttons(hand)}
        (outcome,) = given_orders(await scene.bot.app.lookup.hand(south, MatchId(1)))
        assert str(outcome) in hand.text


@pytest.mark.thorough
async def test_late_orders_are_refused(tmp_path: Path) -> None:
    """A menu of orders that is used after the turn has begun changes nothing, and shows the hand."""
    async with open_match_scene(tmp_path, DECK) as scene:
        hand = (await scene.use(scene.south, "gin hand", scene.channel)).message
        menu = find_control(hand, Action.GIVE_ORDERS)
        assert menu is not None
        forged = await (await scene.south.choose(hand, menu.custom_id, "banana", late=True)).done()
        assert forged.text == OLD_BUTTON
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Jh")
        await scene.wait_until_idle()
        late = await (await scene.south.choose(hand, menu.custom_id, "draw", late=True)).done()
        assert isinstance(scene.error(late), Stale)
        assert Action.DRAW in buttons(hand)


@pytest.mark.thorough
async def test_the_preference_draws(tmp_path: Path) -> None:
    """With *Draw for me*, a turn begins with the drawn card, and the menu does not offer a draw."""
    async with open_match_scene(tmp_path, DECK) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        changed = await scene.change_setting(scene.south, panel, Action.PREFER_DRAWING, "yes")
        assert PREFERENCES[Action.PREFER_DRAWING].labels["yes"] in changed.message.text
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Jh")
        assert Action.DISCARD in actions_of(await scene.wait_for_turn(scene.south))


@pytest.mark.thorough
async def test_the_menu_can_stop_the_preference_once(tmp_path: Path) -> None:
    """With *Draw for me*, the menu offers to leave the next turn to the player, and *Undo* takes that back."""
    async with open_match_scene(tmp_path, DECK) as scene:
        await prefer(scene.bot.app, person_of(scene.south), draws_for_me=True)
        hand = (await scene.use(scene.south, "gin hand", scene.channel)).message
        await scene.choose(scene.south, hand, Action.GIVE_ORDERS, "ask")
        assert find_button(hand, Action.UNDO_ORDERS) is not None
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Jh")
        assert Action.DRAW in buttons(await scene.wait_for_turn(scene.south))


@pytest.mark.thorough
async def test_orders_are_the_same_in_both_hands(tmp_path: Path) -> None:
    """Orders that are given or taken back in the direct message are also shown in the private answer in the channel."""
    async with open_match_scene(tmp_path, DECK) as scene:
        answer = (await scene.use(scene.south, "gin hand", scene.channel)).message
        direct = await scene.wait_for_hand(scene.south)
        await scene.choose(scene.south, direct, Action.GIVE_ORDERS, "draw")
        await scene.wait_until_idle()
        assert find_button(answer, Action.UNDO_ORDERS) is not None
        await scene.press(scene.south, direct, Action.UNDO_ORDERS)
        await scene.wait_until_idle()
        assert find_button(answer, Action.UNDO_ORDERS) is None


@pytest.mark.thorough
async def test_an_automatic_draw_is_announced_after_the_pass(tmp_path: Path) -> None:
    """With *Draw for me*, a player who has passed the upcard reads that the next turn begins with a draw."""
    async with open_match_scene(tmp_path, DECK) as scene:
        await prefer(scene.bot.app, person_of(scene.north), draws_for_me=True)
        await scene.ask(scene.north, "pass")
        north, first = PersonId(scene.north.id), MatchId(1)
        _, waiting = given_orders(await scene.bot.app.lookup.hand(north, first))
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert str(waiting) in hand.text


def test_an_order_that_waits_says_why() -> None:
    """A player reads whether the card on offer fits a meld or only makes a knock possible."""
    hands = "Ac 2c 3c 4d 5d 6d As 2h 4s Kd", "8h 9h Th Jh Qh 8s 9s Ts Js Qs"
    reasons: set[str] = set()
    for upcard in ("7d", "3h"):
        match = just_dealt("classic", deck=deck(*hands, upcard))
        (outcome,) = given_orders(replace(hand_of(match, 0), planned=Planned.LEFT))
        reasons.add(str(outcome).partition(ENGLISH.short(Card.parse(upcard)))[2])
    assert len(reasons) == 2
    assert "" not in reasons
