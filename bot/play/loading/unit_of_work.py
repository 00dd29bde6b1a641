"""Units of work: one transaction each, used like this:

    async with self._units.write() as unit:
        loaded = await unit.load(match_id)
        ...

Each service method that writes is `shielded`: cancelling the caller does not stop the method halfway, and the method is
retried after a conflict with another process. So the method contains only one unit that writes, and has no other side
effects before this unit has committed.
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
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.shards import shard_of
from bot.play.loading.connected_shards import ConnectedShards
from bot.play.loading.daily_streaks import with_outage, with_streak
from bot.play.loading.loaded_match import LoadedMatch, MatchCache, UnreadableMatchError
from bot.play.loading.requests import Requests
from bot.play.loading.share import Share
from bot.play.refusals import Frozen, MatchOver, NoMatch, OutcomeUnknown, Refusal, Sealed, Unavailable, Vacant
from bot.store import clocks, matches
from bot.store.database import Database, Lane
from bot.store.errors import (
    ConflictError,
    DatabaseClosedError,
    DatabaseDamagedError,
    DatabaseUnavailableError,
    OutcomeUnknownError,
)
from bot.store.others import Announcement, AnnouncementTopic
from bot.store.rows import MatchRow
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

HEARTBEAT_TIMEOUT: Final = timedelta(seconds=30)
"""Time without a heartbeat after which a shard counts as disconnected: three heartbeats."""

MAX_CHECK_INTERVAL: Final = timedelta(seconds=30)
"""Maximum interval between two searches of the timekeeper for due events. It is short because the system clock can
jump, and other processes can make events due."""

MAX_PRESENT: Final = 10_000
"""Maximum number of people who are remembered as present."""
STANDSTILLS_MIN_AGE: Final = timedelta(seconds=1)
STANDSTILLS_MIN_AGE_UNTIMED: Final = timedelta(hours=10)
"""Minimum age of a turn without a clock for which standstills (times when clocks do not run) are loaded. Events are
rarely due in younger turns."""


class UnitOfWork:
    """One transaction. `now` is the time at its start, and does not change."""

    def __init__(
        self,
        transaction: Transaction,
        now: datetime,
        cache: MatchCache,
        silenced: Mapping[int, datetime],
        *,
        in_thread: bool = False,
    ) -> None:
        """Wrap a transaction. `in_thread` is True if slow work must run in a thread instead of the event loop."""
        self.transaction = transaction
        self.now = now
        self.silences: dict[int, datetime] = {}
        """The people whose offers must not notify anyone once the transaction has committed. See `silence`."""
        self.saved: list[LoadedMatch] = []
        """The matches to cache once the transaction has committed."""
        self.guilds_with_messages = set[GuildId | None]()
        """The servers that have new messages to deliver once the transaction has committed."""
        self.moves = self.deals = 0
        """The numbers of moves made and of deals ended by the transaction, for the metrics."""
        self.computer_turns: list[MatchId] = []
        """The matches in which it is a computer's turn once the transaction has committed."""
        self._silenced = silenced
        self._cache = cache
        self._in_thread = in_thread

    def silence(self, person_id: PersonId, until: datetime) -> None:
        """Keep the offers of a forgotten person from notifying anyone for a while, once the transaction has committed.

        The person must not stay in the database, so the silence is only kept in memory, and ends with a restart. Other
        processes get a digest of the id, because PostgreSQL may log announcements. A process that misses the
        announcement still sends the notifications.
        """
        self.silences[_digest(person_id)] = until

    def silenced_until(self, person_id: PersonId) -> datetime | None:
        """Return the time until which a person's offers notify nobody; None if they were never silenced."""
        return self._silenced.get(_digest(person_id))

    async def load(self, match_id: MatchId) -> LoadedMatch:
        """Return a match. Raise `NoMatch`."""
        row = await matches.load(self.transaction, match_id)
        if row is None:
            raise NoMatch(in_channel=False)
        return await self.restore(row)

    async def load_open(self, match_id: MatchId) -> LoadedMatch:
        """Return a match whose public cards everybody may see. Raise `NoMatch`, or `Sealed` for today's deal.

        Everybody plays the same deal of the day, so until the day is over, its cards are shown only to the person who
        plays it.
        """
        return require_open(await self.load(match_id), self.now)

    async def load_running(self, match_id: MatchId, *, even_vacant: bool = False) -> LoadedMatch:
        """Return a match that is not over. Raise `NoMatch`, `MatchOver` or `Frozen`.

        Raise `Vacant` if a seat is vacant, unless `even_vacant` is True.
        """
        loaded = await self.load(match_id)
        if not loaded.is_running:
            raise MatchOver(loaded.info)
        require_not_frozen(loaded)
        return loaded if even_vacant else require_no_vacancy(loaded)

    async def restore_readable(self, rows: Iterable[MatchRow]) -> list[LoadedMatch]:
        """Return the matches of some rows, except those with an unreadable log."""
        readable = list[LoadedMatch]()
        for row in rows:
            with suppress(UnreadableMatchError):
                readable.append(await self.restore(row))
        return readable

    async def restore(self, row: MatchRow) -> LoadedMatch:
        """Return the match of a row, with the standstills of its current turns, or with facts about an ended try."""
        loaded = await self._cache.restore(self.transaction, row, in_thread=self._in_thread)
        if row.info.day is not None and row.info.status is MatchStatus.FINISHED:
            return await with_streak(self.transaction, loaded)
        if row.info.day is not None and row.info.status is MatchStatus.CANCELLED:
            return await with_outage(self.transaction, loaded)
        guild_id, vacant_at = row.info.guild_id, row.info.vacant_at
        turns = [loaded.turn_started_at(seat) for seat in loaded.to_act] if vacant_at is None else [vacant_at]
        is_untimed = (
            row.info.clock.time is None and vacant_at is None and all(seat.time_left is None for seat in row.seats)
        )
        if (
            guild_id is None
            or not turns
            or self.now - min(turns) < (STANDSTILLS_MIN_AGE_UNTIMED if is_untimed else STANDSTILLS_MIN_AGE)
        ):
            return loaded
        pauses = await clocks.pauses(self.transaction, row.info.id, guild_id, min(turns))
        return replace(
            loaded,
            standstills=pauses.standstills,
            holidays=pauses.holidays,
            disconnected_since=_disconnected_since(pauses.shard_times, guild_id, self.now),
        )


