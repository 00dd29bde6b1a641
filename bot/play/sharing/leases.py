"""Leases: the assignment of shards to processes.

The process that is connected as a shard works for the shard's servers as long as the process renews its lease. If that
process dies or hangs, another process adopts the lease until the first process is back: the other process delivers the
messages and plays for the computers. The clocks stand still, because no process is connected as the shard.

Each process also holds a lock that ends with its connection to the database. If nobody has held the lock for
`DEATH_TIMEOUT`, the process counts as dead, and its leases end immediately. A living process that loses its connection
notices this, and stops its work in less time.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.model.shards import ALL_SHARDS, Shards
from bot.play.loading.share import uptime
from bot.play.loading.unit_of_work import Service, UnitOfWork, Units, database_errors_as_refusals, shielded
from bot.play.refusals import Unavailable
from bot.store import leases
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.others import Announcement, AnnouncementTopic

log = structlog.get_logger(__name__)

TAKEOVER_TIME: Final = timedelta(seconds=30)
"""Maximum time until another process takes over the work of a process that hangs. Leases last for three quarters of
this time: other processes look for expired leases whenever they renew their own, once in each quarter."""

LOCK_CHECK_INTERVAL: Final = 0.4
"""Interval between checks that the other processes hold their locks, in seconds."""
DEATH_TIMEOUT: Final = 0.8
"""Time after which a process counts as dead if nobody holds its lock, in seconds."""
WORK_END_TIMEOUT: Final = 0.4
"""Time to finish work in progress after this process has lost its own lock, in seconds: less than `DEATH_TIMEOUT`."""
_NO_LOCK_PREFIX: Final = "-"
"""Prefix of the names of processes without a lock. If such a process dies, its leases end only when they expire."""

WAIT_INTERVAL: Final = 0.5
"""Interval between checks while waiting for another process, in seconds.

