"""Benchmark of the longest time for which housekeeping blocks SQLite's only writer, with a million rows.

Nobody can make a move during that time. The longest transaction of each chore is compared with the longest of several
minimal transactions on the same file.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from sqlalchemy import func, select

from bot.play.application import Application
from bot.play.guilds.guilds import RETENTION
from bot.store import key_values, tables
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.removal import MAX_ROWS
from tests.helpers.databases import fetch, new_database
from tests.helpers.writes import collect_writes

# With these numbers, about a million rows are added.
MATCHES: Final = 400
ACTIONS: Final = 700
CHALLENGES: Final = 200_000
PEOPLE: Final = 100_000
MESSAGES: Final = 120_000
MINIMAL_TRANSACTIONS: Final = 200
"""Number of minimal transactions. The longest of them is the reference for all chores."""

_MILLISECOND: Final = 1e-3
_GUILD, _OTHER = 1, 2
_NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""


def measure() -> list[Row]:
    """Measure each housekeeping chore that has something to remove."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder) / "benchmark.db"))


async def _measure(path: Path) -> list[Row]:
    url = new_database(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        _fill(connection)
        connection.commit()
    database = await open_database(url)
    app = Application(database, clock=lambda: _NOW)
    with collect_writes(database) as minimal_writes:
        for number in range(MINIMAL_TRANSACTIONS):
            async with database.write() as transaction:
                await key_values.save(transaction, "bare", str(number))
    reference = max(write.seconds for write in minimal_writes)
    rows = [
        (
            f"writer held longest, {name}",
            await _longest_transaction(database, chore) / _MILLISECOND,
            reference / _MILLISECOND,
            "ms",
        )
        for name, chore in (
            ("a start", app.time_repair.repair),
            ("old challenges", app.challenges.expire),
            ("boards after a reset", app.leaderboards.run_upkeep),
            ("what is too old", app.outages.forget_old),
            ("a server that left", app.guilds.purge),
        )
    ]
    for table in (tables.match, tables.board, tables.challenge, tables.outbox_message):
        query = select(func.count()).select_from(table).where(table.c.guild_id == _GUILD)
        assert await fetch(database, query) == [(0,)]
    await database.close()
    return rows


async def _longest_transaction(database: Database, chore: Callable[[], Awaitable[Any]]) -> float:
    """Run a chore until nothing is left. Return the duration of its longest transaction in seconds."""
    longest, started_at = 0.0, perf_counter()
    while True:
        with collect_writes(database) as writes:
            await chore()
        if not writes:
            return longest
        assert max(write.rows for write in writes) <= MAX_ROWS
        longest = max(longest, *(write.seconds for write in writes), 0.0)
        assert perf_counter() - started_at < 600


def _moment(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _fill(connection: sqlite3.Connection) -> None:
    old, left = _moment(_NOW - timedelta(days=400)), _moment(_NOW - RETENTION - timedelta(days=1))

    def add(table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
        values = ", ".join("?" * len(columns.split(", ")))
        connection.executemany(f'INSERT INTO "{table}" ({columns}) VALUES ({values})', rows)

    connection.execute("INSERT INTO guild (id, left_at) VALUES (?, ?)", (_GUILD, left))
    columns = (
        "id, guild_id, channel_id, rules, channel_deleted, status, version, revision, started_at, moved_at, ended_at"
    )
    ended = "classic", 0, "finished", ACTIONS, 1, old, old, old
    add("match", columns, ((match, _GUILD, match, *ended) for match in range(1, MATCHES + 1)))
    add("seat", "match_id, seat, person_id, drawn", ((1 + n // 2, n % 2, n, 0) for n in range(2 * MATCHES)))
    actions = ((1 + n // ACTIONS, 1 + n % ACTIONS, "0 draw", old) for n in range(MATCHES * ACTIONS))
    add("action", "match_id, number, text, at", actions)
    columns = "id, guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at, match_id"
    half = CHALLENGES // 2
    recent = _moment(_NOW - timedelta(days=5))
    challenges = (
        (n, *((_GUILD, 1, n, "classic", "accepted", 1, recent, recent, 1 + n % MATCHES) if n < half else
              (_OTHER, 1, n, "classic", "expired", 1, old, old, None)))
        for n in range(CHALLENGES)
    )  # fmt: skip
    add("challenge", columns, challenges)
    add("guest", "challenge_id, person_id, number, joined", ((n, n, 1, 1) for n in range(CHALLENGES)))
    columns = "kind, subject_id, part, guild_id, wanted_revision, shown_revision, repost_revision, posted_revision"
    columns += ", removed, posts, attempts, due_at"
    shown = 1, 1, 0, 1, 0, 1, 0, old
    add("outbox_message", columns, (("table", n, 0, _GUILD, *shown) for n in range(MESSAGES)))
    sums = "matches, won, lost, drawn, deals_won, deals_lost, points, gins, undercuts, net, rated, by_wins, by_points"
    for board, (guild, obsolete) in enumerate(((_GUILD, None), (_OTHER, old)), 1):
        add("board", "id, guild_id, era, category, ruleset, period, obsolete_since", [
            (board, guild, 0, "points", "", "all", obsolete)
        ])  # fmt: skip
        people = ((board, n, *(1,) * 11, n, n) for n in range(PEOPLE))
        add("standing", f"board_id, person_id, {sums}", people)
    add("standstill", "kind, number, shards, from_at, to_at", (("shard", n, 1, old, old) for n in range(20_000)))
