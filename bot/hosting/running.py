"""Running the bot: opens the database, connects the client, monitors both, and closes everything."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import discord
import structlog

from bot.connection.client import Client
from bot.connection.discord_internals import use_server
from bot.connection.shutdown import LastResort, run_shutdown_step
from bot.exit_codes import FILES_LOST, RETRY, UNUSABLE
from bot.files.needed_files import NeededFiles
from bot.files.open_files import FilesLostError, Guard, OpenFiles, find_lost_copy
from bot.hosting.heartbeat import CHECKING, INTERVAL, Heartbeat
from bot.hosting.memory import GarbageCollector, set_up_allocator
from bot.hosting.settings import Settings, SettingsError
from bot.hosting.starts import count_start
from bot.metrics import serve_metrics
from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.play.sharing.leases import LeaseLostError
from bot.store.address import database_name, sqlite_path
from bot.store.database import Database
from bot.store.errors import ConflictError, DatabaseError, DatabaseLostError, DatabaseUnavailableError
from bot.store.opening import open_database
from bot.workers.workers import Workers
from cogs.delivery.saving import pauses
from cogs.kit.failures import REQUEST_FAILURES

log = structlog.get_logger(__name__)

INVALID_TOKEN_CLOSE_CODE: Final = 4004
"""The gateway's close code for an invalid token: a retry would not help."""

GATEWAY_PATIENCE: Final = 300.0
"""Maximum time without a gateway connection, in seconds. After it, the process exits, so that the failure is visible to
its supervisor."""

RECONNECT_CHECK_INTERVAL: Final = 0.2
"""Interval between checks while there is no gateway connection, in seconds: short, so that recovery is reported
promptly."""

SLOW_ANSWER_SECONDS: Final = 5.0
"""Maximum normal time to answer an interaction, in seconds. Slower answers are reported as trouble."""

DATABASE_TIMEOUT: Final = 1.5
TASKS_TIMEOUT: Final = 0.5
WORKERS_TIMEOUT: Final = 0.3
START_STEP_TIMEOUT: Final = 2.0
"""Maximum time for a startup step to end after a stop signal, in seconds. The client's shutdown timeouts are in
`bot.connection.client`."""

_Result = TypeVar("_Result")

GREETING: Final = """\
**Play right away:** type </gin play:0>, press **Play the computer** and choose a level. \
Never played? Learn how in three minutes with </gin practice learn:0>.

**Or play every seat yourself:** tap a name to become North, South or another player. A match to 10 points takes \
a few minutes.

**1.** As *North*, type </gin play:0>, choose *South* and *To 10*, and press **Challenge**.
**2.** As *South*, press **Accept**: your hand appears, and only South can see it.
**3.** Play with the buttons below the hand. To see a hand again, press **My hand** in the channel.

For the rules in five lines, type </gin help:0>."""


def run_bot(settings: Settings, token: str) -> int:
    """Run the bot until a stop signal, and return the exit code."""
    return _run_loop(partial(serve, settings, token))


def run_locally(url: str, port: int) -> int:
    """Run a local Discord with the bot in it, on a database, until a stop signal, and return the exit code."""
    return _run_loop(partial(play_locally, url, port))


def _run_loop(serve: Callable[[LastResort], Coroutine[Any, Any, int]]) -> int:
    """Run a coroutine in an event loop, and return its exit code. `LastResort` limits the time of the shutdown."""
    set_up_allocator()
    last_resort = LastResort()
    try:
        return asyncio.run(serve(last_resort))
    finally:
        last_resort.disarm()


async def serve(settings: Settings, token: str, last_resort: LastResort | None = None) -> int:
    """Run the bot until a stop signal, and return the exit code."""
    use_server(settings.discord_api, settings.discord_gateway)
    heart = Heartbeat(database_name(settings.database_url), settings.shards)
    with stop_signals(last_resort) as stop, _serve_metrics(settings):
        async with open_application(settings.database_url, stop, heart, last_resort) as app:
            if app is None:
                return 0
            shards = settings.shards
            pause = await retry_while_unavailable(stop, lambda: count_start(app.key_values, token, shards, app.clock()))
            if pause:
                log.warning("too many starts within an hour: waiting before connecting", seconds=round(pause))
            if await wait_for_event(stop, pause or 0):
                return 0
            # Imported modules are never freed. Unless they are frozen, each garbage collection visits them and blocks
            # for 30 ms.
            gc.freeze()
            needed = NeededFiles(settings.files)
            client = Client(app, shards=shards, avatar_host=settings.avatar_host, drawing_process=True)
            return await run_client(client, token, heart, stop, last_resort, needed=needed)


