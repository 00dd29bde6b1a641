"""`deadwood rerate`: its output and its refusals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from bot.__main__ import main
from bot.hosting import running
from bot.maintenance.rerating import rerating_summary
from bot.model.ids import MatchId, PersonId
from bot.model.people import Person
from bot.play.standing import filling
from bot.play.standing.rerating import ReratingResult
from bot.store import key_values, tables
from bot.store.opening import open_database
from tests.helpers.clock import Clock
from tests.helpers.databases import DatabaseKind, execute, fetch, new_database, without_fsync
from tests.helpers.random_matches import RandomMatches
from tests.play.boards import full_standings

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))


@pytest.fixture
def database_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restored_logging: None) -> Path:
    """Work in an empty folder without settings. Return the path for the database."""
    monkeypatch.chdir(tmp_path)
    for name in ("DEADWOOD_DATABASE_URL", "DEADWOOD_SANDBOX_DATABASE_URL", "DEADWOOD_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "deadwood.db"


async def play(url: str, matches: int) -> None:
    """Play matches on a database."""
    with without_fsync():
        database = await open_database(url)
        random = RandomMatches(database, Clock(), PEOPLE, Random(3), resigns=0.0)
        await random.save_names()
        for _ in range(matches):
            await random.play("classic target=10", 2)
        await database.close()


async def change_rating(url: str) -> None:
    """Change a stored rating of a seat."""
    database = await open_database(url)
    await execute(database, update(tables.seat).where(tables.seat.c.match_id == 2).values(mu_after=1.5))
    await database.close()


@pytest.mark.thorough
def test_changed_numbers_are_reported_and_corrected(database_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`rerate` reports no differences at first. After a stored rating was changed, it reports and corrects it."""
    url = new_database(database_path)
    asyncio.run(play(url, 3))
    assert main(["rerate"]) == 0
    assert capsys.readouterr().out == "3 rated matches: every number is as it was stored\n"
    asyncio.run(change_rating(url))
    assert main(["rerate"]) == 0
    assert "3 rated matches: the numbers of 1 match and 0 ratings of people differed" in capsys.readouterr().out
    assert main(["rerate"]) == 0
    assert "every number is as it was stored" in capsys.readouterr().out


def test_refusals(database_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a database, or while a bot runs, the command prints one line, exits with code 2, and creates no file."""
    assert main(["rerate"]) == 2
    assert capsys.readouterr().err == "there is no database deadwood.db\n"
    assert not database_path.exists()
    url = new_database(database_path)

    async def while_running() -> int:
        database = await open_database(url)
        try:
            return await asyncio.to_thread(main, ["rerate"])
        finally:
            await database.close()

    assert asyncio.run(while_running()) == 2
    assert "another bot is running on deadwood.db" in capsys.readouterr().err


@pytest.mark.nightly
def test_rerating_on_postgresql(
    tmp_path: Path, database_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On PostgreSQL, the command recomputes, refuses while a bot runs, and does not create missing tables."""
    url = new_database(database_path, DatabaseKind.POSTGRESQL)
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


def test_unreadable_logs_are_listed() -> None:
    """Matches with unreadable logs are listed, and their stored numbers are kept."""
    assert rerating_summary(ReratingResult(5, 0, 0, [MatchId(7)])).endswith("cannot be read, and their numbers stay: 7")


@pytest.mark.thorough
async def test_a_start_backfills_until_it_is_stopped(database_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start backfills standings in batches. If it is stopped after a batch, the next start resumes the backfill."""
    url = new_database(database_path)
    await play(url, 4)
    monkeypatch.setattr(filling, "BATCH_SIZE", 1)
    database = await open_database(url)
    async with database.write() as transaction:
        await key_values.save(transaction, "standings to fill", "0 0")
    await execute(database, tables.board.delete())
    await database.close()
    stop = asyncio.Event()
    some = filling.StandingsBackfill.do_batch

    async def stopping(service: filling.StandingsBackfill) -> bool:
        stop.set()
        return await some(service)

    with monkeypatch.context() as patched:
        patched.setattr(filling.StandingsBackfill, "do_batch", stopping)
        async with running.open_application(url, stop) as app:
            assert app is None
    async with running.open_application(url, asyncio.Event()) as app:
        assert app is not None
        found = await full_standings(app)
        assert sum(standing.matches for standing in found) == 8
    database = await open_database(url)
    assert await fetch(database, tables.key_value.select()) == []
    await database.close()
