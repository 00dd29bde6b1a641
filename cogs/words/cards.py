"""Cards in words: as they are written in messages, and as people write them to us."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bot.engine.cards import Card, Rank, Suit
from bot.engine.melds import Arrangement, Meld
from bot.engine.showdown import LayOff
from bot.engine.views import LayOffChoice
from cardart.facts import in_order

_NAMED: Final = re.compile(r"(?P<rank>[a-z]+|\d+)\s*(?:of\s+)?(?P<suit>club|diamond|heart|spade)s?")


def cards(of: Iterable[Card]) -> str:
    """Cards as people write them: `4♣ 4♦ 4♥`."""
    return " ".join(card.symbol for card in of)


def melds(of: Iterable[Meld]) -> str:
    """Melds one after the other: `4♣ 4♦ 4♥ / 5♠ 6♠ 7♠`."""
    return " / ".join(cards(in_order(meld.cards)) for meld in of) or "none"


def laid_off(one: LayOff | LayOffChoice) -> str:
    """A card on the meld that it is laid off on: `8♠ on 5♠ 6♠ 7♠`."""
    return f"{one.card.symbol} on {cards(one.meld.cards)}"


def arrangement(laid: Arrangement) -> str:
    """A hand laid out: its melds, its deadwood and the points of it."""
    left = f"{cards(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds(laid.melds)}\nDeadwood: {left}"


def named(card: Card) -> str:
    """A card in English words: `king of diamonds`."""
    return f"{card.rank.name} of {card.suit.name}".lower()


def read(text: str) -> Card:
    """A card in notation or in English words, in any case: `Kd`, `K♦`, `10h`, `king of diamonds`.

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
