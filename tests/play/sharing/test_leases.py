"""Leases: each shard is worked for by exactly one process, even if processes crash and restart."""

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
from bot.store.postgres.keeper import lock_of
from bot.store.transaction import Transaction
from bot.values.ids import GuildId
from bot.values.shards import ID_BITS, Shards
from tests.helpers.databases import Kind, execute, on, opened
from tests.helpers.onlooker import Onlooker
from tests.helpers.proxy import Proxy
from tests.helpers.table import NORTH, SOUTH, Attendance, interaction, place
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

TAKEN_OVER_WITHIN: Final = timedelta(seconds=1.6)
"""Leases are valid for three quarters of this, which is longer than a commit takes on a busy machine."""
ASKED_AGAIN_AFTER: Final = 0.05
"""Interval at which a waiting process checks again, in seconds."""
ON_SECOND: Final = GuildId(1 << ID_BITS)
"""A server on the second of two shards."""

LONG: Final = timedelta(minutes=10)
"""Lease time that is never reached in a test."""

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
        """The shards that the process works for."""
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
            # A renewal that has started runs to its end.
            await eventually(lambda: self.database.idle)

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
def ask_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waiting processes check often."""
    monkeypatch.setattr(leases_module, "ASKED_AGAIN_AFTER", ASKED_AGAIN_AFTER)


@pytest.fixture
async def start(url: str) -> AsyncIterator[Start]:
    """Yield a function that starts a process for some shards. All processes are killed after the test."""
    async with AsyncExitStack() as at_end:

        async def start(
            shards: str, taken_over_within: timedelta = TAKEN_OVER_WITHIN, by: Proxy | None = None
        ) -> Process:
            address = url if by is None else by.address_of(url)
            process = Process(await open_database(address), shards, taken_over_within)
            at_end.push_async_callback(process.die)
            await process.begin()
            return process

        yield start


async def test_each_process_works_for_the_shards_it_is_connected_as(start: Start) -> None:
    """Each process works for its own shards, the one with shard 0 leads, and all know the number of processes."""
    first, second = await start("0-1/4", LONG), await start("2-3/4", LONG)
    assert first.shards == {0, 1}
    assert second.shards == {2, 3}
    assert (first.app.share.leads, second.app.share.leads) == (True, False)
    await eventually(lambda: first.app.leases.processes == second.app.leases.processes == 2)


async def test_a_dead_process_is_replaced_and_gets_its_shards_back(start: Start) -> None:
    """After a process's leases expired, another works for its shards until it is back."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    back = await start("1/2")
    await eventually(lambda: back.shards == {1})
    assert first.shards == {0}


async def test_a_dead_process_is_replaced_long_before_its_leases_are_over(start: Start) -> None:
    """A crashed process is replaced before its leases expire, because the server reports the closed connection."""
    first, second = await start("0/2", LONG), await start("1/2", LONG)
    await second.die()
    await eventually(lambda: first.shards == {0, 1})


@pytest.mark.nightly
async def test_a_dead_process_that_starts_again_gets_its_own_leases(start: Start) -> None:
    """A process that restarts alone gets its leases back immediately."""
    only = await start("0/1", LONG)
    await only.die()
    back = await start("0/1", LONG)
    await eventually(lambda: back.shards == {0})


@pytest.mark.parametrize("replaced", [False, True])
async def test_one_of_two_that_starts_again_gets_its_shards(start: Start, *, replaced: bool) -> None:
    """A process that restarts gets its shards back, whether or not the other one has taken over."""
    first, second = await start("0/2", LONG), await start("1/2", LONG)
    await second.die()
    if replaced:
        await eventually(lambda: first.shards == {0, 1})
    back = await start("1/2", LONG)
    await eventually(lambda: back.shards == {1} and first.shards == {0})


@pytest.mark.nightly
async def test_all_processes_may_die_and_start_again_as_other_shards(start: Start) -> None:
    """After all processes crashed, new ones with other shards do not wait for their leases."""
    for process in [await start("0/2", LONG), await start("1/2", LONG)]:
        await process.die()
    back = await start("0-3/4", LONG)
    await eventually(lambda: back.shards == {0, 1, 2, 3})


async def test_a_process_that_hangs_is_not_dead(start: Start) -> None:
    """A process that hangs keeps its connection and its leases until they expire."""
    first, second = await start("0/2", LONG), await start("1/2", LONG)
    await second.hang()
    await looked(first)
    assert first.shards == {0}


