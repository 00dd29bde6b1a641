"""Database errors in background tasks: only a bug ends a task, and only a damaged database ends the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import metrics
from bot.connection.client import Client
from bot.connection.housekeeping import fill_records, run_chores
from bot.connection.measurements import measure
from bot.store.consequences import Reaction, classify_sqlstate
from bot.store.database import Database
from bot.store.postgres import PostgresDatabase
from cogs.delivery.saving import retry_until_done
from tests.helpers.cases import nightly_after
from tests.helpers.databases import new_database
from tests.helpers.living import RunningBot, bot_on, sandbox_of
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.store.postgres.test_consequences import CODES, CODES_BY_REACTION, raise_statement

pytestmark = [pytest.mark.nightly, pytest.mark.postgresql]

TYPICAL_CODES: Final = [codes[0] for codes in CODES_BY_REACTION.values() if codes]
"""One SQLSTATE code for each way in which the bot reacts to database errors."""
CASES: Final = nightly_after(
    len(TYPICAL_CODES), [*TYPICAL_CODES, *(code for code in CODES if code not in TYPICAL_CODES)]
)

TASKS: Final[dict[str, Callable[[Client], Awaitable[object]]]] = {
    "courier": lambda client: client.courier.run(),
    "computers": lambda client: client.app.computers.run(),
    "timekeeper": lambda client: client.app.timekeeper.run(client.access),
    "leases": lambda client: client.app.leases.run(),
    "records": lambda client: retry_until_done(partial(fill_records, client.app)),
    "luck": lambda client: client.app.luck_counting.run(),
    "daily reviews": lambda client: client.app.daily_reviews.run(),
    "heartbeat": lambda client: client.heartbeats.run(),
    "housekeeping": lambda client: run_chores(client.app),
    "measurements": lambda client: measure(client, client.app, client.connections),
}
"""The background tasks that use the database while the bot runs."""

SETTLE_SECONDS: Final = 1.5
"""Time to wait before checking that no task has ended, in seconds: longer than a task retries a transaction."""

_raised_codes: ContextVar[list[str] | None] = ContextVar("raised", default=None)
"""The error codes raised so far in a task started with `start_failing_task`, or None in any other task."""


@contextmanager
def failing_statements(database: Database, code: str) -> Generator[None]:
    """Make all statements of the tasks started with `start_failing_task` fail with this PostgreSQL error code."""

    def replace(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: bool) -> tuple[str, Any]:
        if (raised := _raised_codes.get()) is None:
            return statement, parameters
        raised.append(code)
        return raise_statement(code), ()

    server = cast(PostgresDatabase, database)
    engines: list[AsyncEngine] = [server._writers, *server._readers.values()]  # pyright: ignore[reportPrivateUsage]
    for engine in engines:
        event.listen(engine.sync_engine, "before_cursor_execute", replace, retval=True)
    try:
        yield
    finally:
        for engine in engines:
            event.remove(engine.sync_engine, "before_cursor_execute", replace)


def start_failing_task(task: Awaitable[object]) -> tuple[asyncio.Future[object], list[str]]:
    """Start a task whose statements fail while `failing_statements` is active.

    Return the task, and a list to which the error code of each failed statement is appended.
    """
    raised = list[str]()
    token = _raised_codes.set(raised)
    future = asyncio.ensure_future(task)
    _raised_codes.reset(token)
    return future, raised


@asynccontextmanager
async def running(directory: Path) -> AsyncGenerator[RunningBot]:
    """Run a bot with short shard leases, which it must renew often."""
    async with (
        sandbox_of() as sandbox,
        bot_on(sandbox, new_database(directory / "deadwood.db"), taken_over_within=timedelta(seconds=2)) as alive,
    ):
        yield alive


@pytest.mark.parametrize("code", CASES)
async def test_database_errors_in_background_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A bug ends each task with the original error. Outages, conflicts and damage end no task. Damage is reported."""
    monkeypatch.setattr(metrics, "is_served", lambda: True)
    consequence = classify_sqlstate(code).reaction
    async with running(tmp_path) as alive:
        with failing_statements(alive.database, code):
            started = {name: start_failing_task(task_of(alive.client)) for name, task_of in TASKS.items()}
            await eventually(lambda: all(raised for _, raised in started.values()))
            if consequence is Reaction.FAULT:
                await asyncio.wait([task for task, _ in started.values()], timeout=MAX_WAIT)
            else:
                # A task retries a conflicting transaction for about a second. Wait longer than that.
                await asyncio.sleep(SETTLE_SECONDS)
            ended = {name: task.exception() for name, (task, _) in started.items() if task.done()}
            for task, _ in started.values():
                task.cancel()
            await asyncio.gather(*(task for task, _ in started.values()), return_exceptions=True)
        assert ended.keys() == (TASKS.keys() if consequence is Reaction.FAULT else set())
        assert all(isinstance(error, DBAPIError) for error in ended.values())
        assert not alive.client.background_failure.done()
        if consequence is Reaction.BROKEN:
            assert "restore a backup" in await asyncio.wait_for(alive.app.wait_for_damage(), MAX_WAIT)
