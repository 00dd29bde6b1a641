"""A process that is shutting down still saves background work, but refuses requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.play.application import Application, utc_now
from bot.play.loading.unit_of_work import Units
from bot.play.refusals import Stopping
from bot.store import key_values
from bot.store.database import Database


@pytest.fixture
def app(database: Database) -> Application:
    return Application(database)


async def run_as_request(app: Application, work: Callable[[], Awaitable[None]]) -> None:
    """Run `work` in a task that counts as a person's request."""

    async def answer() -> None:
        app.requests.begin()
        await work()

    await asyncio.create_task(answer())


@pytest.mark.both_databases
async def test_a_request_is_saved_until_requests_are_refused(app: Application) -> None:
    """After `refuse`, requests fail and background work is still saved."""
    await run_as_request(app, lambda: app.key_values.set("asked", "before"))
    app.requests.refuse()
    with pytest.raises(Stopping):
        await run_as_request(app, lambda: app.key_values.set("asked", "after"))
    await app.key_values.set("background", "after")
    assert await app.key_values.get("asked") == "before"
    assert await app.key_values.get("background") == "after"


@pytest.mark.both_databases
async def test_a_request_that_has_begun_to_write_is_rolled_back(app: Application, database: Database) -> None:
    """If the bot starts to refuse requests while a request is writing, that request is rolled back."""
    units = Units(database, utc_now)

    async def write() -> None:
        units.requests.begin()
        async with units.write() as unit:
            await key_values.save(unit.transaction, "asked", "too late")
            units.requests.refuse()

    with pytest.raises(Stopping):
        await asyncio.create_task(write())
    assert await app.key_values.get("asked") is None
