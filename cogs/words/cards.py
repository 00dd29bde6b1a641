"""Cards in text: writing them in messages, and parsing them from people's input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product

from bot.engine.cards.cards import DECK, Card
from bot.engine.cards.melds import Arrangement, Meld
from bot.engine.deals.moves import Verb
from bot.engine.deals.showdown import LayOff
from bot.engine.errors import NotationError
from bot.engine.matches.facts import meld_in_order
from bot.engine.matches.views import LayOffChoice, PublicMove
from bot.model.names import search_key
from cardart.text.card_names import ENGLISH, CardNames


def melds(of: Iterable[Meld], names: CardNames) -> str:
    """Format melds in one line: `4♣ 4♦ 4♥ / 5♠ 6♠ 7♠`."""
    return " / ".join(names.short_row(meld_in_order(meld.cards)) for meld in of) or "none"


def laid_off(lay_off: LayOff | LayOffChoice, names: CardNames) -> str:
    """Format a card with the meld on which it is laid off: `8♠ on 5♠ 6♠ 7♠`."""
    return f"{names.short(lay_off.card)} on {names.short_row(meld_in_order(lay_off.meld.cards))}"


def moved(move: PublicMove, verbs: Mapping[Verb, str], names: CardNames) -> str:
    """Format a move, with its card if the card is public: `took 7♦`."""
    return verbs[move.verb] if move.card is None else f"{verbs[move.verb]} {names.short(move.card)}"


def saving(choice: LayOffChoice) -> str:
    """Format the deadwood that a lay-off saves, or costs if the card is needed in the player's own melds."""
    return f"saving {choice.points_saved}" if choice.points_saved >= 0 else f"costing {-choice.points_saved}"


def arrangement(laid: Arrangement, names: CardNames) -> str:
    """Format a hand as melds and deadwood, with the deadwood's points."""
    left = f"{names.short_row(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds(laid.melds, names)}\nDeadwood: {left}"


def capitalized_name(card: Card, names: CardNames) -> str:
    """Return a card's full name with a capital letter: `King of diamonds`."""
    full = names.full(card)
    return full[0].upper() + full[1:]


def parse_card(text: str, names: CardNames) -> Card:
    """Parse a card in notation, or by its name in the given language or English: `Kd`, `10♥`, `king of diamonds`.

    Ignore case, accents and spaces. A unique prefix of a name is enough: `7 diam`. Raise `NotationError` if no card
    matches, or several do.
    """
    with suppress(NotationError):
        return Card.parse(text.replace(" ", ""))
    wanted, spellings = search_key(text), _spellings(names)
    matching = [card for card in DECK if wanted in spellings[card]]
    matching = matching or [card for card in DECK if any(spelling.startswith(wanted) for spelling in spellings[card])]
    if len(matching) != 1:
        raise NotationError("card", f"{text!r} {'could be several cards' if matching else 'is not a card'}")
    return matching[0]


def could_name(typed: str, card: Card, names: CardNames) -> bool:
    """Return True if a text names a card, or is a prefix of one of its names."""
    with suppress(NotationError):
        return parse_card(typed, names) is card
    wanted = search_key(typed)
    return any(wanted in spelling for spelling in _spellings(names)[card])


@cache
def _spellings(names: CardNames) -> Mapping[Card, frozenset[str]]:
    """Return every normalized spelling of each card in a language and in English."""
    return {
        card: frozenset(search_key(text) for language in (names, ENGLISH) for text in _names(card, language))
        for card in DECK
    }


def _names(card: Card, names: CardNames) -> Iterator[str]:
    """Yield a card's names: rank and suit in either order, and in the usual phrase, such as `king of clubs`.

    A suit's English letter is combined only with a rank's letter or number, not with a name: for an Italian, `re c`
    would not mean the king of clubs, because hearts are *cuori*.
    """
    name, suits = names.ranks[card.rank - 1], (card.suit.symbol, names.suits[card.suit])
    short = product((names.rank_letters(card.rank), card.rank.letter), (*suits, card.suit.letter))
    for rank, suit in (*short, *product((name,), suits)):
        yield from (rank + suit, suit + rank, names.pattern.format(rank=rank, suit=suit))