async def play_locally(url: str, port: int, last_resort: LastResort | None = None) -> int:
    """Run a local Discord with the bot in it until a stop signal, and return the exit code.

    The local Discord's state is in a file next to the database, `NAME.discord`. If the database is new, the local
    Discord starts empty.
    """
    # Imported only here: a bot with a token never needs the sandbox.
    from bot.sandbox import KeepingError, Sandbox, World

    new_world = partial(World.default, "Deadwood", avatars=True)
    database = sqlite_path(url)
    state_file = database.with_name(database.name + ".discord")
    new, heart = not database.exists(), Heartbeat(database)
    with stop_signals(last_resort) as stop:
        async with open_application(url, stop, heart, last_resort) as app, AsyncExitStack() as stack:
            if app is None:
                return 0
            if new:
                for file in (state_file, state_file.with_name(state_file.name + "-wal")):
                    file.unlink(missing_ok=True)
            elif (refusal := find_lost_copy(state_file)) is not None:
                print(refusal, file=sys.stderr)
                return UNUSABLE
            try:
                try:
                    sandbox = Sandbox(new_world(), port=port, greeting=GREETING, keep=state_file)
                    await stack.enter_async_context(sandbox)
                except OSError:
                    sandbox = Sandbox(new_world(), greeting=GREETING, keep=state_file)
                    await stack.enter_async_context(sandbox)
            except KeepingError as error:
                print(error, file=sys.stderr)
                return UNUSABLE
            files = OpenFiles(state_file, state_file.with_name(state_file.name + "-wal"))
            await stack.enter_async_context(_guarded(Guard(files, sandbox.copy_to), stop, heart))
            use_server(sandbox.api, sandbox.gateway_url)
            if not sandbox.restored:
                # The local Discord starts empty: forget its earlier commands and messages. The matches continue.
                await retry_while_unavailable(stop, app.key_values.clear)
                await retry_while_unavailable(stop, app.outbox.forget_posts)
            client = Client(app, avatar_host=sandbox.origin, drawing_process=True, guild_ready_timeout=0.1)

            async def announce() -> None:
                print(f"Open {sandbox.page} in your browser. Stop with Ctrl-C.", flush=True)

            client.add_listener(announce, "on_ready")
            return await run_client(client, sandbox.token, heart, stop, last_resort)


@asynccontextmanager
async def open_application(
    url: str, stop: asyncio.Event, heart: Heartbeat | None = None, last_resort: LastResort | None = None
) -> AsyncGenerator[Application | None]:
    """Open the database, build the application, run pending backfills, and close the database after the block.

    While the database is being checked, the heartbeat says so. Yield None if a stop signal comes before the application
    is ready. If one of the database's files is removed or replaced, set `stop` once a copy is saved, and raise
    `DatabaseLostError` after the block.
    """
    database = await retry_while_unavailable(stop, lambda: _open(url, heart))
    if database is None:
        yield None
        return
    if heart is not None:
        heart.forget_end()
    loss_watch = asyncio.create_task(_stop_after(database.wait_for_loss, stop))
    workers = Workers()
    try:
        app = Application(database, thinker=workers)
        await retry_while_unavailable(stop, partial(run_backfills, app, stop))
        yield None if stop.is_set() else app
    finally:
        loss_watch.cancel()
        await run_shutdown_step(WORKERS_TIMEOUT, "the computer player", workers.close())
        await _close(database, stop, heart, last_resort)


