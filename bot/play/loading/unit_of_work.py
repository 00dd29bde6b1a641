"""Units of work: one transaction each, read from top to bottom.

    async with self._units.write() as unit:
        loaded = await unit.load(match_id)
        ...

Every write method of a service is `shielded` as a whole: cancelling the caller does not stop it halfway, and it is
retried after a conflict with another process. So each contains one writing unit, and has no side effects before that
has committed.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from hashlib import blake2b
from random import uniform
from typing import Any, Final, ParamSpec, TypeVar

import structlog

from bot import metrics
from bot.engine.moves import Seat
from bot.play.loading.connected_shards import ConnectedShards
from bot.play.loading.loaded_match import LoadedMatch, MatchCache, UnreadableMatchError
from bot.play.loading.requests import Requests
from bot.play.loading.share import Share
from bot.play.refusals import Frozen, MatchOver, NoMatch, OutcomeUnknown, Refusal, Unavailable, Vacant
from bot.store import clocks, matches
from bot.store.database import Database, Lane
from bot.store.errors import (
    ConflictError,
    DatabaseClosedError,
    DatabaseDamagedError,
    DatabaseUnavailableError,
    OutcomeUnknownError,
)
from bot.store.others import Announcement, News
from bot.store.rows import MatchRow
from bot.store.transaction import Transaction
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.matches import OwnHand
from bot.values.shards import shard_of

log = structlog.get_logger(__name__)

OUTAGE_AFTER: Final = timedelta(seconds=30)
"""Time without a heartbeat after which a shard counts as disconnected: three heartbeats."""

LOOKS_AFTER: Final = timedelta(seconds=30)
"""Maximum interval between checks of the timekeeper: clocks jump, and other processes may make something due."""

LOOKED_UP_SOON: Final = timedelta(seconds=1)
LOOKED_UP_AFTER: Final = timedelta(hours=10)
"""Age of the current turn from which standstills are loaded. Without a clock, almost nothing is due earlier."""


class UnitOfWork:
    """One transaction. `now` is constant in it."""

    def __init__(
        self,
        transaction: Transaction,
        now: datetime,
        cache: MatchCache,
        silenced: Mapping[int, datetime],
        *,
        long: bool = False,
    ) -> None:
        """Wrap a transaction. `long` is True if slow work should not block the event loop."""
        self.transaction = transaction
        self.now = now
        self.silences: dict[int, datetime] = {}
        """The people whose offers must not notify anyone once the transaction has committed. See `silence`."""
        self.saved: list[LoadedMatch] = []
        """The matches to cache once the transaction has committed."""
        self.couriers_called = set[GuildId | None]()
        """The servers that have new messages to deliver once the transaction has committed."""
        self.moves = self.deals = 0
        """The numbers of moves made and of deals ended by the transaction, for the metrics."""
        self.computers_called: list[MatchId] = []
        """The matches in which it is a computer's turn once the transaction has committed."""
        self._silenced = silenced
        self._cache = cache
        self._long = long

    def silence(self, person_id: PersonId, until: datetime) -> None:
        """Keep the offers of a forgotten person from notifying anyone for a while, once the transaction has committed.

        This must not be stored, so a restart ends it. Other processes get a digest of the id, because PostgreSQL may
        log announcements. A process that misses the announcement lets the notifications through.
        """
        self.silences[_digest(person_id)] = until

    def silenced_until(self, person_id: PersonId) -> datetime | None:
        """Return the time until which a person's offers notify nobody; None if they were never silenced."""
        return self._silenced.get(_digest(person_id))

    async def load(self, match_id: MatchId) -> LoadedMatch:
        """Return a match. Raise `NoMatch`."""
        row = await matches.load(self.transaction, match_id)
        if row is None:
            raise NoMatch(here=False)
        return await self.restore(row)

    async def load_running(self, match_id: MatchId, *, even_vacant: bool = False) -> LoadedMatch:
        """Return a match that is not over. Raise `NoMatch`, `MatchOver` or `Frozen`.

        Raise `Vacant` if a seat is vacant, unless `even_vacant` is True.
        """
        loaded = await self.load(match_id)
        if not loaded.running:
            raise MatchOver(loaded.info)
        require_thawed(loaded)
        return loaded if even_vacant else require_occupied(loaded)

    async def hand(self, loaded: LoadedMatch, seat: Seat) -> OwnHand:
        """Return a match as one player sees it. If it is not their turn, count the other matches that wait for them."""
        hand, person_id = loaded.hand(seat, self.now), loaded.info.players[seat].id
        if hand.view.to_act or person_id is None:
            return hand
        waiting = {*await clocks.waiting_for(self.transaction, person_id)} - {loaded.info.id}
        return replace(hand, waiting_elsewhere=len(waiting))

    async def restore_readable(self, rows: Iterable[MatchRow]) -> list[LoadedMatch]:
        """Return the matches of some rows, except those with an unreadable log."""
        found = list[LoadedMatch]()
        for row in rows:
            with suppress(UnreadableMatchError):
                found.append(await self.restore(row))
        return found

    async def restore(self, row: MatchRow) -> LoadedMatch:
        """Return the match of a row, with the standstills of its current turns."""
        loaded = await self._cache.restore(self.transaction, row, in_thread=self._long)
        guild_id, vacant_at = row.info.guild_id, row.info.vacant_at
        turns = [loaded.turn_began(seat) for seat in loaded.to_act] if vacant_at is None else [vacant_at]
        is_usual = (
            row.info.clock.time is None and vacant_at is None and all(seat.time_left is None for seat in row.seats)
        )
        if guild_id is None or not turns or self.now - min(turns) < (LOOKED_UP_AFTER if is_usual else LOOKED_UP_SOON):
            return loaded
        since, people = min(turns), [seat.person.id for seat in row.seats if seat.person is not None]
        still = await clocks.standstills(self.transaction, guild_id, since)
        disconnected_since = _disconnected_since(await clocks.connections(self.transaction), guild_id, self.now)
        holidays = await clocks.holidays(self.transaction, people, since)
        return replace(loaded, still=tuple(still), holidays=holidays, disconnected_since=disconnected_since)


