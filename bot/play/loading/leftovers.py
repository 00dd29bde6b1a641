"""Deletes rows that are no longer needed, in small transactions, so that players do not wait."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from bot.play.loading.batches import in_batches
from bot.play.loading.unit_of_work import Units, shielded
from bot.store import removal
from bot.store.database import Lane
from bot.store.removal import MAX_ROWS, StaleRows

LeftoversAt = Callable[[datetime], StaleRows]
"""Function that returns the rows of one kind that are no longer needed at a given time."""


async def remove_leftovers(units: Units, *kinds: LeftoversAt) -> None:
    """Delete the rows of the given kinds that are no longer needed, at most `MAX_ROWS` in each transaction.

    Raise `Unavailable` if the database cannot be used.
    """
    for kind in kinds:
        await in_batches(partial(_remove_some, units, kind))


@shielded
async def _remove_some(units: Units, kind: LeftoversAt) -> bool:
    # Read first: even an empty write transaction blocks other writers.
    async with units.read(Lane.BACKGROUND) as unit:
        if not await removal.has_stale_rows(unit.transaction, kind(unit.now)):
            return False
    async with units.write() as unit:
        return await removal.remove_stale_rows(unit.transaction, kind(unit.now), MAX_ROWS) > 0
