"""Queries about the deals of the day, and people's tries at them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import RowMapping, and_, bindparam, delete, false, func, insert, select, update

from bot.model.daily import (
    DailyDeal,
    DailyResult,
    DailyScore,
    DailyServer,
    DailyTotal,
    DailyTry,
    end_of,
    was_called_off,
)
from bot.model.ids import ChainId, GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.statistics import Player
from bot.store import tables
from bot.store.rows import columns_of, read_row, upsert
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_DEAL: Final = tables.daily_deal.c
_TRY: Final = tables.daily_try.c
_ENTRY: Final = tables.daily_entry.c
_MATCH: Final = tables.match.c
_CHAIN: Final = tables.chain.c
_PERSON: Final = tables.person.c
_GUILD: Final = tables.guild.c


@dataclass(frozen=True, slots=True)
class DailyDealRow:
    """A deal of the day, as stored. `commitment` is None if the deal was called off.

    `worst_points` are those that unfinished tries count as, once the deal is closed; None if they count as nothing.
    """

    day: date
    commitment: bytes | None
    closed_at: datetime | None
    worst_points: int | None

    @property
    def playable(self) -> DailyDeal | None:
        """The deal, if people can play it on its day."""
        if self.commitment is None or self.closed_at is not None:
            return None
        return DailyDeal(self.day, self.commitment)


_WITH_END: Final = tables.daily_try.outerjoin(tables.match, and_(_MATCH.id == _TRY.match_id, _TRY.points.is_(None)))
"""Tries with the matches of those that are not finished."""
_TRIES: Final = select(
    _TRY.day, _TRY.match_id, _TRY.points, _TRY.turns, _TRY.kind, _MATCH.ended_at, _DEAL.worst_points
).select_from(_WITH_END.outerjoin(tables.daily_deal, and_(_DEAL.day == _TRY.day, _TRY.points.is_(None))))
_IS_PERSON: Final = _TRY.person_id == bindparam("of_person")
_PLAYER: Final = (_PERSON.id, _PERSON.name, _PERSON.username, _PERSON.avatar)
_POINTS: Final = func.coalesce(_TRY.points, _DEAL.worst_points)
_TURNS: Final = func.coalesce(_TRY.turns, _DEAL.worst_turns)
_ENTRIES: Final = tables.daily_entry.join(
    tables.daily_try, and_(_TRY.day == _ENTRY.day, _TRY.person_id == _ENTRY.person_id)
).join(tables.daily_deal, _DEAL.day == _ENTRY.day)
_RESULTS: Final = (
    select(_ENTRY.day, *_PLAYER, _TRY.match_id, _TRY.kind, _MATCH.status)
    .add_columns(_POINTS.label("points"), _TURNS.label("turns"))
    .select_from(
        _ENTRIES.join(tables.match, _MATCH.id == _TRY.match_id).join(tables.person, _PERSON.id == _ENTRY.person_id)
    )
    .order_by(_ENTRY.day, _ENTRY.person_id)
)
_SUMS: Final = (
    select(
        _ENTRY.person_id,
        func.sum(_POINTS).label("points"),
        func.sum(_TURNS).label("turns"),
        func.count(_TRY.points).label("finished"),
        func.count().label("tries"),
    )
    .select_from(_ENTRIES)
    .where(_POINTS.is_not(None))
    .group_by(_ENTRY.person_id)
)


# The statements with which a try begins are compiled once, because many people begin at the same time.
_LOAD: Final = Statement(
    lambda _: (
        select(_DEAL.day, _CHAIN.commitment, _DEAL.closed_at, _DEAL.worst_points)
        .select_from(tables.daily_deal.outerjoin(tables.chain, _CHAIN.id == _DEAL.chain_id))
        .where(_DEAL.day == bindparam("on_day"))
    )
)
_FIND_TRY: Final = Statement(lambda _: _TRIES.where(_TRY.day == bindparam("on_day"), _IS_PERSON))
_LAST_TRY: Final = Statement(
    lambda _: _TRIES.where(_IS_PERSON, _TRY.day < bindparam("on_day")).order_by(_TRY.day.desc()).limit(1)
)
_ADD_TRY: Final = Statement(lambda _: insert(tables.daily_try), ("day", "person_id", "match_id"))
_ADD_ENTRY: Final = Statement(
    lambda dialect: upsert(dialect, tables.daily_entry).on_conflict_do_nothing(), ("guild_id", "day", "person_id")
)


async def load(transaction: Transaction, day: date) -> DailyDealRow | None:
    """Return the deal of a day; None if it has not begun."""
    for row in await transaction.fetch(_LOAD, {"on_day": day}):
        return read_row(DailyDealRow, row)
    return None


async def is_over(transaction: Transaction, day: date) -> bool:
    """Return True if the deal of a day was closed or called off. A deal that has not begun is not over."""
    row = await load(transaction, day)
    return row is not None and row.playable is None


async def add(transaction: Transaction, day: date, chain_id: ChainId) -> None:
    """Save the deal of a day, with its hash chain."""
    await transaction.execute(insert(tables.daily_deal).values(day=day, chain_id=chain_id))


async def find_try(transaction: Transaction, day: date, person_id: PersonId) -> DailyTry | None:
    """Return a person's try at the deal of a day."""
    rows = await transaction.fetch(_FIND_TRY, {"on_day": day, "of_person": person_id})
    return next(map(_read_try, rows), None)


