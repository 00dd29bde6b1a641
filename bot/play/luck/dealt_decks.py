"""Statistical tests of the decks that were dealt on one server or on all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from bot.engine.actions import Shuffle
from bot.engine.errors import GinError
from bot.engine.record import parse_actions
from bot.luck.decks import DeckCounts
from bot.play.loading.unit_of_work import Service
from bot.store import decks
from bot.store.database import Lane
from bot.values.dealt_decks import DecksReport
from bot.values.ids import GuildId, MatchId

log = structlog.get_logger(__name__)

MOST_DECKS: Final = 10_000
"""Approximate maximum number of decks to test: reading all of a million matches would take minutes."""
FEWEST_DECKS: Final = 200
"""Minimum number of decks to test: with fewer, tests are meaningless, and a single deck could be deduced."""
_AFTER_ALL: Final = MatchId((1 << 63) - 1)
MATCHES_AT_ONCE: Final = 100
"""Number of matches that are read in one transaction and counted without a pause."""


class DealtDecks(Service):
    """Tests the decks of finished matches. The decks of running matches stay secret."""

    async def test(self, guild_id: GuildId | None) -> DecksReport:
        """Test the newest decks of a server. If it is None, include all servers and practice.

        Matches count however they ended: a dishonest host could call off matches whose cards it dislikes. The report
        also counts called-off matches, for the same reason.
        """
        counts = DeckCounts()
        reached = _AFTER_ALL
        while counts.decks < MOST_DECKS:
            async with self._units.read(Lane.LONG) as unit:
                match_ids = await decks.over_before(unit.transaction, guild_id, reached, MATCHES_AT_ONCE)
                deals = await decks.deals(unit.transaction, match_ids)
            if not match_ids:
                break
            await asyncio.to_thread(_count, counts, deals)
            reached = match_ids[-1]
        async with self._units.read(Lane.LONG) as unit:
            committed = await decks.committed(unit.transaction, guild_id)
        found = None if counts.decks < FEWEST_DECKS else await asyncio.to_thread(counts.test)
        return DecksReport(counts.decks, found, committed)


def _count(counts: DeckCounts, deals: Sequence[str]) -> None:
    for text in deals:
        try:
            for action in parse_actions(text):
                if isinstance(action, Shuffle):
                    counts.add(action.deck)
        except GinError as error:
            log.warning("a deck cannot be read", error=str(error))
