"""Tests of migration 0002 (every rule system) and all later ones, on a database of version 1."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bot.store
from bot.engine.rules import Rules
from bot.model.challenges import ChallengeStatus
from bot.model.guilds import GuildSettings, MatchHome
from bot.model.ids import ChallengeId, ChannelId, GuildId, InteractionId, MatchId, PersonId
from bot.model.matches import MatchKind, MatchStatus, Proposal, Terms
from bot.model.outbox import MessageKind
from bot.model.people import Preferences
from bot.model.statistics import Category, Player
from bot.play.application import Application
from bot.store import challenges, guilds, matches, outbox, people
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.sqlite import migrate_file
from tests.play.boards import full_standings

pytestmark = pytest.mark.sqlite

STORE = Path(next(iter(bot.store.__path__)))
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
NOW = int(AT.timestamp()) * 1000
LATER = AT.replace(year=2027)
GUILD = GuildId(7)

OLD_ROWS = f"""
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
INSERT INTO deal VALUES (1, 1, 'gin', 0, 85, 4, {NOW}), (2, 1, 'gin', 0, 85, 4, {NOW});
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
async def migrated(path: Path) -> AsyncIterator[Database]:
    """Create a database of version 1 with data, open it with the current program, and close it after the test."""
    scripts = path.with_name("first")
    shutil.copytree(
        STORE / "migrations", scripts, ignore=shutil.ignore_patterns("__pycache__", "000[2-9]_*", "00[1-9]?_*")
    )
    migrate_file(path, str(scripts))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD_ROWS)
    os.chmod(path, 0o600)
    database = await open_database(f"sqlite:///{path}")
    yield database
    await database.close()


async def test_challenges_have_guests(migrated: Database) -> None:
    """Challenged opponents become guests. Those who accepted have joined. Challenges to anyone get no guests."""
    async with migrated.read() as transaction:
        rows = [await challenges.load(transaction, ChallengeId(number)) for number in range(1, 5)]
        by_interaction = await challenges.by_interaction(transaction, InteractionId(601))
    loaded = [row for row in rows if row is not None]
    assert [(row.ruleset, row.status, row.joined_ids, row.named_ids, row.pairing, row.match_id) for row in loaded] == [
        ("low", ChallengeStatus.ACCEPTED, {PersonId(2)}, set(), 0, 1),
        ("classic", ChallengeStatus.PENDING, set(), set(), 0, None),
        ("classic", ChallengeStatus.PENDING, set(), {PersonId(3)}, 0, None),
        ("classic", ChallengeStatus.DECLINED, set(), {PersonId(1)}, 0, None),
    ]
    assert by_interaction is not None
    assert by_interaction.id == 1


async def test_matches_have_their_category_and_ruleset(path: Path, migrated: Database) -> None:
    """Every match gets the points category, and its preset as the ruleset. Drawn matches still count as drawn."""
    app = Application(migrated, clock=lambda: AT)
    while await app.standings_backfill.do_batch():
        pass
    rows = {ruleset: await full_standings(app, GUILD, ruleset=ruleset) for ruleset in (None, "low", "classic")}
    async with migrated.read() as transaction:
        running = await matches.running_in(transaction, ChannelId(13))
    assert [(row.name, row.won, row.lost, row.points) for row in rows[None]] == [
        ("North", 1, 0, 205), ("East", 0, 0, 85), ("South", 0, 1, 40)
    ]  # fmt: skip
    assert [row.name for row in rows["low"]] == ["North", "South"]
    assert [row.name for row in rows["classic"]] == ["East", "North"]
    assert running is not None
    match = running.info
    assert (match.ruleset, str(match.rules), match.status) == ("classic", "classic target=10", MatchStatus.RUNNING)
    assert match.proposals == (Proposal.CANCEL, None)
    assert {(seat.version, seat.moved_at) for seat in running.seats} == {(None, None)}
    with closing(sqlite3.connect(path)) as connection:
        drawn = connection.execute("SELECT drawn FROM seat ORDER BY match_id, seat").fetchall()
    assert [flag for (flag,) in drawn] == [0, 0, 1, 1, None, None]


async def test_other_data_is_unchanged(path: Path, migrated: Database) -> None:
    """Settings, logs and messages keep their values, and the ids of deleted rows are not reused."""
    async with migrated.write() as transaction:
        guild = await guilds.load(transaction, GUILD)
        assert guild.settings == GuildSettings("low", 60, (ChannelId(1), ChannelId(2)), match_home=MatchHome.CHANNEL)
        north = await people.load(transaction, PersonId(1))
        assert north is not None
        assert north.preferences == Preferences()
        assert await matches.actions(transaction, MatchId(3)) == ("cut 0=Kd 1=Ac",)
        message = await outbox.find(transaction, MessageKind.SHOWDOWN, 1, 1)
        assert message is not None
        assert (message.message_id, message.posts) == (99, 1)
        terms = Terms(MatchKind.STANDARD, GUILD, ChannelId(20), "classic", Rules())
        players = [Player(PersonId(1), "North"), Player(PersonId(2), "South")]
        assert await matches.create(transaction, terms, Category.POINTS, players, AT) == 6
        values = {"guild_id": GUILD, "channel_id": 20, "challenger_id": 1, "rules": "classic"}
        values |= {"status": ChallengeStatus.PENDING, "created_at": AT, "expires_at": LATER}
        assert await challenges.create(transaction, values, [PersonId(3)]) == 10
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    (copy_path,) = path.parent.glob(f"{path.name}.before-*[0-9]")
    with closing(sqlite3.connect(copy_path)) as copy:
        assert copy.execute("SELECT opponent_id FROM challenge WHERE id = 1").fetchone() == (2,)
