"""Reviews yesterday's tries on servers with a post, so that the result can show what mattered most.

Reviews take seconds each, so they are made one after the other, behind everything that people wait for.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import structlog

from bot.engine.matches.replay import view_before_move
from bot.engine.matches.views import PublicMove, SeatView, public_moves
from bot.model.daily import DailyResult, day_at
from bot.model.daily_posts import MAX_REVIEWED, REVIEWED, KeyChoice, best_results
from bot.model.ids import GuildId
from bot.model.reviews import turn_number
from bot.opponent.review.reviews import Verdict
from bot.play.daily.posts import request_revision
from bot.play.loading.batches import MIN_PAUSE
from bot.play.loading.loaded_match import LoadedMatch, UnreadableMatchError
from bot.play.loading.unit_of_work import Service, Units, shielded
from bot.play.matches.reviews import Progress, Reviews
from bot.play.matches.thinker import Thinker
from bot.play.refusals import Refusal, Unavailable
from bot.store import daily, daily_posts
from bot.store.database import Lane

log = structlog.get_logger(__name__)

SEARCH_INTERVAL: Final = 15.0
"""Interval between searches for results without reviews, in seconds."""
MIN_PEOPLE: Final = 2
"""Minimum number of people who faced a choice that a result mentions: with one, it would be about that person."""


@dataclass(frozen=True, slots=True)
class _FacedChoice:
    """A person's choice in a deal of a match, with the verdict on it."""

    loaded: LoadedMatch
    deal_number: int
    verdict: Verdict

    @property
    def key(self) -> tuple[int, tuple[PublicMove, ...]]:
        """The deal and the moves before the choice. All tries have the same cards, so these determine the position."""
        state = self.loaded.state
        deal = state.finished[state.finished_index(self.deal_number, 1)]
        return self.deal_number, public_moves(deal)[: self.verdict.step]

    @property
    def view(self) -> SeatView:
        """The view that the person had."""
        return view_before_move(self.loaded.state, self.deal_number, 1, self.verdict.step)


class DailyReviews(Service):
    """Reviews yesterday's tries. Only the leading process does so."""

    def __init__(self, units: Units, thinker: Thinker) -> None:
        super().__init__(units)
        self._reviews = Reviews(units, thinker, in_background=True)

    async def run(self) -> None:
        """Review the tries of all results. Retry while the database is unavailable."""
        while True:
            found = False
            with suppress(Unavailable):
                found = self._units.share.is_leader and await self.review_some()
            await asyncio.sleep(MIN_PAUSE if found else SEARCH_INTERVAL)

    async def review_some(self) -> bool:
        """Review the best tries on one server, and update its result. Return False if no server waits for that."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            yesterday = day_at(unit.now) - timedelta(days=1)
            guild_id = await daily_posts.next_to_review(unit.transaction, yesterday)
            if guild_id is None:
                return False
            results = await daily.results(unit.transaction, guild_id, yesterday, yesterday)
        faced = [choice for result in best_results(results)[:MAX_REVIEWED] for choice in await self._review(result)]
        await self._save(guild_id, yesterday, key_choice(faced), has_news=bool(faced))
        return True

    async def _review(self, result: DailyResult) -> list[_FacedChoice]:
        """Return the choices in a try, or an empty list if it cannot be reviewed."""
        try:
            assert result.player.id is not None
            reviewed = await self._reviews.match(result.player.id, result.match_id, Progress())
            async with self._units.read(Lane.LONG) as unit:
                loaded = await unit.load_open(result.match_id)
        except Unavailable:
            raise
        except (Refusal, UnreadableMatchError) as error:
            log.warning("a daily deal could not be reviewed", match=result.match_id, error=type(error).__name__)
            return []
        return [
            _FacedChoice(loaded, deal.number, verdict)
            for deal, review in zip(reviewed.deals, reviewed.reviews, strict=True)
            for verdict in review.verdicts
        ]

    @shielded
    async def _save(self, guild_id: GuildId, day: date, choice: KeyChoice | None, *, has_news: bool) -> None:
        async with self._units.write() as unit:
            if has_news:
                await request_revision(unit, guild_id, day, REVIEWED, choice)
            else:
                await daily_posts.save_revision(unit.transaction, guild_id, day, REVIEWED)


def key_choice(faced: Sequence[_FacedChoice]) -> KeyChoice | None:
    """Return the choice that cost people most together; None if no choice that several people faced cost anything."""
    by_position = defaultdict[Hashable, list[_FacedChoice]](list)
    for choice in faced:
        by_position[choice.key].append(choice)
    shared = [choices for choices in by_position.values() if len(choices) >= MIN_PEOPLE]
    costliest = max(shared, key=_points_lost, default=list[_FacedChoice]())
    missed = [choice.verdict for choice in costliest if choice.verdict.points_lost]
    if not missed:
        return None
    ((best_move, _),) = Counter(verdict.best.move for verdict in missed).most_common(1)
    best = next(verdict.best for verdict in missed if verdict.best.move == best_move)
    found = sum(choice.verdict.played.move == best_move for choice in costliest)
    view, points_lost = costliest[0].view, _points_lost(costliest) / len(missed)
    return KeyChoice(turn_number(view), view.public.top, best, len(costliest), found, points_lost)


def _points_lost(choices: Sequence[_FacedChoice]) -> float:
    return sum(choice.verdict.points_lost for choice in choices)