def _digest(person_id: PersonId) -> int:
    return int.from_bytes(blake2b(person_id.to_bytes(8, "big"), digest_size=8).digest(), "big")


def _disconnected_since(
    connections: Mapping[tuple[int, int], datetime], guild_id: GuildId, now: datetime
) -> datetime | None:
    """Return the time at which a server's shard was last connected; None if it is connected."""
    lost = [
        seen_at
        for (number, shards), seen_at in connections.items()
        if now - seen_at > HEARTBEAT_TIMEOUT and shard_of(guild_id, shards) == number
    ]
    return min(lost, default=None)


def require_not_frozen(loaded: LoadedMatch) -> LoadedMatch:
    """Return the match. Raise `Frozen` if its server removed the bot."""
    if loaded.row.is_frozen:
        raise Frozen(loaded.info)
    return loaded


def require_open(loaded: LoadedMatch, now: datetime) -> LoadedMatch:
    """Return the match. Raise `Sealed` if it is about a deal of the day, and the day is not over."""
    if loaded.info.is_sealed(now):
        raise Sealed(loaded.info)
    return loaded


def require_no_vacancy(loaded: LoadedMatch) -> LoadedMatch:
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
        self.computer_turns = asyncio.Queue[MatchId | None]()
        """The matches in which computers must move. None requests a search of the database for such matches."""
        self.share = Share(clock())
        """This process's share of the background work."""
        self.requests = Requests()
        """The requests of people. New ones are refused once the process is stopping and can no longer answer."""
        self.connected = ConnectedShards()
        """The connected shards of this process. Clocks only run in matches on their servers."""
        self.leases_announced = asyncio.Event()
        """Set when another process has announced a change of the leases."""
        self._database = database
        self.cache = MatchCache()
        self._silenced: dict[int, datetime] = {}
        self.latest_saved_time = datetime.max.replace(tzinfo=UTC)
        """An upper bound of the times stored in the database. The bound is `datetime.max` until they are checked."""
        self.last_move_at = -math.inf
        """Time at which this process last saved a move, by `time.monotonic`."""
        self.present = set[PersonId]()
        """People known to be absent from none of their matches, as long as there are no other processes."""
        self._pending_moves = Counter[PersonId]()
        """Number of moves waiting to be made, for each person."""
        self.time_due = asyncio.Event()
        """Set when a commit made something due before `next_time_due`."""
        self.next_time_due: datetime | None = None
        """Time until which the timekeeper sleeps; None if it is awake."""

    @property
    def has_other_processes(self) -> bool:
        """True if other processes might be using the database."""
        return self._database.others.exist

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that commits at the end of the block, or rolls back if the block raises an error.

        Raise `Stopping` for a request that can no longer be answered. Raise `Unavailable` if the database cannot be
        used. In that case, all clocks stop until the next heartbeat, which also needs the database.
        """
        self.requests.check()
        with database_errors_as_refusals(), self._stop_clocks_on_failure():
            async with self._database.write() as transaction:
                unit = UnitOfWork(transaction, self.clock(), self.cache, self._silenced)
                self.latest_saved_time = max(self.latest_saved_time, unit.now)
                yield unit
                if self.has_other_processes:
                    # Run the queued writes now: they may have to wait for another transaction.
                    await transaction.flush()
                # Check again: the unit may have waited long for its turn to write.
                self.requests.check()
                if self.has_other_processes:
                    for announcement in self._announcements(unit):
                        await self._database.others.announce(transaction, announcement)
        self._silence(unit.silences)
        metrics.MOVES.inc(unit.moves)
        if unit.moves:
            self.last_move_at = time.monotonic()
        metrics.DEALS.inc(unit.deals)
        for loaded in unit.saved:
            self.cache.save(loaded)
            self.present.difference_update(loaded.absent_people)
            if self._is_sooner(loaded.row.time_due_at):
                self.time_due.set()
        if any(self.share.has(guild_id) for guild_id in unit.guilds_with_messages):
            self.enqueued.set()
        for match_id in unit.computer_turns:
            self.computer_turns.put_nowait(match_id)

    @contextmanager
    def _stop_clocks_on_failure(self) -> Generator[None]:
        """Stop all clocks if the database is unavailable in the block, because moves are refused then."""
        try:
            yield
        except DatabaseUnavailableError:
            self.connected.interrupt()
            raise

    def _announcements(self, unit: UnitOfWork) -> set[Announcement]:
        """Return a unit's announcements to other processes, about changes that they might otherwise notice late."""
        count, next_check_at = self.share.shards.count, unit.now + MAX_CHECK_INTERVAL
        messages = {
            shard_of(guilds_with_message, count)
            for guilds_with_message in unit.guilds_with_messages
            if not self.share.has(guilds_with_message)
        }
        times = {
            shard_of(loaded.info.guild_id, count)
            for loaded in unit.saved
            if loaded.row.time_due_at is not None and loaded.row.time_due_at < next_check_at
        } - self.connected.shards.numbers
        return {
            *(Announcement(AnnouncementTopic.MESSAGES, shard) for shard in messages),
            *(Announcement(AnnouncementTopic.TIMES, shard) for shard in times),
            *(
                Announcement(AnnouncementTopic.SILENCED, digest, until.timestamp())
                for digest, until in unit.silences.items()
            ),
        }

    def _silence(self, people: Mapping[int, datetime]) -> None:
        """Add people whose offers must not notify anyone for a while, and remove those whose time has passed.

        See `UnitOfWork.silence`.
        """
        if people:
            now = self.clock()
            self._silenced = {person: until for person, until in self._silenced.items() if until > now} | {**people}

    def look_for_work(self) -> None:
        """Search the database for undelivered messages and computers' turns: this process may have missed some."""
        self.enqueued.set()
        self.computer_turns.put_nowait(None)

    async def listen(self) -> None:
        """Start listening for announcements of other processes. Raise `Unavailable` if the database cannot be used."""
        with database_errors_as_refusals():
            await self._database.others.listen(self._handle_announcement)

    def _handle_announcement(self, announcement: Announcement | None) -> None:
        """Handle an announcement of another process. None means that announcements may have been missed."""
        match announcement:
            case None:
                # After a failover to a replica, the database may have other moves than this process has cached.
                self.cache = MatchCache()
                self.look_for_work()
                self.time_due.set()
                self.leases_announced.set()
            case Announcement(AnnouncementTopic.MESSAGES, shard) if shard in self.share.shards.numbers:
                self.enqueued.set()
            case Announcement(AnnouncementTopic.TIMES, shard) if shard in self.connected.shards.numbers:
                self.time_due.set()
            case Announcement(AnnouncementTopic.LEASES):
                self.leases_announced.set()
            case Announcement(AnnouncementTopic.SILENCED, digest, until):
                self._silence({digest: datetime.fromtimestamp(until, UTC)})
            case _:
                pass

    def note_present(self, person_id: PersonId) -> None:
        """Note that a person is absent from none of their matches. See `present`."""
        if len(self.present) >= MAX_PRESENT:
            self.present.clear()
        self.present.add(person_id)

    @contextmanager
    def about_to_move(self, person_id: PersonId) -> Generator[None]:
        """Keep a person from losing on time while their move is waiting to be made, however long that takes."""
        self._pending_moves[person_id] += 1
        try:
            yield
        finally:
            self._pending_moves[person_id] -= 1
            if not self._pending_moves[person_id]:
                del self._pending_moves[person_id]

    def is_about_to_move(self, person_id: PersonId | None) -> bool:
        """Return True if a move of a person is waiting to be made."""
        return person_id in self._pending_moves

    def _is_sooner(self, time_due_at: datetime | None) -> bool:
        return time_due_at is not None and self.next_time_due is not None and time_due_at < self.next_time_due

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[UnitOfWork]:
        """Begin a unit that reads one snapshot of the database and cannot change it.

        Raise `Unavailable` if the database cannot be used.
        """
        with database_errors_as_refusals():
            async with self._database.read(lane) as transaction:
                yield UnitOfWork(transaction, self.clock(), self.cache, self._silenced, in_thread=lane is Lane.LONG)


