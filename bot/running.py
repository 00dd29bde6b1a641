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

from bot.client import Client, use_server
from bot.exit_codes import FILES_LOST, LOST, UNUSABLE
from bot.heartbeat import CHECKING, INTERVAL, Heartbeat
from bot.memory import Tidying, set_up_allocator
from bot.metrics import served
from bot.needed_files import NeededFiles
from bot.open_files import FilesLostError, Guard, OpenFiles, refuse_new
from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.play.sharing.leases import LeaseLostError
from bot.settings import Settings, SettingsError
from bot.shutdown import LastResort, within
from bot.starts import count_start
from bot.store.address import path_of, place_of
from bot.store.database import Database
from bot.store.errors import ConflictError, DatabaseError, DatabaseLostError, DatabaseUnavailableError
from bot.store.opening import open_database
from bot.workers import Workers
from cogs.kit.failures import REQUEST_FAILURES
from cogs.support.saving import pauses

log = structlog.get_logger(__name__)

TOKEN_REVOKED: Final = 4004
"""The gateway's close code for an invalid token: a retry would not help."""

PATIENCE: Final = 300.0
"""Maximum time without a gateway, in seconds. Then the process exits: an endless retry looks alive but is not."""

SOON: Final = 0.2
"""Interval between checks while there is no gateway, in seconds: short, so that recovery is reported promptly."""

SLOW: Final = 5.0
"""Answers that take longer than this many seconds are reported as trouble."""

DATABASE_TIMEOUT: Final = 1.5
TASKS_TIMEOUT: Final = 0.5
WORKERS_TIMEOUT: Final = 0.3
STEP_TIMEOUT: Final = 2.0
"""Timeouts for the parts of the shutdown, in seconds. The client's are in `bot.client`."""

_Done = TypeVar("_Done")

GREETING: Final = """\
**Play at once:** type </gin practice start:0> and press **Play here**: a computer plays with you. \
Never played? </gin practice learn:0> teaches you in three minutes.

**With others, you are everyone here:** tap a name to be North, South or somebody else. A match to 10 points \
takes a few minutes.

**1.** As *North*, type </gin challenge:0> and choose *South* as the opponent and `10` as the target.
**2.** As *South*, press **Accept** on the challenge.
**3.** Press **My hand** under the table, and play with the buttons: only you see these cards. *Refresh* updates a \
hand you opened earlier; the one in your direct messages updates itself.

</gin help:0> explains the game in five lines."""


def run_bot(settings: Settings, token: str) -> int:
    """Run the bot until a stop signal, and return the exit code."""
    return _run_loop(partial(serve, settings, token))


def run_locally(url: str, port: int) -> int:
    """Run a local Discord with the bot in it, on a database, until a stop signal, and return the exit code."""
    return _run_loop(partial(play_locally, url, port))


def _run_loop(serve: Callable[[LastResort], Coroutine[Any, Any, int]]) -> int:
    """Run a coroutine in an event loop, and return its exit code. The last resort bounds the shutdown."""
    set_up_allocator()
    last_resort = LastResort()
    try:
        return asyncio.run(serve(last_resort))
    finally:
        last_resort.disarm()


async def serve(settings: Settings, token: str, last_resort: LastResort | None = None) -> int:
    """Run the bot until a stop signal, and return the exit code."""
    use_server(settings.discord_api, settings.discord_gateway)
    heart = Heartbeat(place_of(settings.database_url), settings.shards)
    with stop_signals(last_resort) as stop, _measured(settings):
        async with open_application(settings.database_url, stop, heart, last_resort) as app:
            if app is None:
                return 0
            shards = settings.shards
            pause = await despite_trouble(stop, lambda: count_start(app.key_values, token, shards, app.clock()))
            if pause:
                log.warning("started too often within an hour: waiting before the gateway", seconds=round(pause))
            if await happens(stop, pause or 0):
                return 0
            # Imported modules stay. Each collection of garbage would visit them and block everything for 30 ms.
            gc.freeze()
            needed = NeededFiles(settings.files)
            return await run_client(Client(app, shards=shards), token, heart, stop, last_resort, needed=needed)


