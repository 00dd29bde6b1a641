"""Tests of the decks that were dealt on a server, or on all."""

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
"""How many decks are tested, or a few more: reading all would take minutes where a million matches were played."""
FEWEST_DECKS: Final = 200
"""With fewer decks the tests would say nothing, and one more deck would show in them."""
_AFTER_ALL: Final = MatchId((1 << 63) - 1)
MATCHES_AT_ONCE: Final = 100
"""How many matches are read in a transaction, and counted without a pause."""


class DealtDecks(Service):
    """Tests the decks of matches that are over. Those of a match that goes on are nobody's business until its end."""

    async def test(self, guild_id: GuildId | None) -> DecksReport:
        """Test the newest decks of a server, or of all servers and practice where it is None.

        They are of matches that are over whatever became of these: a host could call off those whose cards it dislikes.
        How many were called off is counted too, for the same reason.
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
