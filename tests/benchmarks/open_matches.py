"""Benchmark of a bot that starts with many open matches, half of which have an undelivered message.

The bot runs as a separate process against the sandbox. The reference is the same measurement with one match.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from bot.hosting.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, InteractionId, PersonId
from bot.model.people import Person
from bot.play.application import Application
from bot.sandbox import Sandbox, World
from bot.store.opening import open_database
from tests.helpers.databases import new_database
from tests.helpers.processes import BOT, process_and_children, settings_for, started
from tests.load.measuring import cpu_time, resident_memory

MATCHES: Final = 10_000
CHANNELS_PER_GUILD: Final = 25
"""Channels per server. Each channel has a match with an undelivered message; all other matches have no channel."""
SETTLE_SECONDS: Final = 10.0
"""Time to settle before the idle measurement, and duration of that measurement, in seconds."""

_FIRST: Final = 1_400_000_000_000_000_000

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""


def measure() -> Iterator[Row]:
    """Measure a start, memory and idle CPU usage with many matches, compared to one match."""
    many, one = _measure_start(MATCHES, due=True), _measure_start(1, due=True)
    yield f"ready with {MATCHES:,} open matches", many.seconds, one.seconds, "s"
    yield f"CPU until ready with {MATCHES:,} open matches", many.cpu_seconds, one.cpu_seconds, "s"
    yield f"memory with {MATCHES:,} open matches", many.peak_memory, one.peak_memory, "MB"
    many, one = _measure_start(MATCHES, due=False), _measure_start(1, due=False)
    yield f"processor while nothing is due in {MATCHES:,}", 100 * many.idle_load, 100 * one.idle_load, "% of a core"


class _Start(NamedTuple):
    """A bot's start: time and CPU time until it is ready, peak memory in MB, and later CPU usage as part of a core."""

    seconds: float
    cpu_seconds: float
    peak_memory: float
    idle_load: float


def _measure_start(matches: int, *, due: bool) -> _Start:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), matches, due=due))


async def _measure(folder: Path, matches: int, *, due: bool) -> _Start:
    database = folder / "deadwood.db"
    new_database(database)
    world, channels = _world(max(1, matches // 2))
    await _start_match(database, world)
    _multiply(database, channels, matches, due=due)
    heartbeat, peak_memory = Heartbeat(database), 0.0
    async with Sandbox(world) as sandbox:
        started_at = perf_counter()
        with (folder / "bot.log").open("wb") as log:
            async with started(folder, [*BOT, "run"], settings_for(sandbox), log) as process:
                while heartbeat.trouble() == NO_HEARTBEAT:  # noqa: ASYNC110 - there is no event for it
                    await asyncio.sleep(0.02)
                ready, cpu = perf_counter() - started_at, _cpu_time(process.pid)
                for _ in range(int(SETTLE_SECONDS)):
                    await asyncio.sleep(1)
                    peak_memory = max(peak_memory, sum(map(resident_memory, process_and_children(process.pid))))
                before = _cpu_time(process.pid)
                if not due:
                    await asyncio.sleep(SETTLE_SECONDS)
                return _Start(ready, cpu, peak_memory, (_cpu_time(process.pid) - before) / SETTLE_SECONDS)


def _world(count: int) -> tuple[World, list[tuple[int, int]]]:
    """Return a sandbox world with `count` channels, and the server id and channel id of each channel."""
    world, channels = World("Deadwood", bot_id=_FIRST), list[tuple[int, int]]()
    people = [world.add_user(name, user_id=_FIRST + number) for number, name in enumerate(("North", "South"), 1)]
    for first in range(0, count, CHANNELS_PER_GUILD):
        guild = world.add_guild(f"Server {first}", people, guild_id=_FIRST + 1_000 + first * 100)
        for number in range(min(CHANNELS_PER_GUILD, count - first)):
            channel = world.add_channel(guild, f"table-{number}", channel_id=guild.id + 1 + number)
            channels.append((guild.id, channel.id))
    return world, channels


async def _start_match(database: Path, world: World) -> None:
    """Start a match with a clock in the first channel."""
    opened = await open_database(f"sqlite:///{database}")
    app, numbers = Application(opened), iter(range(1, 100))
    guild = next(iter(world.guilds.values()))
    channel = next(channel for channel in world.channels.values() if channel.guild is guild)
    north, south = (Person(PersonId(_FIRST + number), name) for number, name in enumerate(("North", "South"), 1))
    place = Place(GuildId(guild.id), ChannelId(channel.id))
    challenge = await app.challenges.issue(north, [south.id], place, InteractionId(next(numbers)), clock="3d")
    await app.challenges.accept(south, challenge.id)
    await opened.close()


def _multiply(database: Path, channels: list[tuple[int, int]], matches: int, *, due: bool) -> None:
    """Copy the database's only match until there are `matches` matches.

    Each of the `channels` has one match. All other matches are in channels that do not exist.

    If `due`, the matches in existing channels have an undelivered table message.
    """
    others = range(2, matches + 1)

    def place(number: int) -> tuple[int, int]:
        return channels[number - 1] if number <= len(channels) else (channels[0][0], _FIRST - number)

    with closing(sqlite3.connect(database)) as connection, connection:
        columns = {
            table: [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            for table in ("match", "seat", "action")
        }
        for table, key in (("match", "id"), ("seat", "match_id"), ("action", "match_id")):
            changed = {key: ":id", "guild_id": ":guild", "channel_id": ":channel", "interaction_id": "NULL"}
            values = ", ".join(str(changed.get(name, name)) for name in columns[table])
            copies = [{"id": number, "guild": place(number)[0], "channel": place(number)[1]} for number in others]
            connection.executemany(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {key} = 1", copies)
        connection.execute("DELETE FROM outbox_message")
        connection.execute("DELETE FROM challenge")
        if due:
            connection.execute(
                "INSERT INTO outbox_message (kind, subject_id, part, wanted_revision, shown_revision, repost_revision,"
                " posted_revision, removed, posts, attempts, due_at)"
                " SELECT 'table', id, 0, revision, 0, revision, 0, 0, 0, 0, moved_at FROM match WHERE id <= ?",
                (max(1, len(channels)),),
            )


def _cpu_time(pid: int) -> float:
    """Return the CPU time of a process and its children in seconds."""
    return sum(map(cpu_time, process_and_children(pid)))
