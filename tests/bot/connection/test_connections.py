"""Gateway connections: the shards of a process, and the order in which shards identify."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

import discord
import pytest
from prometheus_client import REGISTRY

from bot.connection import client, connections
from bot.connection.connections import Connections, IdentifyQueue
from bot.model.shards import Shards
from bot.play.sharing.exclusive import Exclusive
from tests.helpers.databases import open_new_database
from tests.helpers.living import running_bot
from tests.helpers.waiting import MAX_WAIT, eventually

TWO_SHARDS: Final = Shards.all(2)


async def test_the_connections_are_complete_once_all_shards_are_ready() -> None:
    """Shards count as missing until they are ready, and again after they lose their connection."""
    connections = Connections()
    connections.begin(TWO_SHARDS)
    assert connections.missing == {0, 1}
    connections.note_connected(0)
    assert (connections.connected, connections.ready) == ({0}, set())
    connections.note_ready(0)
    assert (connections.ready, connections.missing) == ({0}, {1})
    connections.note_ready(1)
    assert not connections.missing
    connections.note_lost(0)
    assert (connections.connected, connections.ready, connections.missing) == ({1}, {1}, {0})


async def test_time_spent_waiting_for_a_turn_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seconds_without_gateway` is the time without a ready shard.

    The time is 0 while a shard waits for its turn to identify, and counts from 0 again after the wait.
    """
    now = 100.0
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.get_running_loop(), "time", lambda: now)
        connections = Connections()
        connections.begin(TWO_SHARDS)
        now += 5
        assert connections.seconds_without_gateway == 5
        with connections.waiting():
            now += 5
            assert connections.seconds_without_gateway == 0
        assert connections.seconds_without_gateway == 0
        now += 5
        assert connections.seconds_without_gateway == 5
        connections.note_ready(0)
        now += 5
        assert connections.seconds_without_gateway == 0
        connections.note_lost(1)
        assert connections.seconds_without_gateway == 0
        connections.note_lost(0)
        assert connections.seconds_without_gateway == 0
        now += 5
        assert connections.seconds_without_gateway == 5


def start_limits(remaining: int = 1000, max_concurrency: int = 1) -> discord.SessionStartLimits:
    """Create session start limits as Discord reports them."""
    return discord.SessionStartLimits(total=1000, remaining=remaining, reset_after=50, max_concurrency=max_concurrency)


async def two_concurrent_limits() -> discord.SessionStartLimits:
    """Return the limits of a bot that may identify two shards at a time."""
    return start_limits(max_concurrency=2)


@pytest.mark.thorough
async def test_shards_of_a_bucket_identify_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards with the same rate limit key identify one after the other, at least an identify interval apart."""
    monkeypatch.setattr(connections, "IDENTIFY_INTERVAL", 0.2)
    async with open_new_database(tmp_path / "deadwood.db") as database:
        identifies, loop = (
            IdentifyQueue(Exclusive(database), Connections(), two_concurrent_limits),
            asyncio.get_running_loop(),
        )
        turns = list[float]()

        async def identify(shard: int) -> None:
            await identifies.wait_for_turn(shard)
            turns.append(loop.time())

        await asyncio.gather(identify(0), identify(2))
        assert turns[1] - turns[0] >= 0.2
        identifies.close()


async def test_shards_of_different_buckets_do_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards with different rate limit keys identify without waiting for each other."""
    monkeypatch.setattr(connections, "IDENTIFY_INTERVAL", 600)
    async with open_new_database(tmp_path / "deadwood.db") as database, asyncio.timeout(MAX_WAIT):
        identifies = IdentifyQueue(Exclusive(database), Connections(), two_concurrent_limits)
        for shard in range(2):
            await identifies.wait_for_turn(shard)
        identifies.close()


@pytest.mark.thorough
async def test_identifies_wait_for_the_session_start_limit(tmp_path: Path) -> None:
    """An identify waits until Discord's session start limit has room, and metrics report the remaining starts."""
    answers = [start_limits(5), start_limits(0), start_limits(0), start_limits(1000)]

    async def ask() -> discord.SessionStartLimits:
        return answers.pop(0)

    async with open_new_database(tmp_path / "deadwood.db") as database:
        identifies, loop = IdentifyQueue(Exclusive(database), Connections(), ask), asyncio.get_running_loop()
        began, asked_at = loop.time(), time.time()
        await identifies.wait_for_turn(0)
        assert loop.time() - began >= 0.1
        assert REGISTRY.get_sample_value("deadwood_identifies_left") == 1000
        reset_at = REGISTRY.get_sample_value("deadwood_identifies_reset_timestamp_seconds")
        assert reset_at is not None
        assert asked_at <= reset_at - 0.05 <= time.time()
        identifies.close()


@pytest.mark.nightly
async def test_a_shard_that_waits_too_long_gives_up_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard that waits too long for its turn to identify gives up, so that discord.py can reconnect other shards."""
    monkeypatch.setattr(client, "IDENTIFY_TURN_TIMEOUT", 0.3)
    async with running_bot(tmp_path) as alive:
        async with alive.app.exclusive.locked("identify 0"):
            with pytest.raises(TimeoutError):
                await alive.client.before_identify_hook(0)
            await alive.sandbox.gateway.invalidate(resumable=False)
            await eventually(lambda: not alive.client.connections.ready)
        await alive.sandbox.until(lambda: alive.sandbox.gateway.identifies == 2, MAX_WAIT)
        await eventually(lambda: bool(alive.client.connections.ready))
