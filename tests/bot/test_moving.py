"""`deadwood move-database`: the rows it moves, its refusals, and its restart after a kill."""

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

from bot import moving
from bot.__main__ import main
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.moving import check_matches
from bot.play.application import Application
from bot.store import copying, tables
from bot.store.copying import Contents
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.opening import open_database
from bot.store.transaction import Transaction
from bot.values.clocks import Standstill, TimeChange
from bot.values.ids import PersonId
from bot.values.people import Person
from tests.bot.mortal_move import BATCH
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import Kind, execute, fetch, new_database, without_fsync
from tests.helpers.messages import FakeCourier
from tests.helpers.processes import ROOT
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.table import CHANNEL, GUILD, NORTH, Players, interaction
from tests.play.people.somebody import live

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))
AT: Final = datetime(2026, 11, 21, 12, 0, 0, 123_000, tzinfo=UTC)
OTHERS: Final = (
    insert(tables.house_rule).values(guild_id=GUILD, key="ours", name="Ours ♣", rules=Rules.parse("low target=50")),
    insert(tables.review).values(match_id=1, number=1, seat=Seat(0), text='{"said": "\\u00e9 ♠"}'),
    insert(tables.shard).values(number=0, shards=1, seen_at=AT),
    insert(tables.standstill).values(kind=Standstill.SHARD, number=0, shards=1, from_at=AT, to_at=AT),
    insert(tables.stale_message).values(guild_id=GUILD, channel_id=CHANNEL, message_id=5, attempts=0, due_at=AT),
    insert(tables.time_change).values(match_id=1, kind=TimeChange.GIFT, span=timedelta(days=1), at=AT),
    insert(tables.lease).values(shard=0, shards=1, owner="", until=AT),
    insert(tables.key_value).values(key="commands", value="registered"),
)
"""Rows that ordinary play rarely creates."""

Made = Callable[[Kind, str], str]


@pytest.fixture
def made(tmp_path: Path, alone: None) -> Made:
    """Return a function that creates an empty database of a kind with a name, and returns its URL."""
    return lambda kind, name: new_database(tmp_path / name, kind)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a SQLite database with many rows."""
    path = tmp_path_factory.mktemp("filled") / "filled.db"
    asyncio.run(fill(new_database(path, Kind.SQLITE)))
    return path


@pytest.fixture
def source(filled: Path, tmp_path: Path, alone: None) -> str:
    """Return the URL of a copy of the filled database."""
    return f"sqlite:///{shutil.copy(filled, tmp_path / 'source.db')}"


async def fill(url: str) -> None:
    """Perform every action that creates rows, and play a match of each format."""
    with without_fsync():
        database, clock = await open_database(url), Clock()
        app = Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock)
        await live(app, FakeCourier(app))
        random = RandomMatches(database, clock, PEOPLE, Random(5))
        await random.meet()
        for rules, seats in FORMATS:
            await random.play(rules, seats)
        for statement in OTHERS:
            await execute(database, statement)
        await database.close()


async def rows(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database, as the program reads them."""
    database = await open_database(url)
    try:
        return {
            name: sorted(await fetch(database, select(table)), key=repr)
            for name, table in tables.metadata.tables.items()
        }
    finally:
        await database.close()


async def run(url: str, *statements: Executable) -> None:
    """Execute statements on a database."""
    database = await open_database(url)
    for statement in statements:
        await execute(database, statement)
    await database.close()


def move(source: str, target: str) -> int:
    """Run `deadwood move-database`."""
    with without_fsync():
        return main(["move-database", source, target])


@pytest.mark.thorough
def test_there_and_back_everything_is_as_it_was(made: Made, source: str, capsys: pytest.CaptureFixture[str]) -> None:
    """After a move to PostgreSQL and back, every row is unchanged and play continues."""
    second, third = made(Kind.POSTGRESQL, "2"), made(Kind.SQLITE, "3.db")
    wanted = asyncio.run(rows(source))
    assert [name for name, found in wanted.items() if not found] == []
    assert move(source, second) == 0
    said = capsys.readouterr().out
    assert said == f"{sum(map(len, wanted.values()))} rows moved to {second}, 13 matches checked there\n"
    assert asyncio.run(rows(second)) == wanted
    assert asyncio.run(rows(source)) == wanted
    asyncio.run(play_on(second))
    played = asyncio.run(rows(second))
    assert played != wanted
    assert move(second, third) == 0
    assert asyncio.run(rows(third)) == played
    asyncio.run(play_on(third))


async def play_on(url: str) -> None:
    """Resign the running matches, and play another match, whose id is new."""
    with without_fsync():
        database = await open_database(url)
        app = Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30))
        before = await fetch(database, select(tables.match.c.id))
        for hand in await app.lookup.hands(NORTH.id):
            await app.endings.resign(NORTH.id, hand.match.id, interaction())
        players = Players(app)
        new = await players.begin("classic target=10", CHANNEL)
        await players.win(new.id)
        assert new.id > max(before)[0]
        await database.close()


class BrokenOff(BaseException):
    """An exception that no part of the program catches."""


