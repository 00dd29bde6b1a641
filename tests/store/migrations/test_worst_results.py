"""Tests of migration 0032 (worst results), which finds the worst results of deals of the day that are closed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.sqlite import migrate_file

_IGNORE_LATER_MIGRATIONS = shutil.ignore_patterns("__pycache__", "003[2-9]_*", "00[4-9]*_*")

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


def test_closed_deals_get_their_worst_results(tmp_path: Path) -> None:
    """A closed deal has its worst result: the fewest points in the most turns. An open or unfinished one has none."""
    path, scripts = tmp_path / "deadwood.db", tmp_path / "migrations"
    shutil.copytree(Path(next(iter(bot.store.__path__))) / "migrations", scripts, ignore=_IGNORE_LATER_MIGRATIONS)
    migrate_file(path, str(scripts))
    deals = [(1, 5), (2, 5), (3, None)]
    tries = [(1, -20, 7), (1, -20, 9), (1, 30, 12), (1, None, None), (2, None, None), (3, -20, 7)]
    rows = [(day, number, number, points, turns) for number, (day, points, turns) in enumerate(tries)]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO daily_deal (day, closed_at) VALUES (?, ?)", deals)
        names = "day, person_id, match_id, points, turns"
        connection.executemany(f"INSERT INTO daily_try ({names}) VALUES (?, ?, ?, ?, ?)", rows)
    migrate_file(path)
    with closing(sqlite3.connect(path)) as connection:
        migrated = connection.execute("SELECT day, worst_points, worst_turns, was_down FROM daily_deal").fetchall()
    assert migrated == [(1, -20, 9, 0), (2, None, None, 0), (3, None, None, 0)]
