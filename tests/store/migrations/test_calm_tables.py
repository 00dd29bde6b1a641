"""Tests of migration 0024 (calm tables), which adds the deals that players have seen, and the homes of matches."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.sqlite import migrate_file

_IGNORE_LATER_MIGRATIONS = shutil.ignore_patterns("__pycache__", "0024_*", "002[5-9]_*", "00[3-9]*_*")

PLAYED, SILENT, NEW, WITHOUT_SETTINGS = 1, 2, 3, 4
"""Servers: with settings and a match, with settings only, without any data, with a match but without settings."""
RUNNING, NO_DEAL_YET, FINISHED, PRACTICE = 1, 2, 3, 4

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


@pytest.fixture
def migrated(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Return a migrated database that had matches and servers before."""
    path, scripts = tmp_path / "deadwood.db", tmp_path / "migrations"
    shutil.copytree(Path(next(iter(bot.store.__path__))) / "migrations", scripts, ignore=_IGNORE_LATER_MIGRATIONS)
    migrate_file(path, str(scripts))
    matches = (
        (RUNNING, PLAYED, 11, "running", "standard"),
        (NO_DEAL_YET, PLAYED, 12, "running", "standard"),
        (FINISHED, WITHOUT_SETTINGS, 13, "finished", "standard"),
        (PRACTICE, None, None, "running", "practice"),
    )
    deals = [(RUNNING, 1), (RUNNING, 2), (FINISHED, 1), (PRACTICE, 1)]
    seats = [(match_id, seat) for match_id, *_ in matches for seat in (0, 1)]
    columns = "id, guild_id, channel_id, status, kind"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO guild (id, theme) VALUES (?, 'dark')", [(PLAYED,), (SILENT,)])
        connection.executemany(
            f"INSERT INTO match ({columns}, rules, channel_deleted, version, revision, started_at, moved_at)"
            " VALUES (?, ?, ?, ?, ?, 'classic', 0, 1, 1, 1, 1)",
            matches,
        )
        connection.executemany("INSERT INTO seat (match_id, seat) VALUES (?, ?)", seats)
        connection.executemany(
            "INSERT INTO deal (match_id, number, kind, points, version, ended_at) VALUES (?, ?, 'gin', 5, 1, 1)", deals
        )
    migrate_file(path)
    with closing(sqlite3.connect(path)) as connection:
        yield connection


def test_ended_deals_of_running_matches_count_as_seen(migrated: sqlite3.Connection) -> None:
    """In a running match, each player has seen all deals that ended; finished matches need no such number."""
    seen = migrated.execute("SELECT match_id, seat, seen_deal FROM seat").fetchall()
    expected = {RUNNING: 2, NO_DEAL_YET: 0, FINISHED: 0, PRACTICE: 1}
    assert sorted(seen) == [(match_id, seat, number) for match_id, number in expected.items() for seat in (0, 1)]
    assert migrated.execute("SELECT DISTINCT card_channel_id FROM match").fetchall() == [(None,)]


def test_servers_that_played_keep_to_their_channels(migrated: sqlite3.Connection) -> None:
    """Servers with a match play in the channel and keep their other settings. All others play in threads."""
    homes = migrated.execute("SELECT id, match_home, theme FROM guild ORDER BY id").fetchall()
    (default_theme,) = {theme for guild_id, _, theme in homes if guild_id == WITHOUT_SETTINGS}
    assert homes == [
        (PLAYED, "channel", "dark"),
        (SILENT, "thread", "dark"),
        (WITHOUT_SETTINGS, "channel", default_theme),
    ]
    with migrated:
        migrated.execute("INSERT INTO guild (id) VALUES (?)", (NEW,))
    new = migrated.execute("SELECT match_home, theme FROM guild WHERE id = ?", (NEW,)).fetchall()
    assert new == [("thread", default_theme)]
