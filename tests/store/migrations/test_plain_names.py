"""Tests of migration 0005 (plain names) and all later ones, on a real database file of version 4."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.engine.rules import Rules
from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, PersonId
from bot.model.matches import MatchKind, MatchStatus, Proposal, Terms
from bot.model.outbox import MessageKind, PostedMessage
from bot.model.people import Preferences
from bot.model.shards import ALL_SHARDS
from bot.model.statistics import Category, Player
from bot.store import challenges, matches, outbox, people
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.rows import WantedMessage
from bot.store.sqlite import migrate_file
from tests.store.test_queries import AT

pytestmark = pytest.mark.sqlite

OLD_FILE = Path(__file__).parents[1] / "databases" / "0004.db"
"""A file from version 4 with four people, five matches, eight challenges and one message that must still be deleted."""

GUILD = GuildId(1400000000000000010)
NORTH = PersonId(1400000000000000001)
GAMES = ChannelId(1400000000000000012)

RENAMED_COLUMNS = {
    "match": {"homeless": "channel_deleted", "system": "ruleset", "ladder": "category"},
    "seat": {"wants": "proposal"},
    "challenge": {"system": "ruleset"},
    "setting": {"name": "key"},
    "notice": {
        "subject": "subject_id",
        "wanted": "wanted_revision",
        "shown": "shown_revision",
        "fresh": "repost_revision",
        "posted": "posted_revision",
        "gone": "removed",
        "trouble": "problem",
    },
}
"""New names of columns that were renamed after version 4, by table of version 4 and old column name."""

RENAMED_TABLES = {"setting": "key_value", "notice": "outbox_message"}
"""New names of tables that were renamed after version 4, by old name."""

ADDED_COLUMNS = {
    "guest": {"pinged": 1},
    "person": {
        "confirmations": 1,
        "shows_profile_to": "everyone",
        "reminders": "usual",
        "nudges": 1,
        "shows_avatar": 1,
        "draws_for_me": 0,
        "take_backs": 0,
        **dict.fromkeys(("time_zone", "quiet_from", "quiet_to", "away_from", "away_until", "username", "avatar")),
        **dict.fromkeys(("daily_hour", "daily_reminded_at")),
    },
    "guild": {"clock": "none", "era": 0, "matches_finished": 1, "seasons": "none", "time_zone": "UTC"}
    | {"season_channel": None, "unavailable_since": None, "match_home": "channel"}
    | {"daily_channel": None, "daily_hour": 9, "daily_offered": 0},
    "challenge": {"exact_players": None, "casual": 0, "computers": "", "clock": "none"},
    "match": {"kind": "standard", "fairness": "none", "computer_due_at": None, "clock": "none", "to_act": 0}
    | dict.fromkeys(("paused_at", "recent_until", "season", "vacant_seat", "vacant_at", "made_casual"))
    | {"luck_counted": 0, "card_channel_id": None, "day": None},
    "seat": {
        "computer": None,
        "leaver_id": None,
        "reminders": 0,
        **dict.fromkeys(("time_left", "stopped_at", "used_up_at", "reminded_at", "nudged_at")),
        **dict.fromkeys(("gone_at", "continue_asked_at", "orders", "arranged", "asked_back")),
        **dict.fromkeys(("place", "mu_before", "sigma_before", "mu_after", "sigma_after")),
    },
}
"""Columns that were added after version 4, with their values in old rows, by table of version 4."""

DROPPED_COLUMNS = {"guild": {"reset_at"}}
"""Columns that were dropped after version 4, by table of version 4."""

COMPUTED_COLUMNS = {"match": {"era", "number"}, "notice": {"guild_id"}, "seat": {"seen_deal"}}
"""Columns that the migrations computed from others, by table of version 4."""

OTHER_TABLES = ("person", "guild", "house_rule", "action", "deal", "guest")


def rows(path: Path, table: str, where: str = "true") -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        result = [dict(row) for row in connection.execute(f"SELECT * FROM {table} WHERE {where}")]
    return sorted(result, key=lambda row: [str(value) for value in row.values()])


def renamed(path: Path, table: str, where: str = "true") -> list[dict[str, Any]]:
    """Return the rows of a table of version 4 with the current column names."""
    names = RENAMED_COLUMNS.get(table, {})
    return [{names.get(name, name): value for name, value in row.items()} for row in rows(path, table, where)]


def clock_columns(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return the expected clock columns of a migrated row.

    The current turn starts at the last move. In a running match, a check of the clock is due at the same time.
    """
    match table:
        case "match":
            running = row["status"] == "running"
            return dict.fromkeys(("turn_at", "time_due_at"), row["moved_at"] if running else None)
        case "seat":
            return {"turn_at": row["moved_at"]}
        case _:
            return {}


