"""Tests of the connection that holds a process's locks and listens for announcements."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import make_url, text

from bot.store.errors import DatabaseUnavailableError
from bot.store.opening import open_database
from bot.store.others import Announcement, News
from bot.store.postgres import database as database_module
from bot.store.postgres import keeper as module
from bot.store.postgres.database import UPDATE
from bot.store.postgres.keeper import IN_USE, Keeper, lock_of
from tests.helpers.proxy import Proxy
from tests.helpers.waiting import eventually
from tests.store.test_database import read_count, write_count

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

Connect = Callable[[], Coroutine[Any, Any, Keeper]]


@pytest.fixture(autouse=True)
def look_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable periodic health checks, so that a lost connection is restored only because its end is noticed."""
    monkeypatch.setattr(module, "LOOKED_AFTER", 600.0)


@pytest.fixture
async def connect(url: str) -> AsyncIterator[Connect]:
    """Return a function that connects like another process."""
    async with AsyncExitStack() as at_end:

        async def connect() -> Keeper:
            keeper = await Keeper.connect(make_url(url))
            at_end.push_async_callback(keeper.close)
            return keeper

        yield connect


async def process_of(keeper: Keeper) -> int:
    """Return the id of the server process for a connection."""
    row = await keeper.execute(text("SELECT pg_backend_pid()"))
    assert row is not None
    return row[0]


async def cut_off(keeper: Keeper, by: Keeper) -> int:
    """Terminate the connection of `keeper` through `by`. Return the id of the terminated server process."""
    process = await process_of(keeper)
    await by.execute(text("SELECT pg_terminate_backend(:process)"), process=process)
    return process


async def is_locked(host: Any) -> None:
    """Wait until a statement is waiting for a lock."""
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(60):
        while not await host.fetchval(query):
            pass


@asynccontextmanager
async def waiting(keeper: Keeper, host: Any) -> AsyncGenerator[asyncio.Task[Any]]:
    """Keep a connection busy with a statement until the end of the block."""
    lock = lock_of("busy")
    await host.execute("SELECT pg_advisory_lock($1)", lock)
    task = asyncio.create_task(keeper.execute(text(f"SELECT pg_advisory_xact_lock({lock})")))
    await is_locked(host)
    yield task
    await host.execute("SELECT pg_advisory_unlock($1)", lock)
    await asyncio.wait((task,))


async def connected_again(keeper: Keeper, before: int) -> None:
    """Wait until a connection has another server process than `before`."""
    async with asyncio.timeout(60):
        while True:
            with suppress(Exception):
                if await process_of(keeper) != before:
                    return
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("listens", [False, True])
async def test_a_lost_connection_comes_back_with_its_locks(connect: Connect, host: Any, *, listens: bool) -> None:
    """A lost connection is restored with its locks, and continues to listen if it listened before."""
    keeper, other = await connect(), await connect()
    heard = list[Announcement | None]()
    if listens:
        await keeper.listen(heard.append)
    assert await keeper.hold("alone")
    assert await keeper.hold("together", shared=True)
    before = await cut_off(keeper, other)
    await connected_again(keeper, before)
    await eventually(lambda: keeper.holds("alone") and keeper.holds("together"))
    assert not await other.hold("alone")
    assert await other.hold("together", shared=True)
    await keeper.let_go("alone")
    assert await other.hold("alone")
    if listens:
        # It reports that it may have missed announcements, and receives new ones.
        await eventually(lambda: heard == [None])
        await host.execute("SELECT pg_notify('deadwood', 'messages 3 0')")
        await eventually(lambda: heard[1:] == [Announcement(News.MESSAGES, 3)])


async def test_what_another_took_meanwhile_is_theirs(connect: Connect, host: Any) -> None:
    """A lock that another process took during a loss is no longer held, and can be taken again later."""
    keeper, other = await connect(), await connect()
    assert await keeper.hold("alone")
    waiting = asyncio.create_task(host.execute("SELECT pg_advisory_lock($1)", lock_of("alone")))
    await cut_off(keeper, other)
    await waiting
    await eventually(lambda: not keeper.holds("alone"))
    assert not await keeper.hold("alone")
    await host.execute("SELECT pg_advisory_unlock($1)", lock_of("alone"))
    assert await keeper.hold("alone")


async def test_a_process_whose_database_was_taken_changes_nothing_more(connect: Connect, url: str, host: Any) -> None:
    """A process that lost the database to another process's exclusive use cannot write any more."""
    database, other = await open_database(url), await connect()
    try:
        await write_count(database)
        keeper = database.others
        assert isinstance(keeper, Keeper)
        taking = asyncio.create_task(host.execute("SELECT pg_advisory_lock($1)", lock_of(IN_USE)))
        await cut_off(keeper, other)
        await taking
        await eventually(lambda: keeper.evicted)
        with pytest.raises(DatabaseUnavailableError, match="was updated or moved"):
            await write_count(database)
    finally:
        await database.close()


