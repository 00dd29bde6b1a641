"""The source of random cards: the operating system, or the seeds of a verifiable match."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import Final

from bot.engine.cards.cards import DECK, Card
from bot.engine.fairness.fair import Event
from bot.engine.matches.chance import CardSource

_RANDOM: Final = SystemRandom()
"""The operating system's source of randomness, which `secrets` also uses."""


class Shuffler:
    """Shuffles and cuts in matches that are not verifiable."""

    def for_event(self, event: Event) -> CardSource:
        """Return the source of the cards for a chance event of a verifiable match.

        By default, the event itself derives the cards from its seeds. Tests override this method to choose the cards.
        """
        return event

    def deck(self) -> tuple[Card, ...]:
        """Return all 52 cards in random order, the top card first."""
        return tuple(_RANDOM.sample(DECK, len(DECK)))

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return a random card for each seat, all different."""
        return tuple(_RANDOM.sample(DECK, seats))

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return these cards in random order, the top card first."""
        return tuple(_RANDOM.sample(cards, len(cards)))
