"""The look of cards: each person chooses one for their own hand, and a server's managers one for everything public."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card


@dataclass(frozen=True, slots=True)
class Appearance:
    """A theme, whether each suit has its own colour, and the language of card names.

    `theme` is a key of `cardart.THEMES`; `language` is a two-letter code. If a stored theme or
    language no longer exists, the default one is used.
    """

    theme: str = "classic"
    four_colours: bool = False
    language: str = "en"


DEFAULT_APPEARANCE: Final = Appearance()


class HandOrder(StrEnum):
    """The sort order of a hand. A stored value that no longer exists is treated as `MELDS`."""

    MELDS = "melds"
    SUIT = "suit"
    RANK = "rank"

    @classmethod
    def _missing_(cls, value: object) -> HandOrder:
        return cls.MELDS


ArrangedCards: TypeAlias = tuple[Card, ...]
"""A hand's cards as the player has arranged them."""
CardOrder: TypeAlias = HandOrder | ArrangedCards
"""The order of a hand's cards."""
