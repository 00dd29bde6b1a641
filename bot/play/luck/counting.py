"""Counts how the cards of finished matches fell, soon after their ends: a deal's commit should not have to wait for it.

A match says itself whether it is counted, and that is saved together with what was counted. So it does not matter when
a process is killed, or whether two do the same; and matches of before are counted like those that end from now on.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

import structlog

from bot.engine.match import Match
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.luck.measures import Luck, is_measured, luck_in
from bot.play.loading.batches import pause_after
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.refusals import NoMatch, Unavailable
from bot.store import luck
from bot.store.database import Lane
from bot.values.ids import MatchId

log = structlog.get_logger(__name__)

AT_ONCE: Final = 10
"""How many matches are saved in a transaction: others who write wait meanwhile."""
LOOKS_AFTER: Final = 15.0
"""Seconds until it looks for matches that have ended since."""


class LuckCounting(Service):
    """Counts how the cards of finished matches fell. One process does."""

    async def run(self) -> None:
        """Count matches as they end, and all those of before. What goes wrong with the database is waited out."""
        while True:
            began, found = time.monotonic(), False
            with suppress(Unavailable):
                found = self._units.share.leads and await self.count_some()
            await (pause_after(began) if found else asyncio.sleep(LOOKS_AFTER))

    @shielded
    async def count_some(self) -> bool:
        """Count the next matches. Return False if there were none."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due = await luck.due(unit.transaction, AT_ONCE)
        if not due:
            return False
        counted = [(match_id, await self._by_seat(match_id, rules)) for match_id, rules in due]
        async with self._units.write() as unit:
            for match_id, by_seat in counted:
                await luck.save(unit.transaction, match_id, by_seat)
        return True

    async def _by_seat(self, match_id: MatchId, rules: Rules) -> list[Luck]:
        """Return how the cards of a match fell for each seat; nothing if they are not measured, or cannot be read."""
        if not is_measured(rules):
            return []
        try:
            async with self._units.read(Lane.LONG) as unit:
                loaded = await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            log.warning("a match does not show how its cards fell", match=match_id, error=str(error))
            return []
        return await asyncio.to_thread(_by_seat, loaded.state)


def _by_seat(match: Match) -> list[Luck]:
    return [luck_in(match, Seat(seat)) for seat in range(match.seats)]
