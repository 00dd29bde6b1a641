"""The whole bot, alive in the sandbox: real client, real sockets, a real database file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import discord.gateway
import discord.http
import yarl

from bot.client import Client
from bot.play.chance import Chance
from bot.play.house import House, now
from bot.sandbox import Channel, Person, Sandbox, World
from bot.store.database import Database
from tests.helpers.family import FamilyCheck
from tests.sandbox.schema import SchemaCheck, openapi_path


@dataclass(frozen=True, slots=True)
class Living:
    """What a test talks to: the people of the sandbox first of all."""

    sandbox: Sandbox
    house: House
    client: Client
    url: str

    def person(self, name: str) -> Person:
        """Somebody of the sandbox."""
        return self.sandbox.person(name)

    @property
    def channel(self) -> Channel:
        """The channel to play in."""
        return self.sandbox.channel("games")


@asynccontextmanager
async def sandbox_of(world: World | None = None) -> AsyncGenerator[Sandbox]:
    """A sandbox that discord.py is led to; at its end nothing it saw may have been wrong.

    Every interaction must be answered, every message be of the family (`FamilyCheck`), and every request be as
    Discord's own description has it, where that is at hand.
    """
    schema = SchemaCheck.load(openapi_path()) if openapi_path().exists() else None
    family = FamilyCheck()
    before = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    async with Sandbox(world) as sandbox:
        discord.http.Route.BASE = sandbox.api
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)
        sandbox.journal.observers.append(family.observe)
        if schema is not None:
            sandbox.journal.observers.append(schema.observe)
        try:
            yield sandbox
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = before
        assert schema is None or not schema.problems, schema.problems
        assert not family.problems, family.problems
        assert not sandbox.unanswered
        assert not sandbox.journal.unknown_routes


@asynccontextmanager
async def bot_on(
    sandbox: Sandbox, url: str, *, chance: Chance | None = None, clock: Callable[[], datetime] = now
) -> AsyncGenerator[Living]:
    """The bot, ready in a sandbox, on a database."""
    database = await Database.open(url)
    house = House(database, chance=chance, clock=clock)
    client = Client(house, guild_ready_timeout=0.01)
    running = asyncio.create_task(client.start(sandbox.token))
    ready = asyncio.create_task(client.wait_until_ready())
    try:
        await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=10)
        if running.done():
            running.result()
        yield Living(sandbox, house, client, url)
    finally:
        ready.cancel()
        await client.close()
        await asyncio.wait({running}, timeout=5)
        running.cancel()
        await database.close()


@asynccontextmanager
async def living(
    directory: Path,
    *,
    world: World | None = None,
    chance: Chance | None = None,
    clock: Callable[[], datetime] = now,
) -> AsyncGenerator[Living]:
    """A sandbox with the bot in it, on a fresh database in a directory."""
    async with (
        sandbox_of(world) as sandbox,
        bot_on(sandbox, f"sqlite:///{directory / 'deadwood.db'}", chance=chance, clock=clock) as alive,
    ):
        yield alive


async def start_match(alive: Living, first: str = "North", second: str = "South", **options: object) -> None:
    """Have one person challenge another in the channel, and the other accept; ends once the table is there."""
    challenger, opponent = alive.person(first), alive.person(second)
    await alive.sandbox.until(lambda: challenger.commands(alive.channel))
    await (await challenger.slash("gin challenge", alive.channel, opponent=opponent, **options)).answer()
    await alive.sandbox.until(lambda: _button(opponent, alive.channel, "Accept"))
    invitation = next(message for message in opponent.sees(alive.channel) if message.buttons)
    await (await opponent.press(invitation, "Accept")).answer()
    await alive.sandbox.until(lambda: _button(opponent, alive.channel, "My hand"))


def _button(person: Person, channel: Channel, label: str) -> bool:
    return any(button.label == label for message in person.sees(channel) for button in message.buttons)