def _digest(person_id: PersonId) -> int:
    return int.from_bytes(blake2b(person_id.to_bytes(8, "big"), digest_size=8).digest(), "big")


def _disconnected_since(
    connections: Mapping[tuple[int, int], datetime], guild_id: GuildId, now: datetime
) -> datetime | None:
    """Return the time at which a server's shard was last connected; None if it is connected."""
    lost = [
        seen_at
        for (number, shards), seen_at in connections.items()
        if now - seen_at > OUTAGE_AFTER and shard_of(guild_id, shards) == number
    ]
    return min(lost, default=None)


def require_thawed(loaded: LoadedMatch) -> LoadedMatch:
    """Return the match. Raise `Frozen` if its server removed the bot."""
    if loaded.row.frozen:
        raise Frozen(loaded.info)
    return loaded


def require_occupied(loaded: LoadedMatch) -> LoadedMatch:
    """Return the match. Raise `Vacant` if a seat is vacant."""
    if loaded.info.vacant_seat is not None:
        raise Vacant(loaded.info)
    return loaded


class Units:
    """Starts units of work, and holds the in-memory state that they share."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.enqueued = asyncio.Event()
        """Set when messages for the courier have been committed."""
        self.computers_called = asyncio.Queue[MatchId | None]()
        """The matches in which it became a computer's turn; None if there may be others."""
        self.share = Share(clock())
        """This process's share of the background work."""
        self.requests = Requests()
        """Decides if requests of people may still be saved."""
        self.connected = ConnectedShards()
        """The shards whose clocks this process keeps."""
        self.leases_announced = asyncio.Event()
        """Set when another process has announced a change of the leases."""
        self._database = database
        self._cache = MatchCache()
        self._silenced: dict[int, datetime] = {}
        self.latest = datetime.max.replace(tzinfo=UTC)
        """The latest time that may have been saved. It is unknown at first, so it starts at the maximum."""
        self.moved_at = -math.inf
        """Time at which this process last saved a move, by `time.monotonic`."""
        self._moving = Counter[PersonId]()
        """Number of moves waiting to be made, for each person."""
        self.time_due = asyncio.Event()
        """Set when a commit made something due before `next_time_due`."""
        self.next_time_due: datetime | None = None
        """Time until which the timekeeper sleeps; None if it is awake."""

    @property
    def others_exist(self) -> bool:
        """True if other processes may use the database."""
        return self._database.others.exist

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that commits at the end of the block, or rolls back if the block raises an error.

        Raise `Stopping` for a request that can no longer be answered. Raise `Unavailable` if the database cannot be
        used. In that case, all clocks stop until the next heartbeat, which also needs the database.
        """
        self.requests.check()
        with refusing(), self._interrupted():
            async with self._database.write() as transaction:
                unit = UnitOfWork(transaction, self.clock(), self._cache, self._silenced)
                self.latest = max(self.latest, unit.now)
                yield unit
                # The unit may have waited long for its turn.
                self.requests.check()
                if self.others_exist:
                    for announcement in self._announcements(unit):
                        await self._database.others.announce(transaction, announcement)
        self._silence(unit.silences)
        metrics.MOVES.inc(unit.moves)
        if unit.moves:
            self.moved_at = time.monotonic()
        metrics.DEALS.inc(unit.deals)
        for loaded in unit.saved:
            self._cache.save(loaded)
            if self._is_sooner(loaded.row.time_due_at):
                self.time_due.set()
        if any(self.share.has(guild_id) for guild_id in unit.couriers_called):
            self.enqueued.set()
        for match_id in unit.computers_called:
            self.computers_called.put_nowait(match_id)

    @contextmanager
    def _interrupted(self) -> Generator[None]:
        """Stop all clocks if the database is unavailable in the block, because moves are refused then."""
        try:
            yield
        except DatabaseUnavailableError:
            self.connected.interrupt()
            raise

    def _announcements(self, unit: UnitOfWork) -> set[Announcement]:
        """Return the announcements of a unit to other processes: work for them that they would not find soon."""
        count, soon = self.share.shards.count, unit.now + LOOKS_AFTER
        messages = {shard_of(one, count) for one in unit.couriers_called if not self.share.has(one)}
        times = {
            shard_of(one.info.guild_id, count)
            for one in unit.saved
            if one.row.time_due_at is not None and one.row.time_due_at < soon
        } - self.connected.shards.numbers
        return {
            *(Announcement(News.MESSAGES, shard) for shard in messages),
            *(Announcement(News.TIMES, shard) for shard in times),
            *(Announcement(News.SILENCED, digest, until.timestamp()) for digest, until in unit.silences.items()),
        }

    def _silence(self, people: Mapping[int, datetime]) -> None:
        """Add silenced people, and remove those whose silence has ended."""
        if people:
            now = self.clock()
            self._silenced = {one: until for one, until in self._silenced.items() if until > now} | {**people}

    def look_for_work(self) -> None:
        """Search the database for undelivered messages and computers' turns: this process may have missed some."""
        self.enqueued.set()
        self.computers_called.put_nowait(None)

    async def listen(self) -> None:
        """Start listening for announcements of other processes. Raise `Unavailable`."""
        with refusing():
            await self._database.others.listen(self._hear)

    def _hear(self, announcement: Announcement | None) -> None:
        """Handle an announcement of another process. None means that some may have been missed."""
        match announcement:
            case None:
                # After a failover to a replica, the database may have other moves than this process has cached.
                self._cache = MatchCache()
                self.look_for_work()
                self.time_due.set()
                self.leases_announced.set()
            case Announcement(News.MESSAGES, shard) if shard in self.share.shards.numbers:
                self.enqueued.set()
            case Announcement(News.TIMES, shard) if shard in self.connected.shards.numbers:
                self.time_due.set()
            case Announcement(News.LEASES):
                self.leases_announced.set()
            case Announcement(News.SILENCED, digest, until):
                self._silence({digest: datetime.fromtimestamp(until, UTC)})
            case _:
                pass

    @contextmanager
    def about_to_move(self, person_id: PersonId) -> Generator[None]:
        """Keep a person from losing on time while their move is waiting to be made, however long that takes."""
        self._moving[person_id] += 1
        try:
            yield
        finally:
            self._moving[person_id] -= 1
            if not self._moving[person_id]:
                del self._moving[person_id]

    def is_about_to_move(self, person_id: PersonId | None) -> bool:
        """Return True if a move of a person is waiting to be made."""
        return person_id in self._moving

    def _is_sooner(self, time_due_at: datetime | None) -> bool:
        return time_due_at is not None and self.next_time_due is not None and time_due_at < self.next_time_due

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that reads one snapshot of the database and cannot change it. Raise `Unavailable`."""
        with refusing():
            async with self._database.read(lane) as transaction:
                yield UnitOfWork(transaction, self.clock(), self._cache, self._silenced, long=lane is Lane.LONG)


@contextmanager
def refusing() -> Generator[None]:
    """Turn database errors in the block into `Unavailable` or its subclass `OutcomeUnknown`."""
    try:
        yield
    except OutcomeUnknownError:
        raise OutcomeUnknown from None
    except (DatabaseUnavailableError, DatabaseDamagedError):
        raise Unavailable from None


class Service:
    """Base class of services: actions and queries on one topic, each a unit of work."""

    def __init__(self, units: Units) -> None:
        self._units = units


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

ATTEMPTS: Final = 12
FIRST_PAUSE: Final = 0.002
"""Maximum number of attempts of a call that keeps conflicting, and the maximum first pause, in seconds."""

_running: set[asyncio.Task[Any]] = set()
"""Shielded calls in progress: the event loop itself only keeps weak references to tasks."""


def _note_unseen(task: asyncio.Task[Any]) -> None:
    """Log the error of a call whose caller was cancelled, except refusals and errors after the database was closed."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal | DatabaseClosedError):
        log.error("a call without a waiting caller failed", exc_info=error)


def shielded(
    function: Callable[Parameters, Coroutine[Any, Any, Result]],
) -> Callable[Parameters, Coroutine[Any, Any, Result]]:
    """Run a coroutine function in a separate task, so that cancelling its caller does not stop it halfway.

    Retry it after a conflict with another transaction. Raise `Unavailable` if all attempts conflict.
    """

    @wraps(function)
    async def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        task = asyncio.create_task(attempts(*args, **kwargs))
        _running.add(task)
        task.add_done_callback(_running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_unseen)
            raise

    async def attempts(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        reason = ""
        for attempt in range(ATTEMPTS):
            try:
                return await function(*args, **kwargs)
            except ConflictError as error:
                metrics.CONFLICTS.inc()
                reason = str(error)
                await asyncio.sleep(uniform(0, FIRST_PAUSE * 1.7**attempt))
        # Usually the load is too high. But a constraint violated at each attempt is a bug.
        log.error("all attempts conflicted", function=function.__qualname__, problem=reason)
        raise Unavailable

    return run
