"""Statistical tests of the decks that were dealt on one server or on all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from bot.engine.errors import GinError
from bot.engine.matches.actions import Shuffle
from bot.engine.records.record import parse_actions
from bot.luck.decks import DeckCounts
from bot.model.dealt_decks import DecksReport
from bot.model.ids import GuildId, MatchId
from bot.play.loading.unit_of_work import Service
from bot.store import decks
from bot.store.database import Lane

log = structlog.get_logger(__name__)

MAX_DECKS: Final = 10_000
"""Approximate maximum number of decks to test: reading all decks of a million matches would take minutes."""
MIN_DECKS: Final = 200
"""Minimum number of decks to test: with fewer, tests are meaningless, and a single deck could be deduced from their
results."""
_MAX_MATCH_ID: Final = MatchId((1 << 63) - 1)
MATCHES_PER_TRANSACTION: Final = 100
"""Number of matches that are read in one transaction and counted without a pause."""


class DealtDecks(Service):
    """Tests the randomness of the decks in finished matches. The decks of running matches stay secret."""

    async def test(self, guild_id: GuildId | None) -> DecksReport:
        """Test the newest decks dealt on a server or, if `guild_id` is None, on all servers and in practice matches.

        Called-off matches are included and also counted in the report: a dishonest operator of the bot could call
        off matches with unwelcome cards.
        """
        counts = DeckCounts()
        last_id = _MAX_MATCH_ID
        while counts.decks < MAX_DECKS:
            async with self._units.read(Lane.LONG) as unit:
                match_ids = await decks.ended_before(unit.transaction, guild_id, last_id, MATCHES_PER_TRANSACTION)
                deals = await decks.deal_actions(unit.transaction, match_ids)
            if not match_ids:
                break
            await asyncio.to_thread(_count, counts, deals)
            last_id = match_ids[-1]
        async with self._units.read(Lane.LONG) as unit:
            committed = await decks.count_committed(unit.transaction, guild_id)
        results = None if counts.decks < MIN_DECKS else await asyncio.to_thread(counts.test)
        return DecksReport(counts.decks, results, committed)


def _count(counts: DeckCounts, deals: Sequence[str]) -> None:
    for text in deals:
        try:
            for action in parse_actions(text):
                if isinstance(action, Shuffle):
                    counts.add(action.deck)
        except GinError as error:
            log.warning("a deck cannot be read", error=str(error))
