"""Secrecy: hidden cards never affect the computer player's moves."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Match
from bot.engine.matches.views import seat_view
from bot.engine.rules import Rules
from bot.opponent.play.choosing import choose
from bot.opponent.play.facts import Facts
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.play.position_json import position_from_json, position_to_json
from tests.helpers.cases import nightly_after, thorough_after
from tests.opponent.helpers import ALL_TABLES, DISTINCT_TABLES, positions
from tests.opponent.play.test_facts import cards_in

POSITION_COUNT: Final = 1000
"""Number of positions that the nightly tests check, over all presets."""
STATES_PER_TABLE: Final = -(-POSITION_COUNT // len(ALL_TABLES))
COMPLETIONS: Final = 3


@pytest.mark.parametrize(
    ("preset", "seats", "most"),
    [
        *thorough_after(2, ((*table, 5) for table in DISTINCT_TABLES)),
        *nightly_after(0, ((*table, STATES_PER_TABLE) for table in ALL_TABLES)),
    ],
)
def test_hidden_cards_do_not_affect_moves(preset: str, seats: int, most: int) -> None:
    """If hidden cards are exchanged, the position as text stays the same, and so does the chosen move."""
    random, judge, states = Random(preset), trained_judge(), 0
    rules = Rules.parse(preset)
    while states < most:
        for table, seat, position in positions(rules, seats, f"{preset} {states}"):
            if random.random() > 0.2 or states == most:
                continue
            states += 1
            level, seed = random.choice(list(Level)), random.randrange(1000)
            position_text = json.dumps(position_to_json(position))
            (move,) = choose(judge, level, [position_from_json(json.loads(position_text))], [seed])
            for _ in range(COMPLETIONS):
                completed = _with_other_hidden_cards(table.match, seat, position, random)
                same = Position.of(seat_view(completed, seat), position.past)
                assert json.dumps(position_to_json(same)) == position_text
                assert choose(judge, level, [same], [seed]) == [move]


def _with_other_hidden_cards(match: Match, seat: Seat, position: Position, random: Random) -> Match:
    """Return the match after randomly shuffling the cards that are hidden from a seat."""
    deal = match.deal_of(seat)
    facts = Facts.of(position)
    seen = {*cards_in(facts.own_cards | facts.known | facts.known_elsewhere | facts.pile)}
    if position.knock is not None:
        seen |= {*position.knock.arrangement.cards, *(lay_off.card for lay_off in position.knock.lay_offs)}
    hidden = [card for card in (*deal.stock, *(card for hand in deal.hands for card in hand)) if card not in seen]
    exchange = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    changed = _with_cards(deal, exchange)
    return replace(match, playing=tuple(changed if other is deal else other for other in match.playing))


def _with_cards(deal: Deal, exchange: dict[Card, Card]) -> Deal:
    # Exchange cards in the stock, which is the end of the deck, but not in the dealt part before it. Both parts may
    # contain the same cards, because a reshuffle appends the discards to the deck.
    deck = (*deal.deck[: deal.dealt], *(exchange.get(card, card) for card in deal.stock))
    hands = tuple(Hand.of(exchange.get(card, card) for card in hand) for hand in deal.hands)
    return replace(deal, deck=deck, hands=hands)
