"""How cards are shown: chosen by each person for their own hand, and by a server for what everyone sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


@dataclass(frozen=True, slots=True)
class Appearance:
    """A theme, whether each suit has its own colour, and the language of card names.

    `theme` is a key of `cardart.THEMES` and `language` a two-letter code. A stored value may name a theme or a
    language that no longer exists; those are drawn as the defaults.
    """

    theme: str = "classic"
    four_colours: bool = False
    language: str = "en"


DEFAULT_APPEARANCE: Final = Appearance()


class HandOrder(StrEnum):
    """How the cards of a hand are sorted. A stored value that no longer exists means `MELDS`."""

    MELDS = "melds"
    SUIT = "suit"
    RANK = "rank"

    @classmethod
    def _missing_(cls, value: object) -> HandOrder:
        return cls.MELDS
