"""Hypothesis strategies for the engine's values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from typing import Any

from hypothesis import strategies as st

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import Meld, melds_in
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.errors import RulesError
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle
from bot.engine.records.record import Record
from bot.engine.rules import OPTIONS, PRESETS, Option, Rules, Value

seeds = st.integers(0, 2**32 - 1)
cards = st.sampled_from(DECK)
ALL_MELDS = melds_in(Hand.of(DECK))
melds = st.sampled_from(ALL_MELDS)


def hands(min_cards: int = 0, max_cards: int = 11) -> st.SearchStrategy[Hand]:
    """Return a strategy for hands from the whole deck, or from few ranks or suits so that melds overlap."""
    pools = st.sampled_from((DECK, DECK[:12], DECK[8:28], DECK[::4], [card for card in DECK if card.suit < 2]))
    return pools.flatmap(
        lambda pool: st.lists(
            st.sampled_from(pool), unique=True, min_size=min_cards, max_size=min(max_cards, len(pool))
        )
    ).map(Hand.of)


def _disjoint(chosen: list[Meld]) -> tuple[Meld, ...]:
    disjoint: list[Meld] = []
    for meld in chosen:
        if not any(set(meld.cards) & set(other.cards) for other in disjoint):
            disjoint.append(meld)
    return tuple(sorted(disjoint))


meld_groups = st.lists(melds, max_size=4).map(_disjoint)
seats = st.integers(0, 3).map(Seat)

moves = st.one_of(
    st.sampled_from((Verb.PASS, Verb.TAKE, Verb.DRAW, Verb.BIG_GIN, Verb.DONE, Verb.RESIGN, Verb.MELD)).map(Move),
    st.builds(Move, st.just(Verb.DISCARD), cards),
    st.builds(Move, st.just(Verb.KNOCK), cards, st.none() | meld_groups),
    st.builds(Move, st.just(Verb.MELD), st.none(), meld_groups),
    st.builds(Move, st.just(Verb.LAY_OFF), cards, melds.map(lambda meld: (meld,))),
)

decks = st.integers(0, 2**32 - 1).map(lambda seed: tuple(random.Random(seed).sample(DECK, len(DECK))))


def _cut(drawn: list[Card], event: int | None) -> Cut:
    return Cut(tuple(drawn), event)


def _reshuffle(order: list[Card], event: int | None) -> Reshuffle:
    return Reshuffle(tuple(order), event)


seat_orders = st.none() | st.lists(seats, unique=True, min_size=2, max_size=4).map(lambda order: tuple(order))

events = st.integers(1, 16384)
hashes = st.binary(min_size=32, max_size=32)

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(_cut, st.lists(cards, unique=True, min_size=2, max_size=4), st.none()),
    st.builds(Shuffle, st.integers(1, 999), seats, decks, seat_orders),
    st.builds(_reshuffle, st.lists(cards, unique=True, min_size=1), st.none()),
    st.builds(Play, seats, moves),
)
"""Actions that any match may contain."""

fair_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(_cut, st.lists(cards, unique=True, min_size=2, max_size=4), events),
    st.builds(Shuffle, st.integers(1, 999), seats, decks, seat_orders, st.integers(1, 2), events),
    st.builds(_reshuffle, st.lists(cards, unique=True, min_size=1), events),
    st.builds(PlayerSeed, seats, hashes, st.none() | st.integers(1, 999)),
    st.builds(Reveal, events, hashes),
)
"""Actions that only a verifiable match may contain."""

takeovers: st.SearchStrategy[Action] = st.builds(Replace, seats)
"""Takeovers of a seat by the computer. Only a match of three or four players may contain them."""


def values(option: Option) -> st.SearchStrategy[Value]:
    """Return a strategy for the values that a rule option allows."""
    named = st.sampled_from(option.named_values) if option.named_values else st.nothing()
    return named | st.sampled_from(option.numbers) if option.numbers else named


def _rules_or_none(chosen: dict[str, Any]) -> Rules | None:
    try:
        return Rules(**chosen)
    except RulesError:
        return None


rules: st.SearchStrategy[Rules] = (
    st.fixed_dictionaries(
        {"preset": st.sampled_from(sorted(PRESETS))},
        optional={name: values(option) for name, option in OPTIONS.items()},
    )
    .map(_rules_or_none)
    .filter(lambda sound: sound is not None)
    .map(lambda sound: sound or Rules())
)

names = st.just(()) | st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))


def _with_rounds_of_one_deal(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Drop each deal that has the same number as the deal before it, like a deal on a second board.

    A record of two boards may not round-trip, because printing puts all actions of one board before the other's.
    """
    kept, number = list[Action](), 0
    for action in actions:
        if not isinstance(action, Shuffle):
            kept.append(action)
        elif action.number != number:
            kept.append(action)
            number = action.number
    return tuple(kept)


records = st.builds(
    Record,
    rules=rules.filter(lambda sound: sound.format == "duel"),
    actions=st.lists(actions | fair_actions | takeovers, max_size=8).map(_with_rounds_of_one_deal),
    names=names,
    day=st.none() | st.dates(min_value=date(1, 1, 1)),
    result=st.none() | st.just(()) | st.tuples(st.integers(0, 9999), st.integers(0, 9999)),
    commit=st.none() | hashes,
    commit_message=st.none() | st.tuples(st.integers(1, 2**64 - 1), st.integers(1, 2**64 - 1)),
)
