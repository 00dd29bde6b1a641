"""Leases: the assignment of shards to processes.

The process that is connected as a shard works for the shard's servers as long as it renews its lease. If it dies or
hangs, another process adopts the work until it is back: it delivers messages, and plays for the computers. The clocks
stand still, because nobody is connected.

Each process also holds a lock that ends with its connection to the database. If nobody has held the lock for a moment,
the process is dead and its leases end immediately. A living process notices the lost connection, and stops its work
within that moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.play.loading.share import uptime
from bot.play.loading.unit_of_work import Service, UnitOfWork, Units, refusing, shielded
from bot.play.refusals import Unavailable
from bot.store import leases
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.others import Announcement, News
from bot.values.shards import ALL, Shards

log = structlog.get_logger(__name__)

TAKEN_OVER_WITHIN: Final = timedelta(seconds=30)
"""Maximum time until another process takes over the work of a hanging one. Leases last for three quarters of it,
because the other processes only check when they renew their own leases, after each quarter."""

LOOKED_EVERY: Final = 0.4
"""Interval between checks that the other processes hold their locks, in seconds."""
DEAD_AFTER: Final = 0.8
"""Time without a holder of its lock after which a process counts as dead, in seconds."""
ENDS_WITHIN: Final = 0.4
"""Time to finish work in progress after this process has lost its own lock, in seconds: less than `DEAD_AFTER`."""
_UNGUARDED: Final = "-"
"""Prefix of the names of processes without a lock. Their leases only end by expiring."""

ASKED_AGAIN_AFTER: Final = 0.5
"""Interval between checks while waiting for another process, in seconds.

