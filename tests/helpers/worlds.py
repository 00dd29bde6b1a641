"""Sandbox worlds for many simultaneous matches, with the same ids in every run."""

from __future__ import annotations

from typing import Final

from bot.model.shards import ID_BITS
from bot.sandbox import Clock, World

_FIRST_ID: Final = 1_400_000_000_000_000_000

NAMES: Final = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Iris", "Jack"),
    *("Kate", "Leo", "Mia", "Noah", "Olga", "Paul", "Quinn", "Rosa", "Sam", "Tess"),
)
"""The names of players: two for each table, in order."""

SPECTATOR: Final = "Zoe"


def stopped_world() -> World:
    """Return the default world with a stopped clock, so that a slow machine never causes a missed deadline."""
    return World.default(clock=Clock(running=False))


def hall(tables: int, *, running: bool = False) -> World:
    """Return a world with one server, up to ten tables, and a spectator.

    Each table is a channel (`table-1`, …) for two players. Unless `running`, the clock is stopped, so that a slow
    machine never causes a missed deadline.
    """
    world = World("Deadwood", bot_id=_FIRST_ID, clock=Clock(running=running))
    names = (*NAMES[: 2 * tables], SPECTATOR)
    people = [world.add_user(name, user_id=_FIRST_ID + number) for number, name in enumerate(names, 1)]
    guild = world.add_guild("The Hall", people, guild_id=_FIRST_ID + 100)
    for table in range(1, tables + 1):
        world.add_channel(guild, f"table-{table}", channel_id=_FIRST_ID + 100 + table)
    for number, person in enumerate(people, 1):
        world.dm_channel(person, channel_id=_FIRST_ID + 200 + number)
    return world


def halls(shards: int, *, running: bool = False) -> World:
    """Return a world with one server on each shard. The server of shard 0 has the channel `table-1`, and so on."""
    world = World("Deadwood", bot_id=_FIRST_ID, clock=Clock(running=running))
    names = NAMES[: 2 * shards]
    people = [world.add_user(name, user_id=_FIRST_ID + number) for number, name in enumerate(names, 1)]
    beginning = _FIRST_ID >> ID_BITS
    first = (beginning - beginning % shards + shards) << ID_BITS
    for shard in range(shards):
        # Make everyone a member of every server, so that any two people can play on any server or in direct messages.
        guild = world.add_guild(f"Hall {shard}", people, guild_id=first + (shard << ID_BITS))
        world.add_channel(guild, f"table-{shard + 1}", channel_id=first + (shard << ID_BITS) + 1)
    for number, person in enumerate(people, 1):
        world.dm_channel(person, channel_id=_FIRST_ID + 200 + number)
    return world


def pair(table: int) -> tuple[str, str]:
    """Return the names of the challenger and the opponent at a table. Tables are numbered from 1."""
    return NAMES[2 * table - 2], NAMES[2 * table - 1]
