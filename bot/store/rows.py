"""What queries give back: plain frozen values, one class for each kind of row."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class MatchStatus(StrEnum):
    """Where a match stands. A resigned or claimed match is finished; a cancelled one counts for nothing."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class ChallengeStatus(StrEnum):
    """Where an invitation stands; a draft has not gone out."""

    DRAFT = "draft"
    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class NoticeKind(StrEnum):
    """What a message shows; the order is that in which the messages of one match go out."""

    CHALLENGE = "challenge"
    SHOWDOWN = "showdown"
    END = "end"
    TABLE = "table"
    HAND = "hand"
    PUSH = "push"
    LEFTOVER = "leftover"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person and their preferences; see `tables.person`."""

    id: int
    name: str
    hand_by_dm: bool
    push: str
    challengers: str
    dm_channel_id: int | None
    dm_closed_at: datetime | None
    seen_at: datetime
    theme: str
    four_colours: bool
    language: str
    hand_order: str
    pictures: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat and who sits there; None where the person was forgotten."""

    seat: int
    person: PersonRow | None
    wants: str | None
    version: int | None
    moved_at: datetime | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its seats in order; see `tables.match`."""

    id: int
    guild_id: int
    channel_id: int
    homeless: bool
    system: str
    rules: str
    status: MatchStatus
    version: int
    revision: int
    started_at: datetime
    moved_at: datetime
    ended_at: datetime | None
    pinged: bool
    """Whether a ping to one of its players stands in the channel, or is about to."""
    frozen: bool
    """Whether its server removed the bot."""
    theme: str
    four_colours: bool
    language: str
    """How cards look and are named in public on its server."""
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class GuestRow:
    """Somebody whom an invitation is to by name, or who has joined; see `tables.guest`."""

    person_id: int
    joined: bool


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """An invitation with its guests in order; see `tables.challenge`."""

    id: int
    guild_id: int
    channel_id: int
    challenger_id: int
    system: str
    rules: str
    pairing: int
    status: ChallengeStatus
    revision: int
    created_at: datetime
    expires_at: datetime
    match_id: int | None
    guests: tuple[GuestRow, ...]


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A message as it should be and as it is; see `tables.notice`."""

    id: int
    kind: NoticeKind
    subject: int
    part: int
    wanted: int
    shown: int
    fresh: int
    posted: int
    gone: bool
    channel_id: int | None
    message_id: int | None
    posted_at: datetime | None
    posts: int
    attempts: int
    due_at: datetime
    trouble: str | None


@dataclass(frozen=True, slots=True)
class GuildRow:
    """A server's choices; see `tables.guild`."""

    id: int
    rules: str
    target: int | None
    channels: tuple[int, ...]
    reset_at: datetime | None
    left_at: datetime | None
    offered: tuple[str, ...]
    theme: str
    four_colours: bool
    language: str


@dataclass(frozen=True, slots=True)
class HouseRuleRow:
    """Rules that a server named itself; see `tables.house_rule`."""

    name: str
    rules: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """How a person did in a server: matches and deals won and lost, points, gins (big ones too) and undercuts made."""

    person_id: int
    name: str
    won: int
    lost: int
    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int


@dataclass(frozen=True, slots=True)
class SeatOver:
    """A seat of a match that is over, and how it did; see `SeatResult`. Who was forgotten has neither id nor name."""

    match_id: int
    ended_at: datetime
    seat: int
    person_id: int | None
    name: str | None
    won: bool | None
    drawn: bool
    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week, counted in weeks that begin on Monday since that of 1 January 1970: matches ended, and their players."""

    number: int
    matches: int
    players: int


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat did in a match that is over; `won` is None where it was drawn or left without a result."""

    won: bool | None
    drawn: bool
    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int
