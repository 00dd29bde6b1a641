"""The next chance action of a match (a cut, a deal or a reshuffle), with cards from a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.engine.actions import Awaiting, Chance, Cut, Reshuffle, Shuffle
from bot.engine.cards import Card
from bot.engine.fair import Event
from bot.engine.match import Match
from bot.engine.moves import Seat


class Cards(Protocol):
    """A source of cards: an event of a verifiable match, or any other shuffler."""

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a card for each seat, all different."""
        ...

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards, top first."""
        ...

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of a pile reshuffled, top first. `cards` runs from the bottom of the pile to its top."""
        ...


def event_of(match: Match, seed: bytes) -> Event:
    """Return the next event of a verifiable match, given its server seed."""
    assert match.seeds is not None
    return match.seeds.next_event(seed, _deal_number(match))


def drawn(match: Match, awaiting: Awaiting, cards: Cards) -> Chance:
    """Return the chance action that a match awaits, with cards from a source."""
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
    """Return the number of the deal that the next event belongs to. The cut belongs to deal 1."""
    if (waiting := match.reshuffling) is not None:
        return waiting.number
    return match.due[0].number if match.due else 1
