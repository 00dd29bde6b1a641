"""Benchmark of reading a leaderboard with many people, and of updating it at the end of a match.

A page with the reader's own rank is compared with reading one row by its key; both are measured alternately in the same
run. A page with movements, on the largest board that has them, is compared with the same page without them. The end of
a match is compared with the same transaction without standings.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from bot.engine.deals.moves import Move
from bot.engine.matches.match import Play
from bot.engine.rules import Rules
from bot.model.ids import ChannelId, GuildId, PersonId
from bot.model.matches import MatchKind, Terms
from bot.model.ratings import Rating
from bot.model.standings import ALL_TIME, RECENT, Order, Sums
from bot.model.statistics import Category, Player
from bot.play.application import Application
from bot.play.loading.unit_of_work import Units
from bot.play.matches import match_writer
from bot.play.matches.match_writer import MatchWriter
from bot.play.standing import leaderboards
from bot.play.standing.counting import standing_row
from bot.play.standing.movements import MAX_PEOPLE
from bot.store import people
from bot.store.columns import MOMENT
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.rows import StandingRow
from bot.store.standing_chunks import FIRST_KEY
from tests.helpers.databases import new_database
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler

SIZES: Final = (10_000, 100_000, 1_000_000)
ROUNDS: Final = 15
ENDINGS: Final = 40
CHUNK_SIZE: Final = 1_500
"""Number of people per chunk: too few for the chunk to be split, and too many for it to be merged."""

WEEKS: Final = (100, 1_000)
"""Numbers of matches in a week."""

_MILLISECOND = 1e-3
_SUMS: Final = ("deals_won", "deals_lost", "points", "gins", "undercuts", "matches", "won", "lost", "drawn", "net")
_COLUMNS: Final = ("board_id", "person_id", *_SUMS, "mu", "sigma", "rated", "by_rating", "by_wins", "by_points")

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""


def measure(sizes: Sequence[int] = SIZES) -> Iterator[Row]:
    """Measure leaderboards with these numbers of people.

    The figures for reading are those with the worst ratio over all periods and sort orders, and over the people in the
    first, middle and last place.
    """
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure_movements(Path(folder) / "benchmark.db"))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            yield from asyncio.run(_measure(Path(folder) / "benchmark.db", size))


async def _measure(path: Path, size: int) -> list[Row]:
    url = new_database(path)
    _fill(path, size)
    database = await open_database(url)
    app = Application(database)
    results: dict[str, tuple[float, float]] = {}
    for name, page in (("top ten and own place", 0), ("last page and own place", size)):
        worst = (0.0, 1.0)
        for period in (ALL_TIME, RECENT):
            for order in Order:
                for person_id in await _people_in_places(app, period, order, size):
                    worst = max(
                        worst, await _measure_reading(app, database, period, order, page, person_id), key=_ratio
                    )
        results[name] = worst
    results["end of a match"] = await _measure_endings(database)
    await database.close()
    return [
        (f"{name} of {size:,}", ours / _MILLISECOND, reference / _MILLISECOND, "ms")
        for name, (ours, reference) in results.items()
    ]


async def _measure_movements(path: Path) -> list[Row]:
    """Measure pages of a board of the most people with movements, after weeks of few and of many matches."""
    url, rows = new_database(path), list[Row]()
    _fill(path, MAX_PEOPLE)
    matches = 0
    for count in WEEKS:
        _add_matches(path, range(matches + 1, count + 1))
        matches = count
        database = await open_database(url)
        app = Application(database)

        async def read_page(app: Application = app) -> None:
            await app.leaderboards.page(GuildId(1), PersonId(1), order=Order.RATING)

        seconds = list[tuple[float, float]]()
        for _ in range(ROUNDS):
            compared = await _time(read_page)
            with patch.object(leaderboards, "MAX_PEOPLE", 0):
                seconds.append((compared, await _time(read_page)))
        await database.close()
        ours, reference = (median(values) / _MILLISECOND for values in zip(*seconds, strict=True))
        rows.append((f"top ten with movements after {count:,} matches", ours, reference, "ms"))
    return rows


def _ratio(seconds: tuple[float, float]) -> float:
    return seconds[0] / seconds[1]


async def _people_in_places(app: Application, period: str, order: Order, size: int) -> list[PersonId]:
    """Return the people in the first, middle and last place."""
    guild = GuildId(1)
    pages = [
        await app.leaderboards.page(guild, PersonId(1), period=period, order=order, page=page)
        for page in (0, size // 20, size)
    ]
    return [pages[0].rows[0].standing.person_id, *(page.rows[-1].standing.person_id for page in pages[1:])]


async def _measure_reading(
    app: Application, database: Database, period: str, order: Order, page: int, person_id: PersonId
) -> tuple[float, float]:
    """Return the median times, in seconds, of reading a page with a person's own rank and of reading a row by key."""

    async def read_page() -> None:
        found = await app.leaderboards.page(GuildId(1), person_id, period=period, order=order, page=page)
        assert found.own_place is not None
        assert found.rows

    async def read_row() -> None:
        async with database.read() as transaction:
            assert await people.load(transaction, person_id) is not None

    seconds = [(await _time(read_page), await _time(read_row)) for _ in range(ROUNDS)]
    return median(page for page, _ in seconds), median(row for _, row in seconds)


