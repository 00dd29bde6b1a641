"""The whole bot, running in the sandbox: real client, real sockets, a real database file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import discord.gateway
import discord.http
import pytest
import yarl
from sqlalchemy import BigInteger, type_coerce, update

from bot.connection.client import Client
from bot.model.guilds import MatchHome
from bot.model.shards import Shards
from bot.play.application import Application, utc_now
from bot.play.matches.shuffler import Shuffler
from bot.play.sharing.leases import TAKEOVER_TIME
from bot.sandbox import Channel, Clock, Message, Person, Sandbox, World
from bot.store import tables
from bot.store.database import Database
from bot.store.errors import DatabaseUnavailableError
from bot.store.opening import open_database
from bot.store.rows import upsert
from bot.workers.workers import Workers
from cogs.actions import Action
from cogs.kit import answers, screens
from cogs.people import me
from cogs.showdowns import reviews
from tests.helpers.components import find_button
from tests.helpers.databases import execute, new_database, share_compiled_sql, without_fsync
from tests.helpers.message_style import StyleCheck
from tests.helpers.waiting import MAX_WAIT
from tests.sandbox.schema import SchemaCheck, openapi_path

_QUIET_CHECKS: Final = 2
_LOOP_TURNS: Final = 10
_POLL: Final = 0.002


@dataclass(frozen=True, slots=True)
class RunningBot:
    """A running bot with its sandbox, services and database."""

    sandbox: Sandbox
    app: Application
    client: Client
    database: Database

    def person(self, name: str) -> Person:
        return self.sandbox.person(name)

    @property
    def channel(self) -> Channel:
        """The channel `games`, in which tests play."""
        return self.sandbox.channel("games")

    async def extend_heartbeats(self, span: timedelta) -> None:
        """Move the saved heartbeats forward. Call this before moving the clock forward by the same span.

        Otherwise the bot would treat the span as an outage. This call is useless if the bot saves another heartbeat
        before the clock moves.
        """
        seen_at = type_coerce(tables.shard.c.seen_at, BigInteger)
        later = update(tables.shard).values(seen_at=seen_at + span // timedelta(milliseconds=1))
        with suppress(DatabaseUnavailableError):
            await execute(self.database, later)

    async def idle(self, timeout: float = MAX_WAIT) -> None:
        """Wait until the sandbox, the bot and its database are all idle.

        Raises:
            TimeoutError: they are not idle within `timeout` seconds.
        """
        async with asyncio.timeout(timeout):
            quiet_checks = 0
            while quiet_checks < _QUIET_CHECKS:
                await self.sandbox.idle()
                # After an event has arrived, it takes a few turns of the event loop until the client counts as busy.
                for _ in range(_LOOP_TURNS):
                    await asyncio.sleep(0)
                if self.client.is_idle and self.database.is_idle:
                    quiet_checks += 1
                else:
                    quiet_checks = 0
                    await asyncio.sleep(_POLL)


@pytest.fixture(autouse=True)
def independent_of_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never defer answers or show progress, not even on a busy machine, and answer presses faster than a double tap.

    This applies to test folders that import this fixture.
    """
    monkeypatch.setattr(answers, "DEFER_AFTER", 600)
    monkeypatch.setattr(reviews, "PROGRESS_DELAY", 600)
    monkeypatch.setattr(me, "PROGRESS_INTERVAL", 600)
    monkeypatch.setattr(screens, "SECOND_TAP", 0)


@asynccontextmanager
async def sandbox_of(world: World | None = None) -> AsyncGenerator[Sandbox]:
    """Run a sandbox that discord.py connects to instead of Discord. At the end, check the requests that it received.

    Every interaction must be answered, every message must look like the bot's other messages (`StyleCheck`), and every
    request must match Discord's OpenAPI description, if that file is present.
    """
    schema = SchemaCheck.load(openapi_path()) if openapi_path().exists() else None
    style = StyleCheck()
    # Stop the clock: otherwise a busy machine could miss Discord's deadline for answers and fail unrelated tests.
    world = world or World.default(clock=Clock(running=False))
    before = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    async with Sandbox(world) as sandbox:
        discord.http.Route.BASE = sandbox.api
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)
        sandbox.journal.observers.append(style.observe)
        if schema is not None:
            sandbox.journal.observers.append(schema.observe)
        try:
            yield sandbox
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = before
        assert schema is None or not schema.problems, schema.problems
        assert not style.problems, style.problems
        assert not sandbox.unanswered
        assert not sandbox.journal.unknown_routes


