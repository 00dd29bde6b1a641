"""People's profiles on a server, from their matches, and the server's activity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Final, TypeVar

from bot.engine.matches.formats import FORMATS
from bot.luck.measures import NO_LUCK
from bot.model.ids import GuildId, PersonId
from bot.model.people import Person, ShowsProfileTo
from bot.model.statistics import Activity, ActivitySpan, Category, PlayedMatch, Player, Profile, Results, Rival
from bot.opponent.play.levels import Level
from bot.play.loading.unit_of_work import Service, UnitOfWork
from bot.play.refusals import ProfileHidden
from bot.play.standing.leaderboards import rank_of
from bot.store import guilds, luck, people, seasons, statistics
from bot.store.database import Lane
from bot.store.rows import FinishedSeat

Seated = TypeVar("Seated", bound=FinishedSeat)

WEEKS: Final = 12
"""Maximum number of weeks in a server's activity, including the current one."""
DAYS: Final = 14
"""Maximum number of days in a server's activity, including today, before it is shown by week."""


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

    async def activity(self, guild_id: GuildId, category: Category, ruleset: str | None = None) -> Activity | None:
        """Return a server's activity in a category since its first match in `WEEKS`; None if nothing was played.

        It is by day if that match was within `DAYS`, and otherwise by week.
        """
        async with self._units.read(Lane.LONG) as unit:
            today = unit.now.date()
            earliest = _monday(today) - timedelta(weeks=WEEKS - 1)
            era = (await guilds.load(unit.transaction, guild_id)).era
            matches = unit.transaction, guild_id, era, category, ruleset
            first_end = await statistics.first_match_end(*matches, _midnight(earliest))
            # After a clock has jumped back, matches can lie in the future.
            if first_end is None or first_end.date() > today:
                return None
            first_day = first_end.date()
            is_daily = today - first_day < timedelta(days=DAYS)
            first, length = (first_day, timedelta(days=1)) if is_daily else (_monday(first_day), timedelta(weeks=1))
            rows = await statistics.activity(*matches, _midnight(first), length)
            deals, players = await statistics.activity_totals(*matches, _midnight(first))
        played = {row.begins: row for row in rows}
        begins = [first + number * length for number in range((today - first) // length + 1)]
        spans = tuple(played.get(day, ActivitySpan(day, 0, 0)) for day in begins)
        return Activity(spans, is_daily, deals, players)


def _monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def _midnight(day: date) -> datetime:
    """Return the time at which a day begins in UTC."""
    return datetime.combine(day, time(), UTC)


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
