"""Batches leave time to those who play."""

from __future__ import annotations

import time

import pytest

from bot.play.loading.batches import PAUSE, pause_after


@pytest.mark.parametrize("took", [0.0, 0.05])
async def test_a_pause_is_as_long_as_the_batch_before(took: float) -> None:
    """It is never shorter than the shortest pause."""
    begun = time.monotonic()
    await pause_after(begun - took)
    # Timers may fire a tick of their clock early.
    assert time.monotonic() - begun >= 0.99 * max(PAUSE, took)