async def play_locally(url: str, port: int, last_resort: LastResort | None = None) -> int:
    """Run a local Discord with the bot in it until a stop signal, and return the exit code.

    The local Discord's state is in a file next to the database, `NAME.discord`. With a new database, it starts empty.
    """
    # Imported only here: a bot with a token never needs the sandbox.
    from bot.sandbox import KeepingError, Sandbox, World

    database = path_of(url)
    kept = database.with_name(database.name + ".discord")
    new, heart = not database.exists(), Heartbeat(database)
    with stop_signals(last_resort) as stop:
        async with open_application(url, stop, heart, last_resort) as app, AsyncExitStack() as stack:
            if app is None:
                return 0
            if new:
                for file in (kept, kept.with_name(kept.name + "-wal")):
                    file.unlink(missing_ok=True)
            elif (refusal := refuse_new(kept)) is not None:
                print(refusal, file=sys.stderr)
                return UNUSABLE
            try:
                try:
                    sandbox = Sandbox(World.default("Deadwood"), port=port, greeting=GREETING, keep=kept)
                    await stack.enter_async_context(sandbox)
                except OSError:
                    sandbox = Sandbox(World.default("Deadwood"), greeting=GREETING, keep=kept)
                    await stack.enter_async_context(sandbox)
            except KeepingError as error:
                print(error, file=sys.stderr)
                return UNUSABLE
            files = OpenFiles(kept, kept.with_name(kept.name + "-wal"))
            await stack.enter_async_context(_guarded(Guard(files, sandbox.copy_to), stop, heart))
            use_server(sandbox.api, sandbox.gateway_url)
            if not sandbox.restored:
                # The sandbox's commands and messages are lost. The matches in the database continue.
                await despite_trouble(stop, app.key_values.clear)
                await despite_trouble(stop, app.outbox.forget_posts)
            client = Client(app, guild_ready_timeout=0.1)

            async def announce() -> None:
                print(f"Open {sandbox.page} in your browser. Stop with Ctrl-C.", flush=True)

            client.add_listener(announce, "on_ready")
            return await run_client(client, sandbox.token, heart, stop, last_resort)


@asynccontextmanager
async def open_application(
    url: str, stop: asyncio.Event, heart: Heartbeat | None = None, last_resort: LastResort | None = None
) -> AsyncGenerator[Application | None]:
    """Open the database, build the application, run pending backfills, and close the database after the block.

    During a check of the database, the heartbeat says so. Yield None if a stop signal comes before the application is
    ready. If a file of the database is removed or replaced, set `stop` once a copy is saved, and raise
    `DatabaseLostError` after the block.
    """
    database = await despite_trouble(stop, lambda: _open(url, heart))
    if database is None:
        yield None
        return
    if heart is not None:
        heart.forget_end()
    lost = asyncio.create_task(_stop_after(database.wait_for_loss, stop))
    workers = Workers()
    try:
        app = Application(database, thinker=workers)
        await despite_trouble(stop, partial(fill, app, stop))
        yield None if stop.is_set() else app
    finally:
        lost.cancel()
        await within(WORKERS_TIMEOUT, "the computer player", workers.close())
        await _close(database, stop, heart, last_resort)


async def _close(
    database: Database, stop: asyncio.Event, heart: Heartbeat | None, last_resort: LastResort | None
) -> None:
    """Close the database. If a file of it was removed or replaced, save a copy first and raise `DatabaseLostError`."""
    if database.look_at_files() is None:
        await within(DATABASE_TIMEOUT, "transactions", database.close())
    else:
        # The copy may be the only record of the moves. It has no time limit, and only a signal ends the attempts.
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


async def _stop_after(happening: Callable[[], Coroutine[Any, Any, None]], stop: asyncio.Event) -> None:
    """Wait for something to happen, then set the event."""
    await happening()
    stop.set()


@asynccontextmanager
async def _guarded(guard: Guard, stop: asyncio.Event, heart: Heartbeat) -> AsyncGenerator[None]:
    """Watch open files during the block.

    If one is lost, set `stop` once a copy is saved, and raise `FilesLostError` after the block.
    """
    guard.start()
    lost = asyncio.create_task(_stop_after(guard.wait, stop))
    try:
        yield
    finally:
        lost.cancel()
        await guard.stop()
        if guard.loss is not None:
            heart.end(guard.loss)
            raise FilesLostError(guard.loss)


async def _open(url: str, heart: Heartbeat | None) -> Database:
    checked = False

    def checking() -> None:
        nonlocal checked
        if heart is not None:
            checked = True
            heart.beat(CHECKING)

    try:
        return await open_database(url, checking=checking)
    finally:
        # If this process ran no check, the heartbeat may belong to another process that has the database.
        if heart is not None and checked:
            heart.stop()


async def fill(app: Application, stop: asyncio.Event) -> None:
    """Backfill data that an update needs, until done or stopped. One process does so, and the others wait for it."""
    async with app.exclusive.alone("filling"):
        while not stop.is_set() and await app.filling.fill_some():
            pass


