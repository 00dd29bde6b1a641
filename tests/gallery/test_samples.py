"""The samples show positions that a deal can reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.engine.cards.cards import DECK, Card
from bot.engine.matches.facts import open_knock
from bot.engine.matches.replay import Moment
from bot.engine.matches.views import PublicView, SeatView
from tests.gallery.samples import sample_hands, sample_replays, sample_tables, sorted_hands

HANDS = [*sample_hands(), *((name, view) for name, view, _ in sorted_hands())]


def card_count(view: PublicView) -> int:
    """Return the number of cards in the stock, the discard pile and all hands."""
    return view.stock + len(view.discards) + sum(view.hand_sizes)


def face_up(view: PublicView) -> Iterator[Card]:
    """Yield the cards that everyone sees."""
    yield from view.discards
    knock = open_knock(view)
    if knock is not None:
        yield from knock.arrangement.cards
        yield from (lay_off.card for lay_off in knock.lay_offs)


@pytest.mark.parametrize(("name", "view"), HANDS)
def test_the_cards_of_a_hand_lie_nowhere_else(name: str, view: SeatView) -> None:
    """A hand's cards are visible nowhere else, its public size is correct, and there are 52 cards in all."""
    knock = open_knock(view.public)
    mine = knock is not None and knock.seat == view.seat
    off = [] if knock is None else [lay_off for lay_off in knock.lay_offs if lay_off.seat == view.seat]
    held = () if mine else view.hand
    shown = [*face_up(view.public), *held]
    assert len(set(shown)) == len(shown), name
    assert view.public.hand_sizes[view.seat] == len(view.hand) + len(off)
    assert card_count(view.public) == len(DECK)


@pytest.mark.parametrize(("name", "view"), list(sample_tables()))
def test_a_table_has_a_whole_deck(name: str, view: PublicView) -> None:
    """Stock, discards and hands together have 52 cards, and no card is visible twice."""
    shown = [*face_up(view)]
    assert len(set(shown)) == len(shown), name
    assert card_count(view) == len(DECK)


@pytest.mark.parametrize("moments", [view.moments for _, view in sample_replays()])
def test_a_replay_keeps_its_deck(moments: tuple[Moment, ...]) -> None:
    """At each moment of a replay, every card is in exactly one place."""
    for moment in moments:
        shown = [*(card for hand in moment.hands for card in hand.cards), *moment.discards]
        shown += [lay_off.card for lay_off in moment.lay_offs]
        assert len(set(shown)) == len(shown)
        assert moment.stock + len(shown) == len(DECK)