class Watch:
    """Watches continuously whether two processes work for the same shard."""

    def __init__(self, *processes: Process) -> None:
        self.overlaps = False
        """True if they did at any time."""
        self._processes = processes

    async def look(self) -> None:
        """Watch until cancelled."""
        while True:
            one, other = (process.shards for process in self._processes)
            self.overlaps |= not one.isdisjoint(other)
            await asyncio.sleep(0.005)


@asynccontextmanager
async def watched(first: Process, second: Process) -> AsyncGenerator[Watch]:
    watch = Watch(first, second)
    looking = asyncio.create_task(watch.look())
    try:
        yield watch
    finally:
        looking.cancel()


async def looked(process: Process) -> None:
    """Wait until a process has looked for crashed processes long enough to find one."""
    looks = set[float]()

    def is_over() -> bool:
        looks.add(getattr(process.app.leases, "_looked_at"))  # noqa: B009 - there is no public way to see a look
        return max(looks) - min(looks) > 2 * leases_module.DEAD_AFTER

    await eventually(is_over)


def until(process: Process) -> float:
    """Return the end of a process's leases, as `uptime`."""
    return getattr(process.app.leases, "_until")  # noqa: B009 - there is no public way to see a renewal


async def renewed(process: Process) -> None:
    """Wait for longer than the process's current leases are valid, while it renews them."""

    before = until(process)
    await eventually(lambda: until(process) > before + TAKEN_OVER_WITHIN.total_seconds())


async def work_for_long(process: Process) -> None:
    """Do long-running work for the second shard."""
    async with process.app.share.at_work_for(ON_SECOND) as is_own:
        assert is_own
        await asyncio.Event().wait()


async def test_a_living_process_whose_connection_breaks_keeps_its_leases(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process whose connection breaks reconnects before others take over, and its work is not interrupted."""
    # Even the busiest machine reconnects within this time.
    monkeypatch.setattr(leases_module, "ENDS_WITHIN", 20.0)
    monkeypatch.setattr(leases_module, "DEAD_AFTER", 40.0)
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG), await start("1/2", LONG, proxy)
        await eventually(lambda: second.app.share.has(ON_SECOND))
        since = second.app.share.since(ON_SECOND)
        async with watched(first, second) as watch, second.app.share.at_work_for(ON_SECOND):
            proxy.cut()
            await eventually(lambda: getattr(second.app.leases, "_losses") > 0)  # noqa: B009
            await eventually(lambda: until(second) > uptime() + LONG.total_seconds() / 2)
            assert second.shards == {1}
        assert first.shards == {0}
        assert not watch.overlaps
        assert second.app.share.since(ON_SECOND) == since


async def test_a_living_process_out_of_reach_is_replaced_and_works_no_more(start: Start) -> None:
    """A process that cannot reach the database stops working and is replaced, and later gets its shards back."""
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG), await start("1/2", LONG, proxy)
        await eventually(lambda: second.shards == {1})
        async with watched(first, second) as watch:
            working = asyncio.create_task(work_for_long(second))
            await asyncio.sleep(0)
            proxy.cut(for_good=True)
            with pytest.raises(TimeoutError):
                await working
            await eventually(lambda: first.shards == {0, 1})
            assert not second.shards
            proxy.open()
            await eventually(lambda: second.shards == {1} and first.shards == {0})
        assert not watch.overlaps


async def test_a_process_whose_connection_falls_silent_keeps_its_leases(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process ends a silent connection, whose locks the server still holds, and takes the locks again."""
    monkeypatch.setattr(keeper, "ANSWERS_WITHIN", 0.5)
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG), await start("1/2", LONG, proxy)
        await eventually(lambda: second.shards == {1})
        async with watched(first, second) as watch:
            # The oldest connection, which is the process's own.
            proxy.silence()
            others = second.database.others
            await eventually(lambda: not others.holds(keeper.IN_USE))
            await eventually(lambda: others.holds(keeper.IN_USE) and second.shards == {1})
            await looked(first)
        assert (first.shards, second.shards) == ({0}, {1})
        assert not watch.overlaps


