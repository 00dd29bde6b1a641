"""Counts finished matches on the leaderboards and rates them: steps of a unit of work."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.engine.formats import FORMATS
from bot.play.standing.keys import standing_row
from bot.play.standing.ratings import rate
from bot.play.standing.seasons import running_season
from bot.store import ended_matches, standings
from bot.store.rows import EndedMatch, EndedSeat, StandingRow
from bot.store.transaction import Transaction
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.standings import ALL_TIME, FIRST_RATING, RECENT, Rating, RatingChange, Sums
from bot.values.statistics import Category

RECENT_FOR: Final = timedelta(days=30)
"""Time for which a match counts on the 30-day leaderboards."""

_Key = tuple[int, PersonId]


async def count_finished(
    transaction: Transaction, guild_id: GuildId, match_id: MatchId, places: Sequence[int], now: datetime
) -> tuple[RatingChange | None, ...]:
    """Number a match that has just finished, count it if it counts, and rate it if it qualifies.

    `places` are by seat. Return the rating change of each seat, None for a seat without one.
    """
    await ended_matches.number(transaction, guild_id, match_id)
    [ended] = await ended_matches.load(transaction, [match_id])
    if not ended.counts:
        return (None,) * len(ended.seats)
    season = await running_season(transaction, guild_id, now)
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
    """Count a match, also in a season if given, and rate it if it is long enough and has places.

    Return the rating change of each seat. `obsolete_since` marks newly created boards as belonging to an older era.
    """
    recent_until = ended.ended_at + RECENT_FOR
    periods = [ALL_TIME] if season is None else [ALL_TIME, season]
    if recent_until >= now:
        periods.append(RECENT)
    await ended_matches.save_periods(transaction, ended.id, recent_until if RECENT in periods else None, season)
    there = await standings.boards(transaction, ended.guild_id, ended.era, ended.category, ("", ended.ruleset))
    boards = {key: board_id for key, board_id in there.items() if key[1] in periods}
    for ruleset in ("", ended.ruleset):
        for period in periods:
            if (ruleset, period) not in boards:
                boards[ruleset, period] = await standings.add_board(
                    *(transaction, ended.guild_id, ended.era, ended.category, ruleset, period),
                    obsolete_since=obsolete_since,
                )
    before = await _load(transaction, boards.values(), ended)
    whole = boards["", ALL_TIME]
    known = {seat.person_id: before.get((whole, seat.person_id)) for seat in ended.seats if seat.person_id is not None}
    ratings = {person_id: row.rating for person_id, row in known.items() if row is not None}
    changes: tuple[RatingChange | None, ...] = (None,) * len(ended.seats)
    if ended.long_enough and places is not None:
        changes = _rated(ended, places, ratings)
        await ended_matches.save_ratings(transaction, ended.id, changes)
    after: list[StandingRow] = []
    for (ruleset, _), board_id in boards.items():
        for seat, sums in _brought(ended):
            assert seat.person_id is not None
            row, change, now_known = before.get((board_id, seat.person_id)), changes[seat.seat], known[seat.person_id]
            rating = ratings.get(seat.person_id) if change is None else change.after
            rated = (0 if now_known is None else now_known.rated) + (change is not None)
            total = sums if row is None else row.sums.plus(sums)
            shown = (None, 0) if ruleset else (rating, rated)
            after.append(standing_row(board_id, seat.person_id, ended.category, total, *shown))
    await standings.save(transaction, after, before.values())
    return changes


async def leave_recent(transaction: Transaction, ended: EndedMatch) -> None:
    """Remove a match from the 30-day leaderboards."""
    found = await standings.boards(transaction, ended.guild_id, ended.era, ended.category, ("", ended.ruleset))
    before = await _load(transaction, [board_id for (_, period), board_id in found.items() if period == RECENT], ended)
    left: list[StandingRow] = []
    for seat, sums in _brought(ended):
        for row in before.values():
            if row.person_id == seat.person_id:
                total = row.sums.plus(sums, -1)
                if total.matches > 0:
                    left.append(standing_row(*_key(row), ended.category, total, row.rating, row.rated))
    await standings.save(transaction, left, before.values())
    await ended_matches.leave_recent(transaction, ended.id)


def _rated(
    ended: EndedMatch, places: Sequence[int], ratings: Mapping[PersonId, Rating | None]
) -> tuple[RatingChange, ...]:
    """Return the rating changes. Forgotten people get the rating of a new player."""
    of_seats = [None if seat.person_id is None else ratings.get(seat.person_id) for seat in ended.seats]
    return rating_changes(ended, places, [rating or FIRST_RATING for rating in of_seats])


def rating_changes(ended: EndedMatch, places: Sequence[int], before: Sequence[Rating]) -> tuple[RatingChange, ...]:
    """Return the rating changes of a match."""
    after = rate(FORMATS[ended.rules.format].sides(len(ended.seats)), places, before)
    return tuple(map(RatingChange, places, before, after))


async def _load(transaction: Transaction, boards: Collection[int], ended: EndedMatch) -> dict[_Key, StandingRow]:
    people = [seat.person_id for seat in ended.seats if seat.person_id is not None]
    return {_key(row): row for row in await standings.load(transaction, boards, people)}


def _key(row: StandingRow) -> _Key:
    return row.board_id, row.person_id


def _brought(ended: EndedMatch) -> Iterator[tuple[EndedSeat, Sums]]:
    """Yield the seats of people, each with the sums that the match adds."""
    for seat in ended.seats:
        if seat.person_id is not None:
            yield seat, brought(ended, seat)


def brought(ended: EndedMatch, seat: EndedSeat) -> Sums:
    """Return the sums that a match adds to a seat's standing."""
    tally = (seat.deals_won, seat.deals_lost, seat.points, seat.gins, seat.undercuts)
    return Sums(
        *tally,
        matches=1,
        won=int(seat.won is True),
        lost=int(seat.won is False),
        drawn=int(seat.drawn),
        net=_net(ended, seat),
    )


def _net(ended: EndedMatch, own: EndedSeat) -> int:
    """Return the net points of a seat. See `PlayedMatch`."""
    sides = FORMATS[ended.rules.format].sides(len(ended.seats))
    ours = sum(ended.seats[seat].points for side in sides if own.seat in side for seat in side)
    others = [sum(ended.seats[seat].points for seat in side) for side in sides if own.seat not in side]
    return min(others) - ours if ended.category is Category.PENALTY else ours - max(others)
