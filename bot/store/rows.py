"""Row types: frozen dataclasses whose fields are mapped to columns by name.

A field that is itself a dataclass is mapped to several columns of the same row, so that settings are declared only
once, in `bot.model`. Rules and clocks are exceptions: each is a single column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, TypeVar, get_type_hints

from sqlalchemy import ColumnElement, Table
from sqlalchemy.dialects import postgresql, sqlite

from bot.engine.rules import Rules
from bot.model.clocks import Clock
from bot.model.guilds import GuildSettings
from bot.model.ids import ChannelId, GuildId, MatchId, MessageId, OutboxId, PersonId
from bot.model.matches import MatchInfo
from bot.model.outbox import MessageKind
from bot.model.people import Person, Preferences
from bot.model.ratings import Rating, RatingChange
from bot.model.standings import Order, Sums
from bot.model.statistics import Category, SeatResult
from bot.opponent.play.levels import Level
from bot.store.transaction import Transaction

Row = TypeVar("Row")
Upsert = sqlite.Insert | postgresql.Insert

ASKED_TOO_LATE: Final = 0
"""The value of `SeatRow.asked_back` after a request that came too late, until the player's next move."""

_SINGLE_COLUMN_TYPES: Final = (Rules, Clock)

# SQLAlchemy has a separate `INSERT … ON CONFLICT` for each database, with the same methods.
_INSERTS: Final = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def read_row(row_type: type[Row], columns: Mapping[Any, Any], prefix: str = "", **values: Any) -> Row:
    """Build a row from the columns that are named like its fields.

    `prefix` is the prefix of the column names in a query that joins several tables. `values` are fields that do not
    come from a column. Raise `KeyError` if a column is missing.
    """
    return row_type(
        *[
            values[name] if name in values else columns[column] if nested is None else read_row(nested, columns, prefix)
            for name, column, nested in _prefixed_fields(row_type, prefix)
        ]
    )


def columns_of(value: object) -> dict[str, Any]:
    """Return the column values of a row. The inverse of `read_row`."""
    columns: dict[str, Any] = {}
    row_type: type[Any] = type(value)
    for name, nested in _fields(row_type):
        columns |= {name: getattr(value, name)} if nested is None else columns_of(getattr(value, name))
    return columns


def select_columns(row_type: type[Any], table: Table, prefix: str = "") -> list[ColumnElement[Any]]:
    """Return the columns of a table that a row type needs, labelled with a prefix for `read_row`."""
    columns: list[ColumnElement[Any]] = []
    for name, nested in _fields(row_type):
        if nested is not None:
            columns += select_columns(nested, table, prefix)
        elif name in table.c:
            columns.append(table.c[name].label(prefix + name))
    return columns


@cache
def _fields(row_type: type[Any]) -> tuple[tuple[str, type[Any] | None], ...]:
    """Return the name of each field, with its type if that is a dataclass with several columns, else None."""
    types: dict[str, Any] = get_type_hints(row_type)
    nested_types = {
        name: field_type
        for name, field_type in types.items()
        if is_dataclass(types[name]) and field_type not in _SINGLE_COLUMN_TYPES
    }
    return tuple((field.name, nested_types.get(field.name)) for field in fields(row_type))


@cache
def _prefixed_fields(row_type: type[Any], prefix: str) -> tuple[tuple[str, str, type[Any] | None], ...]:
    """Return the fields of `_fields`, each with the prefixed name of its column in the middle."""
    return tuple((name, prefix + name, nested) for name, nested in _fields(row_type))


def upsert(dialect: str, table: Table) -> Upsert:
    """Return an insert statement with `on_conflict_…` for a dialect, by its name.

    Raise `KeyError` if the dialect is neither "sqlite" nor "postgresql".
    """
    return _INSERTS[dialect](table)


async def save(transaction: Transaction, table: Table, key: dict[str, Any], values: dict[str, Any]) -> None:
    """Insert a row, or update its values if the key already exists."""
    row = upsert(transaction.dialect.name, table).values(key | values)
    await transaction.execute(row.on_conflict_do_update(index_elements=list(key), set_=values))


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person and their preferences. See `tables.person`."""

    id: PersonId
    name: str
    username: str | None
    avatar: str | None
    preferences: Preferences
    dm_channel_id: ChannelId | None
    dm_closed_at: datetime | None
    seen_at: datetime
    away_from: datetime | None
    away_until: datetime | None
    daily_reminded_at: datetime | None

    def is_away(self, now: datetime) -> bool:
        """Return True if the person is on holiday."""
        return self.away_until is not None and self.away_until > now

    def shows(self, person: Person) -> bool:
        """Return True if the row has a person's current names and avatar."""
        avatar = person.avatar if self.preferences.shows_avatar else None
        return (self.name, self.username, self.avatar) == (person.name, person.username, avatar)


