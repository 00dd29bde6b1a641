"""Background work retries with exponential backoff while the database is unavailable."""

from __future__ import annotations

import pytest

from bot.play.refusals import Unavailable
from cogs.delivery import saving
from cogs.delivery.saving import MAX_PAUSE, MIN_PAUSE, retry_until_done


async def test_pauses_double_up_to_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step is repeated until it succeeds, after pauses that double from 1 to 30 seconds. Its result is returned."""
    pauses, failures = list[float](), iter(range(8))

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def step() -> str:
        if next(failures, None) is not None:
            raise Unavailable
        return "done"

    monkeypatch.setattr(saving.asyncio, "sleep", sleep)
    assert await retry_until_done(step) == "done"
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    assert (pauses[0], pauses[-1]) == (MIN_PAUSE, MAX_PAUSE)
