"""Pauses between batches of housekeeping leave the database free for players."""

from __future__ import annotations

import time

import pytest

from bot.play.loading.batches import MIN_PAUSE, pause_after


@pytest.mark.parametrize("batch_seconds", [0.0, 0.05])
async def test_a_pause_is_as_long_as_the_batch(batch_seconds: float) -> None:
    """The pause after a batch is as long as the batch took, but at least `MIN_PAUSE`."""
    started_at = time.monotonic()
    await pause_after(started_at - batch_seconds)
    # Timers may fire one clock tick early.
    assert time.monotonic() - started_at >= 0.99 * max(MIN_PAUSE, batch_seconds)
