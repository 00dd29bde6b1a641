"""Queries about how one person did in a server, and how much is played there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, distinct, func, select, type_coerce

from bot.store import tables
from bot.store.database import Transaction
from bot.store.matches import finished
from bot.store.rows import SeatOver, WeekRow

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c

_WEEK: Final = timedelta(days=7) // timedelta(milliseconds=1)
_MONDAY: Final = timedelta(days=3) // timedelta(milliseconds=1)
"""1970 began on a Thursday."""


async def ladders_of(
    transaction: Transaction, person_id: int, guild_id: int, since: datetime | None
) -> tuple[tuple[str, int], ...]:
    """How many matches a person finished on each ladder of a server (since a moment), most first."""
    query = (
        select(_MATCH.ladder, func.count())
        .select_from(tables.seat.join(tables.match))
        .where(_SEAT.person_id == person_id, *finished(guild_id, since))
        .group_by(_MATCH.ladder)
        .order_by(func.count().desc(), _MATCH.ladder)
    )
    return tuple((row[0], row[1]) for row in await transaction.execute(query))


async def seats_with(
    transaction: Transaction, person_id: int, guild_id: int, ladder: str, since: datetime | None
) -> tuple[SeatOver, ...]:
    """Every seat of the matches that a person finished on a ladder (since a moment): oldest match first, by seat."""
    theirs = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    query = (
        select(
            _MATCH.id,
            _MATCH.ended_at,
            _SEAT.seat,
            _SEAT.person_id,
            _PERSON.name,
            _SEAT.won,
            _SEAT.drawn,
            _SEAT.deals_won,
            _SEAT.deals_lost,
            _SEAT.points,
            _SEAT.gins,
            _SEAT.undercuts,
        )
        .select_from(tables.seat.join(tables.match).outerjoin(tables.person, _PERSON.id == _SEAT.person_id))
        .where(_MATCH.id.in_(theirs), _MATCH.ladder == ladder, *finished(guild_id, since))
        .order_by(_MATCH.ended_at, _MATCH.id, _SEAT.seat)
    )
    return tuple(SeatOver(*row) for row in await transaction.execute(query))


async def weeks(
    transaction: Transaction, guild_id: int, ladder: str, system: str | None, since: datetime
) -> tuple[WeekRow, ...]:
    """How much was played on a ladder of a server (by one rule system) in each week in which a match ended, in UTC."""
    week = (type_coerce(_MATCH.ended_at, BigInteger) + _MONDAY) // _WEEK
    query = (
        select(week, func.count(distinct(_MATCH.id)), func.count(distinct(_SEAT.person_id)))
        .select_from(tables.seat.join(tables.match))
        .where(_MATCH.ladder == ladder, *finished(guild_id, since))
        .group_by(week)
        .order_by(week)
    )
    if system is not None:
        query = query.where(_MATCH.system == system)
    return tuple(WeekRow(*row) for row in await transaction.execute(query))