async def _close(
    database: Database, stop: asyncio.Event, heart: Heartbeat | None, last_resort: LastResort | None
) -> None:
    """Close the database. If one of its files is lost, save a copy first, and raise `DatabaseLostError`."""
    if database.check_files() is None:
        await run_shutdown_step(DATABASE_TIMEOUT, "transactions", database.close())
    else:
        # The copy may be the only record of recent moves, so saving it has no time limit: only a stop signal ends the
        # attempts.
        if last_resort is not None:
            last_resort.disarm()
        waiting = {asyncio.create_task(database.wait_for_loss()), asyncio.create_task(stop.wait())}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await database.close()
    if database.loss is not None:
        if heart is not None:
            heart.end(database.loss)
        raise DatabaseLostError(database.loss)


async def _stop_after(wait: Callable[[], Coroutine[Any, Any, None]], stop: asyncio.Event) -> None:
    """Wait until `wait` returns, then set the event."""
    await wait()
    stop.set()


@asynccontextmanager
async def _guarded(guard: Guard, stop: asyncio.Event, heart: Heartbeat) -> AsyncGenerator[None]:
    """Watch open files during the block.

    If a file is removed or replaced, set `stop` once a copy of its contents is saved, and raise `FilesLostError` after
    the block.
    """
    guard.start()
    loss_watch = asyncio.create_task(_stop_after(guard.wait, stop))
    try:
        yield
    finally:
        loss_watch.cancel()
        await guard.stop()
        if guard.loss is not None:
            heart.end(guard.loss)
            raise FilesLostError(guard.loss)


async def _open(url: str, heart: Heartbeat | None) -> Database:
    was_checked = False

    def checking() -> None:
        nonlocal was_checked
        if heart is not None:
            was_checked = True
            heart.beat(CHECKING)

    try:
        return await open_database(url, on_progress=checking)
    finally:
        # If this process wrote no heartbeat because the database needed no check, keep the existing heartbeat: it may
        # belong to another process that has the database open.
        if heart is not None and was_checked:
            heart.stop()


async def run_backfills(app: Application, stop: asyncio.Event) -> None:
    """Backfill the data that an update needs, until done or stopped.

    Other processes wait for the one that does the backfill.
    """
    async with app.exclusive.locked("filling"):
        while not stop.is_set() and await app.standings_backfill.do_batch():
            pass


async def retry_while_unavailable(
    stop: asyncio.Event, step: Callable[[], Coroutine[Any, Any, _Result]]
) -> _Result | None:
    """Run a startup step, and retry it while the database is temporarily unavailable.

    Return None if a stop signal comes first.
    """
    seconds, logged_problem, stop_task = pauses(), None, asyncio.create_task(stop.wait())
    try:
        while not stop.is_set():
            step_task = asyncio.create_task(step())
            await asyncio.wait((step_task, stop_task), return_when=asyncio.FIRST_COMPLETED)
            # After a stop signal, only wait briefly: the step may be waiting for an answer that never comes.
            await asyncio.wait((step_task,), timeout=START_STEP_TIMEOUT)
            if not step_task.done():
                step_task.cancel()
                await asyncio.wait((step_task,))
                return None
            try:
                return step_task.result()
            except (DatabaseUnavailableError, Unavailable) as error:
                if str(error) != logged_problem:
                    logged_problem = str(error)
                    log.error("waiting for the database before starting", problem=logged_problem)
            await wait_for_event(stop, next(seconds))
    finally:
        stop_task.cancel()
    return None


@contextmanager
def _serve_metrics(settings: Settings) -> Generator[None]:
    """Serve the metrics during the block if they are enabled. Raise `SettingsError` if that fails."""
    with ExitStack() as stack:
        try:
            stack.enter_context(serve_metrics(settings.metrics))
        except OSError as error:
            raise SettingsError(f"DEADWOOD_METRICS: cannot listen on that address: {error.strerror}") from None
        yield


