"""Measuring SQLite transactions: their number, the rows that each changes, and SQLite's work."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, cast
from unittest.mock import patch

from bot.store.database import Database
from bot.store.sqlite_connections import SqliteTransaction
from bot.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Write:
    """A read-write transaction: the number of rows it changed, including cascades, and its duration in seconds."""

    rows: int
    seconds: float


@contextmanager
def collect_writes(database: Database) -> Generator[list[Write]]:
    """Yield a list to which each read-write transaction of a database is appended when it ends."""
    writes: list[Write] = []
    writing: Callable[[], AbstractAsyncContextManager[Transaction]] = getattr(database, "_write_transaction")  # noqa: B009

    @asynccontextmanager
    async def watched() -> AsyncGenerator[Transaction]:
        async with writing() as transaction:
            started_at, changes_before = perf_counter(), await _changes(transaction)
            try:
                yield transaction
            finally:
                rows = await _changes(transaction) - changes_before
        writes.append(Write(rows, perf_counter() - started_at))

    with patch.object(database, "_write_transaction", watched):
        yield writes


@dataclass(slots=True)
class Steps:
    """The number of instructions that SQLite has run: https://sqlite.org/opcode.html. Reading a row takes a few."""

    count: int = 0

    def note(self) -> int:
        self.count += 1
        return 0


@asynccontextmanager
async def count_steps(transaction: Transaction) -> AsyncGenerator[Steps]:
    """During the block, count the instructions that SQLite runs. Unlike time, they do not depend on the machine."""
    driver: Any = cast(SqliteTransaction, transaction).driver
    steps = Steps()
    await driver.set_progress_handler(steps.note, 1)
    try:
        yield steps
    finally:
        await driver.set_progress_handler(None, 0)


async def _changes(transaction: Transaction) -> int:
    """Return the number of rows changed by a connection so far: https://sqlite.org/c3ref/total_changes.html."""
    await transaction.flush()
    return cast(SqliteTransaction, transaction).driver.total_changes