async def _measure_endings(database: Database) -> tuple[float, float]:
    """Return the median times, in seconds, of ending a match with and without standings."""

    async def nothing(*_: Any) -> tuple[()]:
        return ()

    with_standings = [await _time_ending(database, number) for number in range(ENDINGS)]
    with patch.object(match_writer, "count_finished", nothing):
        without = [await _time_ending(database, number) for number in range(ENDINGS, 2 * ENDINGS)]
    return median(with_standings), median(without)


async def _time_ending(database: Database, number: int) -> float:
    units, writer = Units(database, lambda: datetime.now(UTC)), MatchWriter(RiggedShuffler(IMMEDIATE_GIN))
    terms = Terms(MatchKind.STANDARD, GuildId(1), ChannelId(1 + number), "classic", Rules.parse("classic target=10"))
    players = [Player(PersonId(1 + 2 * number + seat), "Somebody") for seat in (0, 1)]
    async with units.write() as unit:
        loaded = await writer.start(unit, terms, players)
    moves = [Play(loaded.state.to_act[0], Move.parse(text)) for text in ("take", "k Qh")]

    async def end() -> None:
        async with units.write() as unit:
            assert not (await writer.advance(unit, loaded, moves)).is_running

    return await _time(end)


async def _time(step: Callable[[], Awaitable[None]]) -> float:
    start = perf_counter()
    await step()
    return perf_counter() - start


def _fill(path: Path, size: int) -> None:
    """Put `size` people on a server's all-time and recent boards."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        indexes = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'standing' AND sql IS NOT NULL"
        ).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        connection.execute("INSERT INTO guild (id) VALUES (1)")
        names = ((person_id, f"Player {person_id}", 0) for person_id in range(1, size + 1))
        connection.executemany("INSERT INTO person (id, name, seen_at) VALUES (?, ?, ?)", names)
        for board_id, period in enumerate((ALL_TIME, RECENT), 1):
            connection.execute(
                "INSERT INTO board (id, guild_id, era, category, ruleset, period) VALUES (?, 1, 0, 'points', '', ?)",
                (board_id, period),
            )
            values = ", ".join("?" * len(_COLUMNS))
            rows = (_columns(row) for row in _standings(board_id, size))
            connection.executemany(f"INSERT INTO standing ({', '.join(_COLUMNS)}) VALUES ({values})", rows)
        for _, sql in indexes:
            connection.execute(sql)
        for board_id in (1, 2):
            for order in Order:
                _add_chunks(connection, board_id, order)
        connection.commit()


def _add_matches(path: Path, numbers: Iterable[int]) -> None:
    """Add rated matches of two people that ended just now, without changing the standings."""
    now = MOMENT.write(datetime.now(UTC))
    match = {
        "guild_id": 1, "channel_id": 1, "rules": str(Rules.parse("classic")), "channel_deleted": 0, "version": 0,
        "status": "finished", "revision": 0, "started_at": now, "moved_at": now, "ended_at": now, "recent_until": now,
        "era": 0,
    }  # fmt: skip
    seat = {
        "deals_won": 3, "deals_lost": 2, "points": 100, "gins": 1, "undercuts": 0, "place": 1, "mu_before": 1500.0,
        "sigma_before": 200.0, "mu_after": 1510.0, "sigma_after": 199.0, "won": 1, "drawn": 0,
    }  # fmt: skip
    random = Random(1)
    with closing(sqlite3.connect(path)) as connection:
        for number in numbers:
            _insert(connection, "match", match | {"id": number, "number": number})
            people = random.sample(range(1, MAX_PEOPLE + 1), 2)
            for position, person_id in enumerate(people):
                _insert(connection, "seat", seat | {"match_id": number, "seat": position, "person_id": person_id})
            _insert(
                connection,
                "deal",
                {"match_id": number, "number": 1, "kind": "gin", "points": 40, "version": 0, "ended_at": now},
            )
        connection.commit()


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    columns, values = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", tuple(row.values()))


def _add_chunks(connection: sqlite3.Connection, board_id: int, order: Order) -> None:
    keys = connection.execute(
        f"SELECT by_{order}, person_id FROM standing WHERE board_id = ? ORDER BY by_{order}, person_id", (board_id,)
    )
    for number, stretch in enumerate(iter(lambda: list(islice(keys, CHUNK_SIZE)), [])):
        start = stretch[0] if number else (FIRST_KEY, 0)
        connection.execute(
            "INSERT INTO standing_chunk (board_id, sorted_by, from_key, from_person, people) VALUES (?, ?, ?, ?, ?)",
            (board_id, order, *start, len(stretch)),
        )


def _standings(board_id: int, size: int) -> Iterator[StandingRow]:
    """Yield standings of people who have played 5 to 200 matches. Many people have the same number of matches."""
    random = Random(board_id)
    for person_id in range(1, size + 1):
        matches = 5 + int(195 * random.random() ** 4)
        won = sum(random.random() < 0.5 for _ in range(min(matches, 20))) * matches // min(matches, 20)
        points = 30 * won + random.randrange(100)
        sums = Sums(2 * won, matches, points, won // 3, won // 9, matches, won, matches - won, 0, points - 15 * matches)
        rating = Rating(random.gauss(1500, 300), 200.0)
        yield standing_row(board_id, PersonId(person_id), Category.POINTS, sums, rating, matches)


def _columns(row: StandingRow) -> tuple[Any, ...]:
    sums = tuple(getattr(row.sums, name) for name in _SUMS)
    keys = (row.by_rating, row.by_wins, row.by_points)
    return (row.board_id, row.person_id, *sums, row.mu, row.sigma, row.rated, *keys)
