"""The letters that people's own cards have in their corners: a king is a `K` in English and an `R` in French."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.engine.cards import Rank

LETTERS: Final[Mapping[str, Mapping[Rank, str]]] = MappingProxyType(
    {
        "en": {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"},
        "de": {Rank.ACE: "A", Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K"},
        "fr": {Rank.ACE: "A", Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"},
        "nl": {Rank.ACE: "A", Rank.JACK: "B", Rank.QUEEN: "V", Rank.KING: "H"},
    }
)
"""The ranks that are no numbers, by language."""


def index(rank: Rank, language: str) -> str:
    """What is in the corner of a card.

    Raises:
        KeyError: the language has no letters here.
    """
    return LETTERS[language].get(rank) or str(rank.value)
