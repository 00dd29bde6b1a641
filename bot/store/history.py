"""Queries for the match history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sqlalchemy import exists, select, tuple_

from bot.model.history import PageKey
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.statistics import Category, SeatResult
from bot.store import tables
from bot.store.rows import FinishedSeat, read_row, select_columns
from bot.store.transaction import Transaction

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c


@dataclass(frozen=True, slots=True)
class MeetingSeat(FinishedSeat):
    """A seat of a finished match, with its result and the category of the match."""

    category: Category


async def page(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId | None, key: PageKey | None, limit: int
) -> tuple[MatchId, ...]:
    """Return up to `limit` matches that a person finished, on one server or on all, without deals of the day.

    Without a key, return the newest matches, newest first. A key names a match: return the matches that ended before
    that match, newest first, or, if `key.newer` is true, the matches that ended after that match, oldest first.
    """
    is_newer = key is not None and key.newer
    sort_columns = (_MATCH.ended_at, _MATCH.id)
    query = (
        select(_MATCH.id)
        .select_from(tables.seat.join(tables.match))
        .where(tables.played_by(person_id), _MATCH.status == MatchStatus.FINISHED, _MATCH.day.is_(None))
        .order_by(*(column.asc() if is_newer else column.desc() for column in sort_columns))
        .limit(limit)
    )
    if guild_id is not None:
        query = query.where(_MATCH.guild_id == guild_id)
    if key is not None:
        page_start = tuple_(key.ended_at, key.match_id, types=[column.type for column in sort_columns])
        query = query.where(tuple_(*sort_columns) > page_start if is_newer else tuple_(*sort_columns) < page_start)
    return tuple((await transaction.execute(query)).scalars())


async def results(transaction: Transaction, match_ids: Collection[MatchId]) -> dict[MatchId, tuple[SeatResult, ...]]:
    """Return the results of all seats of these finished matches, by match."""
    query = (
        select(_SEAT.match_id, *select_columns(SeatResult, tables.seat))
        .where(_SEAT.match_id.in_(match_ids))
        .order_by(_SEAT.match_id, _SEAT.seat)
    )
    rows = (await transaction.execute(query)).mappings().all()
    return {
        match_id: tuple(read_row(SeatResult, row) for row in seats)
        for match_id, seats in groupby(rows, key=lambda row: row["match_id"])
    }


async def with_deals(transaction: Transaction, match_ids: Collection[MatchId]) -> set[MatchId]:
    """Return the ids of these matches that have a finished deal."""
    query = select(tables.deal.c.match_id).where(tables.deal.c.match_id.in_(match_ids)).distinct()
    return set((await transaction.execute(query)).scalars())


async def meetings(
    transaction: Transaction, person_id: PersonId, other_id: PersonId, guild_id: GuildId, era: int
) -> tuple[MeetingSeat, ...]:
    """Return every seat of the matches that two people played together, in an era of a server's leaderboard.

    Only matches that count for statistics are included, oldest first. The two may have been partners.
    """
    own_seat, other_seat = tables.seat.alias(), tables.seat.alias()
    both = (
        select(own_seat.c.match_id)
        .join(other_seat, other_seat.c.match_id == own_seat.c.match_id)
        .where(own_seat.c.person_id == person_id, other_seat.c.person_id == other_id)
    )
    query = (
        select(
            *select_columns(MeetingSeat, tables.seat),
            _MATCH.ended_at,
            _MATCH.category,
            *(_PERSON.name, _PERSON.username, _PERSON.avatar),
        )
        .select_from(tables.seat.join(tables.match).outerjoin(tables.person, _PERSON.id == _SEAT.person_id))
        .where(
            _MATCH.id.in_(both),
            _MATCH.guild_id == guild_id,
            _MATCH.era == era,
            _MATCH.status == MatchStatus.FINISHED,
            _MATCH.kind == MatchKind.STANDARD,
            exists().where(tables.deal.c.match_id == _MATCH.id),
        )
        .order_by(_MATCH.number, _SEAT.seat)
    )
    return tuple(read_row(MeetingSeat, row) for row in (await transaction.execute(query)).mappings())
