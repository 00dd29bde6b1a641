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
    since: float


class DatabaseHealth:
    """Translates errors of the driver. Logs the beginning and the end of each trouble once."""

    def __init__(self, diagnose: Callable[[BaseException | None], DatabaseError | None]) -> None:
        """Use `diagnose` to translate an error of the driver. It returns None if the query itself is at fault."""
        self.damage: DatabaseDamagedError | None = None
        self._diagnose = diagnose
        self._found_damage = asyncio.Event()
        self._trouble: dict[Use, _Trouble] = {}
        self._failed_writes = 0

    @property
    def trouble(self) -> DatabaseError | None:
        """The error that makes the database unusable. None if it works."""
        return self.damage or next((trouble.error for trouble in self._trouble.values()), None)

    @property
    def is_locked(self) -> bool:
        """True if a table or row was last found locked. It stays True until `note_unlocked`."""
        return any(isinstance(trouble.error, DatabaseLockedError) for trouble in self._trouble.values())

    async def wait_for_damage(self) -> DatabaseDamagedError:
        """Wait until the database is found damaged. Return the error."""
        await self._found_damage.wait()
        assert self.damage is not None
        return self.damage

    @contextmanager
    def watch(self, use: Use) -> Generator[None]:
        """Translate errors of the driver into `DatabaseError`, and record the trouble or its end."""
        try:
            yield
        except Exception as error:
            found = self._diagnose(error)
            if found is None:
                raise
            self._failed(use, found)
            raise found from error
        if (trouble := self._trouble.get(use)) is not None and not isinstance(trouble.error, DatabaseLockedError):
            self._end(use)

    def note_unlocked(self) -> None:
        """Record that all tables can be locked again. A successful transaction does not prove it: it may use others."""
        for use, trouble in [*self._trouble.items()]:
            if isinstance(trouble.error, DatabaseLockedError):
                self._end(use)

    def note_damage(self, error: BaseException | None) -> None:
        """Record damage if an error from outside a transaction says that the file is damaged."""
        found = error if isinstance(error, DatabaseDamagedError) else self._diagnose(error)
        if isinstance(found, DatabaseDamagedError):
            self._failed(Use.WRITE, found)

    @asynccontextmanager
    async def turn(self, lock: asyncio.Lock) -> AsyncGenerator[None]:
        """Hold the writer lock during the block.

        Raise the error of another writer that failed during the wait, instead of waiting as long for the same failure.
        """
        failed_before = self._failed_writes
        async with lock:
            if self._failed_writes != failed_before and (trouble := self._trouble.get(Use.WRITE)) is not None:
                raise trouble.error
            yield

    def _failed(self, use: Use, found: DatabaseError) -> None:
        if isinstance(found, DatabaseLostError):
            # The loss was logged when it was found, and is permanent.
            return
        self._failed_writes += use is Use.WRITE
        if isinstance(found, DatabaseUnavailableError):
            before = self._trouble.get(use)
            if before is None or str(found) != str(before.error):
                log.error("the database has trouble", use=use, problem=str(found))
            self._trouble[use] = _Trouble(found, before.since if before is not None else time.monotonic())
        elif isinstance(found, DatabaseDamagedError) and self.damage is None:
            self.damage = found
            self._found_damage.set()

    def _end(self, use: Use) -> None:
        trouble = self._trouble.pop(use)
        log.info("the database works again", use=use, seconds=round(time.monotonic() - trouble.since))
