"""Queries for personal and server statistics.

A match counts if it is finished and at least one of its deals was finished. So a match that a player resigned or
abandoned in the first deal is not a win for anyone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, case, distinct, exists, false, func, select, true, type_coerce

from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.statistics import ActivitySpan, Category, Results
from bot.opponent.play.levels import Level
from bot.store import tables
from bot.store.columns import MOMENT
from bot.store.rows import FinishedSeat, read_row, select_columns
from bot.store.transaction import Transaction

_SEAT: Final = tables.seat.c
_MATCH: Final = tables.match.c
_PERSON: Final = tables.person.c

_SEATS_OF_MATCHES: Final = tables.seat.join(tables.match)
_COUNTS: Final = (_MATCH.status == MatchStatus.FINISHED, exists().where(tables.deal.c.match_id == _MATCH.id))
"""The conditions for a match that counts."""
_PERSON_IN_SEAT: Final = _PERSON.id == _SEAT.person_id


def _result_counts() -> tuple[ColumnElement[int], ...]:
    """Return the columns that count won, lost and drawn matches of a group of seats."""
    results = (_SEAT.won.is_(true()), _SEAT.won.is_(false()), _SEAT.drawn.is_(true()))
    return tuple(func.sum(case((condition, 1), else_=0)) for condition in results)


async def categories(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, era: int
) -> tuple[Category, ...]:
    """Return the categories of the matches that a person finished in an era of a leaderboard, most played first."""
    query = (
        select(_MATCH.category)
        .select_from(_SEATS_OF_MATCHES)
        .where(_SEAT.person_id == person_id, *_counting_matches(guild_id, era))
        .group_by(_MATCH.category)
        .order_by(func.count().desc(), _MATCH.category)
    )
    return tuple((await transaction.execute(query)).scalars())


async def finished_seats(
    transaction: Transaction, person_id: PersonId, guild_id: GuildId, category: Category, era: int
) -> tuple[FinishedSeat, ...]:
    """Return all seats of the matches that a person finished on a server in a category and era, oldest match first."""
    own_match_ids = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    query = (
        select(
            *select_columns(FinishedSeat, tables.seat),
            _MATCH.ended_at,
            *(_PERSON.name, _PERSON.username, _PERSON.avatar),
        )
        .select_from(_SEATS_OF_MATCHES.outerjoin(tables.person, _PERSON_IN_SEAT))
        .where(_MATCH.id.in_(own_match_ids), *_counting_matches(guild_id, era, category))
        .order_by(_MATCH.number, _SEAT.seat)
    )
    return tuple(read_row(FinishedSeat, row) for row in (await transaction.execute(query)).mappings())


async def practice_results(transaction: Transaction, person_id: PersonId) -> dict[Level, Results]:
    """Return a person's results in practice matches by computer level, weakest first."""
    other = tables.seat.alias()
    level = select(func.min(other.c.computer)).where(other.c.match_id == _SEAT.match_id).scalar_subquery()
    query = (
        select(level.label("level"), func.count(), *_result_counts())
        .select_from(_SEATS_OF_MATCHES)
        .where(_SEAT.person_id == person_id, _MATCH.kind == MatchKind.PRACTICE, _MATCH.day.is_(None), *_COUNTS)
        .group_by("level")
    )
    by_level = {Level(name): Results(*counts) for name, *counts in await transaction.execute(query)}
    return {level: by_level[level] for level in Level if level in by_level}


async def first_match_end(
    transaction: Transaction, guild_id: GuildId, era: int, category: Category, ruleset: str | None, since: datetime
) -> datetime | None:
    """Return the time at which the first match since a time ended; None if none did. `activity` has the conditions."""
    query = (
        select(_MATCH.ended_at)
        .where(*_counting_matches(guild_id, era, category, ruleset), _MATCH.ended_at >= since)
        .order_by(_MATCH.ended_at)
        .limit(1)
    )
    return (await transaction.execute(query)).scalar()


async def activity(
    transaction: Transaction,
    guild_id: GuildId,
    era: int,
    category: Category,
    ruleset: str | None,
    since: datetime,
    span: timedelta,
) -> tuple[ActivitySpan, ...]:
    """Return how many matches and how many players there were in each span of time since `since`.

    Only matches of one era and category count, and of one ruleset if it is given. Spans without a match are omitted.
    """
    number = (type_coerce(_MATCH.ended_at, BigInteger) - MOMENT.write(since)) // (span // timedelta(milliseconds=1))
    match_count, player_count = func.count(distinct(_MATCH.id)), func.count(distinct(_SEAT.person_id))
    query = (
        select(number.label("span"), match_count, player_count)
        .select_from(_SEATS_OF_MATCHES)
        .where(*_counting_matches(guild_id, era, category, ruleset), _MATCH.ended_at >= since)
        # Group by the label: PostgreSQL does not recognize two expressions with parameters as the same.
        .group_by("span")
        .order_by("span")
    )
    rows = await transaction.execute(query)
    return tuple(ActivitySpan((since + number * span).date(), *counts) for number, *counts in rows)


async def activity_totals(
    transaction: Transaction, guild_id: GuildId, era: int, category: Category, ruleset: str | None, since: datetime
) -> tuple[int, int]:
    """Return how many deals and how many players there were in the matches that `activity` counts."""
    ids = select(_MATCH.id).where(*_counting_matches(guild_id, era, category, ruleset), _MATCH.ended_at >= since)
    deals = select(func.count()).where(tables.deal.c.match_id.in_(ids)).scalar_subquery()
    players = select(func.count(distinct(_SEAT.person_id))).where(_SEAT.match_id.in_(ids)).scalar_subquery()
    deal_count, player_count = (await transaction.execute(select(deals, players))).one()
    return deal_count, player_count


def _counting_matches(
    guild_id: GuildId, era: int, category: Category | None = None, ruleset: str | None = None
) -> list[ColumnElement[bool]]:
    """Return the conditions for a match that counts in a server's era, and has the category and ruleset, if given."""
    conditions = [_MATCH.guild_id == guild_id, _MATCH.era == era, _MATCH.kind == MatchKind.STANDARD, *_COUNTS]
    if category is not None:
        conditions.append(_MATCH.category == category)
    return conditions if ruleset is None else [*conditions, _MATCH.ruleset == ruleset]
