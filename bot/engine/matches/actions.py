"""Actions that change a match, with their text form.

Cuts, decks and reshuffles come from outside the engine; moves come from seats. In a verifiable match
(`bot.engine.fairness`), player seeds and revealed server seeds are actions too, and each chance action has an event
number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Move, Seat


@dataclass(frozen=True, slots=True)
class Cut:
    """The cards that the seats drew to decide the first dealer.

    Text: `cut 0=7h 1=Kd`, plus `event=1` in a verifiable match.
    """

    cards: tuple[Card, ...]
    event: int | None = None

    def __str__(self) -> str:
        return " ".join(("cut", *(f"{seat}={card}" for seat, card in enumerate(self.cards)))) + _event_suffix(self)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck of a deal, from the top. Text: `deal 1 dealer=1 deck=7hAs…`.

    If players can sit out, or the format has two boards, the text also lists the players in order of play. The number
    of the board is given unless it is 1: `deal 1 dealer=3 seats=2,3 board=2 event=3 deck=…`.
    """

    number: int
    dealer: Seat
    deck: tuple[Card, ...]
    seats: tuple[Seat, ...] | None = None
    board: int = 1
    event: int | None = None

    def __str__(self) -> str:
        seats = "" if self.seats is None else f" seats={','.join(map(str, self.seats))}"
        board = "" if self.board == 1 else f" board={self.board}"
        options = f"dealer={self.dealer}{seats}{board}{_event_suffix(self)}"
        return f"deal {self.number} {options} deck={''.join(map(str, self.deck))}"


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The shuffled discards that go under the last two cards of the stock, top first. Text: `stock 4c9d… event=9`."""

    cards: tuple[Card, ...]
    event: int | None = None

    def __str__(self) -> str:
        return f"stock {''.join(map(str, self.cards))}{_event_suffix(self)}"


@dataclass(frozen=True, slots=True)
class PlayerSeed:
    """A player seed: 32 bytes that a seat contributes to the shuffles. Text: `seed 0 4f5b…`.

    A seat gives its first seed before the first event. A later seed names the first deal it applies to:
    `seed 0 4f5b… from=3`.
    """

    seat: Seat
    seed: bytes
    counts_from: int | None = None

    def __str__(self) -> str:
        deal = "" if self.counts_from is None else f" from={self.counts_from}"
        return f"seed {self.seat} {self.seed.hex()}{deal}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """The disclosure of the server seed of an event. Text: `reveal 2 d931…`."""

    event: int
    seed: bytes

    def __str__(self) -> str:
        return f"reveal {self.event} {self.seed.hex()}"


@dataclass(frozen=True, slots=True)
class Replace:
    """The takeover of a seat by a computer, which plays it from then on. Text: `replace 2`."""

    seat: Seat

    def __str__(self) -> str:
        return f"replace {self.seat}"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The taking back of a seat's discard, before another seat moves. Text: `back 1`.

    The engine asks nobody; the caller supplies this action once the players have agreed.
    """

    seat: Seat

    def __str__(self) -> str:
        return f"back {self.seat}"


@dataclass(frozen=True, slots=True)
class Play:
    """A move by a seat. Text: `0 take`."""

    seat: Seat
    move: Move

    def __str__(self) -> str:
        return f"{self.seat} {self.move}"


Chance = Cut | Shuffle | Reshuffle
"""An action whose cards are random: a cut, a deal or a reshuffle."""
Action = Chance | PlayerSeed | Reveal | Replace | TakeBack | Play


def _event_suffix(action: Chance) -> str:
    return "" if action.event is None else f" event={action.event}"


class Awaiting(StrEnum):
    """The kind of chance action that a match is waiting for."""

    CUT = "cut"
    DECK = "deck"
    RESHUFFLE = "stock"
