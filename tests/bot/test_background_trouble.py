"""Database errors in background tasks: only a bug ends a task, and damage ends the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, cast

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import metrics
from bot.client import Client
from bot.measurements import measure
from bot.store.consequences import Consequence, meaning_of_sqlstate
from bot.store.database import Database
from bot.store.postgres import PostgresDatabase
from cogs.support.saving import until_done
from tests.helpers.cases import nightly_after
from tests.helpers.databases import new_database
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.store.postgres.test_consequences import CODES, OF, raising

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

TYPICAL: Final = [codes[0] for codes in OF.values() if codes]
"""One SQLSTATE code for each consequence."""
CASES: Final = nightly_after(len(TYPICAL), [*TYPICAL, *(code for code in CODES if code not in TYPICAL)])

TASKS: Final[dict[str, Callable[[Client], Awaitable[object]]]] = {
    "courier": lambda client: client.courier.run(),
    "computers": lambda client: client.app.computers.run(),
    "timekeeper": lambda client: client.app.timekeeper.run(client.access),
    "leases": lambda client: client.app.leases.run(),
    "records": lambda client: until_done(client._fill_records),  # pyright: ignore[reportPrivateUsage]
    "luck": lambda client: client.app.luck_counting.run(),
    "heartbeat": lambda client: client._beat(),  # pyright: ignore[reportPrivateUsage]
    "housekeeping": lambda client: client._keep_house(),  # pyright: ignore[reportPrivateUsage]
    "measurements": lambda client: measure(client, client.app, client.connections),
}
"""The tasks that use the database as long as the bot runs."""

SETTLED_AFTER: Final = 1.5
"""Time after which every task has met the failures that could end it, in seconds."""

_raised: ContextVar[list[str] | None] = ContextVar("raised", default=None)
"""The codes of the failed statements of a task. None for tasks whose statements do not fail."""


@contextmanager
def failing(database: Database, code: str) -> Generator[None]:
    """Make all statements of the tasks started with `begin` fail with a code."""

    def replace(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: bool) -> tuple[str, Any]:
        if (raised := _raised.get()) is None:
            return statement, parameters
        raised.append(code)
        return raising(code), ()

    server = cast(PostgresDatabase, database)
    engines: list[AsyncEngine] = [server._writers, *server._readers.values()]  # pyright: ignore[reportPrivateUsage]
    for engine in engines:
        event.listen(engine.sync_engine, "before_cursor_execute", replace, retval=True)
    try:
        yield
    finally:
        for engine in engines:
            event.remove(engine.sync_engine, "before_cursor_execute", replace)


def begin(task: Awaitable[object]) -> tuple[asyncio.Future[object], list[str]]:
    """Start a task whose statements fail. Return it with the list of codes that were raised."""
    raised = list[str]()
    token = _raised.set(raised)
    begun = asyncio.ensure_future(task)
    _raised.reset(token)
    return begun, raised


@asynccontextmanager
async def running(directory: Path) -> AsyncGenerator[Living]:
    """Run a bot that renews its leases often."""
    async with (
        sandbox_of() as sandbox,
        bot_on(sandbox, new_database(directory / "deadwood.db"), taken_over_within=timedelta(seconds=2)) as alive,
    ):
        yield alive


@pytest.mark.parametrize("code", CASES)
async def test_background_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A task survives outages and conflicts, a bug ends it with the original error, and the process reports damage."""
    monkeypatch.setattr(metrics, "are_read", lambda: True)
    consequence = meaning_of_sqlstate(code).consequence
    async with running(tmp_path) as alive:
        with failing(alive.database, code):
            begun = {name: begin(task_of(alive.client)) for name, task_of in TASKS.items()}
            await eventually(lambda: all(raised for _, raised in begun.values()))
            if consequence is Consequence.FAULT:
                await asyncio.wait([task for task, _ in begun.values()], timeout=MAX_WAIT)
            else:
                # A conflict is retried for one second.
                await asyncio.sleep(SETTLED_AFTER)
            ended = {name: task.exception() for name, (task, _) in begun.items() if task.done()}
            for task, _ in begun.values():
                task.cancel()
            await asyncio.gather(*(task for task, _ in begun.values()), return_exceptions=True)
        assert ended.keys() == (TASKS.keys() if consequence is Consequence.FAULT else set())
        assert all(isinstance(error, DBAPIError) for error in ended.values())
        assert not alive.client.background_failure.done()
        if consequence is Consequence.BROKEN:
            assert "restore a backup" in await asyncio.wait_for(alive.app.wait_for_damage(), MAX_WAIT)
