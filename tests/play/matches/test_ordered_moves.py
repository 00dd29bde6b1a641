"""The turns in which orders run, and those in which they leave the choice to the player."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.deal import MIN_STOCK
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import can_take
from bot.model.orders import Orders, Planned
from bot.play.application import Application
from bot.store.database import Database
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.clock import Clock
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, NORTH, SOUTH, WEST, Players, interaction, prefer


def application(database: Database, clock: Clock, first: str, dealer: str, upcard: str) -> Application:
    """Build the application with decks that deal these hands on each board."""
    decks = [deck(first, dealer, upcard)] * 5
    return Application(database, shuffler=RiggedShuffler(*decks), clock=clock)


@pytest.mark.thorough
async def test_an_order_takes_no_card_at_the_wall(database: Database, clock: Clock) -> None:
    """A card that was ordered is not taken at the wall: the player would then have to go out."""
    app = application(database, clock, POOR_HAND, f"{GIN_HAND} Qh", "Jd")
    players = Players(app)
    match = await players.begin("tournament")
    await players.move(match.id, "pass", "pass")
    while True:
        drawn = await players.move(match.id, "draw")
        assert drawn.view.new_card is not None
        card = drawn.view.new_card
        if drawn.view.public.stock == MIN_STOCK:
            break
        await players.move(match.id, f"x {card}")
    waiting = await app.lookup.hand(SOUTH.id, match.id)
    await app.orders.give(SOUTH.id, match.id, Orders(takes=(card,)), waiting.next_turn)
    await players.move(match.id, f"x {card}")
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert (hand.view.public.phase, hand.view.new_card, can_take(hand.view)) == (Phase.WALL, None, True)


async def test_a_hand_says_that_an_order_does_not_cover_the_discard(database: Database, clock: Clock) -> None:
    """If the discard is not a card that was ordered, the player's hand says so until their next move."""
    app = application(database, clock, "Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "3d")
    players = Players(app)
    for orders in (Orders(takes=(Card.parse("8c"),)), Orders(fits=True)):
        match = await players.begin()
        waiting = await app.lookup.hand(SOUTH.id, match.id)
        await app.orders.give(SOUTH.id, match.id, orders, waiting.next_turn)
        await players.move(match.id, "take", "x Jh")
        assert (await app.lookup.hand(SOUTH.id, match.id)).planned is Planned.MISSED
        assert (await players.move(match.id, "draw")).planned is None
        await app.endings.resign(NORTH.id, match.id, interaction())


async def test_both_boards_begin_with_ordered_draws(database: Database, clock: Clock) -> None:
    """If a new deal on each of two boards begins with a player who wants automatic draws, both of them draw."""
    app = application(database, clock, "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "Kh")
    four = (NORTH, SOUTH, EAST, WEST)
    for person in four:
        await prefer(app, person, draws_for_me=True)
    match = await Players(app, four).begin("partners opening=free")
    hands = [await app.lookup.hand(person.id, match.id) for person in four]
    assert [hand.view.new_card is not None for hand in hands] == [hand.view.is_to_act for hand in hands]
    assert sum(hand.view.is_to_act for hand in hands) == 2


async def test_an_order_cannot_claim_that_it_ran(database: Database, clock: Clock) -> None:
    """A forged order that says that it has run changes nothing in the player's hand."""
    app = application(database, clock, POOR_HAND, f"{GIN_HAND} Qh", "Jd")
    match = await Players(app).begin()
    waiting = await app.lookup.hand(SOUTH.id, match.id)
    hand = await app.orders.give(SOUTH.id, match.id, Orders(takes=(Card.parse("8c"),), ran=True), waiting.next_turn)
    assert (hand.orders.takes, hand.planned) == ((Card.parse("8c"),), None)
