"""Queries for the match history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sqlalchemy import exists, select, tuple_

from bot.store import tables
from bot.store.rows import FinishedSeat, read_row, select_columns
from bot.store.transaction import Transaction
from bot.values.history import PageKey
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.matches import MatchKind, MatchStatus
from bot.values.statistics import Category, SeatResult

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c


@dataclass(frozen=True, slots=True)
class MetSeat(FinishedSeat):
    """A seat of a finished match, with its result and the category of the match."""

    category: Category


async def page(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId | None, key: PageKey | None, most: int
) -> tuple[MatchId, ...]:
    """Return up to `most` matches that a person finished, on one server or on all.

    They are the newest matches, newest first, or the next ones older than the key. With a `newer` key, they are the
    next newer ones, oldest first.
    """
    newer = key is not None and key.newer
    place = (_MATCH.ended_at, _MATCH.id)
    query = (
        select(_MATCH.id)
        .select_from(tables.seat.join(tables.match))
        .where(tables.played_by(person_id), _MATCH.status == MatchStatus.FINISHED)
        .order_by(*(column.asc() if newer else column.desc() for column in place))
        .limit(most)
    )
    if guild_id is not None:
        query = query.where(_MATCH.guild_id == guild_id)
    if key is not None:
        at = tuple_(key.ended_at, key.match_id, types=[column.type for column in place])
        query = query.where(tuple_(*place) > at if newer else tuple_(*place) < at)
    return tuple((await transaction.execute(query)).scalars())


async def results(transaction: Transaction, match_ids: Collection[MatchId]) -> dict[MatchId, tuple[SeatResult, ...]]:
    """Return the seat results of finished matches."""
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


async def meetings(
    transaction: Transaction, person_id: PersonId, other_id: PersonId, guild_id: GuildId, era: int
) -> tuple[MetSeat, ...]:
    """Return every seat of the matches that two people played together, in an era of a server.

    Only matches that count for statistics are included, oldest first. The two may have been partners.
    """
    mine, theirs = tables.seat.alias(), tables.seat.alias()
    both = (
        select(mine.c.match_id)
        .join(theirs, theirs.c.match_id == mine.c.match_id)
        .where(mine.c.person_id == person_id, theirs.c.person_id == other_id)
    )
    query = (
        select(*select_columns(MetSeat, tables.seat), _MATCH.ended_at, _MATCH.category, _PERSON.name, _PERSON.username)
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
    return tuple(read_row(MetSeat, row) for row in (await transaction.execute(query)).mappings())