@dataclass(frozen=True, slots=True)
class GuildRow:
    """A server's settings, its era, and the times when it removed the bot or became unavailable. See `tables.guild`."""

    settings: GuildSettings
    era: int
    left_at: datetime | None
    unavailable_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat and its player. See `tables.seat`.

    `person` is None for a computer and for a forgotten person. `pinged` is True if a ping of the player is in the
    channel or will be posted soon. `leaver_id` is the person that a computer replaced. `orders` are the player's
    standing orders, in the form of `bot.play.loading.standing_orders`, and `arranged` the order of their cards, in that
    of `bot.play.loading.arranged_hands`. `other_turns` is the number of other matches that wait for the person to move,
    or 0 in a row of a query for several matches.
    """

    seat: int
    person: PersonRow | None
    computer: Level | None
    pinged: bool
    version: int | None
    moved_at: datetime | None
    turn_at: datetime | None
    time_left: timedelta | None
    stopped_at: datetime | None
    used_up_at: datetime | None
    reminders: int
    reminded_at: datetime | None
    nudged_at: datetime | None
    gone_at: datetime | None
    continue_asked_at: datetime | None
    leaver_id: PersonId | None
    seen_deal: int
    orders: str | None
    arranged: str | None
    asked_back: int | None
    other_turns: int


def rating_change(columns: Mapping[Any, Any]) -> RatingChange | None:
    """Return the change that a match made to a seat's rating. None if the match was not rated."""
    if columns["place"] is None:
        return None
    before, after = [Rating(columns[f"mu_{suffix}"], columns[f"sigma_{suffix}"]) for suffix in ("before", "after")]
    return RatingChange(columns["place"], before, after)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its seats in order. See `tables.match`.

    `info` is the public part. `left_at` is the time at which its server removed the bot, and `unavailable_since` the
    start of its server's current outage. `time_due_at` is the time at which the timekeeper must next check the match.
    """

    info: MatchInfo
    left_at: datetime | None
    unavailable_since: datetime | None
    time_due_at: datetime | None
    seats: tuple[SeatRow, ...]

    @property
    def is_frozen(self) -> bool:
        """True if the match's server has removed the bot."""
        return self.left_at is not None


@dataclass(frozen=True, slots=True)
class WantedMessage:
    """The desired state of a message. `repost_revision` is 0 if the message can be edited instead of posted again."""

    kind: MessageKind
    subject_id: int
    part: int
    guild_id: GuildId | None
    wanted_revision: int
    repost_revision: int
    removed: bool
    due_at: datetime


@dataclass(frozen=True, slots=True)
class OutboxRow(WantedMessage):
    """The desired and the actual state of a message. See `tables.outbox_message`."""

    id: OutboxId
    shown_revision: int
    posted_revision: int
    channel_id: ChannelId | None
    message_id: MessageId | None
    posted_at: datetime | None
    posts: int
    attempts: int
    problem: str | None


@dataclass(frozen=True, slots=True)
class FinishedSeat(SeatResult):
    """A seat of a finished match with its result. A forgotten person has no id, names or avatar."""

    match_id: MatchId
    ended_at: datetime
    seat: int
    person_id: PersonId | None
    name: str | None
    username: str | None
    avatar: str | None


@dataclass(frozen=True, slots=True)
class EndedSeat(SeatResult):
    """A seat of a finished match with its result. `rating` is None if the match was not rated."""

    seat: int
    person_id: PersonId | None
    rating: RatingChange | None


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A finished match of a server, with the data that standings need.

    `counts` is True if the match counts in standings. `long_enough` is True if the match was long enough for ratings,
    even if matches of its kind are not rated.
    """

    id: MatchId
    guild_id: GuildId
    era: int
    number: int
    category: Category
    ruleset: str
    rules: Rules
    ended_at: datetime
    recent_until: datetime | None
    counts: bool
    long_enough: bool
    seats: tuple[EndedSeat, ...]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A person's standing on a board. See `tables.standing`."""

    board_id: int
    person_id: PersonId
    sums: Sums
    mu: float | None
    sigma: float | None
    rated: int
    by_rating: int | None
    by_wins: int
    by_points: int

    @property
    def rating(self) -> Rating | None:
        """The person's rating. None before the first rated match, and on boards for a single ruleset."""
        return None if self.mu is None or self.sigma is None else Rating(self.mu, self.sigma)

    def sort_key(self, order: Order) -> int | None:
        """Return the sort key of an order; None if the person has no place in it."""
        return {Order.RATING: self.by_rating, Order.WINS: self.by_wins, Order.POINTS: self.by_points}[order]
