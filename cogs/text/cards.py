"""Cards in text: writing them in messages, and parsing them from people's input."""

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
    """Format melds in a row: `4♣ 4♦ 4♥ / 5♠ 6♠ 7♠`."""
    return " / ".join(names.row(in_order(meld.cards)) for meld in of) or "none"


def laid_off(one: LayOff | LayOffChoice, names: Names) -> str:
    """Format a card with the meld on which it is laid off: `8♠ on 5♠ 6♠ 7♠`."""
    return f"{names.short(one.card)} on {names.row(in_order(one.meld.cards))}"


def moved(move: PublicMove, verbs: Mapping[Verb, str], names: Names) -> str:
    """Format a move with its card, if that is public: `took 7♦`."""
    return verbs[move.verb] if move.card is None else f"{verbs[move.verb]} {names.short(move.card)}"


def saving(one: LayOffChoice) -> str:
    """Format the deadwood that a lay-off saves, or costs if the card is needed in the player's own melds."""
    return f"saving {one.saves}" if one.saves >= 0 else f"costing {-one.saves}"


def arrangement(laid: Arrangement, names: Names) -> str:
    """Format a hand as melds and deadwood, with the deadwood's points."""
    left = f"{names.row(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds(laid.melds, names)}\nDeadwood: {left}"


def capitalized_name(card: Card, names: Names) -> str:
    """Return a card's full name with a capital letter: `King of diamonds`."""
    full = names.full(card)
    return full[0].upper() + full[1:]


def read(text: str, names: Names) -> Card:
    """Parse a card in notation, or by its name in the given language or English: `Kd`, `10♥`, `king of diamonds`.

    Ignore case, accents and spaces. A unique prefix of a name is enough: `7 diam`. Raise `NotationError` if no card
    matches, or several do.
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
    """Return True if a text names a card, or is a prefix of one of its names."""
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
    """Yield a card's names: rank and suit in either order, and in the pattern of the language.

    A suit's English letter is combined only with a rank's letter or number, not with a name: for an Italian, `re c`
    would not mean the king of clubs, because hearts are *cuori*.
    """
    name, suits = names.ranks[card.rank - 1], (card.suit.symbol, names.suits[card.suit])
    short = product((names.rank_letters(card.rank), card.rank.letter), (*suits, card.suit.letter))
    for rank, suit in (*short, *product((name,), suits)):
        yield from (rank + suit, suit + rank, names.pattern.format(rank=rank, suit=suit))
