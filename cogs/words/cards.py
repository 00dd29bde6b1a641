"""Cards in words: as they are written in messages, and as people write them to us."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final

from bot.engine.cards import DECK, Card
from bot.engine.errors import NotationError
from bot.engine.melds import Arrangement, Meld
from bot.engine.showdown import LayOff
from bot.engine.views import LayOffChoice
from cardart.text.card_names import ENGLISH, Names
from cardart.text.queries import in_order

_TWO_LETTERS: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l"})
"""What Unicode does not take apart."""


def melds(of: Iterable[Meld], names: Names) -> str:
    """Melds one after the other: `4♣ 4♦ 4♥ / 5♠ 6♠ 7♠`."""
    return " / ".join(names.row(in_order(meld.cards)) for meld in of) or "none"


def laid_off(one: LayOff | LayOffChoice, names: Names) -> str:
    """A card on the meld that it is laid off on: `8♠ on 5♠ 6♠ 7♠`."""
    return f"{names.short(one.card)} on {names.row(in_order(one.meld.cards))}"


def saving(one: LayOffChoice) -> str:
    """What laying a card off saves; one that is needed in a meld of one's own costs something instead."""
    return f"saving {one.saves}" if one.saves >= 0 else f"costing {-one.saves}"


def arrangement(laid: Arrangement, names: Names) -> str:
    """A hand laid out: its melds, its deadwood and the points of it."""
    left = f"{names.row(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds(laid.melds, names)}\nDeadwood: {left}"


def line(card: Card, names: Names) -> str:
    """A card's full name as a line of its own: `King of diamonds`."""
    full = names.full(card)
    return full[0].upper() + full[1:]


def read(text: str, names: Names) -> Card:
    """A card in notation, or in the letters and names of a language or of English: `Kd`, `10♥`, `king of diamonds`.

    Case, accents and spaces do not matter. What only begins the name of a single card is enough: `7 diam`.

    Raises:
        NotationError: the text names no card, or may name several.
    """
    with suppress(NotationError):
        return Card.parse(text.replace(" ", ""))
    wanted, every = _folded(text), _spellings(names)
    meant = [card for card in DECK if wanted in every[card]]
    meant = meant or [card for card in DECK if any(one.startswith(wanted) for one in every[card])]
    if len(meant) != 1:
        raise NotationError("card", f"{text!r} is {'one of several cards' if meant else 'not a card'}")
    return meant[0]


def may_mean(typed: str, card: Card, names: Names) -> bool:
    """Whether what is typed so far names a card, or may become its name."""
    with suppress(NotationError):
        return read(typed, names) is card
    wanted = _folded(typed)
    return any(wanted in one for one in _spellings(names)[card])


@cache
def _spellings(names: Names) -> Mapping[Card, frozenset[str]]:
    """All that each card may be called in a language and in English, folded."""
    return MappingProxyType(
        {
            card: frozenset(_folded(text) for tongue in (names, ENGLISH) for text in _called(card, tongue))
            for card in DECK
        }
    )


def _called(card: Card, names: Names) -> Iterator[str]:
    """A rank and a suit in either order, or as the language has it. A suit's letter goes with figures and letters only.

    `re c` is no king of clubs to Italians, whose hearts are *cuori*.
    """
    name, suits = names.ranks[card.rank - 1], (card.suit.symbol, names.suits[card.suit])
    short = product((names.rank_letters(card.rank), card.rank.letter), (*suits, card.suit.letter))
    for rank, suit in (*short, *product((name,), suits)):
        yield from (rank + suit, suit + rank, names.pattern.format(rank=rank, suit=suit))


def _folded(text: str) -> str:
    """A text without what people write one way or another: case, accents, spaces and signs."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_TWO_LETTERS))
    return "".join(sign for sign in apart if sign.isalnum() or sign in "♣♦♥♠")