It is less than `DEATH_TIMEOUT`, like `LOCK_CHECK_INTERVAL`.
"""


class LeaseLostError(Exception):
    """This process must stop, because another process has replaced it.

    The other process is connected as one of this process's shards, divides the work into another number of shards, or
    has updated or moved the database.
    """


class Leases(Service):
    """The leases of this process. If there are no other processes, this one works for all shards."""

    def __init__(self, units: Units, database: Database, taken_over_within: timedelta = TAKEOVER_TIME) -> None:
        super().__init__(units)
        self._others = database.others
        self._owner = ("" if self._others.has_reliable_locks else _NO_LOCK_PREFIX) + secrets.token_hex(8)
        self._renewal_interval = taken_over_within / 4
        self._lease_time = taken_over_within - self._renewal_interval
        self.home = ALL_SHARDS
        """The shards that this process is connected as."""
        self._since: dict[int, datetime] = {}
        self._until = 0.0
        """The `uptime` at which the leases end. `_since` has the time at which this process got each of them."""
        self._change_lock = asyncio.Lock()
        """Held while the leases are changed here and in the database."""
        self._give_back_tasks: dict[int, asyncio.Task[None]] = {}
        """The shards that are being given back."""
        self._owners: dict[str, int] = {}
        """The processes that had leases at the last check, each with the shard count that it uses."""
        self._unheld_since: dict[str, float] = {}
        """The processes whose lock nobody holds, each with the `uptime` of the check that first found the lock free."""
        self._checked_at = 0.0
        """The `uptime` of the last check of the locks."""
        self._lock_losses = 0
        """Number of times that this process has lost its own lock."""
        self.process_count = 1
        """Number of processes that share the work, as of the last renewal."""

    async def begin(self, home: Shards) -> None:
        """Wait until no other process is connected as one of the shards in `home`, and start to work for them.

        Raise `DatabaseError` if the database cannot be shared and `home` does not have all shards. Raise `Unavailable`
        if the database cannot be used.
        """
        self.home = home
        if not self._others.exist:
            if not home.is_complete:
                raise DatabaseError(
                    "several processes need PostgreSQL: with SQLite, DEADWOOD_SHARDS must name all shards"
                )
            now = self._units.clock()
            self._units.share.grant(dict.fromkeys(home.numbers, now), home.count)
            return
        # Work for no shard until the leases are granted.
        self._units.share.grant({}, home.count)
        with database_errors_as_refusals():
            await self._wait_for_connections()
            await self._keep_lock()
        self._others.on_loss = self._on_lock_loss
        await self._wait_for_other_counts()
        await self._units.listen()
        await self._renew()

    async def run(self) -> None:
        """Renew the leases until cancelled.

        Adopt the leases of dead processes, and return them when these processes are back. Raise `LeaseLostError` if
        another process has taken over the job of this one.
        """
        if not self._others.exist:
            return
        renewed_every = self._renewal_interval.total_seconds()
        renewed_at, announced = uptime(), False
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(LOCK_CHECK_INTERVAL, renewed_every)):
                        await self._units.leases_announced.wait()
                announced |= self._units.leases_announced.is_set()
                self._units.leases_announced.clear()
                if self._others.is_evicted:
                    raise LeaseLostError("the database was updated or moved while it could not be reached")
                with contextlib.suppress(Unavailable), database_errors_as_refusals():
                    dead = await self._find_dead()
                    if dead or announced or uptime() - renewed_at >= renewed_every:
                        await self._keep_shard_locks()
                        await self._keep_lock()
                        await self._renew()
                        renewed_at, announced = uptime(), False
        except LeaseLostError:
            self._stop_work()
            raise
        finally:
            returning = [*self._give_back_tasks.values()]
            for task in returning:
                task.cancel()
            await asyncio.gather(*returning, return_exceptions=True)

    async def end(self) -> None:
        """Give the leases to other processes, because this process is stopping."""
        if self._others.exist and self._since:
            self._stop_work()
            with contextlib.suppress(Unavailable):
                await self._give_back_leases(frozenset(self._since))

    def _stop_work(self) -> None:
        self._until = 0.0
        self._units.share.grant({}, self.home.count)

    def _on_lock_loss(self) -> None:
        """Stop all work before other processes consider this one dead."""
        # If the database server was restarted, the other processes are not dead: they are reconnecting, too.
        self._unheld_since.clear()
        if self._has_lock:
            self._lock_losses += 1
            self._until = min(self._until, uptime() + WORK_END_TIMEOUT)
            self._units.share.grant(self._since, self.home.count, self._until)

    @property
    def _has_lock(self) -> bool:
        return not self._owner.startswith(_NO_LOCK_PREFIX)

    async def _keep_lock(self) -> None:
        """Hold the lock that shows that this process is alive. Raise `Unavailable` if the lock is not free."""
        if self._has_lock and not await self._others.try_lock(_process_lock(self._owner)):
            raise Unavailable

    async def _find_dead(self) -> frozenset[str]:
        """Return the dead processes that have leases: nobody has held their locks for `DEATH_TIMEOUT`."""
        locks = {owner: _process_lock(owner) for owner in self._owners if not owner.startswith(_NO_LOCK_PREFIX)}
        locks.pop(self._owner, None)
        unheld = await self._others.free_locks(locks.values()) if locks else set[str]()
        now = uptime()
        # Ignore earlier checks if the last one was long ago: in the meantime, a process may have got its lock back.
        before = self._unheld_since if now - self._checked_at < DEATH_TIMEOUT else {}
        self._unheld_since = {owner: before.get(owner, now) for owner, lock in locks.items() if lock in unheld}
        self._checked_at = now
        return self._dead

    @property
    def _dead(self) -> frozenset[str]:
        now = uptime()
        return frozenset(owner for owner, since in self._unheld_since.items() if now - since >= DEATH_TIMEOUT)

    async def _still_dead(self, unit: UnitOfWork) -> frozenset[str]:
        """Return the processes that are still dead. A process that holds its lock again keeps its leases."""
        locks = {owner: _process_lock(owner) for owner in self._dead}
        unheld = await self._others.free_locks(locks.values(), unit.transaction) if locks else set[str]()
        return frozenset(owner for owner, lock in locks.items() if lock in unheld)

    async def _wait_for_connections(self) -> None:
        """Wait until no other process is connected as one of this process's shards."""
        is_logged = False
        for shard in sorted(self.home.numbers):
            while not await self._others.try_lock(_shard_lock(shard)):
                if not is_logged:
                    log.warning("another process is connected as this shard: waiting until it ends", shard=shard)
                    is_logged = True
                await asyncio.sleep(WAIT_INTERVAL)

    async def _wait_for_other_counts(self) -> None:
        """Wait until no other process divides the work into another number of shards, and create the leases."""
        is_logged = False
        while (count := await self._create_leases()) is not None:
            if not is_logged:
                log.warning("another process uses another number of shards: waiting until it ends", shards=count)
                is_logged = True
            await asyncio.sleep(WAIT_INTERVAL)
            with database_errors_as_refusals():
                await self._find_dead()

    async def _keep_shard_locks(self) -> None:
        """Take the locks of this process's shards again if they were lost with the connection to the database.

        Raise `LeaseLostError` if another process has taken one of them.
        """
        for shard in self.home.numbers:
            if not self._others.holds(_shard_lock(shard)) and not await self._others.try_lock(_shard_lock(shard)):
                raise LeaseLostError(f"another process is connected as shard {shard}")

    @shielded
    async def _create_leases(self) -> int | None:
        """Create the leases. If other processes use another number of shards, return that number instead."""
        async with self._units.write() as unit:
            dead = await self._still_dead(unit)
            count = await leases.other_shard_count(unit.transaction, self.home.count, dead)
            self._owners = await leases.owners(unit.transaction)
            if count is None:
                await leases.create_all(unit.transaction, self.home.count, self._lease_time)
            return count

    async def _renew(self) -> None:
        """Renew, take and adopt leases, update the share, and start to give back leases that other processes want."""
        async with self._change_lock:
            # The reply can be late, so the lease time begins before the query is sent.
            asked_at, shards_before, losses = uptime(), self._units.share.shards.numbers, self._lock_losses
            kept, new, wanted, now = await self._renew_leases()
            if self._lock_losses != losses:
                # The lock was lost during the query, so other processes may have taken over. The next renewal will show
                # this.
                return
            held = kept | new
            if lost := self._since.keys() - held:
                log.warning("lost these shards to other processes", shards=sorted(lost))
            if gained := held - shards_before - self._give_back_tasks.keys():
                log.info("working for more shards", shards=sorted(gained))
            # A lease that this process had before also counts as new if another process had it in the meantime.
            self._since = {shard: now if shard in new else self._since.get(shard, now) for shard in held}
            self._until = asked_at + self._lease_time.total_seconds()
            self._units.share.grant(self._since, self.home.count, self._until)
        if gained:
            self._units.look_for_work()
        for shard in wanted - self._give_back_tasks.keys():
            self._give_back_tasks[shard] = asyncio.create_task(self._give_back_shard(shard))

    async def _give_back_shard(self, shard: int) -> None:
        """Give a shard back once its work in progress has ended. All leases are still renewed until then."""
        log.info("giving a shard back", shard=shard)
        try:
            await self._units.share.give_back(shard)
            async with self._change_lock:
                await self._give_back_leases(frozenset((shard,)))
                self._since.pop(shard, None)
                self._units.share.grant(self._since, self.home.count, self._until)
        except Unavailable:
            # The next renewal tries again.
            pass
        finally:
            del self._give_back_tasks[shard]

    @shielded
    async def _renew_leases(self) -> tuple[set[int], set[int], set[int], datetime]:
        """Renew the leases. Return three sets of shards, and the time of the renewal.

        The sets are the shards that this process keeps, those that it gains, and those that it should give back.
        Raise `LeaseLostError` if the leases are for another number of shards.
        """
        count = self.home.count
        async with self._units.write() as unit:
            if not await leases.has_leases_for(unit.transaction, count):
                raise LeaseLostError(f"other processes divide the work into another number of shards than {count}")
            kept = await leases.renew(unit.transaction, self._owner, count, self._lease_time)
            dead = await self._still_dead(unit)
            taken = await leases.take_free(unit.transaction, self._owner, self.home, self._lease_time, dead)
            adopted = await leases.take_expired(unit.transaction, self._owner, count, self._lease_time, dead)
            wants = await leases.request(unit.transaction, self._owner, self.home)
            # Other processes must know every owner of leases, to check that it is alive.
            if wants or taken or adopted:
                await self._others.announce(unit.transaction, Announcement(AnnouncementTopic.LEASES))
            owners = await leases.owners(unit.transaction)
        self._owners = {owner: shards for owner, shards in owners.items() if shards == count}
        self.process_count = len(self._owners)
        wanted = {shard for shard, by in kept.items() if by not in (None, self._owner)}
        return {*kept}, taken | adopted, wanted - self.home.numbers, unit.now

    @shielded
    async def _give_back_leases(self, shards: frozenset[int]) -> None:
        async with self._units.write() as unit:
            returned = Shards(shards, self.home.count)
            await leases.give_back(unit.transaction, self._owner, returned, self._lease_time)
            await self._others.announce(unit.transaction, Announcement(AnnouncementTopic.LEASES))


def _shard_lock(shard: int) -> str:
    return f"shard {shard}"


def _process_lock(owner: str) -> str:
    return f"process {owner}"
