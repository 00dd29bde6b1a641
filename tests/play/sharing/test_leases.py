"""Leases: exactly one process works for each shard, even if processes crash and restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from bot.model.ids import GuildId
from bot.model.shards import ID_BITS, Shards
from bot.play.application import Application
from bot.play.loading import unit_of_work
from bot.play.loading.share import uptime
from bot.play.matches.timekeeper import Timekeeper
from bot.play.sharing import leases as leases_module
from bot.play.sharing.leases import LeaseLostError
from bot.store import leases, tables
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.opening import open_database
from bot.store.postgres import keeper
from bot.store.postgres.keeper import lock_number
from bot.store.transaction import Transaction
from tests.helpers.databases import DatabaseKind, execute, open_new_database, use_database
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.proxy import Proxy
from tests.helpers.table import NORTH, SOUTH, FakeMembers, interaction, place
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.nightly, pytest.mark.postgresql]

TAKEOVER_TIME: Final = timedelta(seconds=1.6)
"""Time until a hung process is replaced. Leases last three quarters of it, longer than any commit takes."""
RETRY_SECONDS: Final = 0.05
"""Interval at which a waiting process checks the leases again, in seconds."""
GUILD_ON_SHARD_1: Final = GuildId(1 << ID_BITS)
"""A server on the second of two shards."""

LONG_TAKEOVER_TIME: Final = timedelta(minutes=10)
"""A takeover time so long that no lease expires during a test."""

Start = Callable[..., Coroutine[Any, Any, "Process"]]


class Process:
    """A simulated process: an application with its own connection."""

    def __init__(self, database: Database, shards: str, taken_over_within: timedelta) -> None:
        self.database = database
        self.app = Application(database, taken_over_within=taken_over_within)
        self.home = Shards.parse(shards)
        self._running: asyncio.Task[None] | None = None

    @property
    def shards(self) -> set[int]:
        """The shards in the process's share of the work."""
        return set(self.app.share.shards.numbers)

    async def begin(self) -> None:
        """Acquire leases and start renewing them."""
        await self.app.leases.begin(self.home)
        self.wake()

    async def hang(self) -> None:
        """Stop renewing leases until `wake`."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError, LeaseLostError):
                await self._running
            # A renewal may still be running: wait for its end.
            await eventually(lambda: self.database.is_idle)

    def wake(self) -> None:
        """Resume renewing leases."""
        self._running = asyncio.create_task(self.app.leases.run())

    async def die(self) -> None:
        """Crash, without giving leases back."""
        await self.hang()
        await self.database.close()

    async def stop(self) -> None:
        """Shut down properly."""
        assert self._running is not None
        self._running.cancel()
        await self.app.leases.end()
        await self.die()


@pytest.fixture(autouse=True)
def frequent_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waiting processes check often."""
    monkeypatch.setattr(leases_module, "WAIT_INTERVAL", RETRY_SECONDS)


@pytest.fixture
async def start(url: str) -> AsyncIterator[Start]:
    """Yield a function that starts a process for some shards. All processes are killed after the test."""
    async with AsyncExitStack() as stack:

        async def start(
            shards: str, taken_over_within: timedelta = TAKEOVER_TIME, proxy: Proxy | None = None
        ) -> Process:
            address = url if proxy is None else proxy.address_of(url)
            process = Process(await open_database(address), shards, taken_over_within)
            stack.push_async_callback(process.die)
            await process.begin()
            return process

        yield start


async def test_each_process_works_for_its_own_shards(start: Start) -> None:
    """Each process works for its own shards, the one with shard 0 leads, and all know the number of processes."""
    first, second = await start("0-1/4", LONG_TAKEOVER_TIME), await start("2-3/4", LONG_TAKEOVER_TIME)
    assert first.shards == {0, 1}
    assert second.shards == {2, 3}
    assert (first.app.share.is_leader, second.app.share.is_leader) == (True, False)
    await eventually(lambda: first.app.leases.process_count == second.app.leases.process_count == 2)


