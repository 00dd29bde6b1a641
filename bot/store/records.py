"""Queries about server records and streaks, and about the matches that they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, exists, func, insert, select, tuple_

from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.records import Entry, OwnRecord, OwnStreak, Streak
from bot.store import tables
from bot.store.rows import columns_of, read_row, save, select_columns
from bot.store.transaction import Transaction

_RECORD: Final = tables.server_record.c
_STREAK: Final = tables.streak.c
_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_DEAL: Final = tables.deal.c

_IS_FINISHED: Final = (_MATCH.status == MatchStatus.FINISHED, _MATCH.kind == MatchKind.STANDARD)
_COUNTS: Final = (*_IS_FINISHED, exists().where(_DEAL.match_id == _MATCH.id))
"""The conditions for a match that counts for statistics. They are the same as in `statistics`."""

# These statements run at the end of every match, so they are built only once.
_LOAD: Final = select(*select_columns(Entry, tables.server_record)).where(_RECORD.guild_id == bindparam("guild_id"))
_STREAK_OF: Final = select(*select_columns(Streak, tables.streak)).where(
    _STREAK.guild_id == bindparam("guild_id"), _STREAK.person_id == bindparam("person_id")
)
_DEAL_ENDS: Final = select(_DEAL.number, _DEAL.ended_at).where(_DEAL.match_id == bindparam("match_id"))


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A person's result in a match that counts for statistics. `won` is None for a draw, or if there is no result."""

    guild_id: GuildId
    match_id: MatchId
    seat: int
    won: bool | None
    drawn: bool
    ended_at: datetime


async def load(transaction: Transaction, guild_id: GuildId) -> tuple[Entry, ...]:
    rows = (await transaction.execute(_LOAD, {"guild_id": guild_id})).mappings()
    return tuple(read_row(Entry, row) for row in rows)


async def add(transaction: Transaction, guild_id: GuildId, entries: Sequence[Entry]) -> None:
    rows = [{"guild_id": guild_id} | columns_of(entry) for entry in entries]
    await transaction.execute(insert(tables.server_record), rows)


async def remove(transaction: Transaction, guild_id: GuildId, entries: Iterable[Entry]) -> None:
    keys = [entry.key for entry in entries]
    is_removed = tuple_(_RECORD.kind, _RECORD.match_id, _RECORD.number, _RECORD.seat).in_(keys)
    await transaction.execute(delete(tables.server_record).where(_RECORD.guild_id == guild_id, is_removed))


async def deal_ends(transaction: Transaction, match_id: MatchId) -> dict[int, datetime]:
    """Return the end time of each finished deal of a match, by deal number."""
    rows = await transaction.execute(_DEAL_ENDS, {"match_id": match_id})
    return {row.number: row.ended_at for row in rows}


async def streak(transaction: Transaction, guild_id: GuildId, person_id: PersonId) -> Streak | None:
    """Return a person's current streak on a server. None if it is unknown."""
    values = {"guild_id": guild_id, "person_id": person_id}
    row = (await transaction.execute(_STREAK_OF, values)).mappings().first()
    return None if row is None else read_row(Streak, row)


async def save_streak(transaction: Transaction, guild_id: GuildId, person_id: PersonId, streak: Streak) -> None:
    key = {"guild_id": guild_id, "person_id": person_id}
    await save(transaction, tables.streak, key, columns_of(streak))


async def results(transaction: Transaction, person_id: PersonId, guild_id: GuildId, era: int) -> tuple[OwnResult, ...]:
    """Return the results of a person's matches on a server since the reset that began this era, earliest end first."""
    query = (
        select(_MATCH.guild_id, _SEAT.match_id, _SEAT.seat, _SEAT.won, _SEAT.drawn, _MATCH.ended_at)
        .select_from(tables.seat.join(tables.match))
        .where(_SEAT.person_id == person_id, _MATCH.guild_id == guild_id, _MATCH.era == era, *_COUNTS)
        .order_by(_MATCH.number)
    )
    # Do not use `read_row`: with the many rows of a person who has played for years, it would be slower than the query.
    return tuple(OwnResult(*row) for row in await transaction.execute(query))


async def guilds_played_on(transaction: Transaction, person_id: PersonId) -> tuple[GuildId, ...]:
    """Return the servers on which a person has finished matches that count for statistics."""
    query = select(_MATCH.guild_id).select_from(tables.seat.join(tables.match))
    query = query.where(_SEAT.person_id == person_id, *_COUNTS).distinct().order_by(_MATCH.guild_id)
    return tuple((await transaction.execute(query)).scalars())


async def finished_matches_after(transaction: Transaction, match_id: MatchId, limit: int) -> tuple[MatchId, ...]:
    """Return up to `limit` finished matches that can set server records, with ids above `match_id`, lowest first."""
    query = select(_MATCH.id).where(_MATCH.id > match_id, *_IS_FINISHED).order_by(_MATCH.id).limit(limit)
    return tuple((await transaction.execute(query)).scalars())


async def is_in_current_era(transaction: Transaction, match_id: MatchId) -> bool:
    """Return True if a match was finished since the last reset of its server's leaderboards."""
    guild = tables.guild.c
    query = select(_MATCH.id).select_from(tables.match.outerjoin(tables.guild, guild.id == _MATCH.guild_id))
    query = query.where(_MATCH.id == match_id, _MATCH.era == func.coalesce(guild.era, 0))
    return (await transaction.execute(query)).first() is not None


async def last_match_id(transaction: Transaction) -> MatchId:
    """Return the highest match id. 0 if there are no matches."""
    return MatchId((await transaction.execute(select(func.max(_MATCH.id)))).scalar() or 0)


async def players_after(transaction: Transaction, person_id: PersonId, limit: int) -> tuple[PersonId, ...]:
    """Return up to `limit` people who have seats in any matches, with ids above `person_id` in ascending order."""
    query = select(_SEAT.person_id).where(_SEAT.person_id > person_id).distinct().order_by(_SEAT.person_id).limit(limit)
    return tuple((await transaction.execute(query)).scalars())


async def clear(transaction: Transaction, guild_id: GuildId) -> None:
    """Delete all records and streaks of a server."""
    for table in (tables.server_record, tables.streak):
        await transaction.execute(delete(table).where(table.c.guild_id == guild_id))


async def records_of(transaction: Transaction, person_id: PersonId) -> tuple[OwnRecord, ...]:
    """Return the records that a person holds."""
    query = (
        select(_RECORD.guild_id, *select_columns(Entry, tables.server_record))
        .select_from(tables.seat)
        .join(tables.server_record, (_RECORD.match_id == _SEAT.match_id) & (_RECORD.seat == _SEAT.seat))
        .where(_SEAT.person_id == person_id)
        .order_by(_RECORD.guild_id, _RECORD.kind, _RECORD.at)
    )
    return tuple(read_row(OwnRecord, row) for row in (await transaction.execute(query)).mappings())


async def streaks_of(transaction: Transaction, person_id: PersonId) -> tuple[OwnStreak, ...]:
    """Return a person's current streaks, in the order of the servers' ids."""
    query = select(tables.streak).where(_STREAK.person_id == person_id).order_by(_STREAK.guild_id)
    return tuple(read_row(OwnStreak, row) for row in (await transaction.execute(query)).mappings())


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's streaks. Their records stay, without a name."""
    await transaction.execute(delete(tables.streak).where(_STREAK.person_id == person_id))