def broken_off(number: int, when: str) -> Callable[[Database], AbstractAsyncContextManager[Transaction]]:
    """Return a replacement for `Database.write` that fails before or after the commit of one transaction.

    All later transactions fail too.
    """
    write, transactions = Database.write, count(1)

    @asynccontextmanager
    async def mortal(database: Database) -> AsyncGenerator[Transaction]:
        reached = next(transactions)
        if reached > number:
            raise BrokenOff
        async with write(database) as transaction:
            yield transaction
            if reached == number and when == "before":
                raise BrokenOff
        if reached == number:
            raise BrokenOff

    return mortal


POINTS: Final = ((1, "after"), (30, "before"))
"""(transaction number, before or after its commit). The nightly test kills processes at both points."""


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "number", "when"), [(kind, *point) for kind, point in zip(Kind, POINTS, strict=True)])
def test_broken_off_it_can_be_run_again(
    made: Made,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: Kind,
    number: int,
    when: str,
) -> None:
    """After an interrupted move, no bot uses the target, and another move completes it."""
    target = made(kind, "target")
    with monkeypatch.context() as patch:
        patch.setattr(copying, "BATCH", BATCH)
        patch.setattr(Database, "write", broken_off(number, when))
        with pytest.raises(BrokenOff):
            move(source, target)
    check_partly_filled(monkeypatch, capsys, source, target)


def check_partly_filled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: str, target: str
) -> None:
    """Check that no bot uses a partly filled database, and that another move completes it."""
    monkeypatch.setenv("DISCORD_TOKEN", "a.planted.token")
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", target)
    capsys.readouterr()
    assert main(["run"]) == 2
    assert "is only partly filled from" in capsys.readouterr().err
    assert move(source, target) == 0
    assert asyncio.run(rows(target)) == asyncio.run(rows(source))


@pytest.mark.nightly
@pytest.mark.parametrize(("number", "when"), [*POINTS, *((number, "after") for number in range(2, 34, 2))])
@pytest.mark.parametrize("kind", Kind)
def test_killed_it_can_be_run_again(
    made: Made,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: Kind,
    number: int,
    when: str,
) -> None:
    """A killed process can be repeated in the same way as an interrupted one."""
    target = made(kind, "target")
    if kind is Kind.SQLITE:
        server = made(Kind.POSTGRESQL, "server")
        assert move(source, server) == 0
        source = server
    command = [sys.executable, "-m", "tests.bot.mortal_move", str(number), when, source, target]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    check_partly_filled(monkeypatch, capsys, source, target)


