"""Backfills the records from matches that ended before the record tables existed, a few matches at a time.

Progress is saved with each batch, so the backfill resumes after a restart. Batches are idempotent. Matches that end
during the backfill are entered when they end. One process does the backfill at a time, and continues from the progress
of the previous one.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog

from bot.model.ids import MatchId, PersonId
from bot.play.loading.batches import pause_after
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.records.entering import enter, enter_streaks, match_candidates
from bot.play.refusals import NoMatch, Unavailable
from bot.store import key_values, matches, people, records
from bot.store.database import Lane

log = structlog.get_logger(__name__)

MATCHES_PER_TRANSACTION: Final = 5
"""Number of matches processed in one transaction. It is small because other writers wait for the transaction."""
PEOPLE_PER_TRANSACTION: Final = 5
"""Number of people processed in one transaction. It is small because other writers wait for the transaction."""
RETRY_PAUSE: Final = 10.0
"""Pause before a retry if the database is unavailable, in seconds."""
PROGRESS_INTERVAL: Final = 60.0
"""Interval between progress lines in the log, in seconds."""

KEY: Final = "records filled"
MATCHES: Final = "matches"
PEOPLE: Final = "people"
DONE: Final = "done"


class RecordsBackfill(Service):
    """Backfills the record tables, once per database."""

    async def run(self) -> None:
        """Fill the record tables unless that was done before. Retry while the database is unavailable."""
        logged_at: float | None = None
        while True:
            started_at = time.monotonic()
            try:
                progress = await self.step()
                if progress is None:
                    break
                if progress.startswith(MATCHES) and (logged_at is None or started_at - logged_at >= PROGRESS_INTERVAL):
                    await self._log_progress(progress)
                    logged_at = started_at
            except Unavailable:
                await asyncio.sleep(RETRY_PAUSE)
                continue
            await pause_after(started_at)
        if logged_at is not None:
            log.info("record backfill finished")

    async def _log_progress(self, progress: str) -> None:
        async with self._units.read() as unit:
            newest = await records.last_match_id(unit.transaction)
        log.info("record backfill in progress", reached=int(progress.split()[1]), of=newest)

    @shielded
    async def step(self) -> str | None:
        """Do one batch. Return the progress; None if everything is done."""
        async with self._units.read() as unit:
            progress = await _load_progress(unit)
        if progress == DONE:
            return None
        return await (self._match_batch(progress) if progress.startswith(MATCHES) else self._people_batch())

    async def _match_batch(self, progress: str) -> str:
        """Enter the record candidates of the next batch of old matches, except streaks."""
        loaded = list[LoadedMatch]()
        async with self._units.read(Lane.LONG) as unit:
            ids = await records.finished_matches_after(
                unit.transaction, MatchId(_last_id(progress)), MATCHES_PER_TRANSACTION
            )
        for match_id in ids:
            try:
                async with self._units.read(Lane.LONG) as unit:
                    loaded.append(await unit.load(match_id))
            except (NoMatch, UnreadableMatchError) as error:
                log.warning("a match is left out of the records", match=match_id, error=str(error))
        new_progress = f"{MATCHES} {ids[-1]}" if ids else f"{PEOPLE} 0"
        async with self._units.write() as unit:
            if (current := await _load_progress(unit)) != progress:
                return current
            for loaded_match in loaded:
                # Since the match was read, its server might have been deleted, or might have reset its leaderboard.
                row = await matches.load(unit.transaction, loaded_match.info.id)
                if row is None or row.info.guild_id is None or row.info.ended_at is None:
                    continue
                if await records.is_in_current_era(unit.transaction, row.info.id):
                    found = await match_candidates(unit, loaded_match.info.id, loaded_match.state, row.info.ended_at)
                    await enter(unit, row.info.guild_id, found)
            await key_values.save(unit.transaction, KEY, new_progress)
        return new_progress

    async def _people_batch(self) -> str:
        """Enter the streaks of the next batch of people."""
        async with self._units.write() as unit:
            if not (progress := await _load_progress(unit)).startswith(PEOPLE):
                return progress
            ids = await records.players_after(unit.transaction, PersonId(_last_id(progress)), PEOPLE_PER_TRANSACTION)
            people.touch(unit.transaction, ids)
            for person_id in ids:
                await enter_streaks(unit, person_id)
            new_progress = f"{PEOPLE} {ids[-1]}" if ids else DONE
            await key_values.save(unit.transaction, KEY, new_progress)
        return new_progress


async def _load_progress(unit: UnitOfWork) -> str:
    """Return the stored progress, or the start if none is stored."""
    return await key_values.load(unit.transaction, KEY) or f"{MATCHES} 0"


def _last_id(progress: str) -> int:
    """Return the id of the last match or person in a progress text."""
    return int(progress.split()[1])
