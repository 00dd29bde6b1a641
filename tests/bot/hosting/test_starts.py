"""A bot that restarts too often waits before connecting to the gateway."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.hosting.starts import FREE_STARTS, count_start
from bot.play.key_values import KeyValueStore
from bot.play.loading.unit_of_work import Units
from tests.helpers.clock import Clock
from tests.helpers.databases import open_new_database


@pytest.fixture
def clock() -> Clock:
    """A clock that the test moves by hand."""
    return Clock()


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncGenerator[KeyValueStore]:
    """The store of values that survive a restart."""
    async with open_new_database(tmp_path / "deadwood.db") as database:
        yield KeyValueStore(Units(database, clock))


async def test_the_tenth_start_within_an_hour_waits(store: KeyValueStore, clock: Clock) -> None:
    """The tenth start within an hour waits 30 seconds. The wait doubles with each further start, up to ten minutes."""
    pauses = list[float]()
    for _ in range(FREE_STARTS + 7):
        pauses.append(await count_start(store, "a.token", None, clock()))
        clock.pass_by(timedelta(seconds=1))
    assert pauses == [0.0] * FREE_STARTS + [30, 60, 120, 240, 480, 600, 600]
    clock.pass_by(timedelta(hours=1))
    assert await count_start(store, "a.token", None, clock()) == 0


async def test_tokens_are_counted_separately_and_not_stored(store: KeyValueStore, clock: Clock) -> None:
    """Starts are counted separately for each token, and tokens are not stored."""
    for _ in range(FREE_STARTS + 1):
        await count_start(store, "a.token", None, clock())
    assert await count_start(store, "another.token", None, clock()) == 0
    assert await store.get("starts of a.token") is None


async def test_starts_in_the_future_do_not_count(store: KeyValueStore, clock: Clock) -> None:
    """Starts whose times are in the future because the clock was set back do not count."""
    clock.pass_by(timedelta(days=1))
    for _ in range(FREE_STARTS + 1):
        await count_start(store, "a.token", None, clock())
    clock.pass_by(timedelta(days=-1))
    assert await count_start(store, "a.token", None, clock()) == 0
