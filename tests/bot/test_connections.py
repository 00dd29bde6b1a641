"""Gateway connections: the shards of a process, and the order in which shards identify."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

import discord
import pytest
from prometheus_client import REGISTRY

from bot import client, connections
from bot.connections import Connections, Identifies
from bot.play.sharing.exclusive import Exclusive
from bot.values.shards import Shards
from tests.helpers.databases import opened
from tests.helpers.living import living
from tests.helpers.waiting import MAX_WAIT, eventually

TWO: Final = Shards.all(2)


async def test_the_connections_are_complete_once_all_shards_are_ready() -> None:
    """Shards count as missing until they are ready, and again after they are lost."""
    connections = Connections()
    connections.begin(TWO)
    assert connections.missing == {0, 1}
    connections.note_connected(0)
    assert (connections.connected, connections.ready) == ({0}, set())
    connections.note_ready(0)
    assert (connections.ready, connections.missing) == ({0}, {1})
    connections.note_ready(1)
    assert not connections.missing
    connections.note_lost(0)
    assert (connections.connected, connections.ready, connections.missing) == ({1}, {1}, {0})


async def test_a_shard_that_waits_for_its_turn_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`none_for` counts from the last turn or loss. It is 0 while a shard waits for its turn or is connected."""
    now = 100.0
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.get_running_loop(), "time", lambda: now)
        connections = Connections()
        connections.begin(TWO)
        now += 5
        assert connections.none_for == 5
        with connections.waiting():
            now += 5
            assert connections.none_for == 0
        assert connections.none_for == 0
        now += 5
        assert connections.none_for == 5
        connections.note_ready(0)
        now += 5
        assert connections.none_for == 0
        connections.note_lost(1)
        assert connections.none_for == 0
        connections.note_lost(0)
        assert connections.none_for == 0
        now += 5
        assert connections.none_for == 5


def limits(remaining: int = 1000, at_once: int = 1) -> discord.SessionStartLimits:
    """Create Discord's session start limits."""
    return discord.SessionStartLimits(total=1000, remaining=remaining, reset_after=50, max_concurrency=at_once)


async def two_at_once() -> discord.SessionStartLimits:
    """Return the limits of a bot that may identify two shards at a time."""
    return limits(at_once=2)


@pytest.mark.thorough
async def test_shards_of_a_bucket_identify_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second shard of a bucket waits for the identify interval."""
    monkeypatch.setattr(connections, "IDENTIFY_EVERY", 0.2)
    async with opened(tmp_path / "deadwood.db") as database:
        identifies, loop = Identifies(Exclusive(database), Connections(), two_at_once), asyncio.get_running_loop()
        turns = list[float]()

        async def identify(shard: int) -> None:
            await identifies.wait_for_turn(shard)
            turns.append(loop.time())

        await asyncio.gather(identify(0), identify(2))
        assert turns[1] - turns[0] >= 0.2
        identifies.close()


async def test_shards_of_different_buckets_do_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of different buckets identify without waiting for each other."""
    monkeypatch.setattr(connections, "IDENTIFY_EVERY", 600)
    async with opened(tmp_path / "deadwood.db") as database, asyncio.timeout(MAX_WAIT):
        identifies = Identifies(Exclusive(database), Connections(), two_at_once)
        for shard in range(2):
            await identifies.wait_for_turn(shard)
        identifies.close()


@pytest.mark.thorough
async def test_nobody_identifies_more_often_than_discord_allows(tmp_path: Path) -> None:
    """An identify waits until Discord's session start limit has room, and metrics report the remaining starts."""
    answers = [limits(5), limits(0), limits(0), limits(1000)]

    async def ask() -> discord.SessionStartLimits:
        return answers.pop(0)

    async with opened(tmp_path / "deadwood.db") as database:
        identifies, loop = Identifies(Exclusive(database), Connections(), ask), asyncio.get_running_loop()
        began, asked_at = loop.time(), time.time()
        await identifies.wait_for_turn(0)
        assert loop.time() - began >= 0.1
        assert REGISTRY.get_sample_value("deadwood_identifies_left") == 1000
        reset_at = REGISTRY.get_sample_value("deadwood_identifies_reset_timestamp_seconds")
        assert reset_at is not None
        assert asked_at <= reset_at - 0.05 <= time.time()
        identifies.close()


@pytest.mark.thorough
async def test_a_shard_that_waits_for_long_lets_others_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard that waits too long for its turn gives up, so that discord.py can reconnect other shards first."""
    monkeypatch.setattr(client, "TURN_WAITED_FOR", 0.3)
    async with living(tmp_path) as alive:
        async with alive.app.exclusive.alone("identify 0"):
            with pytest.raises(TimeoutError):
                await alive.client.before_identify_hook(0)
            await alive.sandbox.gateway.invalidate(resumable=False)
            await eventually(lambda: not alive.client.connections.ready)
        await alive.sandbox.until(lambda: alive.sandbox.gateway.identifies == 2, MAX_WAIT)
        await eventually(lambda: bool(alive.client.connections.ready))
