"""Reading a card as people write it: `Kd`, `K♦`, `10h`, `king of diamonds`."""

from __future__ import annotations

import re
from typing import Final

from bot.engine.cards import Card, Rank, Suit

_NAMED: Final = re.compile(r"(?P<rank>[a-z]+|\d+)\s*(?:of\s+)?(?P<suit>club|diamond|heart|spade)s?")


def read(text: str) -> Card:
    """A card in notation or in English words, in any case.

    Raises:
        NotationError: the text names no card.
    """
    named = _NAMED.fullmatch(text.strip().lower())
    if named is None:
        return Card.parse(text.replace(" ", ""))
    suit, rank = Suit[f"{named['suit'].upper()}S"], named["rank"]
    if rank.upper() in Rank.__members__:
        return Card.of(Rank[rank.upper()], suit)
    return Card.parse(f"{rank}{suit.letter}")