@pytest.mark.nightly
async def test_processes_that_lose_the_database_together_share_it_again(start: Start) -> None:
    """If all processes lose the database, as in a server restart, no shard is worked for twice."""
    async with Proxy.running() as proxy:
        first, second = await start("0/2", LONG, proxy), await start("1/2", LONG, proxy)
        await eventually(lambda: (first.shards, second.shards) == ({0}, {1}))
        async with watched(first, second) as watch:
            proxy.cut(for_good=True)
            await eventually(lambda: not first.shards and not second.shards)
            proxy.open()
            await eventually(lambda: (first.shards, second.shards) == ({0}, {1}))
        assert not watch.overlaps


@pytest.mark.nightly
async def test_an_answer_from_before_a_loss_gives_no_lease(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A late reply to a renewal from before a lost connection does not extend leases, which others may have taken."""
    async with Proxy.running() as proxy:
        only = await start("0/1", LONG, proxy)
        await eventually(lambda: only.shards == {0})
        await only.hang()
        own, others = only.app.leases, only.database.others
        renewed: Callable[[], Coroutine[Any, Any, object]] = getattr(own, "_renewed")  # noqa: B009 - to replace it

        async def answer_late() -> object:
            answer = await renewed()
            proxy.cut()
            await eventually(lambda: not others.holds(keeper.IN_USE), pause=0)
            await eventually(lambda: others.holds(keeper.IN_USE))
            return answer

        with monkeypatch.context() as patched:
            patched.setattr(own, "_renewed", answer_late)
            await getattr(own, "_renew")()  # noqa: B009 - to renew exactly once
        await eventually(lambda: not only.shards)
        only.wake()
        await eventually(lambda: only.shards == {0})


@pytest.mark.nightly
async def test_behind_a_pooler_the_time_of_leases_decides(start: Start) -> None:
    """Behind a pooler the end of a connection does not mean a crash, so only the leases' time counts."""
    async with Proxy.running(pools=True) as proxy:
        first, second = await start("0/2"), await start("1/2", LONG, proxy)
        await eventually(lambda: second.shards == {1})
        await second.die()
        await looked(first)
        assert first.shards == {0}


async def test_a_process_that_stops_and_comes_back_at_once_misses_nothing(start: Start) -> None:
    """A process that shuts down and restarts immediately keeps its leases."""
    first, second = await start("0/2"), await start("1/2")
    await second.stop()
    back = await start("1/2")
    assert back.shards == {1}
    assert first.shards == {0}


async def test_what_is_under_way_ends_before_the_shard_changes_hands(start: Start) -> None:
    """A shard changes hands only when running work for it has ended."""
    first, second = await start("0/2"), await start("1/2")
    # On a slow machine the first process can briefly work for both shards.
    await eventually(lambda: second.app.share.has(ON_SECOND))
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    async with first.app.share.at_work_for(ON_SECOND) as is_own:
        assert is_own
        back = await start("1/2")
        await eventually(lambda: first.shards == {0})
        assert back.shards == set()
    await eventually(lambda: back.shards == {1})


async def test_the_other_shards_are_kept_while_one_is_given_back(start: Start) -> None:
    """While one shard is being given back, the others' leases are renewed, however long its work takes."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: first.shards == {0, 1})
    async with first.app.share.at_work_for(ON_SECOND):
        back = await start("1/2")
        await eventually(lambda: first.shards == {0})
        await renewed(first)
        await eventually(lambda: first.shards == {0})
        assert not back.shards
    await eventually(lambda: back.shards == {1})
    assert first.shards == {0}


@pytest.mark.nightly
async def test_a_time_is_announced_to_whoever_is_connected(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time is announced to the connected process even while another process has its shard."""
    monkeypatch.setattr(unit_of_work, "LOOKS_AFTER", timedelta(days=30))
    first, second = await start("0/2"), await start("1/2")
    looks, look = list[Timekeeper](), Timekeeper.look

    async def note(timekeeper: Timekeeper, *args: Any) -> object:
        looks.append(timekeeper)
        return await look(timekeeper, *args)

    monkeypatch.setattr(Timekeeper, "look", note)
    second.app.connected.change(second.home)
    keeping = asyncio.create_task(second.app.timekeeper.run(Attendance()))
    await eventually(lambda: looks == [second.app.timekeeper])
    await second.hang()
    await eventually(lambda: first.shards == {0, 1} and not second.shards)
    challenge = await first.app.challenges.issue(NORTH, [SOUTH.id], place(guild_id=ON_SECOND), interaction())
    await first.app.challenges.accept(SOUTH, challenge.id)
    await eventually(lambda: len(looks) > 1)
    keeping.cancel()


async def test_a_process_that_hangs_knows_that_others_may_do_its_work(start: Start) -> None:
    """A process that hangs has no shards once its leases expire, without asking the database."""
    first, second = await start("0/2"), await start("1/2")
    await second.die()
    await eventually(lambda: not second.shards)
    assert first.shards


@pytest.mark.nightly
@pytest.mark.parametrize(("shard", "owner"), [(0, ""), (1, "another")])
async def test_a_shard_that_is_back_is_new(start: Start, shard: int, owner: str) -> None:
    """If another process worked for a shard in the meantime, the shard counts as new when it is back."""
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
        await eventually(lambda: [one["shard"] for one in logs if "shard" in one] == [0])
    await looked(first)
    assert not waiting.done()
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: second.shards == {0})


