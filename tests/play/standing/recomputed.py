"""Standings computed as simple sums over all seats, for comparison with the stored standings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select

from bot.engine.deals.showdown import OutcomeKind
from bot.model.ids import GuildId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.ratings import Rating
from bot.model.standings import ALL_TIME, RECENT, Order
from bot.model.statistics import Category
from bot.store import standing_chunks, tables
from bot.store.database import Database
from bot.store.transaction import Transaction

BoardKey = tuple[GuildId, Category, str, str]
"""Key of a leaderboard: server, category, ruleset ("" for all of a category) and period."""

_SUM_COLUMNS: Final = ("deals_won", "deals_lost", "points", "gins", "undercuts")


@dataclass
class Line:
    """A person's sums on a leaderboard. Only leaderboards of a whole category also have ratings."""

    sums: dict[str, int]
    rating: Rating | None = None
    rated: int = 0


async def recompute_standings(database: Database, now: datetime) -> dict[BoardKey, dict[int, Line]]:
    """Compute everyone's standing on every leaderboard from the seats alone."""
    boards: dict[BoardKey, dict[int, Line]] = defaultdict(dict)
    async with database.read() as transaction:
        eras = {row.id: row.era for row in await transaction.execute(select(tables.guild))}
        ratings: dict[tuple[int, str, int], tuple[Rating, int]] = {}
        matches = (await transaction.execute(select(tables.match).order_by(tables.match.c.number))).all()
        for match in matches:
            seats = await _rows_of_match(transaction, tables.seat, match.id)
            deals = await _rows_of_match(transaction, tables.deal, match.id)
            is_standard = match.status is MatchStatus.FINISHED and match.kind is MatchKind.STANDARD
            if not is_standard or not deals or match.era != eras[match.guild_id]:
                continue
            is_rated = any(deal.kind != OutcomeKind.VOID for deal in deals)
            assert is_rated == all(seat.place is not None for seat in seats)
            periods = [ALL_TIME] + [RECENT] * (match.ended_at + timedelta(days=30) >= now)
            for seat in seats:
                if seat.person_id is None:
                    continue
                rating_key = (match.guild_id, match.category, seat.person_id)
                if is_rated:
                    ratings[rating_key] = (
                        Rating(seat.mu_after, seat.sigma_after),
                        ratings.get(rating_key, (None, 0))[1] + 1,
                    )
                for ruleset in ("", match.ruleset):
                    for period in periods:
                        board = boards[match.guild_id, match.category, ruleset, period]
                        line = board.setdefault(seat.person_id, Line(defaultdict(int)))
                        _add_result(line.sums, match.category, seat, seats)
        for (guild_id, category, ruleset, _), lines in boards.items():
            for person_id, line in lines.items():
                if ruleset == "":
                    line.rating, line.rated = ratings.get((guild_id, category, person_id), (None, 0))
    return dict(boards)


def _add_result(sums: dict[str, int], category: Category, seat: Any, seats: list[Any]) -> None:
    for name in _SUM_COLUMNS:
        sums[name] += getattr(seat, name)
    sums["matches"] += 1
    sums["won"] += seat.won is True
    sums["lost"] += seat.won is False
    sums["drawn"] += seat.drawn is True
    partners = category is Category.TEAMS
    own_points = sum(other.points for other in seats if other is seat or (partners and other.seat % 2 == seat.seat % 2))
    if partners:
        sums["net"] += own_points - sum(other.points for other in seats if other.seat % 2 != seat.seat % 2)
    else:
        others = [other.points for other in seats if other is not seat]
        sums["net"] += min(others) - own_points if category is Category.PENALTY else own_points - max(others)


async def _rows_of_match(transaction: Transaction, table: Any, match_id: int) -> list[Any]:
    return list((await transaction.execute(select(table).where(table.c.match_id == match_id))).all())


async def stored_standings(database: Database) -> dict[BoardKey, dict[int, Line]]:
    """Return everyone's stored standing on every leaderboard since the last reset. Check the leaderboards' chunks."""
    boards: dict[BoardKey, dict[int, Line]] = {}
    async with database.read() as transaction:
        query = select(tables.board).join(tables.guild, tables.guild.c.id == tables.board.c.guild_id)
        for board in (await transaction.execute(query.where(tables.board.c.era == tables.guild.c.era))).all():
            of_board = select(tables.standing).where(tables.standing.c.board_id == board.id)
            rows = (await transaction.execute(of_board)).all()
            for order, column in standing_chunks.KEYS.items():
                keys = sorted(
                    (getattr(row, column.name), row.person_id) for row in rows if getattr(row, column.name) is not None
                )
                await _check_chunks(transaction, board.id, order, keys)
            lines = {
                row.person_id: Line(
                    {name: getattr(row, name) for name in (*_SUM_COLUMNS, "matches", "won", "lost", "drawn", "net")},
                    None if row.mu is None else Rating(row.mu, row.sigma),
                    row.rated,
                )
                for row in rows
            }
            if lines:
                boards[board.guild_id, board.category, board.ruleset, board.period] = lines
    return boards


async def _check_chunks(transaction: Transaction, board_id: int, order: Order, keys: list[tuple[int, int]]) -> None:
    """Check that each chunk's number of people is correct and within the limits."""
    chunks = await standing_chunks.chunks(transaction, board_id, order)
    ends = [*(chunk.start for chunk in chunks[1:]), (2**63, 0)]
    for chunk, end in zip(chunks, ends, strict=True):
        assert chunk.people == sum(chunk.start <= key < end for key in keys)
        assert chunk.people <= standing_chunks.MAX_CHUNK_SIZE
        assert chunk.people >= standing_chunks.MIN_CHUNK_SIZE or chunk is chunks[0]
