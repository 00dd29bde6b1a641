"""Queries about how one person did on a server, and how much is played there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, distinct, func, select, type_coerce

from bot.store import tables
from bot.store.database import Transaction
from bot.store.matches import is_finished
from bot.store.rows import FinishedSeat, WeekRow, read_row
from bot.values.ids import GuildId, PersonId
from bot.values.statistics import Category

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c

_WEEK: Final = timedelta(days=7) // timedelta(milliseconds=1)
_MONDAY: Final = timedelta(days=3) // timedelta(milliseconds=1)
"""1970 began on a Thursday."""


async def categories(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, since: datetime | None
) -> tuple[Category, ...]:
    """Return the categories in which a person finished matches on a server (since a moment), most played first."""
    query = (
        select(_MATCH.category)
        .select_from(tables.seat.join(tables.match))
        .where(_SEAT.person_id == person_id, *is_finished(guild_id, since))
        .group_by(_MATCH.category)
        .order_by(func.count().desc(), _MATCH.category)
    )
    return tuple((await transaction.execute(query)).scalars())


async def finished_seats(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, category: Category, since: datetime | None
) -> tuple[FinishedSeat, ...]:
    """Return every seat of the matches a person finished in a category (since a moment): oldest first, then by seat."""
    theirs = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    query = (
        select(
            _MATCH.id.label("match_id"),
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
        .where(_MATCH.id.in_(theirs), _MATCH.category == category, *is_finished(guild_id, since))
        .order_by(_MATCH.ended_at, _MATCH.id, _SEAT.seat)
    )
    return tuple(read_row(FinishedSeat, row) for row in (await transaction.execute(query)).mappings())


async def weeks(
    transaction: Transaction, guild_id: GuildId, category: Category, ruleset: str | None, since: datetime
) -> tuple[WeekRow, ...]:
    """Return how much was played in a category (with one ruleset) in each week in which a match ended, in UTC."""
    week = (type_coerce(_MATCH.ended_at, BigInteger) + _MONDAY) // _WEEK
    query = (
        select(
            week.label("number"),
            func.count(distinct(_MATCH.id)).label("matches"),
            func.count(distinct(_SEAT.person_id)).label("players"),
        )
        .select_from(tables.seat.join(tables.match))
        .where(_MATCH.category == category, *is_finished(guild_id, since))
        # By its label: PostgreSQL takes two expressions with parameters for different ones.
        .group_by("number")
        .order_by("number")
    )
    if ruleset is not None:
        query = query.where(_MATCH.ruleset == ruleset)
    return tuple(read_row(WeekRow, row) for row in (await transaction.execute(query)).mappings())
