"""Computes the places on a leaderboard a week ago: the current standings without the matches of the last seven days."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.model.ids import PersonId
from bot.model.ratings import Rating
from bot.model.standings import NO_SUMS, Movement, Order, Sums
from bot.play.standing.counting import people_sums, standing_row
from bot.store import ended_matches, standings
from bot.store.transaction import Transaction

WEEK: Final = timedelta(days=7)
MAX_PEOPLE: Final = 500
MAX_MATCHES: Final = 1_000
"""Maximum numbers of people on a board (`MAX_PEOPLE`), and of its matches in a week (`MAX_MATCHES`), to compare it."""


async def places_a_week_ago(
    transaction: Transaction, board_id: int, order: Order, now: datetime
) -> Mapping[PersonId, int] | None:
    """Return everyone's place on an all-time or season board a week ago, among the people who are on it now.

    People who had no place are omitted. Return None if nobody had one, no match has ended since, or there are too many.
    """
    matches = await ended_matches.on_board_since(transaction, board_id, now - WEEK, MAX_MATCHES + 1)
    if not 0 < len(matches) <= MAX_MATCHES:
        return None
    played, ratings = defaultdict[PersonId, Sums](lambda: NO_SUMS), dict[PersonId, Rating]()
    for match in matches:
        for seat, sums in people_sums(match):
            assert seat.person_id is not None
            played[seat.person_id] = played[seat.person_id].plus(sums)
            if seat.rating is not None:
                ratings.setdefault(seat.person_id, seat.rating.before)
    if not played:
        return None
    keys = await standings.sort_keys(transaction, board_id, order)
    for row in await standings.load(transaction, [board_id], played):
        sums, rating = row.sums.plus(played[row.person_id], -1), ratings.get(row.person_id, row.rating)
        earlier = standing_row(board_id, row.person_id, matches[0].category, sums, rating, row.rated)
        key = earlier.sort_key(order) if sums.matches else None
        if key is None:
            keys.pop(row.person_id, None)
        else:
            keys[row.person_id] = key
    sorted_keys = sorted(keys.values())
    return {person_id: 1 + bisect_left(sorted_keys, key) for person_id, key in keys.items()} or None


def movement(place: int, person_id: PersonId, earlier: Mapping[PersonId, int]) -> Movement:
    """Return how a person moved to a place, given everyone's earlier place."""
    return Movement(earlier[person_id] - place if person_id in earlier else None)
