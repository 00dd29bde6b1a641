"""Counts the luck of the cards in finished matches, soon after they end, so that a match's end is saved without delay.

The result is saved in one transaction with a flag on the match. So counting is idempotent: a process can be killed, and
two processes can count the same match. Matches that ended before this feature existed are counted in the same way.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

import structlog

from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Match
from bot.engine.rules import Rules
from bot.luck.measures import Luck, is_measured, luck_in
from bot.model.ids import MatchId
from bot.play.loading.batches import pause_after
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.refusals import NoMatch, Unavailable
from bot.store import luck
from bot.store.database import Lane

log = structlog.get_logger(__name__)

MATCHES_PER_TRANSACTION: Final = 10
"""Maximum number of matches saved in one transaction: other writers wait for it."""
SEARCH_INTERVAL: Final = 15.0
"""Interval between searches for newly finished matches, in seconds."""


class LuckCounting(Service):
    """Counts the luck of the cards in finished matches. Only the leading process does so."""

    async def run(self) -> None:
        """Count the luck in all finished matches, old and new. Retry while the database is unavailable."""
        while True:
            started_at, found = time.monotonic(), False
            with suppress(Unavailable):
                found = self._units.share.is_leader and await self.count_some()
            await (pause_after(started_at) if found else asyncio.sleep(SEARCH_INTERVAL))

    @shielded
    async def count_some(self) -> bool:
        """Count the luck in the next matches. Return False if there were none."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due = await luck.uncounted_matches(unit.transaction, MATCHES_PER_TRANSACTION)
        if not due:
            return False
        counted = [(match_id, await self._load_luck(match_id, rules)) for match_id, rules in due]
        async with self._units.write() as unit:
            for match_id, by_seat in counted:
                await luck.save(unit.transaction, match_id, by_seat)
        return True

    async def _load_luck(self, match_id: MatchId, rules: Rules) -> list[Luck]:
        """Return the luck of each seat in a match.

        Return an empty list if luck is not measured under the match's rules, or if its log is unreadable.
        """
        if not is_measured(rules):
            return []
        try:
            async with self._units.read(Lane.LONG) as unit:
                loaded = await unit.load(match_id)
        except (NoMatch, UnreadableMatchError) as error:
            log.warning("the luck in a match cannot be counted", match=match_id, error=str(error))
            return []
        return await asyncio.to_thread(_luck_by_seat, loaded.state)


def _luck_by_seat(match: Match) -> list[Luck]:
    return [luck_in(match, Seat(seat)) for seat in range(match.seats)]
