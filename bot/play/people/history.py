"""The history of finished matches: pages of a person's matches, and the matches between two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from bot.model.history import Ending, Meeting, PageKey, PastMatch, Versus
from bot.model.ids import GuildId, PersonId
from bot.model.people import Person
from bot.model.statistics import Category, Player, Results
from bot.play.loading.unit_of_work import Service
from bot.play.people.profiles import require_visible_profile, sides_of
from bot.store import guilds, history, matches
from bot.store.database import Lane
from bot.store.history import MeetingSeat


class History(Service):
    """Queries about finished matches."""

    async def matches(
        self, viewer_id: PersonId, person_id: PersonId, guild_id: GuildId | None, key: PageKey | None, limit: int
    ) -> tuple[PastMatch, ...]:
        """Return up to `limit` matches that a person finished, on one server or, if `guild_id` is None, anywhere.

        Without a key, these are the newest matches, newest first. A key continues an earlier page (see `PageKey`). The
        result can include matches that the viewer is not allowed to open. Raise `ProfileHidden`.
        """
        async with self._units.read(Lane.LONG) as unit:
            await require_visible_profile(unit, viewer_id, person_id)
            ids = await history.page(unit.transaction, person_id, guild_id, key, limit)
            rows = {row.info.id: row.info for row in await matches.load_many(unit.transaction, ids)}
            results = await history.results(unit.transaction, ids)
            with_deals = await history.with_deals(unit.transaction, ids)
        return tuple(PastMatch(rows[match_id], results[match_id], match_id in with_deals) for match_id in ids)

    async def versus(
        self, person: Person, other: Person | Player, guild_id: GuildId, category: Category | None = None
    ) -> Versus:
        """Return a person's results against another person on a server, in a category.

        By default, and if the two never met in the category, it is their most frequent one.

        If `other` has no name, the name is taken from the matches. Raise `ProfileHidden` if `other` does not show
        their results to `person`.
        """
        assert other.id is not None
        async with self._units.read(Lane.LONG) as unit:
            await require_visible_profile(unit, person.id, other.id)
            era = (await guilds.load(unit.transaction, guild_id)).era
            seats = await history.meetings(unit.transaction, person.id, other.id, guild_id, era)
        return _versus(person, other, seats, category)


def _versus(person: Person, other: Person | Player, seats: Sequence[MeetingSeat], category: Category | None) -> Versus:
    opposed = list[tuple[Category, MeetingSeat, MeetingSeat, Meeting]]()
    partnered = list[MeetingSeat]()
    for _, group in groupby(seats, key=lambda seat: seat.match_id):
        match = list(group)
        first, second = (next(seat for seat in match if seat.person_id == player.id) for player in (person, other))
        sides = sides_of(first.category, match)
        if any(first in side and second in side for side in sides):
            partnered.append(first)
            continue
        points = tuple(
            sum(member.points for side in sides if own in side for member in side) for own in (first, second)
        )
        meeting = Meeting(first.match_id, first.ended_at, _ending(first, second), (points[0], points[1]))
        opposed.append((first.category, first, second, meeting))
    counted = Counter(kind for kind, *_ in opposed)
    categories = tuple(kind for kind, _ in counted.most_common())
    if category is None or category not in categories:
        category = next(iter(categories), category or Category.POINTS)
    in_category = [(first, second, meeting) for kind, first, second, meeting in opposed if kind is category]
    won = [seat.won for seat in partnered]
    return Versus(
        players=(
            _named_player(person, seats),
            _named_player(other, seats),
        ),
        category=category,
        categories=categories,
        meetings=tuple(meeting for *_, meeting in in_category),
        points=(
            sum(meeting.points[0] for *_, meeting in in_category),
            sum(meeting.points[1] for *_, meeting in in_category),
        ),
        gins=(sum(first.gins for first, *_ in in_category), sum(second.gins for _, second, _ in in_category)),
        together=Results(len(won), won.count(True), won.count(False), sum(seat.drawn for seat in partnered)),
    )


def _named_player(person: Person | Player, seats: Sequence[MeetingSeat]) -> Player:
    """Return a person as a `Player` with the avatar from one of their seats, and its names if theirs are unknown."""
    player = Player.of(person) if isinstance(person, Person) else person
    seat = next((seat for seat in seats if seat.person_id == player.id), None)
    if seat is None:
        return player
    if player.name is None:
        player = replace(player, name=seat.name, username=seat.username)
    return replace(player, avatar=seat.avatar)


def _ending(first: MeetingSeat, second: MeetingSeat) -> Ending:
    if first.won:
        return Ending.FIRST
    if second.won:
        return Ending.SECOND
    if first.drawn:
        return Ending.DRAWN
    # If both of these people have lost, somebody else has won. If a forfeit leaves a match without a result, only the
    # player who forfeited has lost.
    return Ending.OTHERS if first.won is False and second.won is False else Ending.NONE