async def last_try_before(transaction: Transaction, day: date, person_id: PersonId) -> DailyTry | None:
    """Return a person's last try at the deal of an earlier day."""
    rows = await transaction.fetch(_LAST_TRY, {"on_day": day, "of_person": person_id})
    return next(map(_read_try, rows), None)


async def servers_of(transaction: Transaction, day: date, person_id: PersonId) -> tuple[DailyServer, ...]:
    """Return the servers on which a person's try at the deal of a day counts, without those that the bot has left."""
    query = (
        select(_ENTRY.guild_id, _GUILD.daily_channel)
        .select_from(tables.daily_entry.outerjoin(tables.guild, _GUILD.id == _ENTRY.guild_id))
        .where(_ENTRY.day == day, _ENTRY.person_id == person_id, _GUILD.left_at.is_(None))
        .order_by(_ENTRY.guild_id)
    )
    return tuple(DailyServer(row.guild_id, row.daily_channel) for row in await transaction.execute(query))


async def tries_of(transaction: Transaction, person_id: PersonId) -> tuple[DailyTry, ...]:
    """Return all of a person's tries, oldest first."""
    query = _TRIES.where(_TRY.person_id == person_id).order_by(_TRY.day)
    return tuple(map(_read_try, (await transaction.execute(query)).mappings()))


def _read_try(row: Mapping[Any, Any]) -> DailyTry:
    day, score = row["day"], None if row["points"] is None else read_row(DailyScore, row)
    is_called_off = was_called_off(day, row["ended_at"])
    return DailyTry(day, row["match_id"], score, is_called_off, None if is_called_off else row["worst_points"])


def add_try(transaction: Transaction, day: date, person_id: PersonId, match_id: MatchId) -> None:
    """Save that a person has begun a try. See `Transaction.queue`."""
    transaction.queue(_ADD_TRY, [{"day": day, "person_id": person_id, "match_id": match_id}])


async def save_score(transaction: Transaction, match_id: MatchId, score: DailyScore) -> None:
    """Save the result of a finished try."""
    await transaction.execute(update(tables.daily_try).where(_TRY.match_id == match_id).values(**columns_of(score)))


def add_entry(transaction: Transaction, guild_id: GuildId, day: date, person_id: PersonId) -> None:
    """Save that a person's try at the deal of a day counts on a server. See `Transaction.queue`."""
    transaction.queue(_ADD_ENTRY, [{"guild_id": guild_id, "day": day, "person_id": person_id}])


async def counts_on(transaction: Transaction, guild_id: GuildId | None, day: date, person_id: PersonId) -> bool:
    """Return True if a person's try at the deal of a day counts on a server, or on any if `guild_id` is None."""
    query = select(_ENTRY.day).where(_ENTRY.day == day, _ENTRY.person_id == person_id).limit(1)
    query = query if guild_id is None else query.where(_ENTRY.guild_id == guild_id)
    return (await transaction.execute(query)).first() is not None


async def results(transaction: Transaction, guild_id: GuildId, first: date, last: date) -> tuple[DailyResult, ...]:
    """Return all results on a server from the day `first` to the day `last`, by day and person."""
    query = _RESULTS.where(_ENTRY.guild_id == guild_id, _ENTRY.day.between(first, last))
    return tuple(
        DailyResult(
            row["day"],
            _player(row),
            row["match_id"],
            row["points"],
            row["turns"],
            row["kind"],
            row["status"] is MatchStatus.RUNNING,
        )
        for row in (await transaction.execute(query)).mappings()
    )


async def totals(transaction: Transaction, guild_id: GuildId, first: date, last: date) -> tuple[DailyTotal, ...]:
    """Add up the results of each person on a server from the day `first` to `last`, as `bot.model.daily.totals` does.

    The database does it, because a server may have very many results.
    """
    sums = _SUMS.where(_ENTRY.guild_id == guild_id, _ENTRY.day.between(first, last)).subquery("sums")
    query = select(*_PLAYER, sums).join(sums, sums.c.person_id == _PERSON.id)
    return tuple(
        DailyTotal(_player(row), row["points"], row["turns"], row["finished"], row["tries"] - row["finished"])
        for row in (await transaction.execute(query)).mappings()
    )


def _player(row: RowMapping) -> Player:
    return Player(row["id"], row["name"], username=row["username"], avatar=row["avatar"])


async def playing(transaction: Transaction, guild_id: GuildId, day: date) -> int:
    """Return the number of people on a server whose tries at the deal of a day are running."""
    query = (
        select(func.count())
        .select_from(_ENTRIES.join(tables.match, _MATCH.id == _TRY.match_id))
        .where(_ENTRY.guild_id == guild_id, _ENTRY.day == day, _MATCH.status == MatchStatus.RUNNING)
    )
    return (await transaction.execute(query)).scalar_one()


