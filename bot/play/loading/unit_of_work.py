"""Units of work: one transaction each, read from top to bottom.

    async with self._units.write() as unit:
        loaded = await unit.load(match_id)
        ...

Write methods of services are `shielded` as a whole, so that a cancelled caller never stops them halfway.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime

from bot.play.loading.loaded_match import LoadedMatch, MatchCache
from bot.play.refusals import Frozen, MatchOver, NoMatch, Unavailable
from bot.store import matches
from bot.store.database import Database, Lane, Transaction
from bot.store.rows import MatchRow
from bot.store.sqlite import DatabaseDamagedError, DatabaseUnavailableError
from bot.values.ids import MatchId, PersonId


class UnitOfWork:
    """One transaction. `now` is the same for all that happens in it."""

    def __init__(
        self,
        transaction: Transaction,
        now: datetime,
        cache: MatchCache,
        silenced: dict[PersonId, datetime],
        *,
        long: bool = False,
    ) -> None:
        """Use a transaction. `long` is True if what the unit does should not hold up the event loop."""
        self.transaction = transaction
        self.now = now
        self.silenced = silenced
        """Until when forgotten people notify nobody by offers. No file may say so, so a restart ends it."""
        self.saved: list[LoadedMatch] = []
        """The matches to cache once the transaction has committed."""
        self.enqueued = False
        """Whether the courier has new messages to deliver once the transaction has committed."""
        self.computers_called: list[MatchId] = []
        """The matches in which a computer is to act once the transaction has committed."""
        self._cache = cache
        self._long = long

    async def load(self, match_id: MatchId) -> LoadedMatch:
        """Return a match. Raise `NoMatch`."""
        row = await matches.load(self.transaction, match_id)
        if row is None:
            raise NoMatch(here=False)
        return await self.restore(row)

    async def load_running(self, match_id: MatchId) -> LoadedMatch:
        """Return a match that is not over. Raise `NoMatch`, `MatchOver` or `Frozen`."""
        loaded = await self.load(match_id)
        if not loaded.running:
            raise MatchOver(loaded.info)
        return require_thawed(loaded)

    async def restore(self, row: MatchRow) -> LoadedMatch:
        """Return the match of a row."""
        return await self._cache.restore(self.transaction, row, in_thread=self._long)


def require_thawed(loaded: LoadedMatch) -> LoadedMatch:
    """Return a match that may change. Raise `Frozen`."""
    if loaded.row.frozen:
        raise Frozen(loaded.info)
    return loaded


class Units:
    """Begins units of work."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.enqueued = asyncio.Event()
        """Set once messages for the courier have been committed."""
        self.computers_called = asyncio.Queue[MatchId]()
        """The matches in which a computer is to act, as they are committed."""
        self._database = database
        self._cache = MatchCache()
        self._silenced: dict[PersonId, datetime] = {}
        self.latest = datetime.max.replace(tzinfo=UTC)
        """The latest time that may have been saved: at first that is not known."""

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that commits at the end of the block, and rolls back if the block raises.

        Raise `Unavailable`.
        """
        with _refusing():
            async with self._database.write() as transaction:
                unit = UnitOfWork(transaction, self.clock(), self._cache, self._silenced)
                self.latest = max(self.latest, unit.now)
                yield unit
        for loaded in unit.saved:
            self._cache.save(loaded)
        if unit.enqueued:
            self.enqueued.set()
        for match_id in unit.computers_called:
            self.computers_called.put_nowait(match_id)

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that sees one state of the database and cannot change it. Raise `Unavailable`."""
        with _refusing():
            async with self._database.read(lane) as transaction:
                yield UnitOfWork(transaction, self.clock(), self._cache, self._silenced, long=lane is Lane.LONG)


@contextmanager
def _refusing() -> Generator[None]:
    try:
        yield
    except (DatabaseUnavailableError, DatabaseDamagedError):
        raise Unavailable from None


class Service:
    """Actions and questions on one topic, each a unit of work."""

    def __init__(self, units: Units) -> None:
        self._units = units