@pytest.mark.thorough
def test_it_refuses_what_is_not_empty_or_not_there(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A target that is not empty or a missing source is exit code 2 and one line, and nothing is changed or created."""
    source, empty = made(Kind.SQLITE, "source.db"), made(Kind.POSTGRESQL, "empty")
    taken = made(Kind.POSTGRESQL, "taken")
    asyncio.run(run(taken, tables.lesson.insert().values(person_id=1, step=2)))
    newer = made(Kind.SQLITE, "newer.db")
    asyncio.run(run(newer, text("UPDATE alembic_version SET version_num = '9999'")))
    bare = f"{made(Kind.POSTGRESQL, 'bare').rpartition('/')[0]}/postgres"
    capsys.readouterr()
    for one, other, said in (
        (source, taken, f"{taken} is not empty, there are rows in its table lesson: name an empty one"),
        (source, source, "both addresses are those of sqlite:///"),
        (source, f"sqlite:///{tmp_path}/../{tmp_path.name}/source.db", "both addresses are those of sqlite:///"),
        (f"sqlite:///{tmp_path}/nowhere.db", empty, f"there is no database {tmp_path}/nowhere.db"),
        (bare, f"sqlite:///{tmp_path}/made.db", f"there is no database of the bot at {bare}: it has no tables"),
        (newer, empty, "comes from a newer version (revision 9999)"),
        (source, newer, "comes from a newer version (revision 9999)"),
        ("deadwood.db", empty, "the database's address is not a URL"),
        (source, "mysql://bot:secret@host/deadwood", "is neither SQLite nor PostgreSQL"),
    ):
        assert move(one, other) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
        assert "secret" not in line
    assert {"nowhere.db", "made.db"}.isdisjoint(path.name for path in tmp_path.iterdir())
    assert all(not found for found in asyncio.run(rows(empty)).values())
    assert asyncio.run(rows(taken))["lesson"] == [(1, 2)]


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["bot:secret@127.0.0.1:1/deadwood", "bot@127.0.0.1:1/deadwood?password=secret"])
def test_a_server_that_is_away_is_tried_again(made: Made, capsys: pytest.CaptureFixture[str], address: str) -> None:
    """An unreachable server is exit code 1 and one line without the password."""
    source = made(Kind.SQLITE, "source.db")
    capsys.readouterr()
    assert move(source, f"postgresql://{address}") == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("cannot use postgresql://bot@127.0.0.1:1/deadwood at the moment: no connection (")
    assert "Connect call failed" in said
    assert "secret" not in said


@pytest.mark.thorough
@pytest.mark.parametrize("kind", nightly_after(1, Kind))
def test_it_refuses_while_a_bot_runs(made: Made, capsys: pytest.CaptureFixture[str], kind: Kind) -> None:
    """The move is refused while a bot uses either database. The other database stays unlocked."""
    used, free = made(kind, "used.db"), made(Kind.SQLITE, "free.db")
    capsys.readouterr()

    async def while_running() -> list[int]:
        database = await open_database(used)
        try:
            return [await asyncio.to_thread(move, *both) for both in ((used, free), (free, used))]
        finally:
            await database.close()

    assert asyncio.run(while_running()) == [2, 2]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all("bot is running on" in line for line in lines)
    asyncio.run(run(used))
    assert move(used, free) == 0


@pytest.mark.parametrize("kind", thorough_after(1, Kind))
def test_no_bot_starts_meanwhile(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: Kind
) -> None:
    """No bot can open either database during the move, up to the end of the checks."""
    source, target = made(kind, "source.db"), made(kind, "target.db")
    refused: list[str] = []

    async def try_to_open(one: Database, other: Database) -> Any:
        for url in (source, target):
            with pytest.raises(DatabaseError) as caught:
                await open_database(url)
            refused.append(str(caught.value))
        return await check_matches(one, other)

    monkeypatch.setattr(moving, "check_matches", try_to_open)
    assert move(source, target) == 0
    said = "another bot is running on" if kind is Kind.SQLITE else "is being worked on: that has to end first"
    assert all(said in line for line in refused)
    assert len(refused) == 2


@pytest.mark.thorough
async def test_a_match_that_was_not_copied_as_it_is_is_found(made: Made, source: str) -> None:
    """A match whose log contradicts its row is an error, unless it does so in the source too."""
    target = made(Kind.SQLITE, "target.db")
    assert await asyncio.to_thread(move, source, target) == 0
    one, other = await open_database(source), await open_database(target)
    try:
        checked, faulty = await check_matches(one, other)
        assert (checked, faulty) == (13, ())
        (last,) = max(await fetch(other, select(tables.match.c.id)))
        damage = update(tables.seat).where(tables.seat.c.match_id == last).values(deals_won=77)
        await execute(other, damage)
        with pytest.raises(DatabaseError, match=f"match {last} was not copied as it is: its result is not"):
            await check_matches(one, other)
        await execute(one, damage)
        assert await check_matches(one, other) == (13, (last,))
    finally:
        await one.close()
        await other.close()


@pytest.mark.thorough
def test_a_check_that_fails_leaves_a_database_that_nobody_uses(
    made: Made, source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the check fails, the exit code is 2 and the target is unusable. After the fix, another move completes it."""
    target = made(Kind.SQLITE, "target.db")
    compare = moving.compare

    async def after_damage(transaction: Transaction, copied: dict[str, Contents]) -> None:
        lost = Contents(copied["match"].rows + 1, 5)
        await compare(transaction, copied | {"match": lost})

    with monkeypatch.context() as patched:
        patched.setattr(moving, "compare", after_damage)
        assert move(source, target) == 2
    assert capsys.readouterr().err.endswith("the table match has 13 rows instead of 14\n")
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", target)
    assert main(["rerate"]) == 2
    assert "is only partly filled from sqlite:///" in capsys.readouterr().err
    # It cannot be the source of another move, nor the target of a move from another source.
    other = made(Kind.SQLITE, "other.db")
    capsys.readouterr()
    assert move(target, other) == 2
    assert move(other, target) == 2
    said = capsys.readouterr().err.splitlines()
    assert all("is only partly filled from sqlite:///" in line for line in said)
    assert len(said) == 2
    assert move(source, target) == 0
    assert asyncio.run(rows(target)) == asyncio.run(rows(source))


def test_stopped_by_hand_it_says_what_to_do(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C is exit code 1 and one line with the next step."""

    async def stop(*_: object) -> None:
        raise KeyboardInterrupt

    source, target = made(Kind.SQLITE, "source.db"), made(Kind.SQLITE, "target.db")
    with monkeypatch.context() as patched:
        patched.setattr(moving, "copy", stop)
        capsys.readouterr()
        assert move(source, target) == 1
    assert capsys.readouterr().err == "stopped before the end: run the same command again\n"
    assert move(source, target) == 0


@pytest.mark.thorough
def test_matches_that_could_not_be_replayed_before_are_named(
    made: Made, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Matches that could not be replayed in the source are moved unchanged and listed. The exit code is 0."""
    target = made(Kind.SQLITE, "target.db")
    action = tables.action.c
    asyncio.run(run(source, update(tables.action).where(action.match_id == 4, action.number == 5).values(text="?")))
    assert move(source, target) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == ["these matches are as they were before, but not what their logs lead to: 4"]
    assert asyncio.run(rows(target)) == asyncio.run(rows(source))


def test_without_the_driver_it_says_what_to_install(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the PostgreSQL driver, the exit code is 2, and the error names the extra to install."""
    source = made(Kind.SQLITE, "source.db")
    capsys.readouterr()
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert move(source, "postgresql://127.0.0.1:1/deadwood") == 2
    assert capsys.readouterr().err == "PostgreSQL needs the package asyncpg: install deadwood[postgres]\n"
