"""Queries about how people did."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import case, func, select

from bot.store import tables
from bot.store.database import Transaction
from bot.store.matches import finished
from bot.store.rows import StandingRow

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c


async def standing(
    transaction: Transaction,
    guild_id: int,
    ladder: str,
    *,
    system: str | None = None,
    since: datetime | None = None,
    fewest_points: bool = False,
) -> tuple[StandingRow, ...]:
    """Everyone who finished a match on a ladder of a server (by one rule system, since a moment), best first.

    The order: matches won, then the share of matches won, then most points, or fewest; equals by name. A match left
    without a result by somebody else's resignation counts in no share. Whoever was forgotten is not in it.
    """
    happened = (_SEAT.won.is_(True), _SEAT.won.is_(False), _SEAT.drawn.is_(True))
    won, lost, drawn = (func.sum(case((what, 1), else_=0)) for what in happened)
    points = func.sum(_SEAT.points)
    share = func.coalesce(won * 1.0 / func.nullif(won + lost + drawn, 0), 0)
    query = (
        select(
            _PERSON.id,
            _PERSON.name,
            won,
            lost,
            func.sum(_SEAT.deals_won),
            func.sum(_SEAT.deals_lost),
            points,
            func.sum(_SEAT.gins),
            func.sum(_SEAT.undercuts),
        )
        .select_from(tables.seat.join(tables.match).join(tables.person, _PERSON.id == _SEAT.person_id))
        .where(_MATCH.ladder == ladder, *finished(guild_id, since))
        .group_by(_PERSON.id, _PERSON.name)
        .order_by(won.desc(), share.desc(), points if fewest_points else points.desc(), func.lower(_PERSON.name))
    )
    if system is not None:
        query = query.where(_MATCH.system == system)
    return tuple(StandingRow(*row) for row in await transaction.execute(query))


async def played(transaction: Transaction, guild_id: int, since: datetime | None) -> tuple[tuple[str, str], ...]:
    """The ladders with the rule systems by which matches were finished in a server (since a moment)."""
    query = (
        select(_MATCH.ladder, _MATCH.system)
        .where(*finished(guild_id, since))
        .distinct()
        .order_by(_MATCH.ladder, func.lower(_MATCH.system))
    )
    return tuple((row.ladder, row.system) for row in await transaction.execute(query))
