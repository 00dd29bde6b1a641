"""Measuring SQLite transactions: their number, and the rows that each changes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import perf_counter
from unittest.mock import patch

from bot.store.database import Database
from bot.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Write:
    """A read-write transaction: the number of rows it changed, including cascades, and its duration in seconds."""

    rows: int
    seconds: float


@contextmanager
def writes_of(database: Database) -> Generator[list[Write]]:
    """Collect the read-write transactions of a database as they end."""
    found: list[Write] = []
    writing: Callable[[], AbstractAsyncContextManager[Transaction]] = getattr(database, "_writing")  # noqa: B009

    @asynccontextmanager
    async def watched() -> AsyncGenerator[Transaction]:
        async with writing() as transaction:
            begun, before = perf_counter(), await _changes(transaction)
            try:
                yield transaction
            finally:
                rows = await _changes(transaction) - before
        found.append(Write(rows, perf_counter() - begun))

    with patch.object(database, "_writing", watched):
        yield found


@dataclass(slots=True)
class Steps:
    """The number of instructions that SQLite has run: https://sqlite.org/opcode.html. Reading a row takes a few."""

    count: int = 0

    def note(self) -> int:
        self.count += 1
        return 0


@asynccontextmanager
async def steps_of(transaction: Transaction) -> AsyncGenerator[Steps]:
    """Count the instructions that SQLite runs in a transaction. Unlike time, they do not depend on the machine."""
    driver = (await transaction.get_raw_connection()).driver_connection
    assert driver is not None
    steps = Steps()
    await driver.set_progress_handler(steps.note, 1)
    try:
        yield steps
    finally:
        await driver.set_progress_handler(None, 0)


async def _changes(transaction: Transaction) -> int:
    """Return the rows changed since the connection was opened: https://sqlite.org/c3ref/total_changes.html."""
    driver = (await transaction.get_raw_connection()).driver_connection
    assert driver is not None
    return driver.total_changes
