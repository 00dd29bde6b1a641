"""Rows as queries return and save them: frozen values, mapped from columns by name.

A field that is itself a dataclass takes its own fields from the same columns, so what a person prefers or a server
chose is declared once, in `bot.values`. Rules and clocks are an exception: they are one column each.
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
from bot.opponent.levels import Level
from bot.store.transaction import Transaction
from bot.values.clocks import Clock
from bot.values.guilds import GuildSettings
from bot.values.ids import ChannelId, GuildId, MatchId, MessageId, OutboxId, PersonId
from bot.values.matches import MatchInfo
from bot.values.outbox import MessageKind
from bot.values.people import Preferences
from bot.values.standings import Rating, RatingChange, Sums
from bot.values.statistics import Category, SeatResult

Row = TypeVar("Row")
Upsert = sqlite.Insert | postgresql.Insert

_ONE_COLUMN: Final = (Rules, Clock)

# SQLAlchemy offers `INSERT … ON CONFLICT` separately for each database, with the same methods.
_INSERTS: Final = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def read_row(row_type: type[Row], columns: Mapping[Any, Any], prefix: str = "", **given: Any) -> Row:
    """Build a row from the columns named like its fields, after a prefix where a query joins several tables.

    Fields that come from elsewhere are given by name. Raise `KeyError` if a column is missing.
    """
    return row_type(
        *(
            given[name]
            if name in given
            else columns[prefix + name]
            if nested is None
            else read_row(nested, columns, prefix)
            for name, nested in _fields(row_type)
        )
    )


def columns_of(value: object) -> dict[str, Any]:
    """Return the columns of a value and what each holds; the reverse of `read_row`."""
    columns: dict[str, Any] = {}
    kind: type[Any] = type(value)
    for name, nested in _fields(kind):
        columns |= {name: getattr(value, name)} if nested is None else columns_of(getattr(value, name))
    return columns


def select_columns(row_type: type[Any], table: Table, prefix: str = "") -> list[ColumnElement[Any]]:
    """Return the columns of a table that a row type is read from, labelled with a prefix."""
    found: list[ColumnElement[Any]] = []
    for name, nested in _fields(row_type):
        if nested is not None:
            found += select_columns(nested, table, prefix)
        elif name in table.c:
            found.append(table.c[name].label(prefix + name))
    return found


@cache
def _fields(row_type: type[Any]) -> tuple[tuple[str, type[Any] | None], ...]:
    """Return the name of each field, and its type where that is a dataclass of several columns."""
    types: dict[str, Any] = get_type_hints(row_type)
    nested = {name: kind for name, kind in types.items() if is_dataclass(types[name]) and kind not in _ONE_COLUMN}
    return tuple((field.name, nested.get(field.name)) for field in fields(row_type))


def upsert(dialect: str, table: Table) -> Upsert:
    """Return an insert with `on_conflict_…` for a dialect by its name; raise KeyError if it is neither of these."""
    return _INSERTS[dialect](table)


async def save(transaction: Transaction, table: Table, key: dict[str, Any], values: dict[str, Any]) -> None:
    """Insert a row with a key and values, or set the values in the row that has the key."""
    row = upsert(transaction.dialect.name, table).values(key | values)
    await transaction.execute(row.on_conflict_do_update(index_elements=list(key), set_=values))


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person and their preferences; see `tables.person`."""

    id: PersonId
    name: str
    username: str | None
    preferences: Preferences
    dm_channel_id: ChannelId | None
    dm_closed_at: datetime | None
    seen_at: datetime
    away_from: datetime | None
    away_until: datetime | None


@dataclass(frozen=True, slots=True)
class GuildRow:
    """A server's settings, how often its leaderboard was reset, and why its times stand still; see `tables.guild`."""

    settings: GuildSettings
    era: int
    left_at: datetime | None
    unavailable_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat and the person in it, None for a computer and for somebody who was forgotten; see `tables.seat`.

    `pinged` says that a ping to its player is in the channel, or soon will be. `leaver_id` is the person for whom a
    computer plays on.
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


def rating_change(columns: Mapping[Any, Any]) -> RatingChange | None:
    """Return what a match did to the rating of a seat; None if it was not rated."""
    if columns["place"] is None:
        return None
    before, after = [Rating(columns[f"mu_{when}"], columns[f"sigma_{when}"]) for when in ("before", "after")]
    return RatingChange(columns["place"], before, after)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its seats in order; see `tables.match`.

    `info` is what people may see of it. `left_at` is when its server removed the bot, if it has, and
    `unavailable_since` when an outage of its server began, if it lasts. `time_due_at` is when the timekeeper looks at
    it next.
    """

    info: MatchInfo
    left_at: datetime | None
    unavailable_since: datetime | None
    time_due_at: datetime | None
    seats: tuple[SeatRow, ...]

    @property
    def frozen(self) -> bool:
        """True while its server has removed the bot."""
        return self.left_at is not None


@dataclass(frozen=True, slots=True)
class WantedMessage:
    """A message as it should be. `repost_revision` is 0 unless it must be posted again rather than edited."""

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
    """A message as it should be and as it is; see `tables.outbox_message`."""

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
    """A seat of a finished match, with its result. A forgotten person has neither id nor names."""

    match_id: MatchId
    ended_at: datetime
    seat: int
    person_id: PersonId | None
    name: str | None
    username: str | None


@dataclass(frozen=True, slots=True)
class EndedSeat(SeatResult):
    """A seat of a finished match, with what it brought and the rating that changed, None unless the match was rated."""

    seat: int
    person_id: PersonId | None
    rating: RatingChange | None


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A finished match of a server, as standings see it.

    `counts` says that it belongs in them, and `long_enough` that it also belongs in ratings, if its kind does.
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
    """How a person stands on a board; see `tables.standing`."""

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
        """The person's rating; None before the first rated match, and on a board of one ruleset."""
        return None if self.mu is None or self.sigma is None else Rating(self.mu, self.sigma)