@contextmanager
def database_errors_as_refusals() -> Generator[None]:
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

MAX_ATTEMPTS: Final = 12
FIRST_PAUSE: Final = 0.002
"""Maximum pause after the first conflict, in seconds. It grows with each of at most `MAX_ATTEMPTS` attempts."""

_running_calls: set[asyncio.Task[Any]] = set()
"""Shielded calls in progress. A reference is needed: the event loop itself only keeps weak references to tasks."""


def _log_unseen_error(task: asyncio.Task[Any]) -> None:
    """Log the error of a call whose caller was cancelled, except refusals and errors after the database was closed."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal | DatabaseClosedError):
        log.error("a call failed after its caller was cancelled", exc_info=error)


def shielded(
    function: Callable[Parameters, Coroutine[Any, Any, Result]],
) -> Callable[Parameters, Coroutine[Any, Any, Result]]:
    """Decorate a coroutine function to run in a separate task, so that cancelling its caller does not stop it halfway.

    The function is retried after a conflict with another transaction. Raise `Unavailable` if all attempts conflict.
    """

    @wraps(function)
    async def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        task = asyncio.create_task(attempts(*args, **kwargs))
        _running_calls.add(task)
        task.add_done_callback(_running_calls.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_log_unseen_error)
            raise

    async def attempts(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        reason = ""
        for attempt in range(MAX_ATTEMPTS):
            try:
                return await function(*args, **kwargs)
            except ConflictError as error:
                metrics.CONFLICTS.inc()
                reason = str(error)
                await asyncio.sleep(uniform(0, FIRST_PAUSE * 1.7**attempt))
        # Attempts usually conflict because of a high load. But if each one violates a constraint, there is a bug.
        log.error("all attempts conflicted", function=function.__qualname__, problem=reason)
        raise Unavailable

    return run
