"""Shielded functions complete even if their caller is cancelled, and are retried after a conflict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext

import pytest
from structlog.testing import capture_logs

from bot.play.loading import unit_of_work
from bot.play.loading.unit_of_work import ATTEMPTS, shielded
from bot.play.refusals import Unavailable
from bot.store import key_values
from bot.store.database import Database
from bot.store.errors import ConflictError, DatabaseClosedError
from tests.helpers.cases import nightly_after
from tests.store.test_database import TroubleError, read_count, write_count


async def save_both(database: Database) -> None:
    async with database.write() as transaction:
        await key_values.save(transaction, "first", "1")
        await asyncio.sleep(0)
        await key_values.save(transaction, "second", "1")


async def read_both(database: Database) -> tuple[str | None, str | None]:
    async with database.read() as transaction:
        return await key_values.load(transaction, "first"), await key_values.load(transaction, "second")


async def loop_turns(turns: int) -> None:
    """Let the event loop run the given number of iterations."""
    for _ in range(turns):
        await asyncio.sleep(0)


@asynccontextmanager
async def tasks_end() -> AsyncGenerator[None]:
    """At the end of the block, wait for all tasks created in it."""
    before = asyncio.all_tasks()
    yield
    while tasks := asyncio.all_tasks() - before:
        await asyncio.wait(tasks)


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_shielded_function_runs_to_its_end(database: Database, turns: int) -> None:
    """If its caller is cancelled at any time, a shielded function still commits, unless it had not started."""
    async with tasks_end():
        caller = asyncio.ensure_future(shielded(save_both)(database))
        await loop_turns(turns)
        # The function may have ended after this many iterations.
        with pytest.raises(asyncio.CancelledError) if caller.cancel() else nullcontext():
            await caller
    assert await read_both(database) == (("1", "1") if turns else (None, None))
    await write_count(database)
    assert await read_count(database) == 1


async def test_a_shielded_function_returns_and_raises(database: Database) -> None:
    """A shielded function passes its result or exception to its caller, and keeps its name and docstring."""

    @shielded
    async def divide(one: int, by: int) -> float:
        """Divide."""
        return one / by

    assert await divide(3, by=2) == 1.5
    with pytest.raises(ZeroDivisionError):
        await divide(3, by=0)
    assert (divide.__name__, divide.__doc__) == ("divide", "Divide.")


async def test_a_shielded_function_that_fails_unseen_rolls_back(database: Database) -> None:
    """If a shielded function fails after its caller was cancelled, its transaction is rolled back."""
    begun = asyncio.Event()

    @shielded
    async def fail() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            begun.set()
            await asyncio.sleep(0)
            raise TroubleError

    async with tasks_end():
        caller = asyncio.ensure_future(fail())
        await begun.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
    await write_count(database)
    assert await read_count(database) == 1


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_cancelled_transaction_is_whole_or_not_at_all(database: Database, turns: int) -> None:
    """An unshielded transaction that is cancelled is either saved or not, never partly, and the next one works."""
    caller = asyncio.create_task(save_both(database))
    await loop_turns(turns)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    assert await read_both(database) in ((None, None), ("1", "1"))
    await write_count(database)
    assert await read_count(database) == 1


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_transaction_cancelled_before_its_end_rolls_back(database: Database, turns: int) -> None:
    """A transaction that is cancelled before its end saves nothing."""

    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "first", "1")
            await key_values.save(transaction, "second", "1")
            await asyncio.Event().wait()

    caller = asyncio.create_task(save_and_wait())
    await loop_turns(turns)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await read_both(database) == (None, None)
    await write_count(database)
    assert await read_count(database) == 1
    assert database.idle


async def test_a_transaction_cancelled_amid_its_rollback_rolls_back(database: Database) -> None:
    """A second cancellation during a rollback has no effect."""
    begun = asyncio.Event()

    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            begun.set()
            await asyncio.Event().wait()

    for turns in range(8):
        begun.clear()
        async with tasks_end():
            caller = asyncio.create_task(save_and_wait())
            await begun.wait()
            caller.cancel()
            await loop_turns(turns)
            caller.cancel()
            await asyncio.gather(caller, return_exceptions=True)
        await write_count(database)
        assert await read_count(database) == turns + 1


async def test_cancelled_readers_leave_their_connections_usable(database: Database) -> None:
    """Reads still work after a hundred reads were cancelled."""
    callers = [asyncio.create_task(read_count(database)) for _ in range(100)]
    for number, caller in enumerate(callers):
        if number % 7 == 0:
            await asyncio.sleep(0)
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert await asyncio.gather(*(read_count(database) for _ in range(10))) == [0] * 10


async def test_a_shielded_function_cancelled_itself_rolls_back(database: Database) -> None:
    """If the task behind the shield is cancelled, as at shutdown, the transaction is rolled back."""
    begun = asyncio.Event()

    @shielded
    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            begun.set()
            await asyncio.Event().wait()

    before = asyncio.all_tasks()
    caller = asyncio.ensure_future(save_and_wait())
    await begun.wait()
    for task in asyncio.all_tasks() - before:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await write_count(database)
    assert await read_count(database) == 1


@pytest.mark.parametrize(("error", "logged"), [(Unavailable(), 0), (DatabaseClosedError(), 0), (TroubleError(), 1)])
async def test_a_failure_that_nobody_waits_for_is_logged_if_it_is_one(error: Exception, logged: int) -> None:
    """A failure after the caller was cancelled is logged, except for a refusal or a closed database."""
    begun, goes_on = asyncio.Event(), asyncio.Event()

    @shielded
    async def fail() -> None:
        begun.set()
        await goes_on.wait()
        raise error

    with capture_logs() as lines:
        async with tasks_end():
            caller = asyncio.ensure_future(fail())
            await begun.wait()
            caller.cancel()
            await asyncio.wait((caller,))
            goes_on.set()
    assert [line["log_level"] for line in lines] == logged * ["error"]


async def test_a_shielded_function_that_was_overtaken_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a conflict a shielded function is retried, and fails with `Unavailable` after `ATTEMPTS` conflicts."""
    monkeypatch.setattr(unit_of_work, "FIRST_PAUSE", 0)
    conflicts = iter([ConflictError("one"), ConflictError("two")])
    tries = list[int]()

    @shielded
    async def try_with(number: int) -> int:
        tries.append(number)
        if (conflict := next(conflicts, None)) is not None:
            raise conflict
        return number

    assert await try_with(7) == 7
    assert tries == [7, 7, 7]
    conflicts = iter([ConflictError("again")] * ATTEMPTS)
    with pytest.raises(Unavailable):
        await try_with(8)
    assert tries[3:] == [8] * ATTEMPTS
