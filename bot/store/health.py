"""The health of the database: temporary trouble and permanent damage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from typing import NamedTuple

import structlog

from bot.store.errors import (
    DatabaseDamagedError,
    DatabaseError,
    DatabaseLockedError,
    DatabaseLostError,
    DatabaseUnavailableError,
)

log = structlog.get_logger(__name__)


class Use(StrEnum):
    """Reading or writing. One may fail while the other works; a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class _Trouble(NamedTuple):
    error: DatabaseUnavailableError
    started_at: float


class DatabaseHealth:
    """The health of a database. Translates the driver's errors, and logs the beginning and end of trouble once each."""

    def __init__(self, diagnose: Callable[[BaseException | None], DatabaseError | None]) -> None:
        """`diagnose` translates an error of the driver. It returns None if the query itself is at fault."""
        self.damage: DatabaseDamagedError | None = None
        self._diagnose = diagnose
        self._damage_found = asyncio.Event()
        self._trouble: dict[Use, _Trouble] = {}
        self._failed_writes = 0

    @property
    def trouble(self) -> DatabaseError | None:
        """The error that makes the database unusable. None if it works."""
        return self.damage or next((trouble.error for trouble in self._trouble.values()), None)

    @property
    def is_locked(self) -> bool:
        """True from the time at which a table or row is found locked until `note_unlocked` is called."""
        return any(isinstance(trouble.error, DatabaseLockedError) for trouble in self._trouble.values())

    async def wait_for_damage(self) -> DatabaseDamagedError:
        """Wait until the database is found damaged. Return the error."""
        await self._damage_found.wait()
        assert self.damage is not None
        return self.damage

    @contextmanager
    def translating_errors(self, use: Use) -> Generator[None]:
        """Translate errors of the driver into `DatabaseError`, and record the trouble or its end."""
        try:
            yield
        except Exception as error:
            translated = self._diagnose(error)
            if translated is None:
                raise
            self._record_failure(use, translated)
            raise translated from error
        if (trouble := self._trouble.get(use)) is not None and not isinstance(trouble.error, DatabaseLockedError):
            self._record_end(use)

    def note_unlocked(self) -> None:
        """Record that nothing is locked any more. A successful transaction proves this only for the tables it used."""
        for use, trouble in [*self._trouble.items()]:
            if isinstance(trouble.error, DatabaseLockedError):
                self._record_end(use)

    def note_damage(self, error: BaseException | None) -> None:
        """If an error that occurred outside a transaction means that the database is damaged, record that."""
        translated = error if isinstance(error, DatabaseDamagedError) else self._diagnose(error)
        if isinstance(translated, DatabaseDamagedError):
            self._record_failure(Use.WRITE, translated)

    @asynccontextmanager
    async def writer_turn(self, lock: asyncio.Lock) -> AsyncGenerator[None]:
        """Hold the lock of the only writer during the block.

        If another writer failed during the wait for the lock, raise the same error: a retry would take as long to fail.
        """
        failed_before = self._failed_writes
        async with lock:
            if self._failed_writes != failed_before and (trouble := self._trouble.get(Use.WRITE)) is not None:
                raise trouble.error
            yield

    def _record_failure(self, use: Use, error: DatabaseError) -> None:
        if isinstance(error, DatabaseLostError):
            # Do not record the loss of a file: it is permanent, and was logged when it was found.
            return
        self._failed_writes += use is Use.WRITE
        if isinstance(error, DatabaseUnavailableError):
            previous = self._trouble.get(use)
            if previous is None or str(error) != str(previous.error):
                log.error("database unavailable", use=use, problem=str(error))
            self._trouble[use] = _Trouble(error, previous.started_at if previous is not None else time.monotonic())
        elif isinstance(error, DatabaseDamagedError) and self.damage is None:
            self.damage = error
            self._damage_found.set()

    def _record_end(self, use: Use) -> None:
        trouble = self._trouble.pop(use)
        log.info("database available again", use=use, seconds=round(time.monotonic() - trouble.started_at))
