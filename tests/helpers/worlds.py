"""Sandbox worlds for many simultaneous matches, with the same ids in every run."""

from __future__ import annotations

from typing import Final

from bot.sandbox import Clock, World
from bot.values.shards import ID_BITS

_FIRST: Final = 1_400_000_000_000_000_000

NAMES: Final = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Iris", "Jack"),
    *("Kate", "Leo", "Mia", "Noah", "Olga", "Paul", "Quinn", "Rosa", "Sam", "Tess"),
)
"""The players in table order, two at each table."""

SPECTATOR: Final = "Zoe"


def stopped_world() -> World:
    """Return the default world with a stopped clock, so that a slow machine never causes a missed deadline."""
    return World.default(clock=Clock(running=False))


def hall(tables: int, *, running: bool = False) -> World:
    """Return a server with up to ten tables and a spectator.

    Each table is a channel (`table-1`, …) with two people. The clock is stopped by default, so that a slow machine
    never causes a missed deadline.
    """
    world = World("Deadwood", bot_id=_FIRST, clock=Clock(running=running))
    names = (*NAMES[: 2 * tables], SPECTATOR)
    people = [world.add_user(name, user_id=_FIRST + number) for number, name in enumerate(names, 1)]
    guild = world.add_guild("The Hall", people, guild_id=_FIRST + 100)
    for table in range(1, tables + 1):
        world.add_channel(guild, f"table-{table}", channel_id=_FIRST + 100 + table)
    for number, person in enumerate(people, 1):
        world.dm_channel(person, channel_id=_FIRST + 200 + number)
    return world


def halls(shards: int, *, running: bool = False) -> World:
    """Return a world with one server on each shard. Each server has one table, as in `hall`, numbered in order."""
    world = World("Deadwood", bot_id=_FIRST, clock=Clock(running=running))
    names = NAMES[: 2 * shards]
    people = [world.add_user(name, user_id=_FIRST + number) for number, name in enumerate(names, 1)]
    beginning = _FIRST >> ID_BITS
    first = (beginning - beginning % shards + shards) << ID_BITS
    for shard in range(shards):
        # Every person is a member of every server.
        guild = world.add_guild(f"Hall {shard}", people, guild_id=first + (shard << ID_BITS))
        world.add_channel(guild, f"table-{shard + 1}", channel_id=first + (shard << ID_BITS) + 1)
    for number, person in enumerate(people, 1):
        world.dm_channel(person, channel_id=_FIRST + 200 + number)
    return world


def pair(table: int) -> tuple[str, str]:
    """Return the challenger and the opponent at a table. Tables are numbered from 1."""
    return NAMES[2 * table - 2], NAMES[2 * table - 1]
