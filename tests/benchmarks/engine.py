"""The engine's speed: least deadwood, and whole random deals with the legal moves listed at every step.

Each figure stands beside the brute-force reference of the tests, which is plain Python on text. Both are measured in
the same run on the same inputs, so their ratio can be compared between machines.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter

from bot.engine.cards import DECK, Card, Hand
from bot.engine.deal import Phase, Seating, start
from bot.engine.melds import least_deadwood
from bot.engine.moves import Seat
from bot.engine.phases import legal_moves, play
from bot.engine.rules import Rules
from tests.reference import classic

HANDS, REFERENCE_HANDS = 20_000, 2_000
DEALS, REFERENCE_DEALS = 300, 10
ROUNDS = 5

Row = tuple[str, float, float, str]
"""A figure: its name, ours, the reference's, and the unit of both."""


def measure() -> list[Row]:
    """The engine's figures, each the best of a few rounds."""
    rng = random.Random(1)
    hands = [Hand.of(rng.sample(DECK, 10)) for _ in range(HANDS)]
    decks = [tuple(rng.sample(DECK, len(DECK))) for _ in range(DEALS)]
    texts = [tuple(map(str, hand)) for hand in hands[:REFERENCE_HANDS]]
    text_decks = [tuple(map(str, deck)) for deck in decks[:REFERENCE_DEALS]]
    return [
        (
            "least deadwood of a uniform ten-card hand",
            _best(lambda: _deadwood(hands)) / HANDS * 1e6,
            _best(lambda: _reference_deadwood(texts)) / REFERENCE_HANDS * 1e6,
            "µs",
        ),
        (
            "whole random deals, legal moves listed at every step",
            DEALS / _best(lambda: _deals(decks)),
            REFERENCE_DEALS / _best(lambda: _reference_deals(text_decks)),
            "deals/s",
        ),
    ]


def _best(work: Callable[[], None]) -> float:
    """The seconds of the quickest round, which is the one least disturbed."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        work()
        seconds.append(perf_counter() - begun)
    return min(seconds)


def _deadwood(hands: list[Hand]) -> None:
    for hand in hands:
        least_deadwood(hand)


def _reference_deadwood(hands: list[classic.Cards]) -> None:
    for hand in hands:
        classic.least_deadwood(hand)


def _deals(decks: list[tuple[Card, ...]]) -> None:
    rules, seating, rng = Rules(), Seating(1, (Seat(0), Seat(1)), Seat(1), 1), random.Random(2)
    for deck in decks:
        deal = start(rules, seating, deck)
        while deal.phase is not Phase.DONE:
            deal = play(deal, rng.choice(legal_moves(deal)))


def _reference_deals(decks: list[classic.Cards]) -> None:
    rng = random.Random(2)
    for deck in decks:
        deal = classic.Deal(deck)
        while moves := deal.legal():
            deal.play(rng.choice(sorted(moves)))
