"""Queries about the clocks of matches: when to check them, and periods in which they stand still."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import BigInteger, and_, bindparam, delete, func, insert, null, or_, select, union_all, update

from bot.model.clocks import Standstill, TimeChange
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.shards import ID_BITS, Shards
from bot.store import tables
from bot.store.columns import is_listed
from bot.store.on_shards import ShardQuery
from bot.store.removal import StaleRows
from bot.store.rows import save
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_SHARD: Final = tables.shard.c
_STANDSTILL: Final = tables.standstill.c
_HOLIDAY: Final = tables.holiday.c
_CHANGE: Final = tables.time_change.c

RETENTION: Final = timedelta(days=366)
"""Retention period of standstills and holidays.

It is longer than any turn, and longer than a year, because the limit on a person's holidays applies to the last year.
"""

_HAS_DUE_TIME: Final = (tables.TIME_IS_DUE, ~is_listed(_MATCH.id, "but"))
_DUE: Final = ShardQuery(
    lambda is_on: (
        select(_MATCH.id)
        .where(*_HAS_DUE_TIME, _MATCH.time_due_at <= bindparam("now"), is_on(_MATCH.guild_id))
        .order_by(_MATCH.time_due_at)
        .limit(bindparam("limit"))
    )
)
_NEXT_DUE: Final = ShardQuery(
    lambda is_on: select(func.min(_MATCH.time_due_at).label("at")).where(*_HAS_DUE_TIME, is_on(_MATCH.guild_id))
)
_WAITING_FOR_PERSON: Final = (
    select(_MATCH.id)
    .select_from(
        tables.seat.join(tables.match, _MATCH.id == _SEAT.match_id).outerjoin(
            tables.guild, tables.guild.c.id == _MATCH.guild_id
        )
    )
    .where(
        _SEAT.person_id == bindparam("person_id"),
        tables.HAS_NO_RESULT,
        tables.HAS_CHANNEL,
        _MATCH.to_act.op(">>")(_SEAT.seat).op("&")(1) == 1,
        tables.guild.c.left_at.is_(None),
    )
)
_WITH_ABSENT: Final = Statement(
    lambda _: (
        select(_SEAT.match_id)
        .join(tables.match)
        .where(tables.IS_ABSENT, _SEAT.person_id == bindparam("person_id"), _MATCH.status == MatchStatus.RUNNING)
    )
)

_SHARD_KEY: Final = bindparam("place", type_=BigInteger)
"""The part of a server's id that determines its shard."""
_STANDSTILLS: Final = select(_STANDSTILL.from_at, _STANDSTILL.to_at).where(
    _STANDSTILL.to_at > bindparam("since"),
    or_(
        and_(_STANDSTILL.kind == Standstill.GUILD, _STANDSTILL.number == bindparam("guild_id")),
        # Rows of servers have the shard count 0. Do not divide by it: SQL may evaluate the conditions in any order.
        and_(
            _STANDSTILL.kind == Standstill.SHARD,
            _STANDSTILL.number == _SHARD_KEY.op("%")(func.nullif(_STANDSTILL.shards, 0)),
        ),
    ),
)
_PLAYERS: Final = select(_SEAT.person_id).where(_SEAT.match_id == bindparam("match_id"))
_PAUSES: Final = Statement(
    lambda _: union_all(
        _STANDSTILLS.add_columns(null().cast(BigInteger).label("person_id"), null().cast(BigInteger).label("shards")),
        select(_HOLIDAY.from_at, _HOLIDAY.to_at, _HOLIDAY.person_id, null().cast(BigInteger)).where(
            _HOLIDAY.person_id.in_(_PLAYERS), _HOLIDAY.to_at > bindparam("since")
        ),
        select(_SHARD.seen_at, _SHARD.seen_at, _SHARD.number, _SHARD.shards),
    )
)
"""The standstills of a match: times, and the person for a holiday. For a shard: its last time, number and count."""

_WAITING_AND_DUE: Final = _WAITING_FOR_PERSON.where(_MATCH.time_due_at <= bindparam("due_until"))


async def due(
    transaction: Transaction, shards: Shards, at: datetime, limit: int, excluded: Collection[MatchId] = ()
) -> tuple[MatchId, ...]:
    """Return matches of these shards that the timekeeper must check now, the longest overdue first.

    Matches in `excluded` are skipped.
    """
    rows = await _DUE.fetch(transaction, shards, {"now": at, "limit": limit, "but": excluded})
    return tuple(row["id"] for row in rows)


