"""Queries about finished matches of servers: their numbers, results and rating changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Executable, RowMapping, Select, bindparam, exists, select, tuple_, update

from bot.engine.showdown import OutcomeKind
from bot.store import tables
from bot.store.rows import EndedMatch, EndedSeat, rating_change, read_row, select_columns, upsert
from bot.store.transaction import Transaction
from bot.values.ids import GuildId, MatchId
from bot.values.matches import MatchKind
from bot.values.standings import RatingChange

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_DEAL: Final = tables.deal.c
_GUILD: Final = tables.guild.c

_HAS_DEAL: Final = exists().where(_DEAL.match_id == _MATCH.id)
_ENDED: Final = (
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
_LOAD: Final = _ENDED.where(_MATCH.id.in_(bindparam("match_ids", expanding=True)))
_RATE: Final = (
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

_OF_MATCH: Final = update(tables.match).where(_MATCH.id == bindparam("match"))
_NUMBER: Final = _OF_MATCH.values(number=bindparam("next_number"), era=bindparam("present_era"))
_PERIODS: Final = _OF_MATCH.values(recent_until=bindparam("until"), season=bindparam("of_season"))
_LEFT: Final = _OF_MATCH.values(recent_until=None)


@cache
def _next(dialect: str) -> Executable:
    row = upsert(dialect, tables.guild).values(matches_finished=1)
    more = {"matches_finished": _GUILD.matches_finished + 1}
    return row.on_conflict_do_update(index_elements=["id"], set_=more).returning(_GUILD.matches_finished, _GUILD.era)


async def number(transaction: Transaction, guild_id: GuildId, match_id: MatchId) -> None:
    """Give a match that was just finished its server's next number and current era."""
    found = await transaction.execute(_next(transaction.dialect.name), {"id": guild_id})
    next_number, era = found.one()
    await transaction.execute(_NUMBER, {"match": match_id, "next_number": next_number, "present_era": era})


async def save_periods(
    transaction: Transaction, match_id: MatchId, recent_until: datetime | None, season: str | None
) -> None:
    """Save a match's season, and the time at which it leaves the boards of the last 30 days."""
    await transaction.execute(_PERIODS, {"match": match_id, "until": recent_until, "of_season": season})


async def leave_recent(transaction: Transaction, match_id: MatchId) -> None:
    """Take a match off the boards of the last 30 days."""
    await transaction.execute(_LEFT, {"match": match_id})


async def save_ratings(transaction: Transaction, match_id: MatchId, changes: Sequence[RatingChange | None]) -> None:
    """Save the ratings of a match's seats before and after it. None stands for a seat that was not rated."""
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
    await transaction.execute(_RATE, values)


async def load(transaction: Transaction, match_ids: Sequence[MatchId]) -> tuple[EndedMatch, ...]:
    """Return finished matches by server and number."""
    rows = (await transaction.execute(_LOAD, {"match_ids": list(match_ids)})).mappings().all()
    return tuple(_ended(list(seats)) for _, seats in groupby(rows, key=lambda row: row["id"]))


async def after(transaction: Transaction, guild_id: int, number: int, most: int) -> tuple[EndedMatch, ...]:
    """Return up to `most` finished matches in the order of server and number, after the given position."""
    next_ones = (
        select(_MATCH.id)
        .where(tuple_(_MATCH.guild_id, _MATCH.number) > tuple_(guild_id, number))
        .order_by(_MATCH.guild_id, _MATCH.number)
        .limit(most)
    )
    return await load(transaction, (await transaction.execute(next_ones)).scalars().all())


async def leaving_recent(transaction: Transaction, now: datetime, most: int) -> tuple[EndedMatch, ...]:
    """Return up to `most` matches that must leave the boards of the last 30 days, the longest overdue first."""
    overdue = (
        select(_MATCH.id).where(tables.IS_RECENT, _MATCH.recent_until < now).order_by(_MATCH.recent_until).limit(most)
    )
    return await load(transaction, (await transaction.execute(overdue)).scalars().all())


async def stays_beyond(transaction: Transaction, latest: datetime) -> bool:
    """Return True if any match stays on the boards of the last 30 days beyond a time."""
    return (await transaction.execute(_beyond(latest).limit(1))).first() is not None


async def bring_back(transaction: Transaction, latest: datetime, most: int) -> int:
    """Make up to `most` matches leave the boards of the last 30 days by a time. Return the number of changed matches.

    These matches ended at a wrong time in the future.
    """
    late = update(tables.match).where(_MATCH.id.in_(_beyond(latest).limit(most)))
    return (await transaction.execute(late.values(recent_until=latest))).rowcount


def _beyond(latest: datetime) -> Select[tuple[int]]:
    return select(_MATCH.id).where(tables.IS_RECENT, _MATCH.recent_until > latest)


def _ended(rows: Sequence[RowMapping]) -> EndedMatch:
    first: dict[str, Any] = dict(rows[0])
    seats = tuple(read_row(EndedSeat, row, "seat_", rating=rating_change(row)) for row in rows)
    return read_row(
        EndedMatch,
        first,
        counts=bool(first["has_deal"]) and first["kind"] is MatchKind.STANDARD,
        long_enough=bool(first["long_enough"]),
        seats=seats,
    )
