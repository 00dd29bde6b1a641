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
from bot.store.others import Announcement, AnnouncementTopic
from bot.store.postgres import database as database_module
from bot.store.postgres import keeper as module
from bot.store.postgres.database import MIGRATION_LOCK
from bot.store.postgres.keeper import USERS_LOCK, LockConnection, lock_number
from tests.helpers.postgres import connected
from tests.helpers.proxy import Proxy
from tests.helpers.waiting import eventually
from tests.store.test_database import increment_counter, read_counter

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

Connect = Callable[[], Coroutine[Any, Any, LockConnection]]


@pytest.fixture(autouse=True)
def no_health_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable periodic health checks, so that a lost connection must be noticed without them."""
    monkeypatch.setattr(module, "HEALTH_CHECK_INTERVAL", 600.0)


@pytest.fixture
async def connect(url: str) -> AsyncIterator[Connect]:
    """Return a function that opens a lock connection, as another process would."""
    async with AsyncExitStack() as at_end:

        async def connect() -> LockConnection:
            keeper = await LockConnection.connect(make_url(url))
            at_end.push_async_callback(keeper.close)
            return keeper

        yield connect


async def server_process(keeper: LockConnection) -> int:
    """Return the id of the server process for a connection."""
    row = await keeper.execute(text("SELECT pg_backend_pid()"))
    assert row is not None
    return row[0]


async def terminate(keeper: LockConnection, by: LockConnection) -> int:
    """Use the connection `by` to terminate the connection `keeper`. Return the id of the terminated server process."""
    process = await server_process(keeper)
    await by.execute(text("SELECT pg_terminate_backend(:process)"), process=process)
    return process


async def wait_for_blocked_lock(host: Any) -> None:
    """Wait until a statement in this database is waiting for a lock."""
    query = (
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
        " WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted"
    )
    async with asyncio.timeout(60):
        while not await host.fetchval(query):
            pass


async def start_taking(host: Any, lock: str, url: str) -> asyncio.Task[Any]:
    """Start to take a lock that is not free. Return once the statement is waiting on the server."""
    task = asyncio.create_task(host.execute("SELECT pg_advisory_lock($1)", lock_number(lock)))
    async with connected(url) as observer:
        await wait_for_blocked_lock(observer)
    return task


@asynccontextmanager
async def kept_busy(keeper: LockConnection, host: Any) -> AsyncGenerator[asyncio.Task[Any]]:
    """Keep a connection busy with a statement until the end of the block."""
    lock = lock_number("busy")
    await host.execute("SELECT pg_advisory_lock($1)", lock)
    task = asyncio.create_task(keeper.execute(text(f"SELECT pg_advisory_xact_lock({lock})")))
    await wait_for_blocked_lock(host)
    yield task
    await host.execute("SELECT pg_advisory_unlock($1)", lock)
    await asyncio.wait((task,))


async def wait_for_reconnect(keeper: LockConnection, before: int) -> None:
    """Wait until the server process of a connection is no longer `before`."""
    async with asyncio.timeout(60):
        while True:
            with suppress(Exception):
                if await server_process(keeper) != before:
                    return
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("listens", [False, True])
async def test_lost_connection_is_restored_with_locks(connect: Connect, host: Any, *, listens: bool) -> None:
    """A lost connection is restored with its locks, and continues to listen if it listened before."""
    keeper, other = await connect(), await connect()
    announcements = list[Announcement | None]()
    if listens:
        await keeper.listen(announcements.append)
    assert await keeper.try_lock("alone")
    assert await keeper.try_lock("together", is_shared=True)
    before = await terminate(keeper, other)
    await wait_for_reconnect(keeper, before)
    await eventually(lambda: keeper.holds("alone") and keeper.holds("together"))
    assert not await other.try_lock("alone")
    assert await other.try_lock("together", is_shared=True)
    await keeper.release("alone")
    assert await other.try_lock("alone")
    if listens:
        # The callback first gets None, because announcements may have been missed. Then it gets new announcements.
        await eventually(lambda: announcements == [None])
        await host.execute("SELECT pg_notify('deadwood', 'messages 3 0')")
        await eventually(lambda: announcements[1:] == [Announcement(AnnouncementTopic.MESSAGES, 3)])


async def test_lock_taken_during_loss_is_not_held(connect: Connect, url: str, host: Any) -> None:
    """A lock that another process took while the connection was lost is not held, and can be taken again later."""
    keeper, other = await connect(), await connect()
    assert await keeper.try_lock("alone")
    waiting = await start_taking(host, "alone", url)
    await terminate(keeper, other)
    await waiting
    await eventually(lambda: not keeper.holds("alone"))
    assert not await keeper.try_lock("alone")
    await host.execute("SELECT pg_advisory_unlock($1)", lock_number("alone"))
    assert await keeper.try_lock("alone")


async def test_evicted_process_cannot_write(connect: Connect, url: str, host: Any) -> None:
    """A process can no longer write to the database after another process has taken exclusive use of it."""
    database, other = await open_database(url), await connect()
    try:
        await increment_counter(database)
        keeper = database.others
        assert isinstance(keeper, LockConnection)
        taking = await start_taking(host, USERS_LOCK, url)
        await terminate(keeper, other)
        await taking
        await eventually(lambda: keeper.is_evicted)
        with pytest.raises(DatabaseUnavailableError, match="was updated or moved"):
            await increment_counter(database)
    finally:
        await database.close()


async def test_writes_fail_without_the_users_lock(url: str, host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes fail while the process may have lost `USERS_LOCK`, even if the connections for writing work."""
    database = await open_database(url)
    try:
        keeper = database.others
        assert isinstance(keeper, LockConnection)

        def out_of_reach(*_: object) -> None:
            raise OSError

        with monkeypatch.context() as patched:
            patched.setattr(module, "create_engine", out_of_reach)
            patched.setattr(module, "RECONNECT_WAIT_TIMEOUT", 0.1)
            await host.execute(f"SELECT pg_terminate_backend({await server_process(keeper)})")
            await host.execute("SELECT pg_advisory_lock($1)", lock_number(USERS_LOCK))
            await eventually(lambda: not keeper.holds(USERS_LOCK))
            with pytest.raises(DatabaseUnavailableError, match="no connection"):
                await increment_counter(database)
        await host.execute("SELECT pg_advisory_unlock($1)", lock_number(USERS_LOCK))
        await increment_counter(database)
        assert await read_counter(database) == 1
    finally:
        await database.close()


