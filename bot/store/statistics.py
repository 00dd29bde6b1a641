"""Queries for personal and server statistics.

A match counts if it is finished and at least one of its deals was finished. A match that a player resigned or abandoned
earlier is not a win for anyone.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, case, distinct, exists, false, func, select, true, type_coerce

from bot.opponent.levels import Level
from bot.store import tables
from bot.store.rows import FinishedSeat, read_row, select_columns
from bot.store.transaction import Transaction
from bot.values.ids import GuildId, PersonId
from bot.values.matches import MatchKind, MatchStatus
from bot.values.statistics import Category, Results, Week

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c

_SEATS: Final = tables.seat.join(tables.match)
_COUNTS: Final = (_MATCH.status == MatchStatus.FINISHED, exists().where(tables.deal.c.match_id == _MATCH.id))
"""The conditions for a match that counts."""
_IN_SEAT: Final = _PERSON.id == _SEAT.person_id

_WEEK: Final = timedelta(days=7) // timedelta(milliseconds=1)
_MONDAY: Final = timedelta(days=3) // timedelta(milliseconds=1)
"""Time from a Monday to the start of 1970, which was a Thursday, in milliseconds."""
_FIRST_WEEK: Final = date(1969, 12, 29)


def _how_they_ended() -> tuple[ColumnElement[int], ...]:
    """Return the columns that count won, lost and drawn matches of a group of seats."""
    happened = (_SEAT.won.is_(true()), _SEAT.won.is_(false()), _SEAT.drawn.is_(true()))
    return tuple(func.sum(case((what, 1), else_=0)) for what in happened)


async def categories(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, era: int
) -> tuple[Category, ...]:
    """Return the categories in which a person finished matches in an era of a server, most played first."""
    query = (
        select(_MATCH.category)
        .select_from(_SEATS)
        .where(_SEAT.person_id == person_id, *_finished(guild_id, era))
        .group_by(_MATCH.category)
        .order_by(func.count().desc(), _MATCH.category)
    )
    return tuple((await transaction.execute(query)).scalars())


async def finished_seats(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, category: Category, era: int
) -> tuple[FinishedSeat, ...]:
    """Return every seat of the matches that a person finished in a category and era, oldest match first, by seat."""
    theirs = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    query = (
        select(*select_columns(FinishedSeat, tables.seat), _MATCH.ended_at, _PERSON.name, _PERSON.username)
        .select_from(_SEATS.outerjoin(tables.person, _IN_SEAT))
        .where(_MATCH.id.in_(theirs), *_finished(guild_id, era, category))
        .order_by(_MATCH.number, _SEAT.seat)
    )
    return tuple(read_row(FinishedSeat, row) for row in (await transaction.execute(query)).mappings())


async def practice(transaction: Transaction, person_id: PersonId) -> dict[Level, Results]:
    """Return a person's results in practice matches by computer level, weakest first."""
    other = tables.seat.alias()
    level = select(func.min(other.c.computer)).where(other.c.match_id == _SEAT.match_id).scalar_subquery()
    query = (
        select(level.label("level"), func.count(), *_how_they_ended())
        .select_from(_SEATS)
        .where(_SEAT.person_id == person_id, _MATCH.kind == MatchKind.PRACTICE, *_COUNTS)
        .group_by("level")
    )
    found = {Level(name): Results(*counts) for name, *counts in await transaction.execute(query)}
    return {level: found[level] for level in Level if level in found}


async def weeks(
    transaction: Transaction, guild_id: GuildId, era: int, category: Category, ruleset: str | None, since: datetime
) -> tuple[Week, ...]:
    """Return the number of matches and players in each week (Monday to Sunday, UTC) since a time.

    Only matches of one era and category count, and of one ruleset if it is given. Weeks without a match are omitted.
    """
    week = (type_coerce(_MATCH.ended_at, BigInteger) + _MONDAY) // _WEEK
    played, players = func.count(distinct(_MATCH.id)), func.count(distinct(_SEAT.person_id))
    query = (
        select(week.label("week"), played, players)
        .select_from(_SEATS)
        .where(*_finished(guild_id, era, category, ruleset), _MATCH.ended_at >= since)
        # Group by the label: PostgreSQL does not recognize two expressions with parameters as the same.
        .group_by("week")
        .order_by("week")
    )
    rows = await transaction.execute(query)
    return tuple(Week(_FIRST_WEEK + timedelta(weeks=number), *counts) for number, *counts in rows)


def _finished(
    guild_id: GuildId, era: int, category: Category | None = None, ruleset: str | None = None
) -> list[ColumnElement[bool]]:
    """Return the conditions for a match that counts in a server's era. None stands for any category or ruleset."""
    conditions = [_MATCH.guild_id == guild_id, _MATCH.era == era, _MATCH.kind == MatchKind.STANDARD, *_COUNTS]
    if category is not None:
        conditions.append(_MATCH.category == category)
    return conditions if ruleset is None else [*conditions, _MATCH.ruleset == ruleset]
