"""The next chance action of a match (a cut, a deal or a reshuffle), with cards from a source."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import Event
from bot.engine.matches.actions import Awaiting, Chance, Cut, Reshuffle, Shuffle
from bot.engine.matches.match import Match


class CardSource(Protocol):
    """A source of shuffled cards: an `Event` in a verifiable match, any other shuffler in other matches."""

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a card for each seat, all different."""
        ...

    def deck(self) -> tuple[Card, ...]:
        """Return a shuffled deck of 52 cards, top first."""
        ...

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle discards into a new stock, and return it, top first. `cards` are in pile order, bottom first."""
        ...


class RandomCards:
    """A source of cards from a random number generator. The same generator state gives the same cards.

    A match with hidden cards needs an unpredictable generator, such as `random.SystemRandom`.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def cut(self, seats: int) -> tuple[Card, ...]:
        return tuple(self._rng.sample(DECK, seats))

    def deck(self) -> tuple[Card, ...]:
        return tuple(self._rng.sample(DECK, len(DECK)))

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(self._rng.sample(cards, len(cards)))


def event_of(match: Match, seed: bytes) -> Event:
    """Return the next event of a verifiable match, given the server seed of the event."""
    assert match.seeds is not None
    return match.seeds.next_event(seed, _deal_number(match))


def next_chance_action(match: Match, awaiting: Awaiting, cards: CardSource) -> Chance:
    """Return the chance action that a match awaits, with cards from a source."""
    event = None if match.seeds is None else match.seeds.newest_event + 1
    if awaiting is Awaiting.CUT:
        return Cut(cards.cut(match.seats), event)
    if (reshuffling := match.reshuffling) is not None:
        return Reshuffle(cards.stock(reshuffling.discards[:-1]), event)
    due = match.due_deals
    if not due:
        cut = cards.cut(match.seats)
        due = match.due_deals_for(Seat(cut.index(min(cut))))
    seating = due[0]
    seats = seating.seats if match.format.names_seats else None
    return Shuffle(seating.number, seating.dealer, cards.deck(), seats, seating.board, event)


def _deal_number(match: Match) -> int:
    """Return the number of the deal that the next event belongs to. The cut belongs to deal 1."""
    if (reshuffling := match.reshuffling) is not None:
        return reshuffling.number
    return match.due_deals[0].number if match.due_deals else 1
