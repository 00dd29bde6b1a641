"""Backfills the leaderboards and ratings at the start, from matches that ended before they existed."""

from __future__ import annotations

from typing import Final

import structlog

from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.standing.counting import count
from bot.play.standing.ratings import places, places_of_two_sides
from bot.store import ended_matches, guilds, key_values
from bot.store.rows import EndedMatch

log = structlog.get_logger(__name__)

BATCH_SIZE: Final = 200

_PROGRESS_KEY: Final = "standings to fill"
"""The key of the stored progress. Its value is the last match done: the server's id and the match's number. Migration
0013 stores the initial value."""


class StandingsBackfill(Service):
    """Counts and rates old matches as if they ended now."""

    @shielded
    async def do_batch(self) -> bool:
        """Count and rate the next batch of matches. Return False if everything is done.

        Progress is saved with the batch, so that the next start resumes there.
        """
        async with self._units.write() as unit:
            progress = await key_values.load(unit.transaction, _PROGRESS_KEY)
            if progress is None:
                return False
            guild_id, number = map(int, progress.split())
            batch = await ended_matches.next_matches(unit.transaction, guild_id, number, BATCH_SIZE)
            eras: dict[int, int] = {}
            for ended in batch:
                if ended.guild_id not in eras:
                    eras[ended.guild_id] = (await guilds.load(unit.transaction, ended.guild_id)).era
                if ended.counts:
                    obsolete_since = unit.now if ended.era < eras[ended.guild_id] else None
                    match_places = await _places(unit, ended)
                    await count(unit.transaction, ended, match_places, unit.now, obsolete_since=obsolete_since)
            if batch:
                await key_values.save(unit.transaction, _PROGRESS_KEY, f"{batch[-1].guild_id} {batch[-1].number}")
                log.info("standings backfill in progress", server=batch[-1].guild_id, match=batch[-1].number)
            else:
                await key_values.remove(unit.transaction, _PROGRESS_KEY)
                log.info("standings backfill finished")
            return bool(batch)


async def _places(unit: UnitOfWork, ended: EndedMatch) -> tuple[int, ...] | None:
    """Return the finishing place of each seat; None if more than two sides played and the log cannot be read."""
    match_places = places_of_two_sides(ended)
    if match_places is None:
        try:
            match_places = places((await unit.load(ended.id)).state)
        except UnreadableMatchError as error:
            log.warning("a match stays without ratings", match=ended.id, error=str(error))
    return match_places
