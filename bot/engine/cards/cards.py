"""Cards, hands and decks, and their notation: a rank `A23456789TJQK`, then a suit `c d h s`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final, Generic, TypeVar

from bot.engine.errors import NotationError, quote

_Value = TypeVar("_Value")
_SUIT_MASK: Final = (1 << 13) - 1
"""Thirteen bits: all cards of one suit."""
_NINE_BITS: Final = (1 << 9) - 1
_SEVEN_BITS: Final = (1 << 7) - 1


class Suit(IntEnum):
    """The four suits, from lowest to highest. A cut for the first deal compares suits if the ranks are equal."""

    CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

    @property
    def letter(self) -> str:
        """The suit in notation: one of `c d h s`."""
        return "cdhs"[self]

    @property
    def symbol(self) -> str:
        """The suit as printed on cards: one of ♣ ♦ ♥ ♠."""
        return "♣♦♥♠"[self]


class Rank(IntEnum):
    """The thirteen ranks. The ace is low."""

    ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(1, 14)

    @property
    def letter(self) -> str:
        """The rank in notation: one of `A23456789TJQK`."""
        return "A23456789TJQK"[self - 1]

    @property
    def points(self) -> int:
        """The deadwood points of the rank: ace 1, court cards 10, others their pips."""
        return min(int(self), 10)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One of the 52 cards. There is only one object for each card, so cards compare by identity.

    Get cards from `Card.of`, `Card.parse` or `DECK`. They sort by rank, then suit.
    """

    rank: Rank
    suit: Suit
    points: int
    order: int
    """Index among the 52 cards by rank, then suit: 0 for Ac, 51 for Ks."""
    bit: int
    """The rank's bit in an element of `Hand.suits`: 1 for an ace, 1 << 12 for a king."""
    bits: int
    """The card's two bits in a `Hand`."""
    text: str

    @staticmethod
    def of(rank: int, suit: int) -> Card:
        """Return the card with a rank (1 to 13) and a suit (0 to 3)."""
        return DECK[(rank - 1) * 4 + suit]

    @staticmethod
    def parse(text: str) -> Card:
        """Read one card: `Td`, `10d`, `TD` or `10♦`. Raise `NotationError` if the text is not one card."""
        cards = parse_cards(text)
        if len(cards) != 1:
            raise NotationError("card", f"{quote(text)} is not one card")
        return cards[0]

    @property
    def symbol(self) -> str:
        """The card with its suit symbol: `10♦`, `A♠`."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __lt__(self, other: Card) -> bool:
        return self.order < other.order

    def __reduce__(self) -> tuple[object, ...]:
        return Card.of, (int(self.rank), int(self.suit))


def _bits_of(rank: int, suit: int) -> int:
    return 1 << (rank - 1) * 4 + suit | 1 << 52 + suit * 13 + rank - 1


DECK: tuple[Card, ...] = tuple(
    Card(
        rank, suit, rank.points, (rank - 1) * 4 + suit, 1 << (rank - 1), _bits_of(rank, suit), rank.letter + suit.letter
    )
    for rank in Rank
    for suit in Suit
)
"""All 52 cards, by rank, then suit."""

# Ignore case only in ASCII: in Unicode, the Kelvin sign is an upper-case `k`, so it would match too.
_CARD_PATTERN = re.compile(r"\s*(10|[A2-9TJQK])([CDHS♣♦♥♠])\ufe0f?", re.IGNORECASE | re.ASCII)
_SUITS_BY_SYMBOL = {key: suit for suit in Suit for key in (suit.letter, suit.symbol)}
_CARDS_BY_TEXT = {card.text: card for card in DECK}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards, with or without spaces between them: `4c4d 4h`. Raise `NotationError` if a part is not a card."""
    cards: list[Card] = []
    text, position = text.rstrip(), 0
    while position < len(text):
        token = _CARD_PATTERN.match(text, position)
        if token is None:
            word = text[position:].split(maxsplit=1)[0]
            raise NotationError("card", f"{quote(word)} is not a card; write a rank A23456789TJQK and a suit cdhs")
        rank = token[1].upper().replace("10", "T")
        cards.append(_CARDS_BY_TEXT[rank + _SUITS_BY_SYMBOL[token[2].lower()].letter])
        position = token.end()
    return tuple(cards)


