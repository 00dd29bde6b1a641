"""The actions that move a match on, with their text: cuts, decks and reshuffles from outside, and the seats' moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards import Card
from bot.engine.moves import Move, Seat


@dataclass(frozen=True, slots=True)
class Cut:
    """The card each seat drew for the first deal. Text: `cut 0=7h 1=Kd`."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(("cut", *(f"{seat}={card}" for seat, card in enumerate(self.cards))))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck of a deal, from the top. Text: `deal 1 dealer=1 deck=7hAs…`.

    Where the format lets players sit out or plays on two boards, the text says who plays, in order of play, and on
    which board from the second on: `deal 1 dealer=3 seats=2,3 board=2 deck=…`.
    """

    number: int
    dealer: Seat
    deck: tuple[Card, ...]
    seats: tuple[Seat, ...] | None = None
    board: int = 1

    def __str__(self) -> str:
        seats = "" if self.seats is None else f" seats={','.join(map(str, self.seats))}"
        board = "" if self.board == 1 else f" board={self.board}"
        return f"deal {self.number} dealer={self.dealer}{seats}{board} deck={''.join(map(str, self.deck))}"


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The order of the discards that go under the two cards left, from the top. Text: `stock 4c9d…`."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"stock {''.join(map(str, self.cards))}"


@dataclass(frozen=True, slots=True)
class Play:
    """A move of a seat. Text: `0 take`."""

    seat: Seat
    move: Move

    def __str__(self) -> str:
        return f"{self.seat} {self.move}"


Action = Cut | Shuffle | Reshuffle | Play


class Awaiting(StrEnum):
    """The things that a match awaits from outside before it can go on."""

    CUT = "cut"
    DECK = "deck"
    RESHUFFLE = "stock"
