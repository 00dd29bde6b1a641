"""`deadwood move-database`: what it copies, what it refuses, and how it resumes after an interruption."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import Executable, insert, select, text, update

from bot.__main__ import main
from bot.engine.deals.moves import Seat
from bot.engine.rules import Rules
from bot.maintenance import moving
from bot.maintenance.moving import check_matches
from bot.model.clocks import Standstill, TimeChange
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.play.application import Application
from bot.store import copying, tables
from bot.store.copying import Contents
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.opening import open_database
from bot.store.transaction import Transaction
from tests.bot.maintenance.mortal_move import BATCH
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import DatabaseKind, execute, fetch, new_database, without_fsync
from tests.helpers.messages import FakeCourier
from tests.helpers.processes import ROOT
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, GUILD, NORTH, Players, interaction
from tests.play.people.somebody import use_every_feature

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))
TIMESTAMP: Final = datetime(2026, 11, 21, 12, 0, 0, 123_000, tzinfo=UTC)
RARE_ROWS: Final = (
    insert(tables.house_rule).values(guild_id=GUILD, key="ours", name="Ours ♣", rules=Rules.parse("low target=50")),
    insert(tables.review).values(match_id=1, number=1, seat=Seat(0), text='{"said": "\\u00e9 ♠"}'),
    insert(tables.daily_post).values(guild_id=GUILD, day=TIMESTAMP.date(), channel_id=CHANNEL, revision=3, choice="{}"),
    insert(tables.shard).values(number=0, shards=1, seen_at=TIMESTAMP),
    insert(tables.standstill).values(kind=Standstill.SHARD, number=0, shards=1, from_at=TIMESTAMP, to_at=TIMESTAMP),
    insert(tables.stale_message).values(guild_id=GUILD, channel_id=CHANNEL, message_id=5, attempts=0, due_at=TIMESTAMP),
    insert(tables.time_change).values(match_id=1, kind=TimeChange.GIFT, span=timedelta(days=1), at=TIMESTAMP),
    insert(tables.lease).values(shard=0, shards=1, owner="", until=TIMESTAMP),
    insert(tables.key_value).values(key="commands", value="registered"),
)
"""Statements that insert rows which ordinary play rarely creates."""

CreateDatabase = Callable[[DatabaseKind, str], str]


@pytest.fixture
def create_database(tmp_path: Path, clean_environment: None) -> CreateDatabase:
    """Return a function (kind, name) that creates an empty database and returns its URL."""
    return lambda kind, name: new_database(tmp_path / name, kind)


@pytest.fixture(scope="module")
def filled_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a SQLite database with many rows."""
    path = tmp_path_factory.mktemp("filled") / "filled.db"
    asyncio.run(fill(new_database(path, DatabaseKind.SQLITE)))
    return path


@pytest.fixture
def source(filled_database: Path, tmp_path: Path, clean_environment: None) -> str:
    """Return the URL of a copy of the filled database."""
    return f"sqlite:///{shutil.copy(filled_database, tmp_path / 'source.db')}"


async def fill(url: str) -> None:
    """Perform every action that creates rows, and play a match of each format."""
    with without_fsync():
        database, clock = await open_database(url), Clock()
        app = Application(database, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 30), clock=clock)
        await use_every_feature(app, FakeCourier(app))
        random = RandomMatches(database, clock, PEOPLE, Random(5))
        await random.save_names()
        for rules, seats in FORMATS:
            await random.play(rules, seats)
        for statement in RARE_ROWS:
            await execute(database, statement)
        await database.close()


