"""The sort keys of leaderboards: 64-bit integers, of which the lowest is best."""

from __future__ import annotations

from typing import Final

from bot.store.rows import StandingRow
from bot.values.ids import PersonId
from bot.values.standings import FEWEST_RATED, Rating, Sums
from bot.values.statistics import Category

_WON_BITS: Final = 18
_DECIDED_BITS: Final = 19
_POINTS_BITS: Final = 26
"""Together 63 bits. Larger values count as the maximum, which is 131,071 for matches won."""


def standing_row(
    board_id: int, person_id: PersonId, category: Category, sums: Sums, rating: Rating | None, rated: int
) -> StandingRow:
    """Return a person's row on a leaderboard, with its sort keys."""
    return StandingRow(
        board_id=board_id,
        person_id=person_id,
        sums=sums,
        mu=None if rating is None else rating.mu,
        sigma=None if rating is None else rating.sigma,
        rated=rated,
        by_rating=None if rating is None or rated < FEWEST_RATED else by_rating(rating),
        by_wins=by_wins(category, sums),
        by_points=by_points(category, sums),
    )


def by_rating(rating: Rating) -> int:
    """Return the key of a rating, as it is displayed."""
    return _falling(rating.number, 31)


def by_wins(category: Category, sums: Sums) -> int:
    """Return the key for the order by matches won, then by the percentage of matches won, then by points.

    With equal wins, fewer decided matches mean a higher percentage.
    """
    decided = sums.results.decided if sums.won else 0
    points = -sums.points if category is Category.PENALTY else sums.points
    key = _falling(sums.won, _WON_BITS)
    key = key << _DECIDED_BITS | min(decided, (1 << _DECIDED_BITS) - 1)
    return key << _POINTS_BITS | _falling(points, _POINTS_BITS)


def by_points(category: Category, sums: Sums) -> int:
    """Return the key for the order by points, then by matches won.

    For penalty points, net points are used: plain penalty points would favour people who play less.
    """
    points = sums.net if category is Category.PENALTY else sums.points
    return _falling(points, 32) << _WON_BITS | _falling(sums.won, _WON_BITS)


def _falling(number: int, bits: int) -> int:
    """Return a number of the given bits that falls as `number` rises. `number` may be negative, and is clamped."""
    half = 1 << bits - 1
    return half - 1 - max(-half, min(half - 1, number))
