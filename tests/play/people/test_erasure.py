"""Erasing forgotten people from every file of the database, byte for byte."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.play.application import Application
from bot.play.people.erasure import COPIES_KEPT_FOR
from bot.store import erasures, tables
from bot.store.database import Database
from bot.store.sqlite import backup, copy_before_update
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import NORTH, Players, dm_of
from tests.helpers.traces import traces
from tests.play.people.somebody import SOMEBODY, live


@pytest.fixture
def path(database: Database, tmp_path: Path) -> Path:
    """Return the database's file."""
    return tmp_path / "deadwood.db"


@pytest.mark.slow
async def test_nothing_of_a_forgotten_person_is_in_any_file(app: Application, courier: FakeCourier, path: Path) -> None:
    """Neither id nor name is left in the database, its log, the copies from before updates, or a later backup."""
    await live(app, courier)
    copy_before_update(path, "9999")
    copy_before_update(path, "9998.part")
    found = traces(path.parent, SOMEBODY.id, SOMEBODY.name)
    assert {form for _, form in found} == {"integer", "varint", "text"}
    assert {name for name, _ in found} >= {f"{path.name}-wal", f"{path.name}.before-9999"}
    await app.people.forget(SOMEBODY.id)
    backup(f"sqlite:///{path}", path.with_name("later.db"))
    assert traces(path.parent, SOMEBODY.id, SOMEBODY.name) == set()
    assert not list(path.parent.glob("*.before-*"))
    assert traces(path.parent, NORTH.id)


@pytest.mark.slow
async def test_what_the_courier_still_had_to_delete_is_erased_too(
    app: Application, courier: FakeCourier, database: Database, path: Path
) -> None:
    """Hands in direct messages are deleted after the forgetting, and then their channel is in no file either."""
    await live(app, courier)
    await app.people.forget(SOMEBODY.id)
    assert traces(path.parent, dm_of(SOMEBODY))
    await courier.deliver()
    await Application(database).erasure.run()
    assert traces(path.parent, dm_of(SOMEBODY), SOMEBODY.id, SOMEBODY.name) == set()
    assert await asked(database) is None


@pytest.mark.slow
async def test_an_erasure_that_fails_is_made_up_for(
    app: Application, players: Players, database: Database, path: Path
) -> None:
    """While somebody reads, the log cannot be emptied. The request stays in the database until that is done."""
    await players.begin()
    async with database.read() as reading:
        await reading.execute(select(tables.person))
        await app.people.forget(NORTH.id)
    assert traces(path.parent, NORTH.id)
    assert await asked(database) is not None
    await app.erasure.run()
    assert traces(path.parent, NORTH.id), "a second attempt must wait"
    await Application(database).erasure.run()
    assert traces(path.parent, NORTH.id) == set()


@pytest.mark.slow
async def test_forgetting_counts_whatever_becomes_of_the_erasure(
    app: Application, players: Players, database: Database, path: Path
) -> None:
    """Here the copies from before updates cannot be removed: the person is forgotten, and the erasure still due."""
    await players.begin()
    os.mkdir(f"{path}.before-9999")
    assert await app.people.forget(NORTH.id) == 1
    assert (await app.exports.export(NORTH.id))["person"] is None
    assert await asked(database) is not None


async def test_copies_from_before_updates_are_kept_for_a_month(app: Application, clock: Clock, path: Path) -> None:
    """An old copy goes by itself, a newer one and other files stay."""
    ages = {"before-0001": timedelta(0), "before-0002": timedelta(seconds=-1), "other": timedelta(days=999)}
    for name, age in ages.items():
        file = path.with_name(f"{path.name}.{name}")
        file.touch()
        made = (clock.now - COPIES_KEPT_FOR - age).timestamp()
        os.utime(file, (made, made))
    await app.erasure.run()
    assert {name for name in ages if path.with_name(f"{path.name}.{name}").exists()} == {"before-0002", "other"}


async def asked(database: Database) -> str | None:
    """Return the request for an erasure."""
    async with database.read() as transaction:
        return await erasures.asked(transaction)
