"""Cards, hands and decks, and their text: rank `A23456789TJQK`, then suit `c d h s`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from bot.engine.errors import NotationError, quote


class Suit(IntEnum):
    """The four suits, from lowest to highest; a cut for the deal compares suits where ranks are equal."""

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
    """The thirteen ranks; the ace is low, so it is 1."""

    ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(1, 14)

    @property
    def letter(self) -> str:
        """The rank in notation: one of `A23456789TJQK`."""
        return "A23456789TJQK"[self - 1]

    @property
    def points(self) -> int:
        """The points of the rank in deadwood: ace 1, court cards 10, the others their pips."""
        return min(int(self), 10)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One of the 52 cards; there is exactly one object for each, so cards compare by identity.

    Get cards from `Card.of`, `Card.parse` or `DECK`. They sort by rank, then suit.
    """

    rank: Rank
    suit: Suit
    points: int
    order: int
    """Place among the 52 by rank, then suit: 0 for Ac, 51 for Ks."""
    bit: int
    """The rank's bit in a suit of a `Hand`: 1 for an ace, 1 << 12 for a king."""
    text: str

    @staticmethod
    def of(rank: int, suit: int) -> Card:
        """Return the card of a rank (1 to 13) and a suit (0 to 3)."""
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
        """The card as people write it: `10♦`, `A♠`."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __lt__(self, other: Card) -> bool:
        return self.order < other.order

    def __reduce__(self) -> tuple[object, ...]:
        return Card.of, (int(self.rank), int(self.suit))


DECK: tuple[Card, ...] = tuple(
    Card(rank, suit, rank.points, (rank - 1) * 4 + suit, 1 << (rank - 1), rank.letter + suit.letter)
    for rank in Rank
    for suit in Suit
)
"""All 52 cards by rank, then suit."""

# ASCII, or else the Kelvin sign would be a king.
_CARD = re.compile(r"\s*(10|[A2-9TJQK])([CDHS♣♦♥♠])\ufe0f?", re.IGNORECASE | re.ASCII)
_SUIT_OF = {key: suit for suit in Suit for key in (suit.letter, suit.symbol)}
_BY_TEXT = {card.text: card for card in DECK}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards with or without white space between them: `4c4d 4h`. Raise `NotationError` if something is no card."""
    cards: list[Card] = []
    text, position = text.rstrip(), 0
    while position < len(text):
        found = _CARD.match(text, position)
        if found is None:
            word = text[position:].split(maxsplit=1)[0]
            raise NotationError("card", f"{quote(word)} is not a card; write a rank A23456789TJQK and a suit cdhs")
        rank = found[1].upper().replace("10", "T")
        cards.append(_BY_TEXT[rank + _SUIT_OF[found[2].lower()].letter])
        position = found.end()
    return tuple(cards)


@cache
def cards_of(suit: int, mask: int) -> tuple[Card, ...]:
    """Return the cards of a suit, given as one number in which bit 0 is the ace and bit 12 the king."""
    return tuple(card for card in DECK[suit::4] if card.bit & mask)


@cache
def _orders_of(suit: int, mask: int) -> tuple[int, ...]:
    return tuple(card.order for card in cards_of(suit, mask))


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards, held as one 13-bit number for each suit (bit 0 the ace, bit 12 the king).

    `hand + card` and `hand - card` give new hands; iteration is by rank, then suit.
    """

    suits: tuple[int, int, int, int]

    @staticmethod
    def of(cards: Iterable[Card]) -> Hand:
        """Return the hand of these cards. Raise `NotationError` if a card is there twice."""
        suits = [0, 0, 0, 0]
        for card in cards:
            if suits[card.suit] & card.bit:
                raise NotationError("twice", f"{card} is there twice")
            suits[card.suit] |= card.bit
        return Hand((suits[0], suits[1], suits[2], suits[3]))

    @staticmethod
    def parse(text: str) -> Hand:
        """Read a hand: `4s 5s 6s`, in any order. Raise `NotationError` if a part is no card, or one is there twice."""
        return Hand.of(parse_cards(text))

    def __str__(self) -> str:
        return " ".join(card.text for card in self)

    def __iter__(self) -> Iterator[Card]:
        clubs, diamonds, hearts, spades = self.suits
        orders = _orders_of(0, clubs) + _orders_of(1, diamonds) + _orders_of(2, hearts) + _orders_of(3, spades)
        return map(DECK.__getitem__, sorted(orders))

    def __len__(self) -> int:
        clubs, diamonds, hearts, spades = self.suits
        return clubs.bit_count() + diamonds.bit_count() + hearts.bit_count() + spades.bit_count()

    def __contains__(self, card: Card) -> bool:
        return self.suits[card.suit] & card.bit != 0

    def __add__(self, card: Card) -> Hand:
        held = list(self.suits)
        held[card.suit] |= card.bit
        return Hand(tuple(held))  # pyright: ignore[reportArgumentType]

    def __sub__(self, card: Card) -> Hand:
        held = list(self.suits)
        held[card.suit] &= ~card.bit
        return Hand(tuple(held))  # pyright: ignore[reportArgumentType]

    def without(self, cards: Iterable[Card]) -> Hand:
        """Return the hand without these cards, whether it holds them or not."""
        clubs, diamonds, hearts, spades = self.suits
        gone = [0, 0, 0, 0]
        for card in cards:
            gone[card.suit] |= card.bit
        return Hand((clubs & ~gone[0], diamonds & ~gone[1], hearts & ~gone[2], spades & ~gone[3]))

    def holds(self, cards: Iterable[Card]) -> bool:
        """Return whether all of these cards are in the hand."""
        suits = self.suits
        return all(suits[card.suit] & card.bit for card in cards)

    @property
    def unsorted(self) -> tuple[Card, ...]:
        """The cards suit by suit, which is faster than in order."""
        clubs, diamonds, hearts, spades = self.suits
        return cards_of(0, clubs) + cards_of(1, diamonds) + cards_of(2, hearts) + cards_of(3, spades)


def parse_deck(text: str) -> tuple[Card, ...]:
    """Read a deck from the top. Raise `NotationError` if it is not each of the 52 cards once."""
    cards = parse_cards(text)
    if len(Hand.of(cards)) != len(DECK):
        raise NotationError("deck", f"a deck has 52 different cards, this one has {len(cards)}")
    return cards
