"""Queries about how people did."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import case, func, select

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import MatchStatus, StandingRow

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c


async def standing(transaction: Transaction, guild_id: int, since: datetime | None) -> tuple[StandingRow, ...]:
    """Everyone who finished a match in a server (since a moment), best first.

    The order: matches won, then the share of matches won, then deal points; equals by name. Whoever was forgotten is
    not in it.
    """
    won = func.sum(case((_SEAT.won.is_(True), 1), else_=0))
    lost = func.sum(case((_SEAT.won.is_(False), 1), else_=0))
    points = func.sum(_SEAT.points)
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
        .where(_MATCH.guild_id == guild_id, _MATCH.status == MatchStatus.FINISHED)
        .group_by(_PERSON.id, _PERSON.name)
        .order_by(won.desc(), (won * 1.0 / func.count()).desc(), points.desc(), func.lower(_PERSON.name))
    )
    if since is not None:
        query = query.where(_MATCH.ended_at >= since)
    return tuple(StandingRow(*row) for row in await transaction.execute(query))