@cache
def cards_of(suit: int, mask: int) -> tuple[Card, ...]:
    """Return the cards in a bit mask of one suit: bit 0 is the ace, bit 12 the king."""
    return tuple(card for card in DECK[suit::4] if card.bit & mask)


class Picker(Generic[_Value]):
    """Looks up a value for each card of a hand, given the values for all 52 cards in the order of `DECK`.

    For speed, it splits the deck into parts of nine cards and caches the result for each subset of a part: at most
    2,688 results.
    """

    def __init__(self, values: Sequence[_Value]) -> None:
        self._parts = tuple(_Part(values[first : first + 9]) for first in range(0, len(values), 9))

    def __call__(self, hand: int) -> tuple[_Value, ...]:
        """Return the value of each card in a hand, by rank, then suit."""
        first, second, third, fourth, fifth, sixth = self._parts
        return (
            first[hand & _NINE_BITS]
            + second[hand >> 9 & _NINE_BITS]
            + third[hand >> 18 & _NINE_BITS]
            + fourth[hand >> 27 & _NINE_BITS]
            + fifth[hand >> 36 & _NINE_BITS]
            + sixth[hand >> 45 & _SEVEN_BITS]
        )


class _Part(dict[int, tuple[_Value, ...]]):
    def __init__(self, values: Sequence[_Value]) -> None:
        super().__init__()
        self._values = values

    def __missing__(self, subset: int) -> tuple[_Value, ...]:
        picked = self[subset] = tuple(value for index, value in enumerate(self._values) if subset >> index & 1)
        return picked


_pick_cards: Final = Picker(DECK)


class Hand(int):
    """A set of cards as an integer with two bits a card: bits 0 to 51 in the order of `DECK`, then 13 bits a suit.

    `hand + card` and `hand - card` return new hands; iteration is by rank, then suit. Every move makes a new hand, so a
    hand subclasses `int`, the fastest object to create.
    """

    __slots__ = ()

    @staticmethod
    def of(cards: Iterable[Card]) -> Hand:
        """Return a hand of these cards. Raise `NotationError` if a card occurs twice."""
        bits = 0
        for card in cards:
            if bits & card.bits:
                raise NotationError("twice", f"{card} is there twice")
            bits |= card.bits
        return Hand(bits)

    @staticmethod
    def parse(text: str) -> Hand:
        """Parse cards in any order: `4s 5s 6s`. Raise `NotationError` if one is not a card, or a card occurs twice."""
        return Hand.of(parse_cards(text))

    def __str__(self) -> str:
        return " ".join(card.text for card in self)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __iter__(self) -> Iterator[Card]:
        return iter(_pick_cards(self))

    def __len__(self) -> int:
        return self.bit_count() // 2

    def __contains__(self, card: Card) -> bool:
        return self & card.bits != 0

    def __add__(self, card: Card) -> Hand:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Hand(self | card.bits)

    def __sub__(self, card: Card) -> Hand:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Hand(self & ~card.bits)

    def without(self, cards: Iterable[Card]) -> Hand:
        """Return the hand without these cards. Cards that it does not hold are ignored."""
        removed = 0
        for card in cards:
            removed |= card.bits
        return Hand(self & ~removed)

    def holds(self, cards: Iterable[Card]) -> bool:
        """Return True if all of these cards are in the hand."""
        return all(self & card.bits for card in cards)

    @property
    def suits(self) -> tuple[int, int, int, int]:
        """One bit mask for each suit: bit 0 is the ace, bit 12 the king."""
        return self >> 52 & _SUIT_MASK, self >> 65 & _SUIT_MASK, self >> 78 & _SUIT_MASK, self >> 91


def parse_deck(text: str) -> tuple[Card, ...]:
    """Parse a deck, top card first. Raise `NotationError` unless it has each of the 52 cards once."""
    cards = parse_cards(text)
    if len(Hand.of(cards)) != len(DECK):
        raise NotationError("deck", f"a deck has 52 different cards, this one has {len(cards)}")
    return cards
