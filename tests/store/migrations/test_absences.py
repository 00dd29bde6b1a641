"""Tests of migration 0020, which schedules a check of matches with a stopped clock or a proposal to continue."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.sqlite import migrate_file

_IGNORE_LATER_MIGRATIONS = shutil.ignore_patterns("__pycache__", "002[0-9]_*", "00[3-9]*_*")

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


def test_stopped_and_paused_matches_are_due(tmp_path: Path) -> None:
    """Running matches with a stopped clock, and paused matches with a proposal to continue, become due for a check.

    Existing proposals get the time of the migration, because their own time was not stored.
    """
    path, scripts = tmp_path / "deadwood.db", tmp_path / "migrations"
    shutil.copytree(Path(next(iter(bot.store.__path__))) / "migrations", scripts, ignore=_IGNORE_LATER_MIGRATIONS)
    migrate_file(path, str(scripts))
    # Columns: id, status, paused_at, stopped_at, proposal.
    old_rows = [
        (1, "running", None, 5000, None),
        (2, "running", 4000, None, "continue"),
        (3, "running", None, None, None),
        (4, "running", 4000, None, None),
        (5, "finished", None, 5000, None),
    ]
    match = (
        "id, status, paused_at, guild_id, channel_id, rules, channel_deleted, version, revision, started_at, moved_at"
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        for number, status, paused_at, stopped_at, proposal in old_rows:
            values = (number, status, paused_at, 1, number, "classic", 0, 1, 1, 1000, 2000)
            connection.execute(f"INSERT INTO match ({match}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            seat = "INSERT INTO seat (match_id, seat, person_id, stopped_at, proposal) VALUES (?, 0, 7, ?, ?)"
            connection.execute(seat, (number, stopped_at, proposal))
    migrate_file(path)
    with closing(sqlite3.connect(path)) as connection:
        due = connection.execute("SELECT id, time_due_at FROM match ORDER BY id").fetchall()
        asked_to_continue = connection.execute("SELECT match_id FROM seat WHERE continue_asked_at > 5000").fetchall()
        gone_counts = connection.execute("SELECT count(*) FROM seat WHERE gone_at IS NOT NULL").fetchall()
    assert due == [(1, 2000), (2, 2000), (3, None), (4, None), (5, None)]
    assert (asked_to_continue, gone_counts) == ([(2,)], [(0,)])