async def worst(transaction: Transaction, day: date) -> tuple[int, int] | None:
    """Return the points and turns of the worst finished try at the deal of a day; None if nobody finished."""
    query = select(_TRY.points, _TRY.turns).where(_TRY.day == day, _TRY.points.is_not(None))
    row = (await transaction.execute(query.order_by(_TRY.points, _TRY.turns.desc()).limit(1))).first()
    return None if row is None else (row.points, row.turns)


async def ended_days(
    transaction: Transaction, person_ids: Collection[PersonId], until: date
) -> tuple[dict[PersonId, list[date]], dict[PersonId, list[date]]]:
    """Return the days, up to `until`, whose deals these people finished, and the days of their called-off tries."""
    query = select(_TRY.person_id, _TRY.day, _TRY.points, _MATCH.ended_at).select_from(_WITH_END)
    finished: dict[PersonId, list[date]] = {person_id: [] for person_id in person_ids}
    called_off: dict[PersonId, list[date]] = {person_id: [] for person_id in person_ids}
    for row in await transaction.execute(query.where(_TRY.person_id.in_([*person_ids]), _TRY.day <= until)):
        if row.points is not None:
            finished[row.person_id].append(row.day)
        elif was_called_off(row.day, row.ended_at):
            called_off[row.person_id].append(row.day)
    return finished, called_off


async def playable_days(transaction: Transaction, first: date, last: date) -> tuple[date, ...]:
    """Return the days from `first` to `last` whose deals are closed, except those on which people could not play."""
    query = select(_DEAL.day).where(
        _DEAL.day.between(first, last), _DEAL.closed_at.is_not(None), _DEAL.was_down.is_(false())
    )
    return tuple((await transaction.execute(query)).scalars())


async def open_days(transaction: Transaction, before: date) -> tuple[date, ...]:
    """Return the days before a day whose deals are not closed, oldest first."""
    query = select(_DEAL.day).where(tables.IS_OPEN_DAY, _DEAL.day < before).order_by(_DEAL.day)
    return tuple((await transaction.execute(query)).scalars())


async def running(transaction: Transaction, before: date) -> tuple[MatchId, ...]:
    """Return the running matches about the deals of the days before a day, by their ids."""
    query = select(_MATCH.id).where(tables.IS_RUNNING_DAILY, _MATCH.day < before).order_by(_MATCH.id)
    return tuple((await transaction.execute(query)).scalars())


async def unfinished(transaction: Transaction, day: date) -> tuple[MatchId, ...]:
    """Return the matches of the tries that lasted until the end of a day without a result, by their ids."""
    query = (
        select(_TRY.match_id)
        .join(tables.match, _MATCH.id == _TRY.match_id)
        .where(_TRY.day == day, _TRY.points.is_(None))
        .where(_MATCH.status == MatchStatus.CANCELLED, _MATCH.ended_at >= end_of(day))
        .order_by(_TRY.match_id)
    )
    return tuple((await transaction.execute(query)).scalars())


async def close(
    transaction: Transaction, day: date, at: datetime, worst_result: tuple[int, int] | None, *, was_down: bool
) -> None:
    """Close the deal of a day, and delete the secret values of its hash chain.

    `worst_result` are the points and turns that unfinished tries count as. Tries that were called off count on no
    server any more.
    """
    points, turns = worst_result or (None, None)
    values = {"closed_at": at, "worst_points": points, "worst_turns": turns, "was_down": was_down}
    await transaction.execute(update(tables.daily_deal).where(_DEAL.day == day).values(values))
    called_off = (
        select(_TRY.person_id)
        .select_from(_WITH_END)
        .where(_TRY.day == day, _TRY.points.is_(None), _MATCH.ended_at < end_of(day))
    )
    entries = delete(tables.daily_entry).where(_ENTRY.day == day, _ENTRY.person_id.in_(called_off))
    await transaction.execute(entries)
    chain_id = select(_DEAL.chain_id).where(_DEAL.day == day).scalar_subquery()
    await transaction.execute(update(tables.chain).where(_CHAIN.id == chain_id).values(checkpoints=None))


async def entries_of(transaction: Transaction, person_id: PersonId) -> tuple[tuple[date, GuildId], ...]:
    """Return the days and servers on which a person's tries count, oldest first."""
    query = select(_ENTRY.day, _ENTRY.guild_id).where(_ENTRY.person_id == person_id)
    rows = await transaction.execute(query.order_by(_ENTRY.day, _ENTRY.guild_id))
    return tuple((row.day, row.guild_id) for row in rows)


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's tries, and the servers on which they count."""
    await transaction.execute(delete(tables.daily_try).where(_TRY.person_id == person_id))
    await transaction.execute(delete(tables.daily_entry).where(_ENTRY.person_id == person_id))
