"""Backfills the records from matches that ended before the tables existed, a few matches at a time.

Progress is saved with each batch, so the backfill resumes after a restart, and batches are idempotent. Matches that end
in the meantime are entered when they end. One process does the backfill at a time, and progress made by another one is
kept.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog

from bot.play.loading.batches import pause_after
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.records.entering import enter, enter_streaks, found_in
from bot.play.refusals import NoMatch, Unavailable
from bot.store import key_values, matches, people, records
from bot.store.database import Lane
from bot.values.ids import MatchId, PersonId

log = structlog.get_logger(__name__)

MATCHES_AT_ONCE: Final = 5
PEOPLE_AT_ONCE: Final = 5
"""Number of matches or people in one transaction: other writers wait for it."""
RETRY_AFTER: Final = 10.0
"""Pause before a retry if the database is unavailable, in seconds."""
TOLD_EVERY: Final = 60.0
"""Interval between progress lines in the log, in seconds."""

KEY: Final = "records filled"
MATCHES: Final = "matches"
PEOPLE: Final = "people"
DONE: Final = "done"


class RecordsFilling(Service):
    """Backfills the record tables, once per database."""

    async def run(self) -> None:
        """Fill the tables unless that is done. Retry while the database is unavailable."""
        told: float | None = None
        while True:
            began = time.monotonic()
            try:
                reached = await self.step()
                if reached is None:
                    break
                if reached.startswith(MATCHES) and (told is None or began - told >= TOLD_EVERY):
                    await self._tell(reached)
                    told = began
            except Unavailable:
                await asyncio.sleep(RETRY_AFTER)
                continue
            await pause_after(began)
        if told is not None:
            log.info("record backfill finished")

    async def _tell(self, reached: str) -> None:
        async with self._units.read() as unit:
            newest = await records.newest(unit.transaction)
        log.info("record backfill in progress", reached=int(reached.split()[1]), of=newest)

    @shielded
    async def step(self) -> str | None:
        """Do one batch. Return the progress; None if everything is done."""
        async with self._units.read() as unit:
            reached = await _reached(unit)
        if reached == DONE:
            return None
        return await (self._match_batch(reached) if reached.startswith(MATCHES) else self._people_batch())

    async def _match_batch(self, before: str) -> str:
        """Enter the possible records of the next matches, except streaks."""
        loaded = list[LoadedMatch]()
        async with self._units.read(Lane.LONG) as unit:
            ids = await records.finished_after(unit.transaction, MatchId(_last(before)), MATCHES_AT_ONCE)
        for match_id in ids:
            try:
                async with self._units.read(Lane.LONG) as unit:
                    loaded.append(await unit.load(match_id))
            except (NoMatch, UnreadableMatchError) as error:
                log.warning("a match has no records", match=match_id, error=str(error))
        reached = f"{MATCHES} {ids[-1]}" if ids else f"{PEOPLE} 0"
        async with self._units.write() as unit:
            if (now := await _reached(unit)) != before:
                return now
            for one in loaded:
                # The server may have been deleted or have reset its leaderboard since.
                row = await matches.load(unit.transaction, one.info.id)
                if row is None or row.info.guild_id is None or row.info.ended_at is None:
                    continue
                if await records.counts_now(unit.transaction, row.info.id):
                    found = await found_in(unit, one.info.id, one.state, row.info.ended_at)
                    await enter(unit, row.info.guild_id, found)
            await key_values.save(unit.transaction, KEY, reached)
        return reached

    async def _people_batch(self) -> str:
        """Enter the streaks of the next people."""
        async with self._units.write() as unit:
            if not (before := await _reached(unit)).startswith(PEOPLE):
                return before
            ids = await records.players_after(unit.transaction, PersonId(_last(before)), PEOPLE_AT_ONCE)
            await people.touch(unit.transaction, ids)
            for person_id in ids:
                await enter_streaks(unit, person_id)
            reached = f"{PEOPLE} {ids[-1]}" if ids else DONE
            await key_values.save(unit.transaction, KEY, reached)
        return reached


async def _reached(unit: UnitOfWork) -> str:
    """Return the stored progress."""
    return await key_values.load(unit.transaction, KEY) or f"{MATCHES} 0"


def _last(reached: str) -> int:
    """Return the last match or person id in a progress text."""
    return int(reached.split()[1])