async def despite_trouble(stop: asyncio.Event, step: Callable[[], Coroutine[Any, Any, _Done]]) -> _Done | None:
    """Run a step of the start, and retry while the database is temporarily unavailable.

    Return None if a stop signal comes first.
    """
    seconds, told, stopped = pauses(), None, asyncio.create_task(stop.wait())
    try:
        while not stop.is_set():
            going = asyncio.create_task(step())
            await asyncio.wait((going, stopped), return_when=asyncio.FIRST_COMPLETED)
            # The step may be waiting for another process, or for an answer that never comes.
            await asyncio.wait((going,), timeout=STEP_TIMEOUT)
            if not going.done():
                going.cancel()
                await asyncio.wait((going,))
                return None
            try:
                return going.result()
            except (DatabaseUnavailableError, Unavailable) as error:
                if str(error) != told:
                    told = str(error)
                    log.error("the start waits for the database", problem=told)
            await happens(stop, next(seconds))
    finally:
        stopped.cancel()
    return None


@contextmanager
def _measured(settings: Settings) -> Generator[None]:
    """Serve the metrics during the block if they are enabled. Raise `SettingsError` if that fails."""
    with ExitStack() as stack:
        try:
            stack.enter_context(served(settings.metrics))
        except OSError as error:
            raise SettingsError(f"DEADWOOD_METRICS: cannot listen there: {error.strerror}") from None
        yield


@contextmanager
def stop_signals(last_resort: LastResort | None = None) -> Generator[asyncio.Event]:
    """Yield an event that SIGTERM and SIGINT set during the block. They also arm the last resort."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def wish_to_stop(*_: object) -> None:
        # Not a signal handler of the event loop: that would not run while the loop is stuck.
        if last_resort is not None:
            last_resort.arm(0)
        loop.call_soon_threadsafe(stop.set)

    before = {one: signal.signal(one, wish_to_stop) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


async def happens(event: asyncio.Event, within: float) -> bool:
    """Wait for an event. Return False if it is not set within the given number of seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within):
            await event.wait()
    return event.is_set()


async def run_client(
    client: Client,
    token: str,
    heart: Heartbeat,
    stop: asyncio.Event,
    last_resort: LastResort | None = None,
    patience: float = PATIENCE,
    needed: NeededFiles | None = None,
) -> int:
    """Run a client until a stop signal, a refused token, an error or a lost gateway, and return the exit code."""
    watch = asyncio.create_task(keep_watch(client, heart, patience, needed))
    connection = asyncio.create_task(client.start(token))
    damage = asyncio.create_task(client.app.wait_for_damage())
    tasks = (connection, asyncio.create_task(stop.wait()), watch, damage, client.background_failure)
    code = LOST
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
                log.error("no gateway for too long: giving up, to be started again")
    except (discord.LoginFailure, discord.ConnectionClosed) as error:
        if isinstance(error, discord.LoginFailure) or error.code == TOKEN_REVOKED:
            print("Discord refuses the token: check DISCORD_TOKEN", file=sys.stderr)
            code = UNUSABLE
        else:
            log.error("the gateway closed for good: giving up, to be started again", code=error.code)
    except DatabaseLostError:
        # The error is already in the log, and the code that opened the database ends the process.
        code = FILES_LOST
    except (ConflictError, DatabaseUnavailableError):
        log.exception("a temporary failure was not retried: giving up, to be started again")
    except DatabaseError as error:
        print(error, file=sys.stderr)
        code = UNUSABLE
    except LeaseLostError as error:
        log.error("giving up, to be started again", reason=str(error))
    except (*REQUEST_FAILURES, discord.GatewayNotFound) as error:
        log.error("Discord cannot be reached: giving up, to be started again", error=str(error))
    except Exception:
        log.exception("something broke: giving up, to be started again")
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


async def keep_watch(
    client: Client, heart: Heartbeat, patience: float = PATIENCE, needed: NeededFiles | None = None
) -> None:
    """Write heartbeats. Return after `patience` seconds without a connected shard.

    discord.py reconnects lost shards. The process ends only if no shard is connected, so that no connection is lost.
    """
    tidying = Tidying()
    while client.connections.none_for < patience:
        connected = client.connections.ready and not client.connections.missing
        if connected:
            tidying.tidy(idle=client.idle)
        if client.connections.ready:
            missing = needed.trouble() if needed is not None else None
            heart.beat(await find_trouble(client) or missing)
        # Before the client knows its shards, none is missing.
        await asyncio.sleep(min(INTERVAL if connected else SOON, patience / 4))


async def find_trouble(client: Client) -> str | None:
    """Return the trouble that a connected bot has; None if it is well."""
    if client.connections.missing:
        return f"not connected as shard {', '.join(map(str, sorted(client.connections.missing)))}"
    try:
        await client.app.require_database()
    except Unavailable:
        return client.app.database_loss or "the database cannot be used; the log says why"
    slowest = client.answer_times.slowest()
    return f"an answer took {slowest:.0f} seconds" if slowest > SLOW else None
