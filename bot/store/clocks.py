"""Queries about clocks: due matches, standstills, holidays and other changes to the times of matches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, and_, bindparam, delete, func, insert, or_, select, update

from bot.store import tables
from bot.store.on_shards import OnShards
from bot.store.removal import Leftovers
from bot.store.rows import save
from bot.store.transaction import Transaction
from bot.values.clocks import Standstill, TimeChange
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.shards import ID_BITS, Shards

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_SHARD: Final = tables.shard.c
_STANDSTILL: Final = tables.standstill.c
_HOLIDAY: Final = tables.holiday.c
_CHANGE: Final = tables.time_change.c

KEPT_FOR: Final = timedelta(days=366)
"""Retention of standstills and holidays. It is longer than a holiday counts and longer than any turn should last."""

_LOOKED_AT: Final = (tables.TIME_IS_DUE, _MATCH.id.not_in(bindparam("but", expanding=True)))
_DUE: Final = OnShards(
    lambda is_on: (
        select(_MATCH.id)
        .where(*_LOOKED_AT, _MATCH.time_due_at <= bindparam("now"), is_on(_MATCH.guild_id))
        .order_by(_MATCH.time_due_at)
        .limit(bindparam("limit"))
    )
)
_NEXT_DUE: Final = OnShards(
    lambda is_on: select(func.min(_MATCH.time_due_at)).where(*_LOOKED_AT, is_on(_MATCH.guild_id))
)
_WAITING: Final = (
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

_PLACE: Final = bindparam("place", type_=BigInteger)
"""The part of a server's id that determines its shard."""
_STOOD_STILL: Final = select(_STANDSTILL.from_at, _STANDSTILL.to_at).where(
    _STANDSTILL.to_at > bindparam("since"),
    or_(
        and_(_STANDSTILL.kind == Standstill.GUILD, _STANDSTILL.number == bindparam("guild_id")),
        # Rows of servers have a shard count of 0, and SQL may evaluate the conditions in any order.
        and_(
            _STANDSTILL.kind == Standstill.SHARD,
            _STANDSTILL.number == _PLACE.op("%")(func.nullif(_STANDSTILL.shards, 0)),
        ),
    ),
)

_WAITING_DUE: Final = _WAITING.where(_MATCH.time_due_at <= bindparam("due_until"))


async def due(
    transaction: Transaction, shards: Shards, at: datetime, limit: int, but: Collection[MatchId] = ()
) -> tuple[MatchId, ...]:
    """Return matches of these shards that the timekeeper must check now, the longest overdue first.

    Matches in `but` are skipped.
    """
    return tuple((await _DUE.execute(transaction, shards, {"now": at, "limit": limit, "but": [*but]})).scalars())


async def next_due(transaction: Transaction, shards: Shards, but: Collection[MatchId] = ()) -> datetime | None:
    """Return the time at which the timekeeper must next check a match of these shards, ignoring matches in `but`."""
    return (await _NEXT_DUE.execute(transaction, shards, {"but": [*but]})).scalar()


async def waiting_for(transaction: Transaction, person_id: PersonId) -> tuple[MatchId, ...]:
    """Return the matches in which it is a person's turn, without paused matches and servers that removed the bot."""
    return tuple((await transaction.execute(_WAITING, {"person_id": person_id})).scalars())


async def waiting_soon(transaction: Transaction, person_id: PersonId, until: datetime) -> tuple[MatchId, ...]:
    """Return the matches of `waiting_for` that the timekeeper must check by a time."""
    return tuple((await transaction.execute(_WAITING_DUE, {"person_id": person_id, "due_until": until})).scalars())


async def look_at(transaction: Transaction, match_ids: Iterable[MatchId], at: datetime) -> None:
    """Make the timekeeper check running matches at a time."""
    row = update(tables.match).where(_MATCH.id.in_([*match_ids]), tables.IS_RUNNING)
    await transaction.execute(row.values(time_due_at=at))


async def look_at_all_in(transaction: Transaction, guild_id: GuildId, at: datetime) -> None:
    """Make the timekeeper check all running matches of a server at a time."""
    row = update(tables.match).where(_MATCH.guild_id == guild_id, tables.IS_RUNNING)
    await transaction.execute(row.values(time_due_at=at))


async def set_due(transaction: Transaction, match_id: MatchId, at: datetime | None) -> None:
    """Save the time at which the timekeeper must next check a match. None means never."""
    row = update(tables.match).where(_MATCH.id == match_id)
    await transaction.execute(row.values(time_due_at=at))


async def set_to_act(transaction: Transaction, match_id: MatchId, seats: Iterable[int]) -> None:
    """Save the seats whose turn it is in an old match, from before moves saved this."""
    row = update(tables.match).where(_MATCH.id == match_id, _MATCH.to_act == 0)
    await transaction.execute(row.values(to_act=sum(1 << seat for seat in seats)))


