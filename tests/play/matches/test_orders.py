"""Standing orders: moves that a waiting player asks for in advance."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Verb
from bot.engine.deals.phase import Phase
from bot.model.ids import MatchId
from bot.model.matches import OwnHand
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.play.application import Application
from bot.play.refusals import MatchOver, NotSeated, Paused, Stale
from bot.store.database import Database
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, prefer

DRAW = Orders(draws=True)
PASS = Orders(passes=True)
ASK = Orders(asks=True)

NORTH_HAND = "Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs"
SOUTH_HAND = "2h 4h 6h 7h Th 2s 5s 7s 9s Jd"
"""Of North's cards, South needs none: no meld of South would get one, and South cannot knock soon."""


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application with decks in which North acts first and South needs the three of hearts."""
    decks = [deck(NORTH_HAND, SOUTH_HAND, "3d", stock="Qd 8c 3h Tc")] * 5
    return Application(database, shuffler=RiggedShuffler(*decks), clock=clock)


async def order(app: Application, match_id: MatchId, orders: Orders, person: int = 1) -> OwnHand:
    """Give orders as South, or as North if `person` is 0."""
    who = (NORTH, SOUTH)[person]
    hand = await app.lookup.hand(who.id, match_id)
    return await app.orders.give(who.id, match_id, orders, hand.next_turn)


async def test_an_order_draws_in_the_move_of_the_opponent(app: Application, players: Players) -> None:
    """If the discard helps nobody, the player who ordered a draw begins the turn with the drawn card."""
    match = await players.begin()
    hand = await order(app, match.id, DRAW)
    assert (hand.orders, hand.next_turn) == (DRAW, "1.0")
    await players.move(match.id, "take", "x Jh")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (str(hand.view.new_card), hand.view.public.phase) == ("Qd", Phase.DISCARD)
    assert (hand.orders, hand.next_turn) == (NO_ORDERS, None)
    public = (await app.lookup.table(match.id)).view
    assert (public.phase, public.turn, public.stock, public.history[-1].verb) == (Phase.DRAW, 1, 31, Verb.DISCARD)
    await players.move(match.id, "x Qd")
    assert [move.verb for move in (await app.lookup.table(match.id)).view.history[-2:]] == [Verb.DRAW, Verb.DISCARD]


async def test_an_order_stops_if_the_discard_helps(app: Application, players: Players) -> None:
    """A discard that makes a meld leaves the choice to the player, and the order is used up."""
    match = await players.begin()
    await order(app, match.id, DRAW)
    await players.move(match.id, "pass", "pass", "draw", "x Qd", "draw", "x Jd", "draw")
    await order(app, match.id, DRAW)
    await players.move(match.id, "x 3h")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (hand.view.public.phase, hand.view.new_card) == (Phase.DRAW, None)


async def test_a_pass_can_be_ordered(app: Application, players: Players) -> None:
    """If the upcard helps nobody, a player who ordered a pass passes in the same moment as the opponent."""
    match = await players.begin()
    await order(app, match.id, PASS)
    hand = await players.move(match.id, "pass")
    assert (hand.view.is_to_act, hand.view.public.phase) == (True, Phase.DRAW)
    assert [move.verb for move in hand.view.public.history] == [Verb.PASS, Verb.PASS]


async def test_a_card_can_be_ordered(app: Application, players: Players) -> None:
    """A player takes an ordered card as soon as it is discarded."""
    match = await players.begin()
    await order(app, match.id, Orders(draws=True, takes=(Card.parse("Jh"),)))
    await players.move(match.id, "take", "x Jh")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (str(hand.view.new_card), hand.view.public.history[-1].verb) == ("Jh", Verb.TAKE)


async def test_the_bot_can_always_draw_for_a_person(app: Application, players: Players) -> None:
    """With the preference, a turn begins with a draw unless the discard helps."""
    await prefer(app, SOUTH, draws_for_me=True)
    match = await players.begin()
    await players.move(match.id, "take", "x Jh")
    assert (await app.lookup.hand(SOUTH.id, match.id)).view.public.phase is Phase.DISCARD


async def test_a_person_can_keep_the_bot_from_drawing_once(app: Application, players: Players) -> None:
    """With the preference, a player can ask for the choice on their next turn; the turn after it is drawn again."""
    await prefer(app, SOUTH, draws_for_me=True)
    match = await players.begin()
    await order(app, match.id, ASK)
    await players.move(match.id, "take", "x Jh")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (hand.view.public.phase, hand.planned) == (Phase.DRAW, None)
    await players.move(match.id, "draw", "x Jd", "draw", "x 8c")
    assert (await app.lookup.hand(SOUTH.id, match.id)).view.public.phase is Phase.DISCARD


async def test_an_order_takes_whatever_fits(app: Application, players: Players) -> None:
    """An order to take what fits takes a card that makes a meld, and leaves another card to the ordered draw."""
    match, orders = await players.begin(), Orders(draws=True, fits=True)
    await players.move(match.id, "pass", "pass")
    await order(app, match.id, orders)
    await players.move(match.id, "draw", "x Qd")
    assert (await app.lookup.hand(SOUTH.id, match.id)).view.public.history[-1].verb is Verb.DRAW
    await players.move(match.id, "x Jd", "draw")
    await order(app, match.id, orders)
    await players.move(match.id, "x 3h")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (str(hand.view.new_card), hand.view.public.history[-1].verb) == ("3h", Verb.TAKE)


async def test_orders_can_be_changed_and_taken_back(app: Application, players: Players) -> None:
    """New orders replace earlier ones, and taking them back leaves the turn to the player."""
    match = await players.begin()
    assert (await order(app, match.id, PASS)).orders == PASS
    assert (await order(app, match.id, DRAW)).orders == DRAW
    assert (await order(app, match.id, NO_ORDERS)).orders == NO_ORDERS
    await players.move(match.id, "take", "x Jh")
    assert (await app.lookup.hand(SOUTH.id, match.id)).view.public.phase is Phase.DRAW


async def test_orders_are_refused_when_they_come_too_late(app: Application, players: Players) -> None:
    """Orders are only for players who wait, and only for the turn for which they were offered."""
    match = await players.begin()
    seen = (await app.lookup.hand(SOUTH.id, match.id)).next_turn
    with pytest.raises(Stale):
        await order(app, match.id, DRAW, person=0)
    with pytest.raises(NotSeated):
        await app.orders.give(EAST.id, match.id, DRAW, seen)
    await players.move(match.id, "take")
    assert (await app.orders.give(SOUTH.id, match.id, PASS, seen)).orders == PASS
    await players.move(match.id, "x Jh", "draw", "x Qd")
    with pytest.raises(Stale):
        await app.orders.give(SOUTH.id, match.id, DRAW, seen)
    for person in (NORTH, SOUTH):
        await app.pauses.pause(person.id, match.id)
    with pytest.raises(Paused):
        await order(app, match.id, DRAW)
    for person in (NORTH, SOUTH):
        await app.pauses.resume(person.id, match.id)
    await app.endings.resign(NORTH.id, match.id, interaction())
    with pytest.raises(MatchOver):
        await order(app, match.id, DRAW)


async def test_a_hand_says_that_an_order_ran(app: Application, players: Players) -> None:
    """A hand says that its new card was drawn by order. It says nothing about a card drawn by the player."""
    match = await players.begin()
    await order(app, match.id, DRAW)
    await players.move(match.id, "take", "x Jh")
    assert (await app.lookup.hand(SOUTH.id, match.id)).planned is Planned.DONE
    await players.move(match.id, "x Qd", "draw", "x Qs")
    assert (await app.lookup.hand(SOUTH.id, match.id)).planned is None
    assert (await players.move(match.id, "draw")).planned is None


async def test_a_hand_claims_no_draw_that_the_player_made(app: Application, players: Players) -> None:
    """If a player wants automatic draws after drawing by hand, their hand does not say that the bot drew."""
    match = await players.begin()
    await players.move(match.id, "take", "x Jh", "draw")
    await prefer(app, SOUTH, draws_for_me=True)
    assert (await app.lookup.hand(SOUTH.id, match.id)).planned is None


async def test_the_rest_of_the_orders_stays_after_an_ordered_pass(app: Application, players: Players) -> None:
    """After a pass by order, the hand says so, and the draw that was ordered with it is for the next turn."""
    match = await players.begin()
    await order(app, match.id, Orders(passes=True, draws=True))
    await players.move(match.id, "pass")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (hand.orders, hand.planned) == (DRAW, Planned.DONE)
    await players.move(match.id, "draw", "x Jh")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (hand.view.public.phase, hand.planned) == (Phase.DISCARD, Planned.DONE)
    assert str(hand.view.new_card) == "8c"


async def test_a_paused_hand_says_nothing_about_orders(app: Application, players: Players) -> None:
    """While a match is paused, the hand does not say what the bot did."""
    match = await players.begin()
    await order(app, match.id, DRAW)
    await players.move(match.id, "take", "x Jh")
    for person in (NORTH, SOUTH):
        await app.pauses.pause(person.id, match.id)
    assert (await app.lookup.hand(SOUTH.id, match.id)).planned is None


async def test_orders_after_an_ordered_pass_can_be_taken_back(app: Application, players: Players) -> None:
    """The rest of the orders can be taken back like any orders."""
    match = await players.begin()
    await order(app, match.id, Orders(passes=True, draws=True))
    await players.move(match.id, "pass")
    assert (await order(app, match.id, NO_ORDERS)).orders == NO_ORDERS
    await players.move(match.id, "draw", "x Jh")
    assert (await app.lookup.hand(SOUTH.id, match.id)).view.public.phase is Phase.DRAW


async def test_a_hand_says_that_an_order_did_not_run(app: Application, players: Players) -> None:
    """A hand says that the choice is the player's because the discard helps, until the player has made it."""
    match = await players.begin()
    await players.move(match.id, "pass", "pass", "draw", "x Qd", "draw", "x Jd", "draw")
    await order(app, match.id, DRAW)
    await players.move(match.id, "x 3h")
    assert (await app.lookup.hand(SOUTH.id, match.id)).planned is Planned.LEFT
    assert (await players.move(match.id, "draw")).planned is None
