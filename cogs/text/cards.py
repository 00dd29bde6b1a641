"""Cards in text: as messages write them, and as people write them to us."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product

from bot.engine.cards import DECK, Card
from bot.engine.errors import NotationError
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Verb
from bot.engine.showdown import LayOff
from bot.engine.views import LayOffChoice, PublicMove
from bot.values.names import searchable
from cardart.text.card_names import ENGLISH, Names
from cardart.text.queries import in_order


def melds(of: Iterable[Meld], names: Names) -> str:
    """Return melds in a row: `4♣ 4♦ 4♥ / 5♠ 6♠ 7♠`."""
    return " / ".join(names.row(in_order(meld.cards)) for meld in of) or "none"


def laid_off(one: LayOff | LayOffChoice, names: Names) -> str:
    """Return a card with the meld it is laid off on: `8♠ on 5♠ 6♠ 7♠`."""
    return f"{names.short(one.card)} on {names.row(in_order(one.meld.cards))}"


def moved(move: PublicMove, verbs: Mapping[Verb, str], names: Names) -> str:
    """Return what a player did, with the card if everyone saw one: `took 7♦`."""
    return verbs[move.verb] if move.card is None else f"{verbs[move.verb]} {names.short(move.card)}"


def saving(one: LayOffChoice) -> str:
    """Return what laying off a card saves. A card that is needed in one's own melds costs something instead."""
    return f"saving {one.saves}" if one.saves >= 0 else f"costing {-one.saves}"


def arrangement(laid: Arrangement, names: Names) -> str:
    """Return a hand laid out: its melds, its deadwood and its points."""
    left = f"{names.row(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds(laid.melds, names)}\nDeadwood: {left}"


def capitalized_name(card: Card, names: Names) -> str:
    """Return a card's full name to begin a line with: `King of diamonds`."""
    full = names.full(card)
    return full[0].upper() + full[1:]


def read(text: str, names: Names) -> Card:
    """Read a card in notation, or by its name in a language or in English: `Kd`, `10♥`, `king of diamonds`.

    Case, accents and spaces do not matter. The beginning of a name is enough if only one card fits: `7 diam`. Raise
    `NotationError` if no card fits, or several do.
    """
    with suppress(NotationError):
        return Card.parse(text.replace(" ", ""))
    wanted, spellings = searchable(text), _spellings(names)
    found = [card for card in DECK if wanted in spellings[card]]
    found = found or [card for card in DECK if any(one.startswith(wanted) for one in spellings[card])]
    if len(found) != 1:
        raise NotationError("card", f"{text!r} is {'one of several cards' if found else 'not a card'}")
    return found[0]


def may_mean(typed: str, card: Card, names: Names) -> bool:
    """Return whether a text names a card, or could become its name."""
    with suppress(NotationError):
        return read(typed, names) is card
    wanted = searchable(typed)
    return any(wanted in one for one in _spellings(names)[card])


@cache
def _spellings(names: Names) -> Mapping[Card, frozenset[str]]:
    """Return every normalized spelling of each card in a language and in English."""
    return {
        card: frozenset(searchable(text) for language in (names, ENGLISH) for text in _names(card, language))
        for card in DECK
    }


def _names(card: Card, names: Names) -> Iterator[str]:
    """Yield a rank and a suit in either order, or as the language has it.

    A suit's letter only goes with a rank's letter or number: to Italians `re c` would not be the king of clubs, since
    hearts are *cuori*.
    """
    name, suits = names.ranks[card.rank - 1], (card.suit.symbol, names.suits[card.suit])
    short = product((names.rank_letters(card.rank), card.rank.letter), (*suits, card.suit.letter))
    for rank, suit in (*short, *product((name,), suits)):
        yield from (rank + suit, suit + rank, names.pattern.format(rank=rank, suit=suit))