async def test_a_dead_process_is_replaced_and_gets_its_shards_back(start: Start) -> None:
    """Once a crashed process's leases have expired, another process has its shards until the crashed one is back."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    back = await start("1/2")
    await eventually(lambda: back.shards == {1})
    assert first.shards == {0}


async def test_a_dead_process_is_replaced_long_before_its_leases_are_over(start: Start) -> None:
    """A crashed process is replaced before its leases expire, because PostgreSQL reports the closed connection."""
    first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME)
    await second.die()
    await eventually(lambda: first.shards == {0, 1})


async def test_a_dead_process_that_starts_again_gets_its_own_leases(start: Start) -> None:
    """If the only process crashes and restarts, it gets its leases back immediately."""
    only = await start("0/1", LONG_TAKEOVER_TIME)
    await only.die()
    back = await start("0/1", LONG_TAKEOVER_TIME)
    await eventually(lambda: back.shards == {0})


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_restarted_process_gets_its_shards_back(start: Start, *, replaced: bool) -> None:
    """A process that restarts gets its shards back, whether or not another process has taken them over."""
    first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME)
    await second.die()
    if replaced:
        await eventually(lambda: first.shards == {0, 1})
    back = await start("1/2", LONG_TAKEOVER_TIME)
    await eventually(lambda: back.shards == {1} and first.shards == {0})


async def test_all_processes_can_restart_with_other_shards(start: Start) -> None:
    """After all processes crashed, new ones with other shards do not wait until the old leases expire."""
    for process in [await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME)]:
        await process.die()
    back = await start("0-3/4", LONG_TAKEOVER_TIME)
    await eventually(lambda: back.shards == {0, 1, 2, 3})


async def test_a_process_that_hangs_is_not_dead(start: Start) -> None:
    """A process that hangs keeps its connection and its leases until they expire."""
    first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME)
    await second.hang()
    await wait_for_crash_checks(first)
    assert first.shards == {0}


class OverlapWatch:
    """Watches continuously whether two processes work for the same shard."""

    def __init__(self, *processes: Process) -> None:
        self.overlaps = False
        """True if two processes ever worked for the same shard simultaneously."""
        self._processes = processes

    async def look(self) -> None:
        """Watch until cancelled."""
        while True:
            one, other = (process.shards for process in self._processes)
            self.overlaps |= not one.isdisjoint(other)
            await asyncio.sleep(0.005)


@asynccontextmanager
async def watching_overlaps(first: Process, second: Process) -> AsyncGenerator[OverlapWatch]:
    watch = OverlapWatch(first, second)
    looking = asyncio.create_task(watch.look())
    try:
        yield watch
    finally:
        looking.cancel()


async def wait_for_crash_checks(process: Process) -> None:
    """Wait until this process has checked for crashed processes for long enough to detect one."""
    looks = set[float]()

    def is_over() -> bool:
        looks.add(getattr(process.app.leases, "_checked_at"))  # noqa: B009 - there is no public way to see a look
        return max(looks) - min(looks) > 2 * leases_module.DEATH_TIMEOUT

    await eventually(is_over)


def leases_until(process: Process) -> float:
    """Return the `uptime` at which a process's leases expire."""
    return getattr(process.app.leases, "_until")  # noqa: B009 - there is no public way to see a renewal


async def wait_for_renewal(process: Process) -> None:
    """Wait until renewals have extended a process's leases by more than `TAKEOVER_TIME`."""

    before = leases_until(process)
    await eventually(lambda: leases_until(process) > before + TAKEOVER_TIME.total_seconds())


async def work_indefinitely(process: Process) -> None:
    """Do long-running work for the second shard."""
    async with process.app.share.working_for(GUILD_ON_SHARD_1) as is_own:
        assert is_own
        await asyncio.Event().wait()


