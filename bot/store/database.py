"""The database: used in whole transactions, whichever it is; `bot.store.opening` opens one."""

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
    """A kind of reader. Each has connections of its own, so that nobody waits behind what others ask."""

    PLAY = auto()
    """People who wait for an answer."""
    BACKGROUND = auto()
    """The courier, the housekeeping and the heartbeat."""
    LONG = auto()
    """Work that takes seconds, such as an export."""


CONNECTIONS: Final = {Lane.PLAY: 3, Lane.BACKGROUND: 2, Lane.LONG: 2}


class Database(ABC):
    """A database that is open.

    A transaction that meets trouble that may pass, such as a full disk, raises `DatabaseUnavailableError`; one that
    finds the database damaged raises `DatabaseDamagedError`; one that another overtook raises `ConflictError`, which
    happens only to writers, and only where several processes or writers share the database. Once a file of the database
    was removed or replaced, all transactions raise `DatabaseLostError`. None of them saves anything, except where a
    server was lost while it committed: that raises `OutcomeUnknownError`. `bot.store.consequences` lists which error
    means what.
    """

    erasing_stops_writers = False
    """True if nobody can write during `erase_traces`."""

    def __init__(self, health: DatabaseHealth, others: OtherProcesses) -> None:
        self.health = health
        self.others = others
        self._open_transactions = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._closing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction that commits at the end of the block, and rolls back if the block raises.

        Await nothing but the database inside. Raise `DatabaseError` if the database is closed.
        """
        committing = False
        try:
            with self._in_use(), metrics.TRANSACTIONS.labels("write").time(), self.health.watch(Use.WRITE):
                async with self._writing() as transaction:
                    yield transaction
                    if self.health.trouble is not None:
                        await self._change_something(transaction)
                    committing = True
        except DatabaseUnavailableError as error:
            # A file whose commit fails is rolled back. A server may have committed, and its answer be lost.
            if committing and self.others.exist:
                raise OutcomeUnknownError(str(error)) from error
            raise

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[Transaction]:
        """Begin a transaction that sees one state of the database and cannot change it.

        Raise `DatabaseError` if the database is closed.
        """
        try:
            with self._in_use(), metrics.TRANSACTIONS.labels("read").time(), self.health.watch(Use.READ):
                async with self._reading(lane) as transaction:
                    yield transaction
        except ConflictError as error:
            # Nobody repeats a read.
            raise DatabaseUnavailableError(str(error)) from error

    @abstractmethod
    def _writing(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a transaction that may write, and commit it or roll it back."""

    @abstractmethod
    def _reading(self, lane: Lane) -> AbstractAsyncContextManager[Transaction]:
        """Begin a transaction that sees one state, and end it."""

    @abstractmethod
    async def _change_something(self, transaction: Transaction) -> None:
        """Change something that means nothing, so that the commit tells whether the database can be written."""

    @abstractmethod
    async def _require_locks(self, transaction: Transaction) -> None:
        """Take the locks that writers need on all tables, without a long wait."""

    @abstractmethod
    async def erase_traces(self) -> None:
        """Remove what deleted rows left behind. Raise `DatabaseError` if something remains."""

    @abstractmethod
    async def remove_copies(self, until: datetime) -> None:
        """Remove the copies from before updates that were made until a moment. Raise `DatabaseError` if one stays."""

    @abstractmethod
    async def _tidy_up(self) -> None:
        """Close all connections, once no transaction is open."""

    @contextmanager
    def _in_use(self) -> Generator[None]:
        if self._closing is not None:
            raise DatabaseClosedError("the database is closed")
        if self.loss is not None:
            raise DatabaseLostError(self.loss)
        self._open_transactions += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._open_transactions -= 1
            if not self._open_transactions:
                self._unused.set()

    def look_at_files(self) -> str | None:
        """Return a sentence that names a file of the database that was removed or replaced; None if none was."""
        return None

    @property
    def loss(self) -> str | None:
        """The sentence from `look_at_files`, with the path of the copy; None if no file was lost."""
        return None

    def require_files(self) -> None:
        """Raise `DatabaseLostError` if a file of the database was removed or replaced."""
        if self.look_at_files() is not None:
            raise DatabaseLostError(self.loss)

    async def wait_for_loss(self) -> None:
        """Wait until a file of the database is lost and a copy of the database is saved."""
        await asyncio.Event().wait()

    @property
    def log_size(self) -> int:
        """The size of the write-ahead log in bytes; 0 if there is none, or if it belongs to a server."""
        return 0

    @property
    def idle(self) -> bool:
        """True if no transaction is open."""
        return not self._open_transactions

    async def ping(self) -> None:
        """Run a query, or raise whatever keeps the database from answering.

        If it has trouble, try to write, too, and take the locks that writers need if somebody kept one from them.
        """
        if self.health.trouble is not None:
            async with self.write() as transaction:
                if self.health.is_locked:
                    await self._require_locks(transaction)
            self.health.note_unlocked()
        async with self.read(Lane.BACKGROUND) as transaction:
            await transaction.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Wait for running transactions, and let others have the database. Cancelling the caller does not stop this.

        If a file of the database is lost, try a last time to save a copy. `loss` names the copy if that works.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._unused.wait()
        await self._tidy_up()
