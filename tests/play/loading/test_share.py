"""A process does only its share of the work, for the shards that were granted to it."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.model.ids import GuildId
from bot.model.shards import ID_BITS
from bot.play.loading.share import Share, uptime
from tests.helpers.waiting import eventually

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
GUILD_ON_SHARD_0, GUILD_ON_SHARD_1 = GuildId(4 << ID_BITS), GuildId(5 << ID_BITS)
"""Servers on the first and the second of two shards."""


def test_a_process_has_all_shards_at_first() -> None:
    """A process has all shards until it is granted a share."""
    share = Share(NOON)
    assert share.is_leader
    assert share.has(GUILD_ON_SHARD_0)
    assert share.has(GUILD_ON_SHARD_1)
    assert share.since(GUILD_ON_SHARD_1) == NOON


async def test_a_process_works_only_for_its_granted_shards() -> None:
    """A process with the second of two shards is not the leader, and works for that shard's servers only."""
    share = Share(NOON)
    share.grant({1: NOON}, 2)
    assert not share.is_leader
    assert not share.has(GUILD_ON_SHARD_0)
    assert share.has(GUILD_ON_SHARD_1)
    assert share.since(GUILD_ON_SHARD_0) is None
    async with share.working_for(GUILD_ON_SHARD_0) as is_own:
        assert not is_own


def test_a_share_ends_unless_it_is_granted_again() -> None:
    """A share ends when its leases expire, for example because the process hung, and begins again when renewed."""
    share = Share(NOON)
    share.grant({0: NOON}, 1, uptime() - 1)
    assert not share.has(None)
    share.grant({0: NOON}, 1, uptime() + 60)
    assert share.has(None)


@pytest.mark.skipif(sys.platform != "linux", reason="CLOCK_BOOTTIME exists on Linux only")
def test_a_share_ends_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share also ends while the machine sleeps, because `uptime` includes time spent asleep."""
    share, read = Share(NOON), time.clock_gettime
    share.grant({0: NOON}, 1, uptime() + 30)
    assert share.has(None)

    def read_after_a_minute_of_sleep(clock: int) -> float:
        return read(clock) + (60 if clock == time.CLOCK_BOOTTIME else 0)

    monkeypatch.setattr(time, "clock_gettime", read_after_a_minute_of_sleep)
    assert not share.has(None)


async def test_work_is_cancelled_when_the_share_ends() -> None:
    """Work is cancelled when the share ends, because another process might do the same work from then on."""
    share = Share(NOON)
    share.grant({0: NOON}, 1, uptime() + 0.01)
    async with asyncio.timeout(60):
        with pytest.raises(TimeoutError):
            async with share.working_for(None):
                await asyncio.Event().wait()


async def test_work_continues_if_its_shard_is_granted_again() -> None:
    """Work continues if its shard is granted again in time, and is cancelled if the new share excludes its shard."""
    share, finish = Share(NOON), asyncio.Event()
    first_end = uptime() + 0.5
    share.grant({0: NOON, 1: NOON}, 2, first_end)

    async def work(guild_id: GuildId) -> bool:
        async with share.working_for(guild_id):
            await finish.wait()
        return True

    first, second = asyncio.create_task(work(GUILD_ON_SHARD_0)), asyncio.create_task(work(GUILD_ON_SHARD_1))
    await asyncio.sleep(0)
    share.grant({0: NOON}, 2, uptime() + 60)
    async with asyncio.timeout(60):
        with pytest.raises(TimeoutError):
            await second
        await eventually(lambda: uptime() > first_end + 0.02)
        finish.set()
        assert await first


async def test_giving_back_a_shard_waits_for_its_work() -> None:
    """`give_back` waits for running work to end, and no new work starts in the meantime."""
    share = Share(NOON)
    share.grant({0: NOON, 1: NOON}, 2)
    async with share.working_for(GUILD_ON_SHARD_1) as is_own:
        assert is_own
        returning = asyncio.create_task(share.give_back(1))
        await asyncio.sleep(0)
        assert not share.has(GUILD_ON_SHARD_1)
        assert share.has(GUILD_ON_SHARD_0)
        assert not returning.done()
    await returning
    share.grant({0: NOON}, 2)
    share.grant({0: NOON, 1: NOON}, 2)
    assert share.has(GUILD_ON_SHARD_1)


async def test_giving_back_a_shard_cancels_slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """`give_back` cancels work that takes too long, even if the leases are renewed."""
    share = Share(NOON)
    share.grant({0: NOON, 1: NOON}, 2, uptime() + 60)

    async def work(guild_id: GuildId) -> None:
        async with share.working_for(guild_id):
            await asyncio.Event().wait()

    other, cancelled = asyncio.create_task(work(GUILD_ON_SHARD_0)), asyncio.create_task(work(GUILD_ON_SHARD_1))
    await asyncio.sleep(0)
    monkeypatch.setattr("bot.play.loading.share.GIVE_BACK_TIMEOUT", 0.05)
    returning = asyncio.create_task(share.give_back(1))
    await asyncio.sleep(0)
    share.grant({0: NOON, 1: NOON}, 2, uptime() + 60)
    async with asyncio.timeout(60):
        await returning
        with pytest.raises(TimeoutError):
            await cancelled
    assert not other.done()
    other.cancel()
