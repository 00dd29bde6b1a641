"""Counts the luck of the cards in finished matches, soon after they end, so that a deal's commit need not wait for it.

The result is saved in one transaction with a flag on the match. So counting is idempotent: a process can be killed, and
two processes can count the same match. Matches from before the feature are counted in the same way.
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
"""Maximum number of matches saved in one transaction: other writers wait for it."""
LOOKS_AFTER: Final = 15.0
"""Interval between searches for newly finished matches, in seconds."""


class LuckCounting(Service):
    """Counts the luck of the cards in finished matches. Only the leading process does so."""

    async def run(self) -> None:
        """Count all finished matches, old and new. Retry while the database is unavailable."""
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
        """Return the luck of each seat in a match; empty if its rules are not measured or its log cannot be read."""
        if not is_measured(rules):
            return []
        try:
            async with self._units.read(Lane.LONG) as unit:
                loaded = await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            log.warning("the luck in a match cannot be counted", match=match_id, error=str(error))
            return []
        return await asyncio.to_thread(_by_seat, loaded.state)


def _by_seat(match: Match) -> list[Luck]:
    return [luck_in(match, Seat(seat)) for seat in range(match.seats)]