async def test_processes_with_another_number_of_shards_wait(start: Start) -> None:
    """A process with another number of shards waits, because both would work for the same servers."""
    first = await start("0/2")
    waiting = asyncio.create_task(start("2/4"))
    await renewed(first)
    assert not waiting.done()
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: 2 in second.shards)


@pytest.mark.nightly
async def test_a_process_that_wakes_among_another_number_of_shards_ends(start: Start) -> None:
    """A process that hung until it was replaced by one with another number of shards ends."""
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


@pytest.mark.nightly
async def test_a_process_that_wakes_in_time_keeps_its_leases(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that wakes up before it is replaced renews its expired leases."""
    first = await start("0/2")
    await first.hang()
    await eventually(lambda: not first.shards)
    look, looks = leases.count_of_others, list[int | None]()

    async def look_just_before(transaction: Transaction, shards: int, dead: Collection[str]) -> int | None:
        looks.append(await look(transaction, shards, dead))
        if looks == [None]:
            first.wake()
            await eventually(lambda: bool(first.shards))
        return looks[-1]

    monkeypatch.setattr(leases, "count_of_others", look_just_before)
    waiting = asyncio.create_task(start("2/4"))
    await eventually(lambda: looks[1:] == [2])
    assert first.shards
    await first.die()
    second = await asyncio.wait_for(waiting, 60)
    await eventually(lambda: 2 in second.shards)


@pytest.mark.nightly
async def test_shards_that_nobody_was_ever_connected_as_are_worked_for(start: Start) -> None:
    """Shards that never had a process of their own are worked for by others."""
    only = await start("0/4")
    await eventually(lambda: only.shards == {0, 1, 2, 3})


async def test_a_process_ends_that_lost_its_shard_to_another(start: Start, url: str) -> None:
    """A process ends if another one has connected with its shard."""
    first, other = await start("0/1"), Onlooker(url)
    await first.hang()
    # Terminating the connection releases all its locks, and the process reconnects immediately.
    other.rows(
        "WITH ended AS MATERIALIZED (SELECT pg_terminate_backend(pid) FROM pg_locks"
        " JOIN pg_database ON pg_database.oid = database AND datname = current_database()"
        " WHERE locktype = 'advisory' AND pid <> pg_backend_pid())"
        " SELECT pg_advisory_lock(:lock) FROM (SELECT count(*) FROM ended) AS all_ended",
        lock=lock_of("shard 0"),
    )
    try:
        with pytest.raises(LeaseLostError):
            await asyncio.wait_for(first.app.leases.run(), 60)
        assert not first.shards
    finally:
        other.rows("SELECT pg_advisory_unlock(:lock)", lock=lock_of("shard 0"))
    second = await asyncio.wait_for(start("0/1"), 60)
    await eventually(lambda: second.shards == {0})


@asynccontextmanager
async def _on_sqlite(path: Path) -> AsyncGenerator[Application]:
    with on(Kind.SQLITE):
        async with opened(path) as database:
            yield Application(database)


async def test_sqlite_is_for_one_process_with_all_shards(tmp_path: Path) -> None:
    """SQLite needs no leases and refuses to be shared by several processes."""
    async with _on_sqlite(tmp_path / "alone.db") as app:
        await app.leases.begin(Shards.all(3))
        assert app.share.shards == Shards.all(3)
        with pytest.raises(DatabaseError, match="PostgreSQL"):
            await app.leases.begin(Shards.parse("0/3"))
