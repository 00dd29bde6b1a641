"""The share of the work that this process does."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.play.loading.share import Share, uptime
from bot.values.ids import GuildId
from bot.values.shards import ID_BITS
from tests.helpers.waiting import eventually

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
ON_FIRST, ON_SECOND = GuildId(4 << ID_BITS), GuildId(5 << ID_BITS)
"""Servers on the first and the second of two shards."""


def test_a_process_that_is_alone_does_everything() -> None:
    """A process has all shards until it is granted a share."""
    share = Share(NOON)
    assert share.leads
    assert share.has(ON_FIRST)
    assert share.has(ON_SECOND)
    assert share.since(ON_SECOND) == NOON


async def test_what_was_granted_is_done_and_nothing_else() -> None:
    """A process with the second of two shards does not lead, and works for that shard's servers only."""
    share = Share(NOON)
    share.grant({1: NOON}, 2)
    assert not share.leads
    assert not share.has(ON_FIRST)
    assert share.has(ON_SECOND)
    assert share.since(ON_FIRST) is None
    async with share.at_work_for(ON_FIRST) as is_own:
        assert not is_own


def test_a_share_ends_unless_it_is_granted_again() -> None:
    """A share ends with its leases, for example if the process hung, until it is granted again."""
    share = Share(NOON)
    share.grant({0: NOON}, 1, uptime() - 1)
    assert not share.has(None)
    share.grant({0: NOON}, 1, uptime() + 60)
    assert share.has(None)


@pytest.mark.skipif(sys.platform != "linux", reason="CLOCK_BOOTTIME exists on Linux only")
def test_a_share_ends_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The uptime clock includes time asleep, as the other processes' clocks do."""
    share, read = Share(NOON), time.clock_gettime
    share.grant({0: NOON}, 1, uptime() + 30)
    assert share.has(None)

    def read_after_a_minute_of_sleep(clock: int) -> float:
        return read(clock) + (60 if clock == time.CLOCK_BOOTTIME else 0)

    monkeypatch.setattr(time, "clock_gettime", read_after_a_minute_of_sleep)
    assert not share.has(None)


async def test_what_is_under_way_is_broken_off_when_the_share_ends() -> None:
    """Work is cancelled when the share ends, because another process may then do it."""
    share = Share(NOON)
    share.grant({0: NOON}, 1, uptime() + 0.01)
    async with asyncio.timeout(60):
        with pytest.raises(TimeoutError):
            async with share.at_work_for(None):
                await asyncio.Event().wait()


async def test_what_is_under_way_goes_on_while_the_share_is_granted_again() -> None:
    """Work continues if its shard is granted again, and is cancelled if the new share does not include it."""
    share, over = Share(NOON), asyncio.Event()
    first_end = uptime() + 0.5
    share.grant({0: NOON, 1: NOON}, 2, first_end)

    async def work(guild_id: GuildId) -> bool:
        async with share.at_work_for(guild_id):
            await over.wait()
        return True

    first, second = asyncio.create_task(work(ON_FIRST)), asyncio.create_task(work(ON_SECOND))
    await asyncio.sleep(0)
    share.grant({0: NOON}, 2, uptime() + 60)
    async with asyncio.timeout(60):
        with pytest.raises(TimeoutError):
            await second
        await eventually(lambda: uptime() > first_end + 0.02)
        over.set()
        assert await first


async def test_what_is_under_way_ends_before_a_shard_is_given_back() -> None:
    """`give_back` waits for running work to end, and no new work starts in the meantime."""
    share = Share(NOON)
    share.grant({0: NOON, 1: NOON}, 2)
    async with share.at_work_for(ON_SECOND) as is_own:
        assert is_own
        returning = asyncio.create_task(share.give_back(1))
        await asyncio.sleep(0)
        assert not share.has(ON_SECOND)
        assert share.has(ON_FIRST)
        assert not returning.done()
    await returning
    share.grant({0: NOON}, 2)
    share.grant({0: NOON, 1: NOON}, 2)
    assert share.has(ON_SECOND)


async def test_what_is_under_way_holds_a_shard_back_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """`give_back` cancels work that takes too long, even if the leases are renewed."""
    share = Share(NOON)
    share.grant({0: NOON, 1: NOON}, 2, uptime() + 60)

    async def work(guild_id: GuildId) -> None:
        async with share.at_work_for(guild_id):
            await asyncio.Event().wait()

    other, broken_off = asyncio.create_task(work(ON_FIRST)), asyncio.create_task(work(ON_SECOND))
    await asyncio.sleep(0)
    monkeypatch.setattr("bot.play.loading.share.BROKEN_OFF_AFTER", 0.05)
    returning = asyncio.create_task(share.give_back(1))
    await asyncio.sleep(0)
    share.grant({0: NOON, 1: NOON}, 2, uptime() + 60)
    async with asyncio.timeout(60):
        await returning
        with pytest.raises(TimeoutError):
            await broken_off
    assert not other.done()
    other.cancel()