def sorted_rows(table_rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort rows independently of the order of their columns."""
    return sorted(table_rows, key=lambda row: [str(row[name]) for name in sorted(row)])


@pytest.fixture
def old_copy(path: Path) -> Path:
    """Return a copy of the file of version 4."""
    shutil.copy(OLD_FILE, path)
    path.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated copy of the file of version 4, for tests that only read it."""
    path = Path(shutil.copy(OLD_FILE, tmp_path_factory.mktemp("migrated") / "deadwood.db"))
    migrate_file(path)
    return path


@pytest.mark.parametrize("table", [*OTHER_TABLES, *RENAMED_COLUMNS])
def test_rows_keep_their_values(migrated: Path, table: str) -> None:
    """Every row keeps its values, except outbox rows of replaced messages, which are moved to another table."""
    where = "kind <> 'leftover'" if table == "notice" else "true"
    expected = renamed(OLD_FILE, table, where)
    assert expected
    expected = [
        without(DROPPED_COLUMNS, table, row) | ADDED_COLUMNS.get(table, {}) | clock_columns(table, row)
        for row in expected
    ]
    where = "key <> 'standings to fill'" if table == "setting" else "true"
    migrated_rows = [
        without(COMPUTED_COLUMNS, table, row) for row in rows(migrated, RENAMED_TABLES.get(table, table), where)
    ]
    assert sorted_rows(migrated_rows) == sorted_rows(expected)


def without(columns: dict[str, set[str]], table: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of a table without the given columns."""
    return {name: value for name, value in row.items() if name not in columns.get(table, ())}


def test_finished_matches_are_numbered(migrated: Path) -> None:
    """A server's finished matches are numbered from 1 in the order of their ends. Other matches have no number."""
    matches = sorted(rows(migrated, "match"), key=lambda row: row["ended_at"] or 0)
    finished = [row for row in matches if row["status"] == "finished"]
    assert [(row["number"], row["era"]) for row in finished] == [(1, 0)]
    assert {(row["number"], row["era"]) for row in matches if row not in finished} == {(None, None)}


def test_all_old_tables_are_covered(old_copy: Path) -> None:
    """Every table of version 4 is in `OTHER_TABLES` or a key of `RENAMED_COLUMNS`."""
    with closing(sqlite3.connect(old_copy)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert names - {"alembic_version", "sqlite_sequence"} == {*OTHER_TABLES, *RENAMED_COLUMNS}


def test_replaced_messages_become_stale(old_copy: Path) -> None:
    """A replaced message that was posted becomes a stale message, with the server of its match or challenge."""
    with closing(sqlite3.connect(old_copy)) as connection, connection:
        connection.executescript("""
            INSERT INTO challenge
                (id, guild_id, channel_id, challenger_id, rules, status, revision, created_at, expires_at)
                VALUES (70, 5, 1, 1, 'classic', 'pending', 1, 1, 1);
            INSERT INTO notice VALUES
                (80, 'leftover', 70, 1, 1, 0, 0, 0, 1, 6, 7, NULL, 0, 3, 9, '503'),
                (81, 'leftover', 2, 2, 1, 0, 0, 0, 1, NULL, NULL, NULL, 0, 0, 9, NULL),
                (82, 'leftover', 99, 1, 1, 0, 0, 0, 1, 8, 9, NULL, 0, 0, 9, NULL);
        """)
    (leftover, *_) = rows(old_copy, "notice", "id = 79")
    migrate_file(old_copy)
    by_channel = {row["channel_id"]: row for row in rows(old_copy, "stale_message")}
    migrated_rows = {channel: (row["guild_id"], row["message_id"], row["attempts"], row["due_at"], row["problem"])
             for channel, row in by_channel.items()}  # fmt: skip
    assert migrated_rows == {
        GAMES: (GUILD, leftover["message_id"], 0, leftover["due_at"], None),
        6: (5, 7, 3, 9, "503"),
        8: (0, 9, 0, 9, None),
    }
    assert not rows(old_copy, "outbox_message", "kind = 'leftover'")


@pytest.fixture
async def upgraded(old_copy: Path) -> AsyncIterator[Database]:
    """Open a copy of the file of version 4 as the program does, and close it after the test."""
    database = await open_database(f"sqlite:///{old_copy}")
    yield database
    await database.close()


async def test_queries_read_migrated_rows(upgraded: Database) -> None:
    """The queries read migrated challenges, matches, people and messages correctly."""
    async with upgraded.read() as transaction:
        lobby = await challenges.load(transaction, ChallengeId(7))
        assert lobby is not None
        assert (lobby.status, lobby.ruleset, lobby.revision) == (ChallengeStatus.PENDING, "penalty", 2)
        assert (lobby.joined_ids, lobby.named) == ({NORTH}, ())
        running = await matches.load(transaction, MatchId(2))
        assert running is not None
        match = running.info
        assert (match.ruleset, match.status, match.version) == ("Friday night", MatchStatus.RUNNING, 9)
        assert (match.channel_deleted, running.is_frozen, match.appearance.theme) == (False, False, "dark")
        over = await matches.load(transaction, MatchId(1))
        assert over is not None
        assert over.info.proposals == (None, Proposal.REMATCH)
        assert len(await matches.actions(transaction, MatchId(2))) == 9
        north = await people.load(transaction, NORTH)
        assert north is not None
        assert (north.name, north.preferences, north.dm_channel_id) == ("North", Preferences(), 1400000000000000021)
        table = await outbox.find(transaction, MessageKind.TABLE, 2)
        assert table is not None
        assert table.message_id is not None
        assert table.wanted_revision >= table.shown_revision > 0
        (stale,) = await outbox.due_stale(transaction, ALL_SHARDS, AT.replace(year=2027), (), 9)
        assert stale.posted == PostedMessage(GAMES, MessageId(1573929854091395122))


@pytest.mark.thorough
async def test_ids_are_not_reused(old_copy: Path) -> None:
    """New matches, challenges and messages never get an id that version 4 used, even if the last rows were deleted."""
    with closing(sqlite3.connect(old_copy)) as connection, connection:
        connection.executescript("DELETE FROM notice WHERE id > 50; DELETE FROM challenge WHERE id > 4;")
        last_ids = dict(connection.execute("SELECT name, seq FROM sqlite_sequence"))
    database = await open_database(f"sqlite:///{old_copy}")
    values = {"guild_id": GUILD, "channel_id": ChannelId(5), "rules": "classic"}
    async with database.write() as transaction:
        terms = Terms(MatchKind.STANDARD, GUILD, ChannelId(5), "classic", Rules())
        players = [Player(PersonId(1), "North"), Player(PersonId(2), "South")]
        assert await matches.create(transaction, terms, Category.POINTS, players, AT) == last_ids["match"] + 1
        challenge_values = values | {"challenger_id": PersonId(1), "status": ChallengeStatus.PENDING}
        challenge_values |= {"created_at": AT, "expires_at": AT}
        assert await challenges.create(transaction, challenge_values) == last_ids["challenge"] + 1
        outbox.request(transaction, [WantedMessage(MessageKind.TABLE, 99, 0, None, 1, 0, False, AT)])
        message = await outbox.find(transaction, MessageKind.TABLE, 99)
        assert message is not None
        assert message.id == last_ids["notice"] + 1
    await database.close()


def test_migrated_file_and_copy_are_sound(old_copy: Path) -> None:
    """A migrated file passes SQLite's checks, and the copy made before the update still has version 4's rows."""
    migrate_file(old_copy)
    with closing(sqlite3.connect(old_copy)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_sequence")}
    assert names.isdisjoint({"notice", "setting"})
    (copy,) = old_copy.parent.glob(f"{old_copy.name}.before-*")
    for table in (*OTHER_TABLES, *RENAMED_COLUMNS):
        assert rows(copy, table) == rows(OLD_FILE, table)
