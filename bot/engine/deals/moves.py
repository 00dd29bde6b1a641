"""The moves of a seat and their notation: `pass`, `take`, `draw`, `x Td`, `k Td 4c4d4h/5s6s7s`, `resign`, `time`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from bot.engine.cards.cards import DECK, Card, Picker
from bot.engine.cards.melds import Meld, parse_melds, print_melds
from bot.engine.errors import NotationError, quote

Seat = NewType("Seat", int)
"""A player's seat at the table, from 0."""


class Verb(StrEnum):
    """The kinds of moves; the values are their words in notation."""

    PASS = "pass"
    TAKE = "take"
    DRAW = "draw"
    DISCARD = "x"
    KNOCK = "k"
    BIG_GIN = "big"
    MELD = "m"
    LAY_OFF = "l"
    DONE = "done"
    RESIGN = "resign"
    TIME = "time"


ENDS_OF_TURNS: Final = (Verb.DISCARD, Verb.KNOCK, Verb.BIG_GIN)
"""Moves that end a turn in which a card was drawn or taken. A pass is not a turn."""
_WITH_CARD: Final = frozenset((Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF))
"""The verbs of moves that name a card."""
_WITH_MELDS: Final = frozenset((Verb.KNOCK, Verb.MELD, Verb.LAY_OFF))
"""The verbs of moves that can name melds."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move: a verb, its card, and melds.

    `melds` are the melds that a knocker (`k`) or an opponent (`m`) lays down: None for the default ones, `()` for no
    meld. For a lay-off (`l`), `melds` has only the meld that takes the card. Raise `NotationError` if the verb does not
    go with the card or the melds.
    """

    verb: Verb
    card: Card | None = None
    melds: tuple[Meld, ...] | None = None

    def __post_init__(self) -> None:
        verb = self.verb
        if (self.card is not None) is not (verb in _WITH_CARD) or (self.melds is not None and verb not in _WITH_MELDS):
            raise NotationError("move", f"{quote(str(self))} is not a whole move")
        if verb is Verb.LAY_OFF and self.melds is not None and len(self.melds) != 1:
            raise NotationError("move", "a lay-off must name exactly one meld")

    @staticmethod
    def parse(text: str) -> Move:
        """Parse a move. Raise `NotationError` if the text is not a move."""
        word, *rest = text.split() or [""]
        try:
            # Lower-case only ASCII words: otherwise the Kelvin sign, for example, would become `k`.
            verb = Verb(word.lower() if word.isascii() else word)
        except ValueError:
            raise NotationError("move", f"{quote(word)} is not a move: {', '.join(Verb)}") from None
        match verb, rest:
            case Verb.DISCARD, [card]:
                return discard(Card.parse(card))
            case Verb.KNOCK, [card]:
                return Move(verb, Card.parse(card))
            case Verb.KNOCK, [card, melds]:
                return Move(verb, Card.parse(card), parse_melds(melds))
            case Verb.LAY_OFF, [target] if ">" in target:
                card, _, meld = target.partition(">")
                return Move(verb, Card.parse(card), (Meld.parse(meld),))
            case Verb.MELD, [melds]:
                return Move(verb, None, parse_melds(melds))
            case Verb.PASS | Verb.TAKE | Verb.DRAW | Verb.BIG_GIN | Verb.MELD | Verb.DONE | Verb.RESIGN | Verb.TIME, []:
                return Move(verb)
            case _:
                raise NotationError("move", f"{quote(text)} is not a whole move")

    def __str__(self) -> str:
        if self.verb is Verb.LAY_OFF and self.melds:
            return f"{self.verb} {self.card}>{self.melds[0]}"
        parts: list[str] = [self.verb]
        if self.card is not None:
            parts.append(self.card.text)
        if self.melds is not None:
            parts.append(print_melds(self.melds))
        return " ".join(parts)


PASS: Final = Move(Verb.PASS)
TAKE: Final = Move(Verb.TAKE)
DRAW: Final = Move(Verb.DRAW)
BIG_GIN: Final = Move(Verb.BIG_GIN)
DONE: Final = Move(Verb.DONE)
RESIGN: Final = Move(Verb.RESIGN)
LOSE_ON_TIME: Final = Move(Verb.TIME)
"""The loss on time of the seat whose turn it is. The engine has no clock; the caller supplies this move."""
FORFEITS: Final = (Verb.RESIGN, Verb.TIME)
"""The verbs with which a seat ends the match, whatever the score."""
DISCARDS: Final = tuple(Move(Verb.DISCARD, card) for card in DECK)
"""For each card, the move that discards it, indexed by the card's `order`."""
discards_of: Final = Picker(DISCARDS)
"""Returns the moves that discard the cards of a given hand, by rank, then suit."""


def discard(card: Card) -> Move:
    return DISCARDS[card.order]


def knock(card: Card, melds: tuple[Meld, ...] | None = None) -> Move:
    """Return a knock with a discard and the melds to lay down (None: the default arrangement)."""
    return Move(Verb.KNOCK, card, melds)
