"""The share of the work that a process does."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Final

from bot.play.loading.share import ConnectedShards, Share
from bot.values.ids import GuildId
from bot.values.shards import ID_BITS, Shards

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
ON_FIRST, ON_SECOND = GuildId(4 << ID_BITS), GuildId(5 << ID_BITS)
"""Servers on the first and the second of two shards."""


def test_a_process_that_is_alone_does_everything() -> None:
    """At first there are no others."""
    share = Share(NOON)
    assert share.leads
    assert share.has(ON_FIRST)
    assert share.has(ON_SECOND)
    assert share.since(ON_SECOND) == NOON


def test_what_was_granted_is_done_and_nothing_else() -> None:
    """A process with the second of two shards leads nothing, and does what is for its servers."""
    share = Share(NOON)
    share.grant({1: NOON}, 2)
    assert not share.leads
    assert not share.has(ON_FIRST)
    assert share.has(ON_SECOND)
    assert share.since(ON_FIRST) is None
    with share.at_work_for(ON_FIRST) as is_own:
        assert not is_own


def test_a_share_ends_unless_it_is_granted_again() -> None:
    """A process that hung longer than its leases hold does nothing until it has them again."""
    share = Share(NOON)
    share.grant({0: NOON}, 1, time.monotonic() - 1)
    assert not share.has(None)
    share.grant({0: NOON}, 1, time.monotonic() + 60)
    assert share.has(None)


async def test_what_is_under_way_ends_before_a_shard_is_given_back() -> None:
    """Nothing new begins meanwhile."""
    share = Share(NOON)
    share.grant({0: NOON, 1: NOON}, 2)
    with share.at_work_for(ON_SECOND) as is_own:
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


async def test_time_runs_for_no_match_before_any_shard_is_connected() -> None:
    """Whoever waits for the shards gets them once there are any."""
    connected = ConnectedShards()
    waiting = asyncio.create_task(connected.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    connected.change(Shards.all(2))
    assert await waiting == Shards.all(2)