async def next_due(transaction: Transaction, shards: Shards, excluded: Collection[MatchId] = ()) -> datetime | None:
    """Return the time at which the timekeeper must next check a match of these shards that is not in `excluded`."""
    (row,) = await _NEXT_DUE.fetch(transaction, shards, {"but": excluded})
    return row["at"]


async def waiting_for(transaction: Transaction, person_id: PersonId) -> tuple[MatchId, ...]:
    """Return the matches in which it is a person's turn, unless the match is paused or its server removed the bot."""
    return tuple((await transaction.execute(_WAITING_FOR_PERSON, {"person_id": person_id})).scalars())


async def waiting_and_due(transaction: Transaction, person_id: PersonId, until: datetime) -> tuple[MatchId, ...]:
    """Return the matches of `waiting_for` that the timekeeper must check by the time `until`."""
    return tuple((await transaction.execute(_WAITING_AND_DUE, {"person_id": person_id, "due_until": until})).scalars())


async def schedule_checks(transaction: Transaction, match_ids: Iterable[MatchId], at: datetime) -> None:
    """Make the timekeeper check these matches at the time `at`, if they are running."""
    statement = update(tables.match).where(_MATCH.id.in_([*match_ids]), tables.IS_RUNNING)
    await transaction.execute(statement.values(time_due_at=at))


async def schedule_guild_checks(transaction: Transaction, guild_id: GuildId, at: datetime) -> None:
    """Make the timekeeper check all running matches of a server at the time `at`."""
    statement = update(tables.match).where(_MATCH.guild_id == guild_id, tables.IS_RUNNING)
    await transaction.execute(statement.values(time_due_at=at))


async def save_due_time(transaction: Transaction, match_id: MatchId, at: datetime | None) -> None:
    """Save the time at which the timekeeper must next check a match. None means never."""
    statement = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(statement.values(time_due_at=at))


async def fill_to_act(transaction: Transaction, match_id: MatchId, seats: Iterable[int]) -> None:
    """Save the seats whose turn it is, if none are saved. Old versions of the bot did not save them."""
    statement = update(tables.match).where(_MATCH.id == match_id, _MATCH.to_act == 0)
    await transaction.execute(statement.values(to_act=sum(1 << seat for seat in seats)))


async def with_absent(transaction: Transaction, person_id: PersonId) -> tuple[MatchId, ...]:
    """Return a person's running matches whose server they have left or whose table they cannot reach."""
    rows = await transaction.fetch(_WITH_ABSENT, {"person_id": person_id})
    return tuple(row["match_id"] for row in rows)


async def add_change(
    transaction: Transaction, match_id: MatchId, seat: int | None, kind: TimeChange, span: timedelta, at: datetime
) -> None:
    """Save a change to a match's clocks, such as a pause or a gift of time. `seat` is None if it affects all seats."""
    values = {"match_id": match_id, "seat": seat, "kind": kind, "span": span, "at": at}
    await transaction.execute(insert(tables.time_change).values(values))


async def changes(
    transaction: Transaction, match_id: MatchId
) -> Sequence[tuple[int | None, TimeChange, timedelta, datetime]]:
    """Return the seat, kind, span and time of each change that `add_change` saved for a match, oldest first."""
    query = select(_CHANGE.seat, _CHANGE.kind, _CHANGE.span, _CHANGE.at).where(_CHANGE.match_id == match_id)
    rows = await transaction.execute(query.order_by(_CHANGE.id))
    return [(row.seat, row.kind, row.span, row.at) for row in rows]


async def shard_times(transaction: Transaction) -> dict[tuple[int, int], datetime]:
    """Return the time at which each shard was last connected, by shard number and shard count."""
    rows = await transaction.execute(select(tables.shard))
    return {(row.number, row.shards): row.seen_at for row in rows}


async def save_shard_time(transaction: Transaction, number: int, shards: int, at: datetime) -> None:
    """Save the last time at which a shard was known to be connected."""
    await save(transaction, tables.shard, {"number": number, "shards": shards}, {"seen_at": at})


async def remove_shard(transaction: Transaction, number: int, shards: int) -> None:
    """Delete a shard that no longer exists because the shard count has changed."""
    await transaction.execute(delete(tables.shard).where(_SHARD.number == number, _SHARD.shards == shards))


