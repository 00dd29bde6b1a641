"""Queries about how people compare on a server."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import case, func, select

from bot.store import tables
from bot.store.database import Transaction
from bot.store.matches import is_finished
from bot.store.rows import read_row
from bot.values.ids import GuildId
from bot.values.statistics import Category, Standing

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c


async def standings(
    transaction: Transaction,
    guild_id: GuildId,
    category: Category,
    *,
    ruleset: str | None = None,
    since: datetime | None = None,
    fewest_points: bool = False,
) -> tuple[Standing, ...]:
    """Return everyone who finished a match in a category (with one ruleset, since a moment), best first.

    The order: matches won, then the share of matches won, then most points (or fewest), then the name. A match that
    another player's resignation left without a result counts in no share. Forgotten people are left out.
    """
    happened = (_SEAT.won.is_(True), _SEAT.won.is_(False), _SEAT.drawn.is_(True))
    won, lost, drawn = (func.sum(case((what, 1), else_=0)) for what in happened)
    points = func.sum(_SEAT.points)
    share = func.coalesce(won * 1.0 / func.nullif(won + lost + drawn, 0), 0)
    query = (
        select(
            _PERSON.id.label("person_id"),
            _PERSON.name,
            won.label("won"),
            lost.label("lost"),
            func.sum(_SEAT.deals_won).label("deals_won"),
            func.sum(_SEAT.deals_lost).label("deals_lost"),
            points.label("points"),
            func.sum(_SEAT.gins).label("gins"),
            func.sum(_SEAT.undercuts).label("undercuts"),
        )
        .select_from(tables.seat.join(tables.match).join(tables.person, _PERSON.id == _SEAT.person_id))
        .where(_MATCH.category == category, *is_finished(guild_id, since))
        .group_by(_PERSON.id, _PERSON.name)
        .order_by(won.desc(), share.desc(), points if fewest_points else points.desc(), func.lower(_PERSON.name))
    )
    if ruleset is not None:
        query = query.where(_MATCH.ruleset == ruleset)
    return tuple(read_row(Standing, row) for row in (await transaction.execute(query)).mappings())


async def played(
    transaction: Transaction, guild_id: GuildId, since: datetime | None
) -> tuple[tuple[Category, str], ...]:
    """Return the categories, each with a ruleset, in which matches were finished in a server (since a moment)."""
    query = (
        select(_MATCH.category, _MATCH.ruleset)
        .where(*is_finished(guild_id, since))
        .group_by(_MATCH.category, _MATCH.ruleset)
        .order_by(_MATCH.category, func.lower(_MATCH.ruleset))
    )
    return tuple((row.category, row.ruleset) for row in await transaction.execute(query))
