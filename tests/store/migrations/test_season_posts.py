"""Tests of migration 0015 (season posts), which adds a match column to the table of season awards."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.sqlite import migrate_file

_IGNORE_LATER_MIGRATIONS = shutil.ignore_patterns("__pycache__", "0015_*", "001[6-9]_*", "00[2-9]*_*")

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


def test_awards_are_kept(tmp_path: Path) -> None:
    """Existing awards keep all their values, and the new match column is empty."""
    path, scripts = tmp_path / "deadwood.db", tmp_path / "migrations"
    shutil.copytree(Path(next(iter(bot.store.__path__))) / "migrations", scripts, ignore=_IGNORE_LATER_MIGRATIONS)
    migrate_file(path, str(scripts))
    awards = [(1, "2026-11", "podium", "points", 7, 1, 5), (1, "2026-11", "deal", "", 7, 1, 85)]
    names = "guild_id, key, award, category, person_id, place, value"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(f"INSERT INTO season_award ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)", awards)
    migrate_file(path)
    with closing(sqlite3.connect(path)) as connection:
        migrated = connection.execute(f"SELECT {names}, match_id FROM season_award ORDER BY award DESC").fetchall()
    assert migrated == [(*award, None) for award in awards]