async def test_write_waits_for_the_lock_connection(url: str, host: Any) -> None:
    """A write during a short loss of the lock connection waits until the connection is restored."""
    database = await open_database(url)
    try:
        await increment_counter(database)
        keeper = database.others
        assert isinstance(keeper, LockConnection)
        await host.execute(f"SELECT pg_terminate_backend({await server_process(keeper)})")
        await eventually(lambda: not keeper.holds(USERS_LOCK), pause=0)
        await increment_counter(database)
    finally:
        await database.close()


async def test_cancelled_statement_keeps_locks(connect: Connect, host: Any) -> None:
    """The connection and its locks are kept when the caller of a statement is cancelled."""
    keeper, other = await connect(), await connect()
    assert await keeper.try_lock("alone")
    before = await server_process(keeper)
    async with kept_busy(keeper, host) as task:
        task.cancel()
    assert task.cancelled()
    assert await server_process(keeper) == before
    assert not await other.try_lock("alone")


async def test_lock_of_cancelled_caller_is_released(connect: Connect, host: Any) -> None:
    """A lock that is granted after its caller was cancelled is released again."""
    keeper, other = await connect(), await connect()
    async with kept_busy(keeper, host):
        task = asyncio.create_task(keeper.try_lock("alone"))
        # Check that the connection is still busy. Meanwhile, `task` queues its statement behind the running one.
        await wait_for_blocked_lock(host)
        task.cancel()
    async with asyncio.timeout(60):
        while not await other.try_lock("alone"):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def test_listening_on_a_busy_connection(connect: Connect, host: Any) -> None:
    """Listening on a busy connection waits for the current statement, and then receives announcements."""
    keeper, announcements = await connect(), list[Announcement | None]()
    async with kept_busy(keeper, host):
        listening = asyncio.create_task(keeper.listen(announcements.append))
        await wait_for_blocked_lock(host)
    await listening
    await host.execute("SELECT pg_notify('deadwood', 'messages 3 0')")
    await eventually(lambda: announcements == [Announcement(AnnouncementTopic.MESSAGES, 3)])