async def test_a_broken_connection_keeps_the_leases(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose connection breaks reconnects before others take over, and its work is not interrupted."""
    # Even on a very busy machine, a process reconnects within these times.
    monkeypatch.setattr(leases_module, "WORK_END_TIMEOUT", 20.0)
    monkeypatch.setattr(leases_module, "DEATH_TIMEOUT", 40.0)
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: second.app.share.has(GUILD_ON_SHARD_1))
        since = second.app.share.since(GUILD_ON_SHARD_1)
        async with watching_overlaps(first, second) as watch, second.app.share.working_for(GUILD_ON_SHARD_1):
            proxy.cut()
            await eventually(lambda: getattr(second.app.leases, "_lock_losses") > 0)  # noqa: B009
            await eventually(lambda: leases_until(second) > uptime() + LONG_TAKEOVER_TIME.total_seconds() / 2)
            assert second.shards == {1}
        assert first.shards == {0}
        assert not watch.overlaps
        assert second.app.share.since(GUILD_ON_SHARD_1) == since


async def test_an_unreachable_process_is_replaced(start: Start) -> None:
    """A process that cannot reach the database stops working and is replaced, and later gets its shards back."""
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: second.shards == {1})
        async with watching_overlaps(first, second) as watch:
            working = asyncio.create_task(work_indefinitely(second))
            await asyncio.sleep(0)
            proxy.cut(for_good=True)
            with pytest.raises(TimeoutError):
                await working
            await eventually(lambda: first.shards == {0, 1})
            assert not second.shards
            proxy.open()
            await eventually(lambda: second.shards == {1} and first.shards == {0})
        assert not watch.overlaps


async def test_a_silent_connection_is_replaced(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """If its connection no longer answers, a process reconnects, takes its locks again and keeps its shards."""
    monkeypatch.setattr(keeper, "RESPONSE_TIMEOUT", 0.5)
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG_TAKEOVER_TIME), await start("1/2", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: second.shards == {1})
        async with watching_overlaps(first, second) as watch:
            # The proxy silences the oldest connection: the one that holds the process's locks.
            proxy.silence()
            others = second.database.others
            await eventually(lambda: not others.holds(keeper.USERS_LOCK))
            await eventually(lambda: others.holds(keeper.USERS_LOCK) and second.shards == {1})
            await wait_for_crash_checks(first)
        assert (first.shards, second.shards) == ({0}, {1})
        assert not watch.overlaps


async def test_processes_recover_after_all_lost_the_database(start: Start) -> None:
    """If all processes lose the database, as when its server restarts, each gets its own shards back.

    No two processes ever work for the same shard.
    """
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG_TAKEOVER_TIME, proxy), await start("1/2", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: (first.shards, second.shards) == ({0}, {1}))
        async with watching_overlaps(first, second) as watch:
            proxy.cut(for_good=True)
            await eventually(lambda: not first.shards and not second.shards)
            proxy.open()
            await eventually(lambda: (first.shards, second.shards) == ({0}, {1}))
        assert not watch.overlaps


async def test_a_late_renewal_reply_does_not_extend_leases(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A renewal reply that comes after the connection was lost extends no leases: others might have them by then."""
    async with Proxy.running() as proxy:
        only = await start("0/1", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: only.shards == {0})
        await only.hang()
        own, others = only.app.leases, only.database.others
        renewed: Callable[[], Coroutine[Any, Any, object]] = getattr(own, "_renew_leases")  # noqa: B009 - to replace it

        async def answer_late() -> object:
            answer = await renewed()
            proxy.cut()
            await eventually(lambda: not others.holds(keeper.USERS_LOCK), pause=0)
            await eventually(lambda: others.holds(keeper.USERS_LOCK))
            return answer

        with monkeypatch.context() as patched:
            patched.setattr(own, "_renew_leases", answer_late)
            await getattr(own, "_renew")()  # noqa: B009 - to renew exactly once
        await eventually(lambda: not only.shards)
        only.wake()
        await eventually(lambda: only.shards == {0})


async def test_behind_a_pooler_only_lease_times_count(start: Start) -> None:
    """Behind a connection pooler, a closed connection does not mean a crash: others wait until the leases expire."""
    async with Proxy.running(pools=True) as proxy:
        first, second = await start("0/2"), await start("1/2", LONG_TAKEOVER_TIME, proxy)
        await eventually(lambda: second.shards == {1})
        await second.die()
        await wait_for_crash_checks(first)
        assert first.shards == {0}


async def test_a_quick_restart_keeps_the_leases(start: Start) -> None:
    """A process that shuts down and restarts immediately keeps its leases."""
    first, second = await start("0/2"), await start("1/2")
    await second.stop()
    back = await start("1/2")
    assert back.shards == {1}
    assert first.shards == {0}


async def test_running_work_ends_before_a_shard_changes_hands(start: Start) -> None:
    """A process gets its shard back only after another process's running work for the shard has ended."""
    first, second = await start("0/2"), await start("1/2")
    # On a slow machine the first process can briefly work for both shards.
    await eventually(lambda: second.app.share.has(GUILD_ON_SHARD_1))
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    async with first.app.share.working_for(GUILD_ON_SHARD_1) as is_own:
        assert is_own
        back = await start("1/2")
        await eventually(lambda: first.shards == {0})
        assert back.shards == set()
    await eventually(lambda: back.shards == {1})


async def test_the_other_shards_are_kept_while_one_is_given_back(start: Start) -> None:
    """While one shard is being given back, however long that takes, the leases of the other shards are renewed."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    async with first.app.share.working_for(GUILD_ON_SHARD_1):
        back = await start("1/2")
        await eventually(lambda: first.shards == {0})
        await wait_for_renewal(first)
        await eventually(lambda: first.shards == {0})
        assert not back.shards
    await eventually(lambda: back.shards == {1})
    assert first.shards == {0}


async def test_times_are_announced_to_the_connected_process(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new deadline is announced to the process connected to Discord, even while another process has the lease."""
    monkeypatch.setattr(unit_of_work, "MAX_CHECK_INTERVAL", timedelta(days=30))
    first, second = await start("0/2"), await start("1/2")
    looks, look = list[Timekeeper](), Timekeeper.check_due

    async def note(timekeeper: Timekeeper, *args: Any) -> object:
        looks.append(timekeeper)
        return await look(timekeeper, *args)

    monkeypatch.setattr(Timekeeper, "check_due", note)
    second.app.connected.change(second.home)
    keeping = asyncio.create_task(second.app.timekeeper.run(FakeMembers()))
    await eventually(lambda: looks == [second.app.timekeeper])
    await second.hang()
    await eventually(lambda: first.shards == {0, 1} and not second.shards)
    challenge = await first.app.challenges.issue(NORTH, [SOUTH.id], place(guild_id=GUILD_ON_SHARD_1), interaction())
    await first.app.challenges.accept(SOUTH, challenge.id)
    await eventually(lambda: len(looks) > 1)
    keeping.cancel()


async def test_a_hanging_process_loses_its_shards(start: Start) -> None:
    """A process that hung gives up its shards once its leases expire by its own clock, without asking the database."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: not second.shards)
    assert first.shards


@pytest.mark.parametrize(("shard", "owner"), [(0, ""), (1, "another")])
async def test_a_shard_held_by_another_counts_as_new(start: Start, shard: int, owner: str) -> None:
    """If another process worked for a shard in between, the shard counts as new when the first process gets it back."""
    only = await start("0/2")
    await eventually(lambda: only.shards == {0, 1})
    servers = {number: GuildId(number << ID_BITS) for number in (0, 1)}
    before = {number: only.app.share.since(server) for number, server in servers.items()}
    await only.hang()
    row = update(tables.lease).where(tables.lease.c.shard == shard)
    await execute(only.database, row.values(owner=owner, until=datetime(2020, 1, 1, tzinfo=UTC)))
    only.wake()
    await eventually(lambda: only.app.share.since(servers[shard]) not in (None, before[shard]))
    assert only.app.share.since(servers[1 - shard]) == before[1 - shard]


async def test_a_second_process_for_the_same_shards_waits(start: Start, url: str) -> None:
    """A second process with the same shards waits until the first has ended."""
    first = await start("0/1")
    with capture_logs() as logs:
        waiting = asyncio.create_task(start("0/1"))
        await eventually(lambda: [log["shard"] for log in logs if "shard" in log] == [0])
    await wait_for_crash_checks(first)
    assert not waiting.done()
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: second.shards == {0})


async def test_processes_with_another_number_of_shards_wait(start: Start) -> None:
    """A process with another number of shards waits, because some servers would belong to both processes."""
    first = await start("0/2")
    waiting = asyncio.create_task(start("2/4"))
    await wait_for_renewal(first)
    assert not waiting.done()
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: 2 in second.shards)


async def test_a_process_replaced_by_another_shard_count_ends(start: Start) -> None:
    """A process ends if it hung and was replaced by a process with a different number of shards."""
    first = await start("0/2")
    await first.hang()
    second = await asyncio.wait_for(start("2/4"), 60)
    await eventually(lambda: second.shards == {0, 1, 2, 3})
    await second.hang()
    await eventually(lambda: not second.shards)
    with pytest.raises(LeaseLostError):
        await asyncio.wait_for(first.app.leases.run(), 60)
    assert not first.shards
    second.wake()
    await eventually(lambda: second.shards == {0, 1, 2, 3})


async def test_a_process_that_wakes_in_time_keeps_its_leases(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that wakes up before it is replaced renews its expired leases."""
    first = await start("0/2")
    await first.hang()
    await eventually(lambda: not first.shards)
    look, looks = leases.other_shard_count, list[int | None]()

    async def look_just_before(transaction: Transaction, shards: int, dead: Collection[str]) -> int | None:
        looks.append(await look(transaction, shards, dead))
        if looks == [None]:
            first.wake()
            await eventually(lambda: bool(first.shards))
        return looks[-1]

    monkeypatch.setattr(leases, "other_shard_count", look_just_before)
    waiting = asyncio.create_task(start("2/4"))
    await eventually(lambda: looks[1:] == [2])
    assert first.shards
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: 2 in second.shards)


