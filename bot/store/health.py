"""The health of the database: trouble that may pass, and damage, which does not."""

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
    """Reading or writing. One may fail while the other works: a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class _Trouble(NamedTuple):
    error: DatabaseUnavailableError
    since: float


class DatabaseHealth:
    """Turns errors of the driver into what they mean, and logs each trouble once, and its end."""

    def __init__(self, diagnose: Callable[[BaseException | None], DatabaseError | None]) -> None:
        """Use a function that says what an error of the driver means; None if it is about the query."""
        self.damage: DatabaseDamagedError | None = None
        self._diagnose = diagnose
        self._found_damage = asyncio.Event()
        self._trouble: dict[Use, _Trouble] = {}
        self._failed_writes = 0

    @property
    def trouble(self) -> DatabaseError | None:
        """The error that keeps the database from being used; None if nothing does."""
        return self.damage or next((trouble.error for trouble in self._trouble.values()), None)

    @property
    def is_locked(self) -> bool:
        """True if somebody keeps a table or a row locked, as far as is known: see `note_unlocked`."""
        return any(isinstance(trouble.error, DatabaseLockedError) for trouble in self._trouble.values())

    async def wait_for_damage(self) -> DatabaseDamagedError:
        """Wait until the file is found damaged."""
        await self._found_damage.wait()
        assert self.damage is not None
        return self.damage

    @contextmanager
    def watch(self, use: Use) -> Generator[None]:
        """Raise `DatabaseUnavailableError` or `DatabaseDamagedError` for errors of the driver that mean so."""
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
        """Note that no lock is in the way. That some transaction works does not say so: it may need other tables."""
        for use, trouble in [*self._trouble.items()]:
            if isinstance(trouble.error, DatabaseLockedError):
                self._end(use)

    def note_damage(self, error: BaseException | None) -> None:
        """Note damage if an error that was met outside any transaction says that the file is damaged."""
        found = error if isinstance(error, DatabaseDamagedError) else self._diagnose(error)
        if isinstance(found, DatabaseDamagedError):
            self._failed(Use.WRITE, found)

    @asynccontextmanager
    async def turn(self, lock: asyncio.Lock) -> AsyncGenerator[None]:
        """Wait for a writer's turn. Raise what kept another writer from its own meanwhile: it took long enough."""
        failed_before = self._failed_writes
        async with lock:
            if self._failed_writes != failed_before and (trouble := self._trouble.get(Use.WRITE)) is not None:
                raise trouble.error
            yield

    def _failed(self, use: Use, found: DatabaseError) -> None:
        if isinstance(found, DatabaseLostError):
            # This was logged when it was found, and does not pass.
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
