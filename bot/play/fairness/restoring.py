"""Calls off matches and withdraws challenges after a backup was restored, so that no card is dealt twice.

If a match continued, its cards would come from seeds and words that became public after the backup was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChallengeId, MatchId
from bot.play.challenges import steps
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.store import chains, daily


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The number of called-off matches, and the number of withdrawn challenges."""

    matches: int
    challenges: int


class Restoring(MatchService):
    """Ends all matches and challenges that have a commitment, after a backup was restored.

    If they continued, their cards would come from seeds and words that are already public.
    """

    async def call_off(self) -> CalledOff:
        """Call off every running verifiable match and the deal of the day, and withdraw challenges with a commitment.

        If this is interrupted, it can be called again.
        """
        async with self._units.read() as unit:
            match_ids, challenge_ids = await chains.matches_and_challenges_with_chains(unit.transaction)
            match_ids += await daily.running(unit.transaction, date.max)
        for match_id in match_ids:
            await self._end_match(match_id)
        for challenge_id in challenge_ids:
            await self._withdraw(challenge_id)
        await self._forget_others()
        return CalledOff(len(match_ids), len(challenge_ids))

    @shielded
    async def _end_match(self, match_id: MatchId) -> None:
        async with self._units.write() as unit:
            loaded = await unit.load(match_id)
            if loaded.is_running:
                await self._writer.cancel(unit, loaded, by=None)

    @shielded
    async def _withdraw(self, challenge_id: ChallengeId) -> None:
        async with self._units.write() as unit:
            challenge = await steps.load_any(unit, challenge_id)
            if challenge.status in (ChallengeStatus.PENDING, ChallengeStatus.DRAFT):
                await steps.save(unit, challenge, status=ChallengeStatus.WITHDRAWN)

    @shielded
    async def _forget_others(self) -> None:
        async with self._units.write() as unit:
            for day in await daily.open_days(unit.transaction, date.max):
                await daily.close(unit.transaction, day, unit.now, None, was_down=True)
            await chains.remove_all_unused(unit.transaction)
