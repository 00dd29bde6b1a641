"""Queries about finished matches of servers: their numbers, results and rating changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Executable, RowMapping, Select, bindparam, exists, select, tuple_, update

from bot.engine.deals.showdown import OutcomeKind
from bot.model.ids import GuildId, MatchId
from bot.model.matches import MatchKind
from bot.model.ratings import RatingChange
from bot.store import tables
from bot.store.rows import EndedMatch, EndedSeat, rating_change, read_row, select_columns, upsert
from bot.store.transaction import Transaction

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_DEAL: Final = tables.deal.c
_GUILD: Final = tables.guild.c

_HAS_DEAL: Final = exists().where(_DEAL.match_id == _MATCH.id)
_FINISHED: Final = (
    select(
        *select_columns(EndedMatch, tables.match),
        _MATCH.kind,
        _HAS_DEAL.label("has_deal"),
        _HAS_DEAL.where(_DEAL.kind != OutcomeKind.VOID).label("long_enough"),
        *select_columns(EndedSeat, tables.seat, "seat_"),
        *(_SEAT.place, _SEAT.mu_before, _SEAT.sigma_before, _SEAT.mu_after, _SEAT.sigma_after),
    )
    .select_from(tables.match.join(tables.seat))
    .order_by(_MATCH.guild_id, _MATCH.number, _SEAT.seat)
)
_LOAD: Final = _FINISHED.where(_MATCH.id.in_(bindparam("match_ids", expanding=True)))
_SAVE_RATING: Final = (
    update(tables.seat)
    .where(_SEAT.match_id == bindparam("of_match"), _SEAT.seat == bindparam("at_seat"))
    .values(
        place=bindparam("in_place"),
        mu_before=bindparam("old_mu"),
        sigma_before=bindparam("old_sigma"),
        mu_after=bindparam("new_mu"),
        sigma_after=bindparam("new_sigma"),
    )
)

_UPDATE_MATCH: Final = update(tables.match).where(_MATCH.id == bindparam("match"))
_SAVE_NUMBER: Final = _UPDATE_MATCH.values(number=bindparam("next_number"), era=bindparam("present_era"))
_SAVE_PERIODS: Final = _UPDATE_MATCH.values(recent_until=bindparam("until"), season=bindparam("of_season"))
_LEAVE_RECENT: Final = _UPDATE_MATCH.values(recent_until=None)


@cache
def _count_match(dialect: str) -> Executable:
    statement = upsert(dialect, tables.guild).values(matches_finished=1)
    increment = {"matches_finished": _GUILD.matches_finished + 1}
    return statement.on_conflict_do_update(index_elements=["id"], set_=increment).returning(
        _GUILD.matches_finished, _GUILD.era
    )


async def assign_number(transaction: Transaction, guild_id: GuildId, match_id: MatchId) -> None:
    """Save a number and an era for a match that was just finished: the next number and current era of its server."""
    counted = await transaction.execute(_count_match(transaction.dialect.name), {"id": guild_id})
    next_number, era = counted.one()
    await transaction.execute(_SAVE_NUMBER, {"match": match_id, "next_number": next_number, "present_era": era})


async def save_periods(
    transaction: Transaction, match_id: MatchId, recent_until: datetime | None, season: str | None
) -> None:
    """Save a match's season, and the time at which it leaves the boards of the last 30 days."""
    await transaction.execute(_SAVE_PERIODS, {"match": match_id, "until": recent_until, "of_season": season})


async def leave_recent(transaction: Transaction, match_id: MatchId) -> None:
    """Save that a match no longer counts on the boards of the last 30 days."""
    await transaction.execute(_LEAVE_RECENT, {"match": match_id})


async def save_ratings(transaction: Transaction, match_id: MatchId, changes: Sequence[RatingChange | None]) -> None:
    """Save the rating changes of a match, in the order of its seats. The change of an unrated seat is None."""
    values = [
        {
            "of_match": match_id,
            "at_seat": seat,
            "in_place": change.place,
            "old_mu": change.before.mu,
            "old_sigma": change.before.sigma,
            "new_mu": change.after.mu,
            "new_sigma": change.after.sigma,
        }
        for seat, change in enumerate(changes)
        if change is not None
    ]
    await transaction.execute(_SAVE_RATING, values)


async def load(transaction: Transaction, match_ids: Sequence[MatchId]) -> tuple[EndedMatch, ...]:
    """Return these finished matches, sorted by server and number."""
    rows = (await transaction.execute(_LOAD, {"match_ids": list(match_ids)})).mappings().all()
    return tuple(_match(list(seats)) for _, seats in groupby(rows, key=lambda row: row["id"]))


async def next_matches(transaction: Transaction, guild_id: int, number: int, limit: int) -> tuple[EndedMatch, ...]:
    """Return up to `limit` finished matches after this server and number, sorted by server and number."""
    match_ids = (
        select(_MATCH.id)
        .where(tuple_(_MATCH.guild_id, _MATCH.number) > tuple_(guild_id, number))
        .order_by(_MATCH.guild_id, _MATCH.number)
        .limit(limit)
    )
    return await load(transaction, (await transaction.execute(match_ids)).scalars().all())


async def due_to_leave_recent(transaction: Transaction, now: datetime, limit: int) -> tuple[EndedMatch, ...]:
    """Return up to `limit` matches that must leave the 30-day leaderboards, the longest overdue first."""
    match_ids = (
        select(_MATCH.id).where(tables.IS_RECENT, _MATCH.recent_until < now).order_by(_MATCH.recent_until).limit(limit)
    )
    return await load(transaction, (await transaction.execute(match_ids)).scalars().all())


async def any_recent_beyond(transaction: Transaction, time: datetime) -> bool:
    """Return True if any match would stay on the 30-day leaderboards beyond `time`."""
    return (await transaction.execute(_recent_beyond(time).limit(1))).first() is not None


async def shorten_recent(transaction: Transaction, time: datetime, limit: int) -> int:
    """Make matches leave the 30-day leaderboards at `time` if they would stay there longer.

    Change up to `limit` matches and return the count of changed matches. This repairs matches whose end was saved while
    the system clock was ahead.
    """
    statement = update(tables.match).where(_MATCH.id.in_(_recent_beyond(time).limit(limit)))
    return (await transaction.execute(statement.values(recent_until=time))).rowcount


def _recent_beyond(time: datetime) -> Select[tuple[int]]:
    return select(_MATCH.id).where(tables.IS_RECENT, _MATCH.recent_until > time)


def _match(rows: Sequence[RowMapping]) -> EndedMatch:
    first_row: dict[str, Any] = dict(rows[0])
    seats = tuple(read_row(EndedSeat, row, "seat_", rating=rating_change(row)) for row in rows)
    return read_row(
        EndedMatch,
        first_row,
        counts=bool(first_row["has_deal"]) and first_row["kind"] is MatchKind.STANDARD,
        long_enough=bool(first_row["long_enough"]),
        seats=seats,
    )
