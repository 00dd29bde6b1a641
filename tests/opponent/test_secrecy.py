"""Secrecy: hidden cards never affect the computer player's moves."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.engine.cards import Card, Hand
from bot.engine.deal import Deal
from bot.engine.match import Match
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.views import seat_view
from bot.opponent.choosing import choose
from bot.opponent.facts import Facts
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.position_json import position_from_json, position_to_json
from tests.helpers.cases import nightly_after, thorough_after
from tests.opponent.helpers import KINDS, TABLES, positions
from tests.opponent.test_facts import cards_in

STATES: Final = 1000
"""Number of states of all formats together."""
EACH: Final = -(-STATES // len(TABLES))
COMPLETIONS: Final = 3


@pytest.mark.parametrize(
    ("preset", "seats", "most"),
    [
        *thorough_after(2, ((*table, 5) for table in KINDS)),
        *nightly_after(0, ((*table, EACH) for table in TABLES)),
    ],
)
def test_hidden_cards_change_no_move(preset: str, seats: int, most: int) -> None:
    """Other hidden cards give the same position as text, and the same move at every level."""
    random, judge, states = Random(preset), trained(), 0
    rules = Rules.parse(preset)
    while states < most:
        for table, seat, position in positions(rules, seats, f"{preset} {states}"):
            if random.random() > 0.2 or states == most:
                continue
            states += 1
            level, seed = random.choice(list(Level)), random.randrange(1000)
            told = json.dumps(position_to_json(position))
            (move,) = choose(judge, level, [position_from_json(json.loads(told))], [seed])
            for _ in range(COMPLETIONS):
                other = _completed(table.match, seat, position, random)
                same = Position.of(seat_view(other, seat), position.past)
                assert json.dumps(position_to_json(same)) == told
                assert choose(judge, level, [same], [seed]) == [move]


def _completed(match: Match, seat: Seat, position: Position, random: Random) -> Match:
    """Return the match with the cards that a seat cannot know exchanged at random."""
    deal = match.deal_of(seat)
    facts = Facts.of(position)
    seen = {*cards_in(facts.mine | facts.known | facts.known_elsewhere | facts.pile)}
    if position.knock is not None:
        seen |= {*position.knock.laid.cards, *(one.card for one in position.knock.lay_offs)}
    hidden = [card for card in (*deal.stock, *(card for hand in deal.hands for card in hand)) if card not in seen]
    moved = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    changed = _with_cards(deal, moved)
    return replace(match, playing=tuple(changed if one is deal else one for one in match.playing))


def _with_cards(deal: Deal, moved: dict[Card, Card]) -> Deal:
    # Cards dealt from the deck are in the hands now, and after a reshuffle some are in the deck twice.
    deck = (*deal.deck[: deal.dealt], *(moved.get(card, card) for card in deal.stock))
    hands = tuple(Hand.of(moved.get(card, card) for card in hand) for hand in deal.hands)
    return replace(deal, deck=deck, hands=hands)
