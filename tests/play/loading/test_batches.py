"""Pauses between batches leave time for players."""

from __future__ import annotations

import time

import pytest

from bot.play.loading.batches import PAUSE, pause_after


@pytest.mark.parametrize("took", [0.0, 0.05])
async def test_a_pause_is_as_long_as_the_batch_before(took: float) -> None:
    """The pause after a batch is as long as the batch took, but at least `PAUSE`."""
    begun = time.monotonic()
    await pause_after(begun - took)
    # Timers may fire one clock tick early.
    assert time.monotonic() - begun >= 0.99 * max(PAUSE, took)
