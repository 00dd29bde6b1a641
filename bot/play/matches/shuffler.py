"""Where chance comes from: the operating system, never a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import Protocol

from bot.engine.cards import DECK, Card


class Shuffler(Protocol):
    """Shuffles and cuts."""

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards in random order, the top first."""
        ...

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a random card for each seat, all different."""
        ...

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return these cards in random order, the top first."""
        ...


class SecureShuffler:
    """Shuffles with the operating system's source of randomness, as `secrets` does."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards in random order, the top first."""
        return tuple(self._random.sample(DECK, len(DECK)))

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a random card for each seat, all different."""
        return tuple(self._random.sample(DECK, seats))

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return these cards in random order, the top first."""
        return tuple(self._random.sample(cards, len(cards)))