async def absent_from(transaction: Transaction, person_id: PersonId) -> tuple[MatchId, ...]:
    """Return the running matches in which a person has left the server or cannot reach the table."""
    query = (
        select(_SEAT.match_id)
        .join(tables.match)
        .where(tables.IS_ABSENT, _SEAT.person_id == person_id, _MATCH.status == MatchStatus.RUNNING)
    )
    return tuple((await transaction.execute(query)).scalars())


async def add_change(
    transaction: Transaction, match_id: MatchId, seat: int | None, kind: TimeChange, span: timedelta, at: datetime
) -> None:
    """Save a change to the times of a match that is not a turn. `seat` is None if it affects all seats."""
    values = {"match_id": match_id, "seat": seat, "kind": kind, "span": span, "at": at}
    await transaction.execute(insert(tables.time_change).values(values))


async def changes(
    transaction: Transaction, match_id: MatchId
) -> Sequence[tuple[int | None, TimeChange, timedelta, datetime]]:
    """Return the seat, kind, span and time of each change to the times of a match, oldest first."""
    query = select(_CHANGE.seat, _CHANGE.kind, _CHANGE.span, _CHANGE.at).where(_CHANGE.match_id == match_id)
    rows = await transaction.execute(query.order_by(_CHANGE.id))
    return [(row.seat, row.kind, row.span, row.at) for row in rows]


async def connections(transaction: Transaction) -> dict[tuple[int, int], datetime]:
    """Return the time at which each shard was last connected, by shard number and shard count."""
    rows = await transaction.execute(select(tables.shard))
    return {(row.number, row.shards): row.seen_at for row in rows}


async def save_shard(transaction: Transaction, number: int, shards: int, at: datetime) -> None:
    """Save the time at which a shard was connected."""
    await save(transaction, tables.shard, {"number": number, "shards": shards}, {"seen_at": at})


async def remove_shard(transaction: Transaction, number: int, shards: int) -> None:
    """Delete a shard, after the shard count has changed."""
    await transaction.execute(delete(tables.shard).where(_SHARD.number == number, _SHARD.shards == shards))


async def add_standstill(
    transaction: Transaction, kind: Standstill, number: int, shards: int, from_at: datetime, to_at: datetime
) -> None:
    """Save a standstill of a shard or server. Extend the previous one if it ended when this one began."""
    where = {"kind": kind, "number": number, "shards": shards}
    before = update(tables.standstill).filter_by(**where, to_at=from_at)
    if not (await transaction.execute(before.values(to_at=to_at))).rowcount:
        values = {**where, "from_at": from_at, "to_at": to_at}
        await transaction.execute(insert(tables.standstill).values(values))


async def standstills(transaction: Transaction, guild_id: GuildId, since: datetime) -> list[tuple[datetime, datetime]]:
    """Return the standstills of a server and of its shard that ended after a time, as pairs of start and end."""
    place = {"guild_id": guild_id, "place": guild_id >> ID_BITS, "since": since}
    return [(row.from_at, row.to_at) for row in await transaction.execute(_STOOD_STILL, place)]


def old_standstills(at: datetime) -> Leftovers:
    """Select for removal the standstills that ended more than `KEPT_FOR` ago."""
    return Leftovers(tables.standstill, (_STANDSTILL.to_at < at - KEPT_FOR,))


def old_holidays(at: datetime) -> Leftovers:
    """Select for removal the holidays that ended more than `KEPT_FOR` ago."""
    return Leftovers(tables.holiday, (_HOLIDAY.to_at < at - KEPT_FOR,))


async def add_holiday(transaction: Transaction, person_id: PersonId, from_at: datetime, to_at: datetime) -> None:
    """Save a person's holiday."""
    values = {"person_id": person_id, "from_at": from_at, "to_at": to_at}
    await transaction.execute(insert(tables.holiday).values(values))
    person = update(tables.person).where(tables.person.c.id == person_id)
    await transaction.execute(person.values(away_from=from_at, away_until=to_at))


async def end_holiday(transaction: Transaction, person_id: PersonId, at: datetime) -> None:
    """End a person's holiday early, at a time."""
    going_on = update(tables.holiday).where(_HOLIDAY.person_id == person_id, _HOLIDAY.to_at > at)
    await transaction.execute(going_on.values(to_at=at))
    person = update(tables.person).where(tables.person.c.id == person_id, tables.person.c.away_until > at)
    await transaction.execute(person.values(away_until=at))


async def holidays(
    transaction: Transaction, people: Collection[PersonId], since: datetime
) -> dict[PersonId, list[tuple[datetime, datetime]]]:
    """Return the holidays of these people that ended after a time, oldest first, as pairs of start and end."""
    query = select(tables.holiday).where(_HOLIDAY.person_id.in_([*people]), _HOLIDAY.to_at > since)
    found: dict[PersonId, list[tuple[datetime, datetime]]] = {}
    for row in await transaction.execute(query.order_by(_HOLIDAY.id)):
        found.setdefault(row.person_id, []).append((row.from_at, row.to_at))
    return found


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's holidays."""
    await transaction.execute(delete(tables.holiday).where(_HOLIDAY.person_id == person_id))
