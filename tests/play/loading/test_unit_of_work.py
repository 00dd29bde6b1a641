"""Shielded functions complete even if their caller is cancelled, and are retried after a conflict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext

import pytest
from structlog.testing import capture_logs

from bot.play.loading import unit_of_work
from bot.play.loading.unit_of_work import MAX_ATTEMPTS, shielded
from bot.play.refusals import Unavailable
from bot.store import key_values
from bot.store.database import Database
from bot.store.errors import ConflictError, DatabaseClosedError
from tests.helpers.cases import nightly_after
from tests.store.test_database import TroubleError, increment_counter, read_counter


async def save_both(database: Database) -> None:
    async with database.write() as transaction:
        await key_values.save(transaction, "first", "1")
        await asyncio.sleep(0)
        await key_values.save(transaction, "second", "1")


async def read_both(database: Database) -> tuple[str | None, str | None]:
    async with database.read() as transaction:
        return await key_values.load(transaction, "first"), await key_values.load(transaction, "second")


async def run_loop_iterations(count: int) -> None:
    """Let the event loop run the given number of iterations."""
    for _ in range(count):
        await asyncio.sleep(0)


@asynccontextmanager
async def all_tasks_awaited() -> AsyncGenerator[None]:
    """At the end of the block, wait for all tasks created in it."""
    before = asyncio.all_tasks()
    yield
    while tasks := asyncio.all_tasks() - before:
        await asyncio.wait(tasks)


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_shielded_function_completes_if_its_caller_is_cancelled(database: Database, turns: int) -> None:
    """Once a shielded function has started, it commits, even if its caller is cancelled."""
    async with all_tasks_awaited():
        caller = asyncio.ensure_future(shielded(save_both)(database))
        await run_loop_iterations(turns)
        # After many iterations the caller may have ended; then it can no longer be cancelled.
        with pytest.raises(asyncio.CancelledError) if caller.cancel() else nullcontext():
            await caller
    assert await read_both(database) == (("1", "1") if turns else (None, None))
    await increment_counter(database)
    assert await read_counter(database) == 1


async def test_a_shielded_function_passes_results_and_exceptions(database: Database) -> None:
    """A shielded function passes its result or exception to its caller, and keeps its name and docstring."""

    @shielded
    async def divide(number: int, by: int) -> float:
        """Divide."""
        return number / by

    assert await divide(3, by=2) == 1.5
    with pytest.raises(ZeroDivisionError):
        await divide(3, by=0)
    assert (divide.__name__, divide.__doc__) == ("divide", "Divide.")


async def test_a_shielded_function_that_fails_without_a_caller_rolls_back(database: Database) -> None:
    """If a shielded function fails after its caller was cancelled, its transaction is rolled back."""
    started = asyncio.Event()

    @shielded
    async def fail() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            started.set()
            await asyncio.sleep(0)
            raise TroubleError

    async with all_tasks_awaited():
        caller = asyncio.ensure_future(fail())
        await started.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
    await increment_counter(database)
    assert await read_counter(database) == 1


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_cancelled_transaction_is_atomic(database: Database, turns: int) -> None:
    """An unshielded transaction that is cancelled is either saved or not, never partly, and the next one works."""
    caller = asyncio.create_task(save_both(database))
    await run_loop_iterations(turns)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    assert await read_both(database) in ((None, None), ("1", "1"))
    await increment_counter(database)
    assert await read_counter(database) == 1


@pytest.mark.parametrize("turns", nightly_after(4, (0, 9, 18, 27, *sorted({*range(0, 40, 3)} - {0, 9, 18, 27}))))
async def test_a_transaction_cancelled_before_its_end_rolls_back(database: Database, turns: int) -> None:
    """A transaction that is cancelled before its end saves nothing."""

    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "first", "1")
            await key_values.save(transaction, "second", "1")
            await asyncio.Event().wait()

    caller = asyncio.create_task(save_and_wait())
    await run_loop_iterations(turns)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await read_both(database) == (None, None)
    await increment_counter(database)
    assert await read_counter(database) == 1
    assert database.is_idle


async def test_a_transaction_cancelled_during_its_rollback_rolls_back(database: Database) -> None:
    """A transaction is rolled back even if its task is cancelled again during the rollback."""
    started = asyncio.Event()

    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            started.set()
            await asyncio.Event().wait()

    for turns in range(8):
        started.clear()
        async with all_tasks_awaited():
            caller = asyncio.create_task(save_and_wait())
            await started.wait()
            caller.cancel()
            await run_loop_iterations(turns)
            caller.cancel()
            await asyncio.gather(caller, return_exceptions=True)
        await increment_counter(database)
        assert await read_counter(database) == turns + 1


async def test_cancelled_readers_leave_their_connections_usable(database: Database) -> None:
    """Reads still work after a hundred reads were cancelled."""
    callers = [asyncio.create_task(read_counter(database)) for _ in range(100)]
    for number, caller in enumerate(callers):
        if number % 7 == 0:
            await asyncio.sleep(0)
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert await asyncio.gather(*(read_counter(database) for _ in range(10))) == [0] * 10


async def test_a_cancelled_shielded_task_rolls_back(database: Database) -> None:
    """If the task behind the shield is cancelled, as at shutdown, the transaction is rolled back."""
    started = asyncio.Event()

    @shielded
    async def save_and_wait() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            started.set()
            await asyncio.Event().wait()

    before = asyncio.all_tasks()
    caller = asyncio.ensure_future(save_and_wait())
    await started.wait()
    for task in asyncio.all_tasks() - before:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await increment_counter(database)
    assert await read_counter(database) == 1


@pytest.mark.parametrize(("error", "logged"), [(Unavailable(), 0), (DatabaseClosedError(), 0), (TroubleError(), 1)])
async def test_an_unexpected_failure_without_a_caller_is_logged(error: Exception, logged: int) -> None:
    """A failure after the caller was cancelled is logged, except for a refusal or a closed database."""
    started, resume = asyncio.Event(), asyncio.Event()

    @shielded
    async def fail() -> None:
        started.set()
        await resume.wait()
        raise error

    with capture_logs() as lines:
        async with all_tasks_awaited():
            caller = asyncio.ensure_future(fail())
            await started.wait()
            caller.cancel()
            await asyncio.wait((caller,))
            resume.set()
    assert [line["log_level"] for line in lines] == logged * ["error"]


async def test_a_shielded_function_is_retried_after_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a conflict a shielded function is retried, and fails with `Unavailable` after `MAX_ATTEMPTS`."""
    monkeypatch.setattr(unit_of_work, "FIRST_PAUSE", 0)
    conflicts = iter([ConflictError("one"), ConflictError("two")])
    attempts = list[int]()

    @shielded
    async def try_with(number: int) -> int:
        attempts.append(number)
        if (conflict := next(conflicts, None)) is not None:
            raise conflict
        return number

    assert await try_with(7) == 7
    assert attempts == [7, 7, 7]
    conflicts = iter([ConflictError("again")] * MAX_ATTEMPTS)
    with pytest.raises(Unavailable):
        await try_with(8)
    assert attempts[3:] == [8] * MAX_ATTEMPTS
