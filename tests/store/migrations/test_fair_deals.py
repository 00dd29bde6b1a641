"""Tests of migration 0017, which adds verifiable deals."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.model.fairness import Fairness
from bot.play.application import Application
from bot.store.opening import open_database
from bot.store.sqlite import migrate_file
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, GUILD, NORTH, SOUTH, Players

_IGNORE_LATER_MIGRATIONS = shutil.ignore_patterns("__pycache__", "001[7-9]_*", "00[2-9]*_*")

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]


async def test_earlier_challenge_is_not_verifiable(tmp_path: Path) -> None:
    """A match from a challenge older than the migration has no verifiable deals, but its rematch has a commitment."""
    path, scripts = tmp_path / "deadwood.db", tmp_path / "migrations"
    shutil.copytree(Path(next(iter(bot.store.__path__))) / "migrations", scripts, ignore=_IGNORE_LATER_MIGRATIONS)
    migrate_file(path, str(scripts))
    path.chmod(0o600)
    clock = Clock()
    values = (GUILD, CHANNEL, NORTH.id, "classic target=10", "pending", 1, 0, int(clock().timestamp() * 1000) + 10**6)
    names = "guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO person (id, name, seen_at) VALUES (?, ?, 0)", (NORTH.id, NORTH.name))
        connection.execute(f"INSERT INTO challenge ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
    database = await open_database(f"sqlite:///{path}")
    try:
        app = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock)
        (challenge,) = await app.challenges.own(NORTH.id)
        assert not challenge.committed
        _, match = await app.challenges.accept(SOUTH, challenge.id)
        assert match is not None
        assert match.fairness is Fairness.NONE
        await Players(app).win(match.id)
        assert "event" not in str((await app.match_records.record(match.id)).record)
        for person in (NORTH, SOUTH):
            rematch = await app.endings.rematch(person.id, match.id)
        assert rematch.fairness is Fairness.UNPOSTED
    finally:
        await database.close()