@contextmanager
def stop_signals(last_resort: LastResort | None = None) -> Generator[asyncio.Event]:
    """Yield an event that SIGTERM and SIGINT set during the block. They also start the countdown of `last_resort`."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def wish_to_stop(*_: object) -> None:
        # Not a signal handler of the event loop: that would not run while the loop is stuck.
        if last_resort is not None:
            last_resort.arm(0)
        loop.call_soon_threadsafe(stop.set)

    previous_handlers = {
        signal_number: signal.signal(signal_number, wish_to_stop) for signal_number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield stop
    finally:
        for signal_number, handler in previous_handlers.items():
            signal.signal(signal_number, handler)


async def wait_for_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event. Return False if it is not set within the given number of seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def run_client(
    client: Client,
    token: str,
    heart: Heartbeat,
    stop: asyncio.Event,
    last_resort: LastResort | None = None,
    needed: NeededFiles | None = None,
) -> int:
    """Run a client until a stop signal, a refused token, an error or a lost gateway, and return the exit code."""
    watch = asyncio.create_task(keep_watch(client, heart, needed))
    connection = asyncio.create_task(client.start(token))
    damage = asyncio.create_task(client.app.wait_for_damage())
    tasks = (connection, asyncio.create_task(stop.wait()), watch, damage, client.background_failure)
    code = RETRY
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if damage in done:
            print(damage.result(), file=sys.stderr)
            code = UNUSABLE
        elif stop.is_set():
            log.info("stopping")
            code = 0
        else:
            for task in done:
                task.result()
            if watch in done:
                log.error("no gateway connection for too long: exiting, so that the supervisor restarts the bot")
    except (discord.LoginFailure, discord.ConnectionClosed) as error:
        if isinstance(error, discord.LoginFailure) or error.code == INVALID_TOKEN_CLOSE_CODE:
            print("Discord refuses the token: check DISCORD_TOKEN", file=sys.stderr)
            code = UNUSABLE
        else:
            log.error(
                "Discord closed the gateway for good: exiting, so that the supervisor restarts the bot", code=error.code
            )
    except DatabaseLostError:
        # The error is already in the log, and `open_application` raises it again at the end of its block.
        code = FILES_LOST
    except (ConflictError, DatabaseUnavailableError):
        log.exception("a temporary database failure was not retried: exiting, so that the supervisor restarts the bot")
    except DatabaseError as error:
        print(error, file=sys.stderr)
        code = UNUSABLE
    except LeaseLostError as error:
        log.error("exiting, so that the supervisor restarts the bot", reason=str(error))
    except (*REQUEST_FAILURES, discord.GatewayNotFound) as error:
        log.error("Discord cannot be reached: exiting, so that the supervisor restarts the bot", error=str(error))
    except Exception:
        log.exception("something broke: exiting, so that the supervisor restarts the bot")
    finally:
        if last_resort is not None:
            last_resort.arm(code)
        heart.stop()
        await client.close()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=TASKS_TIMEOUT)
        if stop.is_set():
            log.info("stopped")
    return code


async def keep_watch(client: Client, heart: Heartbeat, needed: NeededFiles | None = None) -> None:
    """Write heartbeats. Return after `GATEWAY_PATIENCE` seconds without a connected shard.

    discord.py reconnects single lost shards. Do not return while any shard is connected: the process would end and
    close that connection, too.
    """
    tidying = GarbageCollector()
    while client.connections.seconds_without_gateway < GATEWAY_PATIENCE:
        # Until the client knows its shards, `missing` is empty, so check `ready` too.
        connected = client.connections.ready and not client.connections.missing
        if connected:
            tidying.collect(idle=client.is_idle)
        if client.connections.ready:
            missing = needed.trouble() if needed is not None else None
            heart.beat(await find_trouble(client) or missing)
        await asyncio.sleep(INTERVAL if connected else RECONNECT_CHECK_INTERVAL)


async def find_trouble(client: Client) -> str | None:
    """Return a description of the trouble that a connected bot has, such as a missing shard; None if it is well."""
    if client.connections.missing:
        return f"no connection to Discord for shard {', '.join(map(str, sorted(client.connections.missing)))}"
    try:
        await client.app.require_database()
    except Unavailable:
        return client.app.database_loss or "the database cannot be used; the log says why"
    slowest = client.answering.times.slowest()
    return f"an answer took {slowest:.0f} seconds" if slowest > SLOW_ANSWER_SECONDS else None
