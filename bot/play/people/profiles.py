"""People's profiles on a server, from their matches, and the server's weekly activity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from typing import Final, TypeVar

from bot.engine.matches.formats import FORMATS
from bot.luck.measures import NO_LUCK
from bot.model.ids import GuildId, PersonId
from bot.model.people import Person, ShowsProfileTo
from bot.model.statistics import Category, PlayedMatch, Player, Profile, Results, Rival, Week
from bot.opponent.play.levels import Level
from bot.play.loading.unit_of_work import Service, UnitOfWork
from bot.play.refusals import ProfileHidden
from bot.play.standing.leaderboards import rank_of
from bot.store import guilds, luck, people, seasons, statistics
from bot.store.database import Lane
from bot.store.rows import FinishedSeat

Seated = TypeVar("Seated", bound=FinishedSeat)

WEEKS: Final = 12
"""Number of weeks shown in a server's activity, including the current one."""


class Profiles(Service):
    """Profiles of people and the activity of servers, computed from finished matches."""

    async def profile(
        self,
        person: Person | Player,
        guild_id: GuildId,
        category: Category | None = None,
        *,
        viewer_id: PersonId | None = None,
    ) -> Profile:
        """Return a person's results on a server, by default in the category that they played most.

        Practice results are only included for the person themselves, not for another viewer. A name that is not given
        is taken from the matches. Raise `ProfileHidden`.
        """
        assert person.id is not None
        is_own = viewer_id in (None, person.id)
        async with self._units.read(Lane.LONG) as unit:
            if viewer_id is not None:
                await require_visible_profile(unit, viewer_id, person.id)
            era = (await guilds.load(unit.transaction, guild_id)).era
            categories = await statistics.categories(unit.transaction, person.id, guild_id, era)
            category = category or next(iter(categories), Category.POINTS)
            seats = await statistics.finished_seats(unit.transaction, person.id, guild_id, category, era)
            practice = await statistics.practice_results(unit.transaction, person.id) if is_own else {}
            rank = await rank_of(unit.transaction, guild_id, category, person.id)
            titles = await seasons.titles(unit.transaction, guild_id, person.id)
            cards = NO_LUCK
            if category is Category.POINTS:
                cards = await luck.of_person(unit.transaction, person.id, guild_id, era)
        player = Player(person.id, person.name, username=person.username)
        profile = _profile(player, category, categories, seats, practice)
        return replace(profile, rank=rank, titles=titles, luck=cards)

    async def weeks(self, guild_id: GuildId, category: Category, ruleset: str | None = None) -> tuple[Week, ...]:
        """Return the weekly numbers of matches and players in a category, oldest first; empty if nothing was played."""
        async with self._units.read(Lane.LONG) as unit:
            today = unit.now.date()
            first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
            era = (await guilds.load(unit.transaction, guild_id)).era
            start = datetime.combine(first, time(), UTC)
            rows = await statistics.weekly_activity(unit.transaction, guild_id, era, category, ruleset, start)
        if not rows:
            return ()
        played = {row.begins: row for row in rows}
        begins = [first + timedelta(weeks=week) for week in range(WEEKS)]
        return tuple(played.get(day, Week(day, 0, 0)) for day in begins)


async def require_visible_profile(unit: UnitOfWork, viewer_id: PersonId, person_id: PersonId) -> None:
    """Check that a person shows their results to a viewer. Raise `ProfileHidden`."""
    if viewer_id == person_id:
        return
    row = await people.load(unit.transaction, person_id)
    if row is None or row.preferences.shows_profile_to is ShowsProfileTo.EVERYONE:
        return
    if not await people.have_played(unit.transaction, viewer_id, person_id):
        raise ProfileHidden(person_id)


def _profile(
    player: Player,
    category: Category,
    categories: tuple[Category, ...],
    seats: Sequence[FinishedSeat],
    practice: Mapping[Level, Results],
) -> Profile:
    matches = [list(match) for _, match in groupby(seats, key=lambda seat: seat.match_id)]
    own = [next(seat for seat in match if seat.person_id == player.id) for match in matches]
    if own:
        player = replace(player, avatar=own[0].avatar)
        if player.name is None:
            player = replace(player, name=own[0].name, username=own[0].username)
    return Profile(
        player=player,
        category=category,
        categories=categories,
        played_matches=tuple(
            PlayedMatch(seat.ended_at, seat.won, seat.drawn, _net_points(category, seat, match))
            for seat, match in zip(own, matches, strict=True)
        ),
        deals_won=sum(seat.deals_won for seat in own),
        deals_lost=sum(seat.deals_lost for seat in own),
        points=sum(seat.points for seat in own),
        gins=sum(seat.gins for seat in own),
        undercuts=sum(seat.undercuts for seat in own),
        rival=_rival(category, own, matches),
        practice=practice,
    )


def sides_of(category: Category, match: Sequence[Seated]) -> list[list[Seated]]:
    """Group the seats of a match by side. Partners share a side in a team match; otherwise, each seat is a side."""
    if category is not Category.TEAMS:
        return [[seat] for seat in match]
    return [[seat for seat in match if seat.seat in side] for side in FORMATS["partners"].sides(len(match))]


def _net_points(category: Category, own: FinishedSeat, match: Sequence[FinishedSeat]) -> int:
    """Return the points by which a side leads the best other side. With penalty points, fewer points are better."""
    sides = sides_of(category, match)
    ours = sum(seat.points for side in sides if own in side for seat in side)
    others = [sum(seat.points for seat in side) for side in sides if own not in side]
    return min(others) - ours if category is Category.PENALTY else ours - max(others)


def _rival(category: Category, own: Sequence[FinishedSeat], matches: Sequence[Sequence[FinishedSeat]]) -> Rival | None:
    """Return the most frequent opponent; of equally frequent ones, the latest. Forgotten people do not count."""
    meetings = [
        (seat, other)
        for seat, match in zip(own, matches, strict=True)
        for side in sides_of(category, match)
        if seat not in side
        for other in side
        if other.person_id is not None and other.name is not None
    ]
    if not meetings:
        return None
    # Count the latest meetings first: with equal counts, `most_common` returns the person counted first.
    rival_id, times = Counter(other.person_id for _, other in reversed(meetings)).most_common(1)[0]
    results = [seat.won for seat, other in meetings if other.person_id == rival_id]
    last = next(other for _, other in reversed(meetings) if other.person_id == rival_id)
    rival = Player(rival_id, last.name, username=last.username, avatar=last.avatar)
    return Rival(rival, times, results.count(True), results.count(False))