async def shard_standstills(
    transaction: Transaction, since: datetime, until: datetime
) -> dict[tuple[int, int], list[tuple[datetime, datetime]]]:
    """Return the standstills of each shard that overlap a period, by shard number and shard count."""
    query = select(_STANDSTILL.number, _STANDSTILL.shards, _STANDSTILL.from_at, _STANDSTILL.to_at).where(
        _STANDSTILL.kind == Standstill.SHARD, _STANDSTILL.to_at > since, _STANDSTILL.from_at < until
    )
    spans = defaultdict[tuple[int, int], list[tuple[datetime, datetime]]](list)
    for row in await transaction.execute(query):
        spans[row.number, row.shards].append((row.from_at, row.to_at))
    return spans


async def add_standstill(
    transaction: Transaction, kind: Standstill, number: int, shards: int, from_at: datetime, to_at: datetime
) -> None:
    """Save a standstill of a shard's or server's clocks, or extend an earlier standstill that ended at `from_at`."""
    key = {"kind": kind, "number": number, "shards": shards}
    extension = update(tables.standstill).filter_by(**key, to_at=from_at)
    if not (await transaction.execute(extension.values(to_at=to_at))).rowcount:
        values = {**key, "from_at": from_at, "to_at": to_at}
        await transaction.execute(insert(tables.standstill).values(values))


@dataclass(frozen=True, slots=True)
class Pauses:
    """The times in which the clocks of a match stand still, as pairs of start and end.

    `standstills` are those of the server and its shard, `holidays` those of each player. `shard_times` has the time at
    which each shard was last connected, by shard number and shard count.
    """

    standstills: tuple[tuple[datetime, datetime], ...]
    holidays: dict[PersonId, list[tuple[datetime, datetime]]]
    shard_times: dict[tuple[int, int], datetime]


async def pauses(transaction: Transaction, match_id: MatchId, guild_id: GuildId, since: datetime) -> Pauses:
    """Return the standstills and holidays of a match that ended after a time."""
    parameters = {"guild_id": guild_id, "place": guild_id >> ID_BITS, "since": since, "match_id": match_id}
    standstills, holidays = list[tuple[datetime, datetime]](), defaultdict[PersonId, Any](list)
    shard_times: dict[tuple[int, int], datetime] = {}
    for row in await transaction.fetch(_PAUSES, parameters):
        span = row["from_at"], row["to_at"]
        if row["shards"] is not None:
            shard_times[row["person_id"], row["shards"]] = row["from_at"]
        elif row["person_id"] is not None:
            holidays[PersonId(row["person_id"])].append(span)
        else:
            standstills.append(span)
    return Pauses(tuple(standstills), dict(holidays), shard_times)


def old_standstills(at: datetime) -> StaleRows:
    """Select for removal the standstills that ended more than `RETENTION` ago."""
    return StaleRows(tables.standstill, (_STANDSTILL.to_at < at - RETENTION,))


def old_holidays(at: datetime) -> StaleRows:
    """Select for removal the holidays that ended more than `RETENTION` ago."""
    return StaleRows(tables.holiday, (_HOLIDAY.to_at < at - RETENTION,))


async def add_holiday(transaction: Transaction, person_id: PersonId, from_at: datetime, to_at: datetime) -> None:
    """Save a person's holiday."""
    values = {"person_id": person_id, "from_at": from_at, "to_at": to_at}
    await transaction.execute(insert(tables.holiday).values(values))
    person = update(tables.person).where(tables.person.c.id == person_id)
    await transaction.execute(person.values(away_from=from_at, away_until=to_at))


async def end_holiday(transaction: Transaction, person_id: PersonId, at: datetime) -> None:
    """End a person's current or coming holiday at the time `at`."""
    statement = update(tables.holiday).where(_HOLIDAY.person_id == person_id, _HOLIDAY.to_at > at)
    await transaction.execute(statement.values(to_at=at))
    person = update(tables.person).where(tables.person.c.id == person_id, tables.person.c.away_until > at)
    await transaction.execute(person.values(away_until=at))


async def holidays(
    transaction: Transaction, people: Collection[PersonId], since: datetime
) -> dict[PersonId, list[tuple[datetime, datetime]]]:
    """Return the holidays of these people that end after a time, by person: pairs of start and end, oldest first."""
    query = select(tables.holiday).where(_HOLIDAY.person_id.in_([*people]), _HOLIDAY.to_at > since)
    by_person: dict[PersonId, list[tuple[datetime, datetime]]] = {}
    for row in await transaction.execute(query.order_by(_HOLIDAY.id)):
        by_person.setdefault(row.person_id, []).append((row.from_at, row.to_at))
    return by_person


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's holidays."""
    await transaction.execute(delete(tables.holiday).where(_HOLIDAY.person_id == person_id))
