"""Recomputes all ratings from the logs of the matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.ratings import FIRST_RATING, Rating, RatingChange
from bot.model.statistics import Category
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.play.standing.counting import rating_changes, standing_row
from bot.play.standing.ratings import places
from bot.store import ended_matches, standings
from bot.store.database import Lane
from bot.store.rows import EndedMatch, StandingRow

BATCH_SIZE: Final = 200


@dataclass
class ReratingResult:
    """The number of rated matches, and the numbers of matches and people whose stored ratings differed.

    `unreadable` are the matches whose logs cannot be replayed. Their stored ratings were used unchanged.
    """

    matches: int = 0
    differing_matches: int = 0
    differing_people: int = 0
    unreadable: list[MatchId] = field(default_factory=list[MatchId])


@dataclass
class _RatingsSoFar:
    """People's ratings and numbers of rated matches in one category and era of a server, before the next match."""

    ratings: dict[PersonId, Rating] = field(default_factory=dict[PersonId, Rating])
    rated: dict[PersonId, int] = field(default_factory=dict[PersonId, int])


class Rerating(Service):
    """Recomputes all ratings from the logs of matches."""

    async def rerate(self) -> ReratingResult:
        """Recompute and store the ratings of all servers, in batches. After an interruption, it can be called again.

        The stored rating of a forgotten person's seat is used unchanged.
        """
        result, last_key = ReratingResult(), (0, 0)
        guild_id, ratings_so_far = None, dict[tuple[int, Category], _RatingsSoFar]()
        while batch := await self._next(*last_key):
            for ended in batch:
                if ended.guild_id != guild_id:
                    await self._save_leaderboards(guild_id, ratings_so_far, result)
                    guild_id, ratings_so_far = ended.guild_id, {}
                await self._rerate(
                    ended, ratings_so_far.setdefault((ended.era, ended.category), _RatingsSoFar()), result
                )
            last_key = batch[-1].guild_id, batch[-1].number
        await self._save_leaderboards(guild_id, ratings_so_far, result)
        return result

    async def _next(self, guild_id: int, number: int) -> tuple[EndedMatch, ...]:
        async with self._units.read(Lane.LONG) as unit:
            return await ended_matches.next_matches(unit.transaction, guild_id, number, BATCH_SIZE)

    async def _rerate(self, ended: EndedMatch, so_far: _RatingsSoFar, result: ReratingResult) -> None:
        """Rate a match from the ratings before it, and store the result if it differs."""
        if not ended.counts or not ended.long_enough:
            return
        result.matches += 1
        stored = tuple(seat.rating for seat in ended.seats)
        changes = await self._changes(ended, so_far)
        if changes is None:
            result.unreadable.append(ended.id)
            changes = stored
        elif changes != stored:
            result.differing_matches += 1
            await self._store(ended.id, changes)
        for seat, change in zip(ended.seats, changes, strict=True):
            if seat.person_id is not None and change is not None:
                so_far.ratings[seat.person_id] = change.after
                so_far.rated[seat.person_id] = so_far.rated.get(seat.person_id, 0) + 1

    async def _changes(self, ended: EndedMatch, so_far: _RatingsSoFar) -> tuple[RatingChange, ...] | None:
        try:
            async with self._units.read(Lane.LONG) as unit:
                match_places = places((await unit.load(ended.id)).state)
        except UnreadableMatchError:
            return None
        before = [
            so_far.ratings.get(seat.person_id, FIRST_RATING)
            if seat.person_id is not None
            else FIRST_RATING
            if seat.rating is None
            else seat.rating.before
            for seat in ended.seats
        ]
        changes = rating_changes(ended, match_places, before)
        return tuple(
            seat.rating if seat.person_id is None and seat.rating is not None else change
            for seat, change in zip(ended.seats, changes, strict=True)
        )

    @shielded
    async def _store(self, match_id: MatchId, changes: tuple[RatingChange | None, ...]) -> None:
        async with self._units.write() as unit:
            await ended_matches.save_ratings(unit.transaction, match_id, changes)

    @shielded
    async def _save_leaderboards(
        self,
        guild_id: GuildId | None,
        ratings_so_far: Mapping[tuple[int, Category], _RatingsSoFar],
        result: ReratingResult,
    ) -> None:
        """Save people's ratings on the leaderboards of a server, and count the differing ones in `result`."""
        if guild_id is None:
            return
        async with self._units.write() as unit:
            for (era, category), people in ratings_so_far.items():
                result.differing_people += await _save_ratings(unit, guild_id, era, category, people)


async def _save_ratings(
    unit: UnitOfWork, guild_id: GuildId, era: int, category: Category, so_far: _RatingsSoFar
) -> int:
    """Save the ratings in a category and era of a server. Return the number of people whose rating differed."""
    differing = set[PersonId]()
    for board_id in await standings.rated_boards(unit.transaction, guild_id, era, category):
        last_id = 0
        while rows := await standings.next_standings(unit.transaction, board_id, last_id, BATCH_SIZE):
            changed: list[StandingRow] = []
            before: list[StandingRow] = []
            for row in rows:
                rating, rated = so_far.ratings.get(row.person_id), so_far.rated.get(row.person_id, 0)
                correct = standing_row(board_id, row.person_id, category, row.sums, rating, rated)
                if row != correct:
                    before.append(row)
                    changed.append(correct)
            if changed:
                await standings.save(unit.transaction, changed, before)
            differing.update(row.person_id for row in changed)
            last_id = rows[-1].person_id
    return len(differing)
