"""Standings as a simple sum over all seats, for comparison with the tables that store them for reading."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select

from bot.engine.showdown import OutcomeKind
from bot.store import standing_chunks, tables
from bot.store.database import Database
from bot.store.transaction import Transaction
from bot.values.ids import GuildId
from bot.values.matches import MatchKind, MatchStatus
from bot.values.standings import ALL_TIME, RECENT, Order, Rating
from bot.values.statistics import Category

Key = tuple[GuildId, Category, str, str]
"""Server, category, ruleset (or "") and period."""

_SUMMED: Final = ("deals_won", "deals_lost", "points", "gins", "undercuts")


@dataclass
class Line:
    """A person's sums, and their rating on boards of a whole category."""

    sums: dict[str, int]
    rating: Rating | None = None
    rated: int = 0


async def recomputed(database: Database, now: datetime) -> dict[Key, dict[int, Line]]:
    """Compute everyone's standing on every board from the seats alone."""
    boards: dict[Key, dict[int, Line]] = defaultdict(dict)
    async with database.read() as transaction:
        eras = {row.id: row.era for row in await transaction.execute(select(tables.guild))}
        ratings: dict[tuple[int, str, int], tuple[Rating, int]] = {}
        matches = (await transaction.execute(select(tables.match).order_by(tables.match.c.number))).all()
        for match in matches:
            seats = await _rows(transaction, tables.seat, match.id)
            deals = await _rows(transaction, tables.deal, match.id)
            standard = match.status is MatchStatus.FINISHED and match.kind is MatchKind.STANDARD
            if not standard or not deals or match.era != eras[match.guild_id]:
                continue
            is_rated = any(deal.kind != OutcomeKind.VOID for deal in deals)
            assert is_rated == all(seat.place is not None for seat in seats)
            periods = [ALL_TIME] + [RECENT] * (match.ended_at + timedelta(days=30) >= now)
            for seat in seats:
                if seat.person_id is None:
                    continue
                of = (match.guild_id, match.category, seat.person_id)
                if is_rated:
                    ratings[of] = Rating(seat.mu_after, seat.sigma_after), ratings.get(of, (None, 0))[1] + 1
                for ruleset in ("", match.ruleset):
                    for period in periods:
                        board = boards[match.guild_id, match.category, ruleset, period]
                        line = board.setdefault(seat.person_id, Line(defaultdict(int)))
                        _add(line.sums, match.category, seat, seats)
        for (guild_id, category, ruleset, _), lines in boards.items():
            for person_id, line in lines.items():
                if ruleset == "":
                    line.rating, line.rated = ratings.get((guild_id, category, person_id), (None, 0))
    return dict(boards)


def _add(sums: dict[str, int], category: Category, seat: Any, seats: list[Any]) -> None:
    for name in _SUMMED:
        sums[name] += getattr(seat, name)
    sums["matches"] += 1
    sums["won"] += seat.won is True
    sums["lost"] += seat.won is False
    sums["drawn"] += seat.drawn is True
    partners = category is Category.TEAMS
    ours = sum(other.points for other in seats if other is seat or (partners and other.seat % 2 == seat.seat % 2))
    if partners:
        sums["net"] += ours - sum(other.points for other in seats if other.seat % 2 != seat.seat % 2)
    else:
        others = [other.points for other in seats if other is not seat]
        sums["net"] += min(others) - ours if category is Category.PENALTY else ours - max(others)


async def _rows(transaction: Transaction, table: Any, match_id: int) -> list[Any]:
    return list((await transaction.execute(select(table).where(table.c.match_id == match_id))).all())


async def stored(database: Database) -> dict[Key, dict[int, Line]]:
    """Return everyone's stored standing on every board of the current eras, and check the boards' chunks."""
    boards: dict[Key, dict[int, Line]] = {}
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
                    {name: getattr(row, name) for name in (*_SUMMED, "matches", "won", "lost", "drawn", "net")},
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
        assert chunk.people <= standing_chunks.LARGEST
        assert chunk.people >= standing_chunks.SMALLEST or chunk is chunks[0]