async def test_failed_release_drops_the_connection(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    """If releasing a lock fails, no error is raised. The connection is replaced, and retakes only its other locks."""
    keeper, other = await connect(), await connect()
    assert await keeper.try_lock("kept")
    assert await keeper.try_lock("done")

    async def fail(*_: object, **__: object) -> None:
        raise OSError

    before = await server_process(keeper)
    with monkeypatch.context() as patched:
        patched.setattr(keeper, "execute", fail)
        await keeper.release("done")
    await wait_for_reconnect(keeper, before)
    await eventually(lambda: keeper.holds("kept"))
    assert await other.try_lock("done")
    assert not await other.try_lock("kept")


async def test_a_start_waits_for_an_update(url: str, host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening waits without a timeout while another process migrates the tables."""
    monkeypatch.setattr(database_module, "MIGRATION_LOCK_INTERVAL", 0.05)
    await host.execute("SELECT pg_advisory_lock($1)", lock_number(MIGRATION_LOCK))
    attempts, hold = 0, LockConnection.try_lock

    async def counting_hold(keeper: LockConnection, *args: Any, **options: Any) -> bool:
        nonlocal attempts
        attempts += 1
        return await hold(keeper, *args, **options)

    monkeypatch.setattr(LockConnection, "try_lock", counting_hold)
    opening = asyncio.create_task(open_database(url))
    await eventually(lambda: attempts > 3)
    assert not opening.done()
    await host.execute("SELECT pg_advisory_unlock($1)", lock_number(MIGRATION_LOCK))
    async with asyncio.timeout(60):
        await (await opening).close()


async def test_free_locks_are_known_to_all_processes(connect: Connect, url: str) -> None:
    """In every process, `free_locks` returns the locks that are free: no process holds them, not even shared."""
    keeper, other = await connect(), await connect()
    alone, together = {f"alone {number}" for number in range(8)}, {"together"}
    assert {lock_number(lock) > 0 for lock in alone} == {True, False}
    for lock in alone:
        assert await keeper.try_lock(lock)
    assert await keeper.try_lock("together", is_shared=True)
    locks = alone | together | {"free"}
    assert await other.free_locks(locks) == await keeper.free_locks(locks) == {"free"}
    database = await open_database(url)
    try:
        async with database.read() as transaction:
            assert await other.free_locks(locks, transaction) == {"free"}
    finally:
        await database.close()
    await keeper.close()
    async with asyncio.timeout(60):
        while await other.free_locks(locks) != locks:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def test_loss_of_locks_is_reported(connect: Connect) -> None:
    """`on_loss` is called as soon as a process loses its locks."""
    keeper, other = await connect(), await connect()
    lost = asyncio.Event()
    keeper.on_loss = lost.set
    await terminate(keeper, other)
    async with asyncio.timeout(60):
        await lost.wait()


async def test_a_pooler_is_noticed(url: str) -> None:
    """`has_reliable_locks` is False behind a connection pooler.

    A pooler reports a process id that is not the server's.
    """
    async with Proxy.running() as direct, Proxy.running(pools=True) as pooler:
        for proxy in (direct, pooler):
            keeper = await LockConnection.connect(make_url(proxy.address_of(url)))
            assert keeper.has_reliable_locks is (proxy is direct)
            await keeper.close()
