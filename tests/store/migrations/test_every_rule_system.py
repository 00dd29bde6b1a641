"""From the first tables to the second: what was there is there still, and has what newer code looks for."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bot.store
from bot.store import challenges, guilds, matches, notices, people, standings
from bot.store.database import Database, Transaction
from bot.store.migrate import migrate
from bot.store.rows import ChallengeStatus, GuestRow, MatchStatus, MessageKind

STORE = Path(next(iter(bot.store.__path__)))
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
NOW = int(AT.timestamp()) * 1000
LATER = AT.replace(year=2027)

OLD = f"""
INSERT INTO guild (id, rules, target, channels) VALUES (7, 'low', 60, '1 2');
INSERT INTO person (id, name, seen_at) VALUES (1, 'North', {NOW}), (2, 'South', {NOW}), (3, 'East', {NOW});
INSERT INTO match VALUES
    (1, 7, 11, 'low gin_bonus=20 undercut_bonus=10', 0, 'finished', 4, 4, {NOW}, {NOW}, {NOW}),
    (2, 7, 12, 'classic', 0, 'finished', 4, 4, {NOW}, {NOW}, {NOW}),
    (3, 7, 13, 'classic target=10', 0, 'running', 3, 9, {NOW}, {NOW}, NULL),
    (5, 7, 14, 'even gin_bonus=20 undercut_bonus=20', 0, 'cancelled', 1, 2, {NOW}, {NOW}, {NOW});
DELETE FROM match WHERE id = 5;
INSERT INTO seat VALUES
    (1, 0, 1, NULL, 1, 3, 1, 120, 1, 0), (1, 1, 2, NULL, 0, 1, 3, 40, 0, 1),
    (2, 0, 3, NULL, NULL, 1, 1, 85, 1, 0), (2, 1, 1, 'rematch', NULL, 1, 1, 85, 1, 0),
    (3, 0, 1, 'cancel', NULL, NULL, NULL, NULL, NULL, NULL), (3, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO action VALUES (3, 1, 'cut 0=Kd 1=Ac', 501, {NOW});
INSERT INTO deal VALUES (1, 1, 'gin', 0, 85, 4, {NOW});
INSERT INTO challenge VALUES
    (1, 7, 11, 1, 2, 'low gin_bonus=20 undercut_bonus=10', 'accepted', 2, {NOW}, {NOW}, 1, 601),
    (2, 7, 11, 1, NULL, 'classic target=10', 'pending', 1, {NOW}, {NOW}, NULL, 602),
    (3, 7, 11, 2, 3, 'classic', 'pending', 1, {NOW}, {NOW}, NULL, NULL),
    (4, 7, 11, 2, 1, 'classic', 'declined', 2, {NOW}, {NOW}, NULL, NULL),
    (9, 7, 11, 2, NULL, 'classic', 'withdrawn', 2, {NOW}, {NOW}, NULL, NULL);
DELETE FROM challenge WHERE id = 9;
INSERT INTO notice VALUES (1, 'showdown', 1, 1, 4, 4, 4, 4, 0, 11, 99, {NOW}, 1, 0, {NOW}, NULL);
INSERT INTO setting VALUES ('commands', 'x');
"""


@pytest.fixture
async def old(path: Path) -> AsyncIterator[Database]:
    """Make a file as the first release left it, with data, open it with today's code, and close it."""
    scripts = path.with_name("first")
    shutil.copytree(STORE / "migrations", scripts, ignore=shutil.ignore_patterns("__pycache__", "000[2-9]*"))
    migrate(path, str(scripts))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD)
    database = await Database.open(f"sqlite:///{path}")
    yield database
    await database.close()


async def test_invitations_have_guests(old: Database) -> None:
    """An opponent is a guest: joined where the invitation was accepted, named where not; open ones have none."""

    async def work(transaction: Transaction) -> list[object]:
        rows = [await challenges.load(transaction, number) for number in range(1, 5)]
        return [(row.system, row.status, row.guests, row.pairing, row.match_id) for row in rows if row is not None]

    assert await old.read(work) == [
        ("low", ChallengeStatus.ACCEPTED, (GuestRow(2, joined=True),), 0, 1),
        ("classic", ChallengeStatus.PENDING, (), 0, None),
        ("classic", ChallengeStatus.PENDING, (GuestRow(3, joined=False),), 0, None),
        ("classic", ChallengeStatus.DECLINED, (GuestRow(1, joined=False),), 0, None),
    ]
    caused = await old.read(lambda transaction: challenges.caused(transaction, 601))
    assert caused is not None
    assert caused.id == 1


async def test_matches_have_their_ladder_and_system(path: Path, old: Database) -> None:
    """Every match was for points, under the name of its preset; what was drawn still counts as drawn."""
    rows = {
        system: await old.read(
            lambda transaction, system=system: standings.standing(transaction, 7, "points", system=system)
        )
        for system in (None, "low", "classic")
    }
    assert [(row.name, row.won, row.lost, row.points) for row in rows[None]] == [
        ("North", 1, 0, 205), ("East", 0, 0, 85), ("South", 0, 1, 40)
    ]  # fmt: skip
    assert [row.name for row in rows["low"]] == ["North", "South"]
    assert [row.name for row in rows["classic"]] == ["East", "North"]
    running = await old.read(lambda transaction: matches.running_in(transaction, 13))
    assert running is not None
    assert (running.system, running.rules, running.status) == ("classic", "classic target=10", MatchStatus.RUNNING)
    assert [seat.wants for seat in running.seats] == ["cancel", None]
    assert {(seat.version, seat.moved_at) for seat in running.seats} == {(None, None)}
    with closing(sqlite3.connect(path)) as connection:
        drawn = connection.execute("SELECT drawn FROM seat ORDER BY match_id, seat").fetchall()
    assert [flag for (flag,) in drawn] == [0, 0, 1, 1, None, None]


async def test_all_else_is_as_it_was(path: Path, old: Database) -> None:
    """Settings, logs, deals and messages stay; a server offers everything; no id that was used comes back."""

    async def work(transaction: Transaction) -> None:
        guild = await guilds.load(transaction, 7)
        assert (guild.rules, guild.target, guild.channels, guild.offered) == ("low", 60, (1, 2), ())
        assert (guild.theme, guild.four_colours, guild.language) == ("classic", False, "en")
        north = await people.load(transaction, 1)
        assert north is not None
        assert (north.theme, north.language, north.hand_order, north.pictures) == ("classic", "en", "melds", True)
        assert await matches.actions(transaction, 3) == ("cut 0=Kd 1=Ac",)
        notice = await notices.of(transaction, MessageKind.SHOWDOWN, 1, 1)
        assert notice is not None
        assert (notice.message_id, notice.posts) == (99, 1)
        values = {"guild_id": 7, "channel_id": 20, "system": "classic", "ladder": "points", "rules": "classic"}
        assert await matches.create(transaction, values, [1, 2], AT) == 6
        made = {"guild_id": 7, "channel_id": 20, "challenger_id": 1, "rules": "classic", "status": "pending"}
        assert await challenges.create(transaction, made | {"created_at": AT, "expires_at": LATER}, [3]) == 10

    await old.write(work)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    (before,) = path.parent.glob(f"{path.name}.before-*[0-9]")
    with closing(sqlite3.connect(before)) as copy:
        assert copy.execute("SELECT opponent_id FROM challenge WHERE id = 1").fetchone() == (2,)