async def test_shards_without_a_process_are_worked_for(start: Start) -> None:
    """A process also works for shards that never had a process of their own."""
    only = await start("0/4")
    await eventually(lambda: only.shards == {0, 1, 2, 3})


async def test_a_process_that_lost_its_shard_ends(start: Start, url: str) -> None:
    """A process ends if another process holds the lock of its shard."""
    first, other = await start("0/1"), DatabaseInspector(url)
    await first.hang()
    # Terminating the connection releases all its locks, and the process reconnects immediately.
    other.rows(
        "WITH ended AS MATERIALIZED (SELECT pg_terminate_backend(pid) FROM pg_locks"
        " JOIN pg_database ON pg_database.oid = database AND datname = current_database()"
        " WHERE locktype = 'advisory' AND pid <> pg_backend_pid())"
        " SELECT pg_advisory_lock(:lock) FROM (SELECT count(*) FROM ended) AS all_ended",
        lock=lock_number("shard 0"),
    )
    try:
        with pytest.raises(LeaseLostError):
            await asyncio.wait_for(first.app.leases.run(), 60)
        assert not first.shards
    finally:
        other.rows("SELECT pg_advisory_unlock(:lock)", lock=lock_number("shard 0"))
    second = await asyncio.wait_for(start("0/1"), 60)
    await eventually(lambda: second.shards == {0})


@asynccontextmanager
async def _on_sqlite(path: Path) -> AsyncGenerator[Application]:
    with use_database(DatabaseKind.SQLITE):
        async with open_new_database(path) as database:
            yield Application(database)


async def test_sqlite_is_for_one_process_with_all_shards(tmp_path: Path) -> None:
    """SQLite needs no leases and refuses to be shared by several processes."""
    async with _on_sqlite(tmp_path / "alone.db") as app:
        await app.leases.begin(Shards.all(3))
        assert app.share.shards == Shards.all(3)
        with pytest.raises(DatabaseError, match="PostgreSQL"):
            await app.leases.begin(Shards.parse("0/3"))
