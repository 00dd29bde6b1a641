"""The query that computes earlier standings on a board: the stored ones without the matches that ended since."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BigInteger, and_, bindparam, case, cast, false, func, or_, select, true

from bot.model.ids import PersonId
from bot.model.ratings import Rating
from bot.model.standings import ALL_TIME, Sums
from bot.model.statistics import Category
from bot.store import tables
from bot.store.rows import read_row
from bot.store.transaction import Transaction

_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_BOARD: Final = tables.board.c
_STANDING: Final = tables.standing.c

_TALLY: Final = ("deals_won", "deals_lost", "points", "gins", "undercuts")
_SEATS: Final = 4
"""Maximum number of seats of a match."""
_SINCE: Final = (
    _BOARD.id == bindparam("board_id"),
    _BOARD.ruleset.in_(("", _MATCH.ruleset)),
    or_(_BOARD.period == ALL_TIME, _BOARD.period == _MATCH.season),
    _MATCH.ended_at > bindparam("since"),
    # A match leaves the 30-day boards much later, so this finds all that count.
    tables.IS_RECENT,
)


def _net(category: Category) -> Any:
    """Return the net points of a seat. See `PlayedMatch`."""
    seat = tables.seat.alias()
    of_match, is_other = seat.c.match_id == _SEAT.match_id, seat.c.seat != _SEAT.seat
    if category is Category.TEAMS:
        is_ours = (seat.c.seat - _SEAT.seat) % 2 == 0
        lead = func.sum(case((is_ours, seat.c.points), else_=-seat.c.points))
        return select(lead).where(of_match).scalar_subquery()
    if category is Category.PENALTY:
        return select(func.min(seat.c.points)).where(of_match, is_other).scalar_subquery() - _SEAT.points
    return _SEAT.points - select(func.max(seat.c.points)).where(of_match, is_other).scalar_subquery()


def _query(category: Category) -> Any:
    """Return the query for everyone who has played since a time, with their sums and rating before."""
    board = and_(*(_BOARD[name] == _MATCH[name] for name in ("guild_id", "era", "category")))
    results = {"won": _SEAT.won.is_(true()), "lost": _SEAT.won.is_(false()), "drawn": _SEAT.drawn.is_(true())}
    totals = {
        "matches": func.count(),
        **{name: func.sum(case((condition, 1), else_=0)) for name, condition in results.items()},
        **{name: func.sum(_SEAT[name]) for name in _TALLY},
        "net": cast(func.sum(_net(category)), BigInteger),
    }
    played = (
        select(
            _SEAT.person_id,
            _MATCH.guild_id,
            func.min(case((_SEAT.place.is_not(None), _MATCH.number * _SEATS + _SEAT.seat))).label("first_rated"),
            *(total.label(name) for name, total in totals.items()),
        )
        .select_from(tables.board.join(tables.match, board).join(tables.seat, _SEAT.match_id == _MATCH.id))
        .where(*_SINCE, _SEAT.person_id.is_not(None))
        .group_by(_SEAT.person_id, _MATCH.guild_id)
        .subquery("played")
    )
    match, seat = tables.match.alias(), tables.seat.alias()
    first_match = and_(match.c.guild_id == played.c.guild_id, match.c.number == played.c.first_rated // _SEATS)
    # Not by `person_id`: SQLite would then read all seats of the person.
    first_seat = and_(seat.c.match_id == match.c.id, seat.c.seat == played.c.first_rated % _SEATS)
    standing = and_(_STANDING.board_id == bindparam("board_id"), _STANDING.person_id == played.c.person_id)
    return select(
        _STANDING.person_id,
        *((_STANDING[name] - played.c[name]).label(name) for name in totals),
        func.coalesce(seat.c.mu_before, _STANDING.mu).label("mu"),
        func.coalesce(seat.c.sigma_before, _STANDING.sigma).label("sigma"),
    ).select_from(played.join(tables.standing, standing).outerjoin(match, first_match).outerjoin(seat, first_seat))


_QUERIES: Final = {category: _query(category) for category in Category}


async def before(
    transaction: Transaction, board_id: int, category: Category, since: datetime
) -> Mapping[PersonId, tuple[Sums, Rating | None]]:
    """Return the sums and the rating that people had on an all-time or season board of a category at a time.

    People who have not played since are omitted. The rating is None if they never played a rated match. Ignore it on
    boards without ratings.
    """
    rows = (await transaction.execute(_QUERIES[category], {"board_id": board_id, "since": since})).mappings()
    return {
        row["person_id"]: (read_row(Sums, row), None if row["mu"] is None else Rating(row["mu"], row["sigma"]))
        for row in rows
    }