It is less than `DEAD_AFTER`, like `LOOKED_EVERY`.
"""


class LeaseLostError(Exception):
    """Another process has taken over the job of this one.

    It is connected as a shard of this one, divides the work into another number of shards, or has taken the whole
    database.
    """


class Leases(Service):
    """The leases of this process. Without other processes, it works for all shards."""

    def __init__(self, units: Units, database: Database, taken_over_within: timedelta = TAKEN_OVER_WITHIN) -> None:
        super().__init__(units)
        self._others = database.others
        self._owner = ("" if self._others.keeps_locks else _UNGUARDED) + secrets.token_hex(8)
        self._renewed_every = taken_over_within / 4
        self._span = taken_over_within - self._renewed_every
        self.home = ALL
        """The shards that this process is connected as."""
        self._since: dict[int, datetime] = {}
        self._until = 0.0
        """The time at which this process got each of its leases, and the `uptime` at which they end."""
        self._changing = asyncio.Lock()
        """Held while these are changed together with the database."""
        self._returning: dict[int, asyncio.Task[None]] = {}
        """The shards that are being given back."""
        self._owners: dict[str, int] = {}
        """The processes that had leases at the last check, each with its number of shards."""
        self._unheld_since: dict[str, float] = {}
        """The processes whose lock nobody holds, each with the `uptime` at which that was first seen."""
        self._looked_at = 0.0
        """The `uptime` of the last check of the locks."""
        self._losses = 0
        """Number of times that this process has lost its own lock."""
        self.processes = 1
        """Number of processes that share the work, as of the last renewal."""

    async def begin(self, home: Shards) -> None:
        """Wait until no other process is connected as these shards, and start to work for them.

        Raise `DatabaseError` if the database cannot be shared and `home` is not all shards, or `Unavailable`.
        """
        self.home = home
        if not self._others.exist:
            if not home.are_all:
                raise DatabaseError("several processes need PostgreSQL: DEADWOOD_SHARDS has to name all shards")
            now = self._units.clock()
            self._units.share.grant(dict.fromkeys(home.numbers, now), home.count)
            return
        # Work for no shard until the leases are granted.
        self._units.share.grant({}, home.count)
        with refusing():
            await self._wait_for_connections()
            await self._keep_lock()
        self._others.on_loss = self._lost_lock
        await self._wait_for_other_counts()
        await self._units.listen()
        await self._renew()

    async def run(self) -> None:
        """Renew the leases until cancelled. Adopt the leases of dead processes, and give them back when they return.

        Raise `LeaseLostError` if another process has taken over the job of this one.
        """
        if not self._others.exist:
            return
        renewed_every = self._renewed_every.total_seconds()
        renewed_at, announced = uptime(), False
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(LOOKED_EVERY, renewed_every)):
                        await self._units.leases_announced.wait()
                announced |= self._units.leases_announced.is_set()
                self._units.leases_announced.clear()
                if self._others.evicted:
                    raise LeaseLostError("the database was updated or moved while it could not be reached")
                with contextlib.suppress(Unavailable), refusing():
                    dead = await self._find_dead()
                    if dead or announced or uptime() - renewed_at >= renewed_every:
                        await self._keep_connections()
                        await self._keep_lock()
                        await self._renew()
                        renewed_at, announced = uptime(), False
        except LeaseLostError:
            self._work_for_nobody()
            raise
        finally:
            returning = [*self._returning.values()]
            for task in returning:
                task.cancel()
            await asyncio.gather(*returning, return_exceptions=True)

    async def end(self) -> None:
        """Give the leases to other processes, because this process is stopping."""
        if self._others.exist and self._since:
            self._work_for_nobody()
            with contextlib.suppress(Unavailable):
                await self._give_back(frozenset(self._since))

    def _work_for_nobody(self) -> None:
        self._until = 0.0
        self._units.share.grant({}, self.home.count)

    def _lost_lock(self) -> None:
        """Stop all work before other processes consider this one dead."""
        # If the server was restarted, the other processes are reconnecting, too.
        self._unheld_since.clear()
        if self._is_guarded:
            self._losses += 1
            self._until = min(self._until, uptime() + ENDS_WITHIN)
            self._units.share.grant(self._since, self.home.count, self._until)

    @property
    def _is_guarded(self) -> bool:
        return not self._owner.startswith(_UNGUARDED)

    async def _keep_lock(self) -> None:
        """Hold the lock that shows that this process is alive. Raise `Unavailable` if it is not free."""
        if self._is_guarded and not await self._others.hold(_lock(self._owner)):
            raise Unavailable

    async def _find_dead(self) -> frozenset[str]:
        """Return the processes with leases that are dead, because nobody has held their locks for a moment."""
        locks = {owner: _lock(owner) for owner in self._owners if not owner.startswith(_UNGUARDED)}
        locks.pop(self._owner, None)
        unheld = await self._others.unheld(locks.values()) if locks else set[str]()
        now = uptime()
        # Between two distant checks, a process may have held its lock and lost it again.
        before = self._unheld_since if now - self._looked_at < DEAD_AFTER else {}
        self._unheld_since = {owner: before.get(owner, now) for owner, lock in locks.items() if lock in unheld}
        self._looked_at = now
        return self._dead

    @property
    def _dead(self) -> frozenset[str]:
        now = uptime()
        return frozenset(owner for owner, since in self._unheld_since.items() if now - since >= DEAD_AFTER)

    async def _still_dead(self, unit: UnitOfWork) -> frozenset[str]:
        """Return the processes that are still dead. A process that holds its lock again keeps its leases."""
        locks = {owner: _lock(owner) for owner in self._dead}
        unheld = await self._others.unheld(locks.values(), unit.transaction) if locks else set[str]()
        return frozenset(owner for owner, lock in locks.items() if lock in unheld)

    async def _wait_for_connections(self) -> None:
        """Wait until no other process is connected as one of this process's shards."""
        told = False
        for shard in sorted(self.home.numbers):
            while not await self._others.hold(_name(shard)):
                if not told:
                    log.warning("another process is connected as this shard: waiting for its end", shard=shard)
                    told = True
                await asyncio.sleep(ASKED_AGAIN_AFTER)

    async def _wait_for_other_counts(self) -> None:
        """Wait until no other process divides the work into another number of shards, and create the leases."""
        told = False
        while (count := await self._begin()) is not None:
            if not told:
                log.warning("another process uses another number of shards: waiting for its end", shards=count)
                told = True
            await asyncio.sleep(ASKED_AGAIN_AFTER)
            with refusing():
                await self._find_dead()

    async def _keep_connections(self) -> None:
        """Raise `LeaseLostError` if another process has taken a shard while the database was out of reach."""
        for shard in self.home.numbers:
            if not self._others.holds(_name(shard)) and not await self._others.hold(_name(shard)):
                raise LeaseLostError(f"another process is connected as shard {shard}")

    @shielded
    async def _begin(self) -> int | None:
        """Create the leases. If other processes use another number of shards, return that number instead."""
        async with self._units.write() as unit:
            dead = await self._still_dead(unit)
            count = await leases.count_of_others(unit.transaction, self.home.count, dead)
            self._owners = await leases.owners(unit.transaction)
            if count is None:
                await leases.begin(unit.transaction, self.home.count, self._span)
            return count

    async def _renew(self) -> None:
        """Renew, take and adopt leases, update the share, and start to give back leases that other processes want."""
        async with self._changing:
            # The answer may be late, so the lease counts from before the query.
            asked_at, before, losses = uptime(), self._units.share.shards.numbers, self._losses
            kept, new, wanted, now = await self._renewed()
            if self._losses != losses:
                # Other processes may have considered this one dead. After the reconnection, the leases show who has
                # what.
                return
            had = kept | new
            if lost := self._since.keys() - had:
                log.warning("lost these shards to other processes", shards=sorted(lost))
            if gained := had - before - self._returning.keys():
                log.info("working for more shards", shards=sorted(gained))
            # A lease may be new although this process had it before, if another process had it in between.
            self._since = {shard: now if shard in new else self._since.get(shard, now) for shard in had}
            self._until = asked_at + self._span.total_seconds()
            self._units.share.grant(self._since, self.home.count, self._until)
        if gained:
            self._units.look_for_work()
        for shard in wanted - self._returning.keys():
            self._returning[shard] = asyncio.create_task(self._return(shard))

    async def _return(self, shard: int) -> None:
        """Give a shard back once its work in progress has ended. All leases are still renewed until then."""
        log.info("giving a shard back", shard=shard)
        try:
            await self._units.share.give_back(shard)
            async with self._changing:
                await self._give_back(frozenset((shard,)))
                self._since.pop(shard, None)
                self._units.share.grant(self._since, self.home.count, self._until)
        except Unavailable:
            # The next renewal tries again.
            pass
        finally:
            del self._returning[shard]

    @shielded
    async def _renewed(self) -> tuple[set[int], set[int], set[int], datetime]:
        """Return the shards whose leases this process keeps, gains, and has but others want, and the time.

        Raise `LeaseLostError` if the leases are for another number of shards.
        """
        count = self.home.count
        async with self._units.write() as unit:
            if not await leases.are_of(unit.transaction, count):
                raise LeaseLostError(f"other processes do not share the work among {count} shards")
            kept = await leases.renew(unit.transaction, self._owner, count, self._span)
            dead = await self._still_dead(unit)
            taken = await leases.take(unit.transaction, self._owner, self.home, self._span, dead)
            adopted = await leases.adopt(unit.transaction, self._owner, count, self._span, dead)
            wants = await leases.want(unit.transaction, self._owner, self.home)
            # Other processes must know every owner of leases, to check that it is alive.
            if wants or taken or adopted:
                await self._others.announce(unit.transaction, Announcement(News.LEASES))
            owners = await leases.owners(unit.transaction)
        self._owners = {owner: shards for owner, shards in owners.items() if shards == count}
        self.processes = len(self._owners)
        wanted = {shard for shard, by in kept.items() if by not in (None, self._owner)}
        return {*kept}, taken | adopted, wanted - self.home.numbers, unit.now

    @shielded
    async def _give_back(self, shards: frozenset[int]) -> None:
        async with self._units.write() as unit:
            given = Shards(shards, self.home.count)
            await leases.give_back(unit.transaction, self._owner, given, self._span)
            await self._others.announce(unit.transaction, Announcement(News.LEASES))


def _name(shard: int) -> str:
    return f"shard {shard}"


def _lock(owner: str) -> str:
    return f"process {owner}"