@asynccontextmanager
async def bot_on(
    sandbox: Sandbox,
    url: str,
    *,
    shuffler: Shuffler | None = None,
    clock: Callable[[], datetime] = utc_now,
    emojis: bool = False,
    avatars: bool = False,
    shards: Shards | None = None,
    taken_over_within: timedelta = TAKEOVER_TIME,
    match_home: MatchHome = MatchHome.CHANNEL,
) -> AsyncGenerator[RunningBot]:
    """Run the bot in a sandbox during the block, with an existing database.

    With `emojis`, it uploads its emojis. With `avatars`, it downloads avatars from the sandbox.

    With `shards`, the bot acts as one of several processes. If it hangs, another process takes over its work within
    `taken_over_within`. Servers that the database does not know yet get the setting `match_home`.
    """
    database = await open_database(url)
    await _set_match_home(database, sandbox.world, match_home)
    workers = Workers(1)
    app = Application(database, thinker=workers, shuffler=shuffler, clock=clock, taken_over_within=taken_over_within)
    avatar_host = sandbox.origin if avatars else None
    client = Client(
        app,
        shards=shards,
        emojis=emojis,
        avatar_host=avatar_host,
        clock=sandbox.world.clock.now,
        guild_ready_timeout=0.01,
    )
    running = asyncio.create_task(client.start(sandbox.token))
    ready = asyncio.create_task(client.wait_until_ready())
    try:
        await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=MAX_WAIT)
        if running.done():
            running.result()
        yield RunningBot(sandbox, app, client, database)
    finally:
        ready.cancel()
        await client.close()
        await asyncio.wait({running}, timeout=MAX_WAIT)
        running.cancel()
        await workers.close()
        await database.close()


async def _set_match_home(database: Database, world: World, match_home: MatchHome) -> None:
    """Save where matches are played, for servers that the database does not know yet."""
    async with database.write() as transaction:
        for guild_id in world.guilds:
            row = upsert(transaction.dialect.name, tables.guild).values(id=guild_id, match_home=match_home)
            await transaction.execute(row.on_conflict_do_nothing())


@asynccontextmanager
async def running_bot(
    directory: Path,
    *,
    world: World | None = None,
    shuffler: Shuffler | None = None,
    clock: Callable[[], datetime] = utc_now,
    emojis: bool = False,
    avatars: bool = False,
    match_home: MatchHome = MatchHome.CHANNEL,
) -> AsyncGenerator[RunningBot]:
    """Run the bot in its own sandbox during the block, with a new database in a directory. See `bot_on`."""
    url = new_database(directory / "deadwood.db")
    with without_fsync(), share_compiled_sql():
        async with (
            sandbox_of(world) as sandbox,
            bot_on(
                sandbox, url, shuffler=shuffler, clock=clock, emojis=emojis, avatars=avatars, match_home=match_home
            ) as alive,
        ):
            yield alive


async def start_match(alive: RunningBot, first: str = "North", second: str = "South", **options: object) -> None:
    """Start a match in `games`: one person challenges another, who accepts. Return when the table is posted."""
    challenger, opponent = alive.person(first), alive.person(second)
    await alive.sandbox.until(lambda: challenger.commands(alive.channel))
    await (await challenger.slash("gin challenge", alive.channel, opponent=opponent, **options)).answer()
    invitation = await alive.sandbox.until(lambda: _with_button(opponent, alive.channel, Action.ACCEPT))
    assert invitation is not None
    await (await opponent.press(invitation, find_button(invitation, Action.ACCEPT) or "")).answer()
    await alive.sandbox.until(lambda: _with_button(opponent, alive.channel, Action.SHOW_HAND))


def _with_button(person: Person, channel: Channel, action: Action) -> Message | None:
    return next((message for message in person.sees(channel) if find_button(message, action)), None)
