"""Background work waits longer and longer while the database cannot be used."""

from __future__ import annotations

import pytest

from bot.play.refusals import Unavailable
from cogs.support import saving
from cogs.support.saving import FIRST_PAUSE, LONGEST_PAUSE, until_done


async def test_the_pauses_double_up_to_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second at first; the step is taken until it is done, and what it returns is returned."""
    pauses, failures = list[float](), iter(range(8))

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def step() -> str:
        if next(failures, None) is not None:
            raise Unavailable
        return "done"

    monkeypatch.setattr(saving.asyncio, "sleep", sleep)
    assert await until_done(step) == "done"
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    assert (pauses[0], pauses[-1]) == (FIRST_PAUSE, LONGEST_PAUSE)