async def test_nothing_is_written_while_somebody_else_may_have_the_database(
    url: str, host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writes fail while the lock on the database may be lost, even if their own connections work."""
    database = await open_database(url)
    try:
        keeper = database.others
        assert isinstance(keeper, Keeper)

        def out_of_reach(*_: object) -> None:
            raise OSError

        with monkeypatch.context() as patched:
            patched.setattr(module, "create_engine", out_of_reach)
            patched.setattr(module, "REQUIRED_WITHIN", 0.1)
            await host.execute(f"SELECT pg_terminate_backend({await process_of(keeper)})")
            await host.execute("SELECT pg_advisory_lock($1)", lock_of(IN_USE))
            await eventually(lambda: not keeper.holds(IN_USE))
            with pytest.raises(DatabaseUnavailableError, match="no connection"):
                await write_count(database)
        await host.execute("SELECT pg_advisory_unlock($1)", lock_of(IN_USE))
        await write_count(database)
        assert await read_count(database) == 1
    finally:
        await database.close()


async def test_whoever_writes_just_then_waits_for_the_connection(url: str, host: Any) -> None:
    """A write during a short loss of the lock connection waits until it is restored."""
    database = await open_database(url)
    try:
        await write_count(database)
        keeper = database.others
        assert isinstance(keeper, Keeper)
        await host.execute(f"SELECT pg_terminate_backend({await process_of(keeper)})")
        await eventually(lambda: not keeper.holds(IN_USE), pause=0)
        await write_count(database)
    finally:
        await database.close()


async def test_a_statement_that_nobody_waits_for_any_more_costs_no_lock(connect: Connect, host: Any) -> None:
    """Cancelling a statement keeps the connection and its locks."""
    keeper, other = await connect(), await connect()
    assert await keeper.hold("alone")
    before = await process_of(keeper)
    async with waiting(keeper, host) as task:
        task.cancel()
    assert task.cancelled()
    assert await process_of(keeper) == before
    assert not await other.hold("alone")


async def test_a_lock_that_nobody_waits_for_any_more_is_let_go(connect: Connect, host: Any) -> None:
    """A lock that is granted after its caller was cancelled is released again."""
    keeper, other = await connect(), await connect()
    async with waiting(keeper, host):
        task = asyncio.create_task(keeper.hold("alone"))
        # Waiting also gives the task time to send its statement.
        await is_locked(host)
        task.cancel()
    async with asyncio.timeout(60):
        while not await other.hold("alone"):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def test_a_process_listens_while_its_connection_is_in_use(connect: Connect, host: Any) -> None:
    """Listening on a busy connection waits for the current statement, and then receives announcements."""
    keeper, heard = await connect(), list[Announcement | None]()
    async with waiting(keeper, host):
        listening = asyncio.create_task(keeper.listen(heard.append))
        await is_locked(host)
    await listening
    await host.execute("SELECT pg_notify('deadwood', 'messages 3 0')")
    await eventually(lambda: heard == [Announcement(News.MESSAGES, 3)])


async def test_a_lock_that_cannot_be_let_go_ends_with_the_connection(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If releasing a lock fails, no error is raised, the lock is released, and all other locks are held again."""
    keeper, other = await connect(), await connect()
    assert await keeper.hold("kept")
    assert await keeper.hold("done")

    async def fail(*_: object, **__: object) -> None:
        raise OSError

    before = await process_of(keeper)
    with monkeypatch.context() as patched:
        patched.setattr(keeper, "execute", fail)
        await keeper.let_go("done")
    await connected_again(keeper, before)
    await eventually(lambda: keeper.holds("kept"))
    assert await other.hold("done")
    assert not await other.hold("kept")


async def test_a_start_waits_for_an_update(url: str, host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening waits without a timeout while another process migrates the tables."""
    monkeypatch.setattr(database_module, "ASKED_AGAIN_AFTER", 0.05)
    await host.execute("SELECT pg_advisory_lock($1)", lock_of(UPDATE))
    asked, hold = 0, Keeper.hold

    async def note(keeper: Keeper, *args: Any, **options: Any) -> bool:
        nonlocal asked
        asked += 1
        return await hold(keeper, *args, **options)

    monkeypatch.setattr(Keeper, "hold", note)
    opening = asyncio.create_task(open_database(url))
    await eventually(lambda: asked > 3)
    assert not opening.done()
    await host.execute("SELECT pg_advisory_unlock($1)", lock_of(UPDATE))
    async with asyncio.timeout(60):
        await (await opening).close()


async def test_what_nobody_holds_is_known_to_all(connect: Connect, url: str) -> None:
    """`unheld` returns the same free locks to all processes, for exclusive and shared locks, and in a transaction."""
    keeper, other = await connect(), await connect()
    alone, together = {f"alone {number}" for number in range(8)}, {"together"}
    assert {lock_of(lock) > 0 for lock in alone} == {True, False}
    for lock in alone:
        assert await keeper.hold(lock)
    assert await keeper.hold("together", shared=True)
    locks = alone | together | {"free"}
    assert await other.unheld(locks) == await keeper.unheld(locks) == {"free"}
    database = await open_database(url)
    try:
        async with database.read() as transaction:
            assert await other.unheld(locks, transaction) == {"free"}
    finally:
        await database.close()
    await keeper.close()
    async with asyncio.timeout(60):
        while await other.unheld(locks) != locks:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def test_a_process_learns_at_once_that_it_lost_its_locks(connect: Connect) -> None:
    """`on_loss` is called as soon as a process loses its locks."""
    keeper, other = await connect(), await connect()
    lost = asyncio.Event()
    keeper.on_loss = lost.set
    await cut_off(keeper, other)
    async with asyncio.timeout(60):
        await lost.wait()


async def test_a_pooler_is_noticed(url: str) -> None:
    """`keeps_locks` is False behind a connection pooler, which reports another process id than the server."""
    async with Proxy.running() as direct, Proxy.running(pools=True) as pooler:
        for proxy in (direct, pooler):
            keeper = await Keeper.connect(make_url(proxy.address_of(url)))
            assert keeper.keeps_locks is (proxy is direct)
            await keeper.close()
