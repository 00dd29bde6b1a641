"""Computes the places on a leaderboard a week ago: the current standings without the matches of the last seven days."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.model.ids import PersonId
from bot.model.standings import Movement, Order
from bot.model.statistics import Category
from bot.play.standing.counting import standing_row
from bot.store import earlier_standings, standings
from bot.store.transaction import Transaction

WEEK: Final = timedelta(days=7)
MAX_PEOPLE: Final = 500
"""Maximum number of people on a board with movements. All their sort keys are read for a page."""


async def places_a_week_ago(
    transaction: Transaction, board_id: int, category: Category, order: Order, now: datetime
) -> Mapping[PersonId, int] | None:
    """Return everyone's place on an all-time or season board a week ago, among the people who are on it now.

    People who had no place are omitted. Return None if nobody had a place, or nobody has played since.
    """
    before = await earlier_standings.before(transaction, board_id, category, now - WEEK)
    if not before:
        return None
    keys = await standings.sort_keys(transaction, board_id, order)
    for person_id, (sums, rating) in before.items():
        row = standing_row(board_id, person_id, category, sums, rating, 0)
        key = row.sort_key(order) if sums.matches else None
        if key is None:
            keys.pop(person_id, None)
        else:
            keys[person_id] = key
    sorted_keys = sorted(keys.values())
    return {person_id: 1 + bisect_left(sorted_keys, key) for person_id, key in keys.items()} or None


def movement(place: int, person_id: PersonId, earlier: Mapping[PersonId, int]) -> Movement:
    """Return how a person moved to a place, given everyone's earlier place."""
    return Movement(earlier[person_id] - place if person_id in earlier else None)
