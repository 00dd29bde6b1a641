"""Verification: what was promised before a match, and whether its cards follow from that."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Service
from bot.values.ids import MatchId
from bot.values.verification import VerifiedDeal


class Verification(Service):
    """Answers to whoever wants to check the deals of a match. Anyone who sees its channel may ask."""

    async def deal(self, match_id: MatchId, number: int | None = None, board: int | None = None) -> VerifiedDeal:
        """Return a deal to verify; without a number the last one that is over, without a board the first.

        Raise `NoMatch` or `NotVerifiable`, or `NoReplay` if there is no such deal.
        """
        raise NotImplementedError
