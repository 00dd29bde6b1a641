"""Counts finished matches on the leaderboards and rates them, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.engine.matches.formats import FORMATS
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.ratings import FIRST_RATING, Rating, RatingChange
from bot.model.standings import ALL_TIME, RECENT, Sums
from bot.model.statistics import Category
from bot.play.standing.ratings import rate
from bot.play.standing.seasons import ensure_current_season
from bot.store import ended_matches, standings
from bot.store.rows import EndedMatch, EndedSeat, StandingRow
from bot.store.transaction import Transaction

RECENT_PERIOD: Final = timedelta(days=30)
"""Time for which a match counts on the 30-day leaderboards."""

_Key = tuple[int, PersonId]


async def count_finished(
    transaction: Transaction, guild_id: GuildId, match_id: MatchId, places: Sequence[int], now: datetime
) -> tuple[RatingChange | None, ...]:
    """Number a match that has just finished, add it to the leaderboards if it counts, and rate it if it qualifies.

    `places` has the place of each seat. Return the rating change of each seat; None if a seat has none.
    """
    await ended_matches.assign_number(transaction, guild_id, match_id)
    [ended] = await ended_matches.load(transaction, [match_id])
    if not ended.counts:
        return (None,) * len(ended.seats)
    season = await ensure_current_season(transaction, guild_id, now)
    return await count(transaction, ended, places, now, season=season)


async def count(
    transaction: Transaction,
    ended: EndedMatch,
    places: Sequence[int] | None,
    now: datetime,
    *,
    season: str | None = None,
    obsolete_since: datetime | None = None,
) -> tuple[RatingChange | None, ...]:
    """Add a match to the leaderboards, including those of `season`. Rate it if it is long enough.

    `places` has the place of each seat; None if the places are unknown and the match must not be rated. Return the
    rating change of each seat; None if a seat has none.

    `obsolete_since` is given if the match ended before the leaderboards were reset: boards created for the match are
    marked as obsolete since that time.
    """
    recent_until = ended.ended_at + RECENT_PERIOD
    periods = [ALL_TIME] if season is None else [ALL_TIME, season]
    if recent_until >= now:
        periods.append(RECENT)
    await ended_matches.save_periods(transaction, ended.id, recent_until if RECENT in periods else None, season)
    existing = await standings.boards(transaction, ended.guild_id, ended.era, ended.category, ("", ended.ruleset))
    boards = {key: board_id for key, board_id in existing.items() if key[1] in periods}
    for ruleset in ("", ended.ruleset):
        for period in periods:
            if (ruleset, period) not in boards:
                boards[ruleset, period] = await standings.add_board(
                    *(transaction, ended.guild_id, ended.era, ended.category, ruleset, period),
                    obsolete_since=obsolete_since,
                )
    before = await _load(transaction, boards.values(), ended)
    overall_board = boards["", ALL_TIME]
    overall_rows = {
        seat.person_id: before.get((overall_board, seat.person_id))
        for seat in ended.seats
        if seat.person_id is not None
    }
    ratings = {person_id: row.rating for person_id, row in overall_rows.items() if row is not None}
    changes: tuple[RatingChange | None, ...] = (None,) * len(ended.seats)
    if ended.long_enough and places is not None:
        changes = _rating_changes(ended, places, ratings)
        await ended_matches.save_ratings(transaction, ended.id, changes)
    after: list[StandingRow] = []
    for (ruleset, period), board_id in boards.items():
        for seat, sums in _people_sums(ended):
            assert seat.person_id is not None
            row, change, overall_row = (
                before.get((board_id, seat.person_id)),
                changes[seat.seat],
                overall_rows[seat.person_id],
            )
            rating = ratings.get(seat.person_id) if change is None else change.after
            rated = (0 if overall_row is None else overall_row.rated) + (change is not None)
            total = sums if row is None else row.sums.plus(sums)
            shown = (None, 0) if ruleset or period == season else (rating, rated)
            after.append(standing_row(board_id, seat.person_id, ended.category, total, *shown))
    await standings.save(transaction, after, before.values())
    return changes


async def remove_from_recent(transaction: Transaction, ended: EndedMatch) -> None:
    """Remove a match from the 30-day leaderboards."""
    board_ids = await standings.boards(transaction, ended.guild_id, ended.era, ended.category, ("", ended.ruleset))
    before = await _load(
        transaction, [board_id for (_, period), board_id in board_ids.items() if period == RECENT], ended
    )
    remaining_rows: list[StandingRow] = []
    for seat, sums in _people_sums(ended):
        for row in before.values():
            if row.person_id == seat.person_id:
                total = row.sums.plus(sums, -1)
                if total.matches > 0:
                    remaining_rows.append(standing_row(*_key(row), ended.category, total, row.rating, row.rated))
    await standings.save(transaction, remaining_rows, before.values())
    await ended_matches.leave_recent(transaction, ended.id)


def _rating_changes(
    ended: EndedMatch, places: Sequence[int], ratings: Mapping[PersonId, Rating | None]
) -> tuple[RatingChange, ...]:
    """Return the rating changes of a match. Forgotten people count with the rating of a new player."""
    of_seats = [None if seat.person_id is None else ratings.get(seat.person_id) for seat in ended.seats]
    return rating_changes(ended, places, [rating or FIRST_RATING for rating in of_seats])


def rating_changes(ended: EndedMatch, places: Sequence[int], before: Sequence[Rating]) -> tuple[RatingChange, ...]:
    """Return the rating changes of a match, given the places of the seats and their previous ratings."""
    after = rate(FORMATS[ended.rules.format].sides(len(ended.seats)), places, before, ended.rules)
    return tuple(map(RatingChange, places, before, after))


async def _load(transaction: Transaction, boards: Collection[int], ended: EndedMatch) -> dict[_Key, StandingRow]:
    people = [seat.person_id for seat in ended.seats if seat.person_id is not None]
    return {_key(row): row for row in await standings.load(transaction, boards, people)}


def _key(row: StandingRow) -> _Key:
    return row.board_id, row.person_id


def _people_sums(ended: EndedMatch) -> Iterator[tuple[EndedSeat, Sums]]:
    """Yield the seats of people, each with the numbers that the match adds to the person's standing."""
    for seat in ended.seats:
        if seat.person_id is not None:
            yield seat, match_sums(ended, seat)


def match_sums(ended: EndedMatch, seat: EndedSeat) -> Sums:
    """Return the numbers that a match adds to the standing of a seat's player."""
    tally = (seat.deals_won, seat.deals_lost, seat.points, seat.gins, seat.undercuts)
    return Sums(
        *tally,
        matches=1,
        won=int(seat.won is True),
        lost=int(seat.won is False),
        drawn=int(seat.drawn),
        net=_net_points(ended, seat),
    )


def _net_points(ended: EndedMatch, own: EndedSeat) -> int:
    """Return the net points of a seat. See `PlayedMatch`."""
    sides = FORMATS[ended.rules.format].sides(len(ended.seats))
    ours = sum(ended.seats[seat].points for side in sides if own.seat in side for seat in side)
    others = [sum(ended.seats[seat].points for seat in side) for side in sides if own.seat not in side]
    return min(others) - ours if ended.category is Category.PENALTY else ours - max(others)


_WON_BITS: Final = 18
_DECIDED_BITS: Final = 19
_POINTS_BITS: Final = 26
"""Number of bits for the points in a sort key by wins. The whole key, which also contains the matches won and the
decided matches, has 63 bits. Numbers that are too large are clamped: more than 131,071 matches won count as 131,071."""


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
        by_rating=rating_key(rating) if rating is not None and rating.is_settled else None,
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
