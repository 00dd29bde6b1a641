"""The sort keys of leaderboards: 64-bit integers, of which the lowest is best."""

from __future__ import annotations

from typing import Final

from bot.model.ids import PersonId
from bot.model.standings import MIN_RATED_MATCHES, Rating, Sums
from bot.model.statistics import Category
from bot.store.rows import StandingRow

_WON_BITS: Final = 18
_DECIDED_BITS: Final = 19
_POINTS_BITS: Final = 26
"""Number of bits for the points in a sort key by wins. Together with the bits for matches won and for decided matches,
the key has 63 bits. A number that does not fit is replaced by the largest that does, such as 131,071 matches won."""


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
        by_rating=None if rating is None or rated < MIN_RATED_MATCHES else rating_key(rating),
        by_wins=wins_key(category, sums),
        by_points=points_key(category, sums),
    )


def rating_key(rating: Rating) -> int:
    """Return the key for the order by displayed rating."""
    return _descending(rating.number, 31)


def wins_key(category: Category, sums: Sums) -> int:
    """Return the key for the order by matches won, then by the percentage of matches won, then by points.

    With equal wins, fewer decided matches mean a higher percentage.
    """
    decided = sums.results.decided_matches if sums.won else 0
    points = -sums.points if category is Category.PENALTY else sums.points
    key = _descending(sums.won, _WON_BITS)
    key = key << _DECIDED_BITS | min(decided, (1 << _DECIDED_BITS) - 1)
    return key << _POINTS_BITS | _descending(points, _POINTS_BITS)


def points_key(category: Category, sums: Sums) -> int:
    """Return the key for the order by points, then by matches won.

    For penalty points, net points are used: plain penalty points would favour people who play less.
    """
    points = sums.net if category is Category.PENALTY else sums.points
    return _descending(points, 32) << _WON_BITS | _descending(sums.won, _WON_BITS)


def _descending(number: int, bits: int) -> int:
    """Return a number of `bits` bits that falls as `number` rises. `number` may be negative, and is clamped."""
    half = 1 << bits - 1
    return half - 1 - max(-half, min(half - 1, number))
