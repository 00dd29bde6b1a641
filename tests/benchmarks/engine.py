"""Benchmark of the engine: least deadwood, random deals with all legal moves listed, and verifiable deals.

The reference is the tests' brute-force implementation, which works on text. For a verifiable deal, the reference is the
same deal with the system's shuffle. Figure and reference are measured in the same run on the same input, so their ratio
can be compared between machines.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import least_deadwood
from bot.engine.deals.deal import Seating, start_deal
from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import legal_moves, play
from bot.engine.fairness.fair import Chain
from bot.engine.matches.actions import Action, Chance, Play, PlayerSeed, Reveal
from bot.engine.matches.chance import event_of, next_chance_action
from bot.engine.matches.match import apply, legal, new_match
from bot.engine.rules import Rules
from tests.engine.fair_matches import Table
from tests.reference import deals, scores

HANDS, REFERENCE_HANDS = 20_000, 2_000
DEALS, REFERENCE_DEALS = 300, 10
FAIR_DEALS = 150
ROUNDS = 5

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""


def measure() -> list[Row]:
    """Return the figures of the engine. Each is the best of several rounds."""
    rng = random.Random(1)
    hands = [Hand.of(rng.sample(DECK, 10)) for _ in range(HANDS)]
    decks = [tuple(rng.sample(DECK, len(DECK))) for _ in range(DEALS)]
    chain, actions = _fair_actions(rng)
    # Deals with and without a hash chain take almost equally long. Measure them alternately, so that other load
    # affects both in the same way.
    rounds = [
        (
            _fastest_round(lambda: _play_fair_deals(chain, actions), 1),
            _fastest_round(lambda: _play_system_deals(actions), 1),
        )
        for _ in range(15)
    ]
    fair, system = map(min, zip(*rounds, strict=True))
    texts = [tuple(map(str, hand)) for hand in hands[:REFERENCE_HANDS]]
    text_decks = [tuple(map(str, deck)) for deck in decks[:REFERENCE_DEALS]]
    return [
        (
            "least deadwood of a uniform ten-card hand",
            _fastest_round(lambda: _compute_deadwood(hands)) / HANDS * 1e6,
            _fastest_round(lambda: _reference_deadwood(texts)) / REFERENCE_HANDS * 1e6,
            "µs",
        ),
        (
            "whole random deals, legal moves listed at every step",
            DEALS / _fastest_round(lambda: _play_deals(decks)),
            REFERENCE_DEALS / _fastest_round(lambda: _play_reference_deals(text_decks)),
            "deals/s",
        ),
        (
            "a verifiable deal, beside the same without a chain",
            fair / FAIR_DEALS * 1e3,
            system / FAIR_DEALS * 1e3,
            "ms",
        ),
    ]


def _fastest_round(work: Callable[[], None], rounds: int = ROUNDS) -> float:
    """Return the duration of the fastest round in seconds. Other load on the machine disturbed it least."""
    seconds: list[float] = []
    for _ in range(rounds):
        started_at = perf_counter()
        work()
        seconds.append(perf_counter() - started_at)
    return min(seconds)


def _compute_deadwood(hands: list[Hand]) -> None:
    for hand in hands:
        least_deadwood(hand)


def _reference_deadwood(hands: list[deals.Cards]) -> None:
    deals.ways_to_meld.cache_clear()
    for hand in hands:
        deals.least_deadwood(hand)


def _play_deals(decks: list[tuple[Card, ...]]) -> None:
    rules, seating, rng = Rules(), Seating(1, (Seat(0), Seat(1)), Seat(1), 1), random.Random(2)
    for deck in decks:
        deal = start_deal(rules, seating, deck)
        while deal.phase is not Phase.DONE:
            deal = play(deal, rng.choice(legal_moves(deal)))


def _fair_actions(rng: random.Random) -> tuple[Chain, list[Action]]:
    """Return the hash chain of a verifiable match and the match's actions, including seeds and reveals."""
    rules = Rules.parse(f"classic target=none deals={FAIR_DEALS}")
    table = Table(rules, ("north", "south"), Chain.ending_with(rng.randbytes(32)))
    table.play(rng)
    return table.chain, table.actions


def _play_fair_deals(chain: Chain, actions: list[Action]) -> None:
    """Play the recorded match with cards drawn from the hash chain."""
    match = new_match(Rules.parse(f"classic target=none deals={FAIR_DEALS}"), 2)
    for action in actions:
        if isinstance(action, Chance) and match.awaits is not None and match.seeds is not None:
            seed = chain.seed(match.seeds.newest_event + 1)
            match = apply(match, next_chance_action(match, match.awaits, event_of(match, seed)))
            continue
        if isinstance(action, Play):
            legal(match, action.seat)
        match = apply(match, action)


def _play_system_deals(actions: list[Action]) -> None:
    """Play the recorded match without seeds, but with the recorded cards.

    Also draw and discard a random deck for each shuffle, so that the time includes the system's generator.
    """
    system = random.SystemRandom()
    match = new_match(Rules.parse(f"classic target=none deals={FAIR_DEALS}"), 2)
    for action in actions:
        if isinstance(action, PlayerSeed | Reveal):
            continue
        if isinstance(action, Chance):
            system.sample(DECK, len(DECK))
            match = apply(match, replace(action, event=None))
            continue
        legal(match, action.seat)
        match = apply(match, action)


def _play_reference_deals(decks: list[deals.Cards]) -> None:
    rng, rules = random.Random(2), scores.options("classic")
    deals.ways_to_meld.cache_clear()
    for deck in decks:
        deal = deals.Deal(deck, rules, 2)
        while moves := deal.legal():
            deal.play(rng.choice(sorted(moves)))
