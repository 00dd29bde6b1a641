"""Verifiable deals as people see them: the commitment, the players' shuffle words, and the revealed events.

Until an event is revealed, no value here holds its server seed or its cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.fairness.audit import SeedKind
from bot.model.ids import ChainId


class Fairness(StrEnum):
    """The degree to which the players of a match can verify its deals."""

    NONE = "none"
    """The match was agreed before verifiable deals were introduced."""
    UNPOSTED = "unposted"
    """The match began before its commitment was posted, so nobody can prove that the commitment came first."""
    VERIFIABLE = "verifiable"
    """The commitment was posted before the match began."""

    @property
    def reveals_hands(self) -> bool:
        """True if all hands become public in the end, even those of void and broken-off deals.

        Everyone can compute the cards from the revealed seeds.
        """
        return self is not Fairness.NONE


@dataclass(frozen=True, slots=True)
class Commitment:
    """The commitment of a match that has begun or may begin: 32 bytes, as shown in its message."""

    id: ChainId
    value: bytes


@dataclass(frozen=True, slots=True)
class GivenWords:
    """A player's newest words for the shuffle, as shown to that player.

    `counts_from` is the number of the first deal they apply to, or None for all deals from the cut on. They are `early`
    if they were given before the commitment was posted, so that the bot's operator could have known them.
    """

    text: str
    counts_from: int | None
    early: bool


@dataclass(frozen=True, slots=True)
class SeatSeed:
    """A player seed: its 32 bytes, and the text that was hashed into it.

    The text is None if the player's words were deleted because the player asked to be forgotten. `counts_from` and
    `early` are as in `GivenWords`.
    """

    seat: Seat
    seed: bytes
    kind: SeedKind
    text: str | None
    counts_from: int | None
    early: bool


class EventKind(StrEnum):
    """The kinds of chance events."""

    CUT = "cut"
    DECK = "deck"
    RESHUFFLE = "reshuffle"


@dataclass(frozen=True, slots=True)
class DealEvent:
    """A chance event in a deal, and its number among the events of the match.

    `seed` is the server seed, and `cards` are the cards from the top. Both are None while the event is sealed, that is,
    until its round is over.
    """

    number: int
    kind: EventKind
    cards: tuple[Card, ...] | None
    seed: bytes | None

    @property
    def is_sealed(self) -> bool:
        """True while the server seed is secret."""
        return self.seed is None


@dataclass(frozen=True, slots=True)
class Promise:
    """The commitment of a match, and where and when it was posted. Place and time are None if there is no post."""

    commitment: bytes
    channel_id: int | None
    message_id: int | None
    posted_at: datetime | None