async def all_rows(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database by table, as the program reads them."""
    database = await open_database(url)
    try:
        return {
            name: sorted(await fetch(database, select(table)), key=repr)
            for name, table in tables.metadata.tables.items()
        }
    finally:
        await database.close()


async def run_statements(url: str, *statements: Executable) -> None:
    """Execute statements on a database."""
    database = await open_database(url)
    for statement in statements:
        await execute(database, statement)
    await database.close()


def run_move(source: str, target: str) -> int:
    """Run `deadwood move-database`."""
    with without_fsync():
        return main(["move-database", source, target])


@pytest.mark.thorough
def test_a_round_trip_preserves_all_rows(
    create_database: CreateDatabase, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """After moving a database to PostgreSQL and back, every row is unchanged and play continues."""
    postgres_url, sqlite_url = (
        create_database(DatabaseKind.POSTGRESQL, "2"),
        create_database(DatabaseKind.SQLITE, "3.db"),
    )
    expected = asyncio.run(all_rows(source))
    assert [name for name, found in expected.items() if not found] == []
    assert run_move(source, postgres_url) == 0
    output = capsys.readouterr().out
    assert output == f"{sum(map(len, expected.values()))} rows moved to {postgres_url}, 14 matches checked there\n"
    assert asyncio.run(all_rows(postgres_url)) == expected
    assert asyncio.run(all_rows(source)) == expected
    asyncio.run(continue_play(postgres_url))
    rows_after_play = asyncio.run(all_rows(postgres_url))
    assert rows_after_play != expected
    assert run_move(postgres_url, sqlite_url) == 0
    assert asyncio.run(all_rows(sqlite_url)) == rows_after_play
    asyncio.run(continue_play(sqlite_url))


async def continue_play(url: str) -> None:
    """Resign the running matches, and play another match, whose id must be higher than all earlier ones."""
    with without_fsync():
        database = await open_database(url)
        app = Application(database, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 30))
        earlier_ids = await fetch(database, select(tables.match.c.id))
        for hand in await app.lookup.hands(NORTH.id):
            await app.endings.resign(NORTH.id, hand.match.id, interaction())
        players = Players(app)
        new_match = await players.begin("classic target=10", CHANNEL)
        await players.win(new_match.id)
        assert new_match.id > max(earlier_ids)[0]
        await database.close()


class Interrupted(BaseException):
    """An exception that no part of the program catches."""


def interrupted_write(number: int, when: str) -> Callable[[Database], AbstractAsyncContextManager[Transaction]]:
    """Return a replacement for `Database.write` that fails before or after the commit of one transaction.

    All later transactions fail too.
    """
    write, transactions = Database.write, count(1)

    @asynccontextmanager
    async def write_or_fail(database: Database) -> AsyncGenerator[Transaction]:
        reached = next(transactions)
        if reached > number:
            raise Interrupted
        async with write(database) as transaction:
            yield transaction
            if reached == number and when == "before":
                raise Interrupted
        if reached == number:
            raise Interrupted

    return write_or_fail


INTERRUPTION_POINTS: Final = ((1, "after"), (30, "before"))
"""The points at which `move-database` is interrupted: (number of the transaction, before or after its commit)."""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("kind", "number", "when"), [(kind, *point) for kind, point in zip(DatabaseKind, INTERRUPTION_POINTS, strict=True)]
)
def test_an_interrupted_move_can_be_repeated(
    create_database: CreateDatabase,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: DatabaseKind,
    number: int,
    when: str,
) -> None:
    """After `move-database` is interrupted, no bot starts on the target, and repeating the command completes it."""
    target = create_database(kind, "target")
    with monkeypatch.context() as patch:
        patch.setattr(copying, "BATCH_SIZE", BATCH)
        patch.setattr(Database, "write", interrupted_write(number, when))
        with pytest.raises(Interrupted):
            run_move(source, target)
    check_partly_filled(monkeypatch, capsys, source, target)


def check_partly_filled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: str, target: str
) -> None:
    """Check that no bot starts on the partly filled target, and that `move-database` can be repeated and fills it."""
    monkeypatch.setenv("DISCORD_TOKEN", "a.planted.token")
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", target)
    capsys.readouterr()
    assert main(["run"]) == 2
    assert "is only partly filled from" in capsys.readouterr().err
    assert run_move(source, target) == 0
    assert asyncio.run(all_rows(target)) == asyncio.run(all_rows(source))


@pytest.mark.nightly
@pytest.mark.parametrize(("number", "when"), [*INTERRUPTION_POINTS, *((number, "after") for number in range(2, 34, 2))])
@pytest.mark.parametrize("kind", DatabaseKind)
def test_a_killed_move_can_be_repeated(
    create_database: CreateDatabase,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: DatabaseKind,
    number: int,
    when: str,
) -> None:
    """If the process that moves a database is killed, running the command again completes the move."""
    target = create_database(kind, "target")
    if kind is DatabaseKind.SQLITE:
        server = create_database(DatabaseKind.POSTGRESQL, "server")
        assert run_move(source, server) == 0
        source = server
    command = [sys.executable, "-m", "tests.bot.maintenance.mortal_move", str(number), when, source, target]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    check_partly_filled(monkeypatch, capsys, source, target)


@pytest.mark.nightly
def test_unsuitable_databases_are_refused(
    create_database: CreateDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unsuitable source or target gives exit code 2 and a one-line error. Nothing is changed or created."""
    source, empty = create_database(DatabaseKind.SQLITE, "source.db"), create_database(DatabaseKind.POSTGRESQL, "empty")
    nonempty = create_database(DatabaseKind.POSTGRESQL, "taken")
    asyncio.run(run_statements(nonempty, tables.lesson.insert().values(person_id=1, step=2)))
    newer = create_database(DatabaseKind.SQLITE, "newer.db")
    asyncio.run(run_statements(newer, text("UPDATE alembic_version SET version_num = '9999'")))
    bare = f"{create_database(DatabaseKind.POSTGRESQL, 'bare').rpartition('/')[0]}/postgres"
    capsys.readouterr()
    for one, other, said in (
        (source, nonempty, f"{nonempty} is not empty, there are rows in its table lesson: name an empty one"),
        (source, source, "both addresses name sqlite:///"),
        (source, f"sqlite:///{tmp_path}/../{tmp_path.name}/source.db", "both addresses name sqlite:///"),
        (f"sqlite:///{tmp_path}/nowhere.db", empty, f"there is no database {tmp_path}/nowhere.db"),
        (bare, f"sqlite:///{tmp_path}/made.db", f"there is no database of the bot at {bare}: it has no tables"),
        (newer, empty, "comes from a newer version (revision 9999)"),
        (source, newer, "comes from a newer version (revision 9999)"),
        ("deadwood.db", empty, "the database's address is not a URL"),
        (source, "mysql://bot:secret@host/deadwood", "is neither SQLite nor PostgreSQL"),
    ):
        assert run_move(one, other) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
        assert "secret" not in line
    assert {"nowhere.db", "made.db"}.isdisjoint(path.name for path in tmp_path.iterdir())
    assert all(not found for found in asyncio.run(all_rows(empty)).values())
    assert asyncio.run(all_rows(nonempty))["lesson"] == [(1, 2)]


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["bot:secret@127.0.0.1:1/deadwood", "bot@127.0.0.1:1/deadwood?password=secret"])
def test_an_unreachable_server_is_one_line(
    create_database: CreateDatabase, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    """An unreachable server gives exit code 1 and a one-line error that does not contain the password."""
    source = create_database(DatabaseKind.SQLITE, "source.db")
    capsys.readouterr()
    assert run_move(source, f"postgresql://{address}") == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("cannot use postgresql://bot@127.0.0.1:1/deadwood right now: no connection (")
    assert "Connect call failed" in said
    assert "secret" not in said


@pytest.mark.thorough
@pytest.mark.parametrize("kind", nightly_after(1, DatabaseKind))
def test_it_refuses_while_a_bot_runs(
    create_database: CreateDatabase, capsys: pytest.CaptureFixture[str], kind: DatabaseKind
) -> None:
    """While a bot uses one of the databases, `move-database` is refused and leaves the other one unlocked."""
    used, free = create_database(kind, "used.db"), create_database(DatabaseKind.SQLITE, "free.db")
    capsys.readouterr()

    async def while_running() -> list[int]:
        database = await open_database(used)
        try:
            return [await asyncio.to_thread(run_move, *both) for both in ((used, free), (free, used))]
        finally:
            await database.close()

    assert asyncio.run(while_running()) == [2, 2]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all("bot is running on" in line for line in lines)
    asyncio.run(run_statements(used))
    assert run_move(used, free) == 0


@pytest.mark.parametrize("kind", thorough_after(1, DatabaseKind))
def test_no_bot_starts_during_the_move(
    create_database: CreateDatabase,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: DatabaseKind,
) -> None:
    """No bot can open either database while `move-database` runs, until its checks have ended."""
    source, target = create_database(kind, "source.db"), create_database(kind, "target.db")
    refused: list[str] = []

    async def try_to_open(one: Database, other: Database) -> Any:
        for url in (source, target):
            with pytest.raises(DatabaseError) as caught:
                await open_database(url)
            refused.append(str(caught.value))
        return await check_matches(one, other)

    monkeypatch.setattr(moving, "check_matches", try_to_open)
    assert run_move(source, target) == 0
    said = (
        "another bot is running on"
        if kind is DatabaseKind.SQLITE
        else "is in exclusive use by another command: wait until it ends"
    )
    assert all(said in line for line in refused)
    assert len(refused) == 2


@pytest.mark.nightly
async def test_a_wrongly_copied_match_is_detected(create_database: CreateDatabase, source: str) -> None:
    """A copied match whose log contradicts its rows is an error, unless the source has the same contradiction."""
    target = create_database(DatabaseKind.SQLITE, "target.db")
    assert await asyncio.to_thread(run_move, source, target) == 0
    one, other = await open_database(source), await open_database(target)
    try:
        checked, faulty = await check_matches(one, other)
        assert (checked, faulty) == (14, ())
        (last,) = max(await fetch(other, select(tables.match.c.id)))
        damage = update(tables.seat).where(tables.seat.c.match_id == last).values(deals_won=77)
        await execute(other, damage)
        with pytest.raises(DatabaseError, match=f"match {last} was not copied correctly: its result does not match"):
            await check_matches(one, other)
        await execute(one, damage)
        assert await check_matches(one, other) == (14, (last,))
    finally:
        await one.close()
        await other.close()


@pytest.mark.nightly
def test_a_failed_check_leaves_the_target_unusable(
    create_database: CreateDatabase, source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the final check fails, the exit code is 2, and the target is unusable until `move-database` is repeated."""
    target = create_database(DatabaseKind.SQLITE, "target.db")
    compare = moving.compare

    async def after_damage(transaction: Transaction, copied: dict[str, Contents]) -> None:
        lost = Contents(copied["match"].rows + 1, 5)
        await compare(transaction, copied | {"match": lost})

    with monkeypatch.context() as patched:
        patched.setattr(moving, "compare", after_damage)
        assert run_move(source, target) == 2
    assert capsys.readouterr().err.endswith("the table match has 14 rows instead of 15\n")
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", target)
    assert main(["rerate"]) == 2
    assert "is only partly filled from sqlite:///" in capsys.readouterr().err
    # The partly filled target can be neither the source of `move-database` nor the target for another source.
    other = create_database(DatabaseKind.SQLITE, "other.db")
    capsys.readouterr()
    assert run_move(target, other) == 2
    assert run_move(other, target) == 2
    said = capsys.readouterr().err.splitlines()
    assert all("is only partly filled from sqlite:///" in line for line in said)
    assert len(said) == 2
    assert run_move(source, target) == 0
    assert asyncio.run(all_rows(target)) == asyncio.run(all_rows(source))


def test_ctrl_c_is_one_line(
    create_database: CreateDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C during `move-database` gives exit code 1 and a one-line message with the next step."""

    async def stop(*_: object) -> None:
        raise KeyboardInterrupt

    source, target = (
        create_database(DatabaseKind.SQLITE, "source.db"),
        create_database(DatabaseKind.SQLITE, "target.db"),
    )
    with monkeypatch.context() as patched:
        patched.setattr(moving, "copy", stop)
        capsys.readouterr()
        assert run_move(source, target) == 1
    assert capsys.readouterr().err == "stopped before the end: run the same command again\n"
    assert run_move(source, target) == 0


@pytest.mark.nightly
def test_unreplayable_matches_are_listed(
    create_database: CreateDatabase, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Matches whose logs cannot be replayed are copied unchanged and listed. The exit code is 0."""
    target = create_database(DatabaseKind.SQLITE, "target.db")
    action = tables.action.c
    asyncio.run(
        run_statements(source, update(tables.action).where(action.match_id == 4, action.number == 3).values(text="?"))
    )
    assert run_move(source, target) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == ["these matches were copied unchanged, but contradict their logs: 4"]
    assert asyncio.run(all_rows(target)) == asyncio.run(all_rows(source))


def test_a_missing_driver_is_reported(
    create_database: CreateDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the PostgreSQL driver, the exit code is 2, and the error names the extra to install."""
    source = create_database(DatabaseKind.SQLITE, "source.db")
    capsys.readouterr()
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert run_move(source, "postgresql://127.0.0.1:1/deadwood") == 2
    assert capsys.readouterr().err == "PostgreSQL needs the package asyncpg: install deadwood[postgres]\n"
