"""Where chance comes from: the operating system's, never a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import Protocol

from bot.engine.cards import DECK, Card


class Chance(Protocol):
    """What shuffles and cuts."""

    def deck(self) -> tuple[Card, ...]:
        """All 52 cards in an order nobody can foresee, the top first."""
        ...

    def cut(self, seats: int) -> tuple[Card, ...]:
        """A card for each seat, all different."""
        ...

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards, shuffled again, the top first."""
        ...


class Secret:
    """Chance from the operating system's source of randomness, as `secrets` uses it."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def deck(self) -> tuple[Card, ...]:
        """All 52 cards in an order nobody can foresee, the top first."""
        return tuple(self._random.sample(DECK, len(DECK)))

    def cut(self, seats: int) -> tuple[Card, ...]:
        """A card for each seat, all different."""
        return tuple(self._random.sample(DECK, seats))

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards, shuffled again, the top first."""
        return tuple(self._random.sample(cards, len(cards)))
