"""The interface to a database, which is accessed only in transactions. `bot.store.opening` opens databases."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import datetime
from enum import Enum, auto
from typing import Final

from sqlalchemy import text

from bot import metrics
from bot.store.errors import (
    ConflictError,
    DatabaseClosedError,
    DatabaseLostError,
    DatabaseUnavailableError,
    OutcomeUnknownError,
)
from bot.store.health import DatabaseHealth, Use
from bot.store.others import OtherProcesses
from bot.store.transaction import Transaction


class Lane(Enum):
    """A group of reads that has its own connections, so that reads in other groups cannot block it."""

    PLAY = auto()
    """The group for quick reads that a person is waiting for."""
    BACKGROUND = auto()
    """The group for reads of background tasks, such as the courier, the timekeeper and health checks."""
    LONG = auto()
    """The group for reads that take seconds, such as an export."""


CONNECTIONS_PER_LANE: Final = {Lane.PLAY: 3, Lane.BACKGROUND: 2, Lane.LONG: 2}


class Database(ABC):
    """An open database.

    Transactions raise the errors below. `bot.store.consequences` maps the driver's errors to them.

    - `DatabaseUnavailableError`: temporary trouble, such as a full disk.
    - `DatabaseDamagedError`: the database is damaged.
    - `ConflictError`: another transaction changed the same rows first. This happens only if several writers share the
      database.
    - `DatabaseLostError`: a file of the database was removed or replaced.
    - `OutcomeUnknownError`: the connection to a server was lost during the commit.

    In all cases except the last, nothing is saved.
    """

    erasing_blocks_writers = False
    """True if `erase_traces` blocks all writers."""

    def __init__(self, health: DatabaseHealth, others: OtherProcesses) -> None:
        self.health = health
        self.others = others
        self._open_transactions = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._close_task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction that commits at the end of the block, and rolls back if the block raises.

        Await nothing except the database inside the block. Raise `DatabaseError` if the database is closed.
        """
        is_committing = False
        try:
            with self._in_use(), metrics.TRANSACTIONS.labels("write").time(), self.health.translating_errors(Use.WRITE):
                async with self._write_transaction() as transaction:
                    yield transaction
                    if self.health.trouble is not None:
                        await self._make_dummy_change(transaction)
                    if self.others.exist:
                        # Only the outcome of the commit itself can be unknown.
                        await transaction.flush()
                    is_committing = True
        except DatabaseUnavailableError as error:
            # SQLite rolls back a failed commit. PostgreSQL may have committed, and only its reply was lost.
            if is_committing and self.others.exist:
                raise OutcomeUnknownError(str(error)) from error
            raise

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[Transaction]:
        """Begin a read-only transaction that sees one snapshot of the database.

        Raise `DatabaseError` if the database is closed.
        """
        try:
            with self._in_use(), metrics.TRANSACTIONS.labels("read").time(), self.health.translating_errors(Use.READ):
                async with self._read_transaction(lane) as transaction:
                    yield transaction
        except ConflictError as error:
            # Do not raise `ConflictError`: callers retry after it, and reads must not be retried.
            raise DatabaseUnavailableError(str(error)) from error

    @abstractmethod
    def _write_transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a transaction that can write. Commit it after the block, or roll it back after an error."""

    @abstractmethod
    def _read_transaction(self, lane: Lane) -> AbstractAsyncContextManager[Transaction]:
        """Begin a read-only transaction on one snapshot, and end it after the block."""

    @abstractmethod
    async def _make_dummy_change(self, transaction: Transaction) -> None:
        """Make a dummy change, so that the commit fails if the database cannot be written."""

    @abstractmethod
    async def _require_locks(self, transaction: Transaction) -> None:
        """Take the table locks that writers need, with a short timeout."""

    @abstractmethod
    async def erase_traces(self) -> None:
        """Erase the remains of deleted rows. Raise `DatabaseError` if some could not be erased."""

    @abstractmethod
    async def remove_copies(self, until: datetime) -> None:
        """Delete copies made before updates, unless they are newer than `until`. Raise `DatabaseError` on failure."""

    @abstractmethod
    async def _close_connections(self) -> None:
        """Close all connections. This is called when no transaction is open."""

    @contextmanager
    def _in_use(self) -> Generator[None]:
        if self._close_task is not None:
            raise DatabaseClosedError("the database is closed")
        if self.loss is not None:
            raise DatabaseLostError(self.loss)
        self._open_transactions += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open_transactions -= 1
            if not self._open_transactions:
                self._idle.set()

    def check_files(self) -> str | None:
        """If a file of the database was removed or replaced, return a sentence that names it. Otherwise return None."""
        return None

    @property
    def loss(self) -> str | None:
        """A sentence about a lost database file; None if no file was lost.

        Once a copy of the lost file is saved, the sentence includes the path of the copy.
        """
        return None

    def require_files(self) -> None:
        """Raise `DatabaseLostError` if a file of the database was removed or replaced."""
        if self.check_files() is not None:
            raise DatabaseLostError(self.loss)

    async def wait_for_loss(self) -> None:
        """Wait until a file of the database has been lost and the data has been saved in a copy.

        With PostgreSQL, wait forever.
        """
        await asyncio.Event().wait()

    @property
    def log_size(self) -> int:
        """Size of the write-ahead log file in bytes. 0 if the database has no such file."""
        return 0

    @property
    def is_idle(self) -> bool:
        """True if no transaction is open."""
        return not self._open_transactions

    async def check_health(self) -> None:
        """Run a query as a health check. Raise the error if it fails.

        If the database had trouble before, also try to write. If a lock was the cause, also take all locks that
        writers need.
        """
        if self.health.trouble is not None:
            async with self.write() as transaction:
                if self.health.is_locked:
                    await self._require_locks(transaction)
            self.health.note_unlocked()
        async with self.read(Lane.BACKGROUND) as transaction:
            await transaction.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Wait for running transactions, then close the database. Cancelling the caller does not stop this.

        If a file of the database was lost, make a last attempt to save a copy. `loss` names the copy if it was saved.
        """
        if self._close_task is None:
            self._close_task = asyncio.create_task(self._close())
        await asyncio.shield(self._close_task)

    async def _close(self) -> None:
        await self._idle.wait()
        await self._close_connections()
