"""The next chance event of a match, with cards from a source: the cut, a deal, or a reshuffle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.engine.actions import Awaiting, Chance, Cut, Reshuffle, Shuffle
from bot.engine.cards import Card
from bot.engine.fair import Event
from bot.engine.match import Match
from bot.engine.moves import Seat


class Cards(Protocol):
    """A source of cards: an event of a verifiable match, or something that shuffles in other ways."""

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a card for each seat, all different."""
        ...

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards, the top first."""
        ...

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of a pile, which come from its bottom to its top, reshuffled: the top first."""
        ...


def event_of(match: Match, seed: bytes) -> Event:
    """Return the event that a verifiable match awaits, given its server seed."""
    assert match.seeds is not None
    return match.seeds.next_event(seed, _deal_number(match))


def drawn(match: Match, awaiting: Awaiting, cards: Cards) -> Chance:
    """Return the action that a match awaits, with cards from a source."""
    event = None if match.seeds is None else match.seeds.events + 1
    if awaiting is Awaiting.CUT:
        return Cut(cards.cut(match.seats), event)
    if (waiting := match.reshuffling) is not None:
        return Reshuffle(cards.stock(waiting.discards[:-1]), event)
    due = match.due
    if not due:
        cut = cards.cut(match.seats)
        due = match.seatings(Seat(cut.index(min(cut))))
    seating = due[0]
    seats = seating.seats if match.format.says_seats else None
    return Shuffle(seating.number, seating.dealer, cards.deck(), seats, seating.board, event)


def _deal_number(match: Match) -> int:
    """Return the number of the deal to which the next event belongs; the cut belongs to the first."""
    if (waiting := match.reshuffling) is not None:
        return waiting.number
    return match.due[0].number if match.due else 1
