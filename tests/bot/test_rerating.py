"""`deadwood rerate`: its output and its refusals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from bot import running
from bot.__main__ import main
from bot.play.standing import filling
from bot.play.standing.rerating import Rerated
from bot.rerating import told
from bot.store import key_values, tables
from bot.store.opening import open_database
from bot.values.ids import MatchId, PersonId
from bot.values.people import Person
from tests.helpers.clock import Clock
from tests.helpers.databases import Kind, execute, fetch, new_database, without_fsync
from tests.helpers.random_matches import RandomMatches
from tests.play.boards import standings

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unchanged_logging: None) -> Path:
    """Work in an empty folder without settings. Return the path of its database."""
    monkeypatch.chdir(tmp_path)
    for name in ("DEADWOOD_DATABASE_URL", "DEADWOOD_SANDBOX_DATABASE_URL", "DEADWOOD_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "deadwood.db"


async def play(url: str, matches: int) -> None:
    """Play matches on a database."""
    with without_fsync():
        database = await open_database(url)
        random = RandomMatches(database, Clock(), PEOPLE, Random(3), resigns=0.0)
        await random.meet()
        for _ in range(matches):
            await random.play("classic target=10", 2)
        await database.close()


async def spoil(url: str) -> None:
    """Change a stored rating of a seat."""
    database = await open_database(url)
    await execute(database, update(tables.seat).where(tables.seat.c.match_id == 2).values(mu_after=1.5))
    await database.close()


@pytest.mark.thorough
def test_it_says_whether_numbers_differed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command reports no differences, then the changed numbers, which it corrects."""
    url = new_database(here)
    asyncio.run(play(url, 3))
    assert main(["rerate"]) == 0
    assert capsys.readouterr().out == "3 rated matches: every number is as it was stored\n"
    asyncio.run(spoil(url))
    assert main(["rerate"]) == 0
    assert "3 rated matches: the numbers of 1 match and 0 ratings of people differed" in capsys.readouterr().out
    assert main(["rerate"]) == 0
    assert "every number is as it was stored" in capsys.readouterr().out


def test_it_refuses_without_a_database_and_while_a_bot_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a database and while a bot runs, the command prints one line, exits with code 2, and creates no file."""
    assert main(["rerate"]) == 2
    assert capsys.readouterr().err == "there is no database deadwood.db\n"
    assert not here.exists()
    url = new_database(here)

    async def while_running() -> int:
        database = await open_database(url)
        try:
            return await asyncio.to_thread(main, ["rerate"])
        finally:
            await database.close()

    assert asyncio.run(while_running()) == 2
    assert "another bot is running on deadwood.db" in capsys.readouterr().err


@pytest.mark.thorough
def test_on_postgresql_it_does_the_same(
    tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On PostgreSQL, the command recomputes, refuses while a bot runs, and does not create missing tables."""
    url = new_database(here, Kind.POSTGRESQL)
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", url)
    asyncio.run(play(url, 2))
    assert main(["rerate"]) == 0
    assert capsys.readouterr().out == "2 rated matches: every number is as it was stored\n"

    async def while_running() -> int:
        database = await open_database(url)
        try:
            return await asyncio.to_thread(main, ["rerate"])
        finally:
            await database.close()

    assert asyncio.run(while_running()) == 2
    assert capsys.readouterr().err == f"a bot is running on {url}; stop it first\n"
    bare = f"{url.rpartition('/')[0]}/postgres"
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", bare)
    assert main(["rerate"]) == 2
    assert capsys.readouterr().err == f"there is no database of the bot at {bare}: it has no tables\n"


def test_logs_that_cannot_be_read_are_named() -> None:
    """Matches with unreadable logs are listed, and their numbers are kept."""
    assert told(Rerated(5, 0, 0, [MatchId(7)])).endswith("cannot be read, and their numbers stay: 7")


@pytest.mark.thorough
async def test_the_start_fills_an_older_database_unless_it_is_told_to_stop(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start backfills an older database in batches. A stop ends it after one batch, and the next start resumes."""
    url = new_database(here)
    await play(url, 4)
    monkeypatch.setattr(filling, "BATCH", 1)
    database = await open_database(url)
    async with database.write() as transaction:
        await key_values.save(transaction, "standings to fill", "0 0")
    await execute(database, tables.board.delete())
    await database.close()
    stop = asyncio.Event()
    some = filling.Filling.fill_some

    async def stopping(service: filling.Filling) -> bool:
        stop.set()
        return await some(service)

    with monkeypatch.context() as patched:
        patched.setattr(filling.Filling, "fill_some", stopping)
        async with running.open_application(url, stop) as app:
            assert app is None
    async with running.open_application(url, asyncio.Event()) as app:
        assert app is not None
        found = await standings(app)
        assert sum(one.matches for one in found) == 8
    database = await open_database(url)
    assert await fetch(database, tables.key_value.select()) == []
    await database.close()
