"""The history of finished matches: pages of a person's matches, and the matches between two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bot.play.loading.unit_of_work import Service
from bot.play.people.profiles import require_shown, sides_of
from bot.store import guilds, history, matches
from bot.store.database import Lane
from bot.store.history import MetSeat
from bot.values.history import Ending, Meeting, PageKey, PastMatch, Versus
from bot.values.ids import GuildId, PersonId
from bot.values.people import Person
from bot.values.statistics import Category, Player, Results


class History(Service):
    """Queries about finished matches."""

    async def matches(
        self, viewer_id: PersonId, person_id: PersonId, guild_id: GuildId | None, key: PageKey | None, most: int
    ) -> tuple[PastMatch, ...]:
        """Return the next matches that a person finished, on one server or, if it is None, anywhere.

        They are newest first, or in the order of the key. The viewer may not be allowed to see all of them. Raise
        `ProfileHidden`.
        """
        async with self._units.read(Lane.LONG) as unit:
            await require_shown(unit, viewer_id, person_id)
            ids = await history.page(unit.transaction, person_id, guild_id, key, most)
            rows = {row.info.id: row.info for row in await matches.several(unit.transaction, ids)}
            results = await history.results(unit.transaction, ids)
        return tuple(PastMatch(rows[match_id], results[match_id]) for match_id in ids)

    async def versus(
        self, person: Person, other: Person | Player, guild_id: GuildId, category: Category | None = None
    ) -> Versus:
        """Return a person's results against another on a server, in a category or in the one they played most.

        A missing name is taken from the matches. Raise `ProfileHidden`.
        """
        assert other.id is not None
        async with self._units.read(Lane.LONG) as unit:
            await require_shown(unit, person.id, other.id)
            era = (await guilds.load(unit.transaction, guild_id)).era
            seats = await history.meetings(unit.transaction, person.id, other.id, guild_id, era)
        return _versus(person, other, seats, category)


def _versus(person: Person, other: Person | Player, seats: Sequence[MetSeat], category: Category | None) -> Versus:
    opposed = list[tuple[Category, MetSeat, MetSeat, Meeting]]()
    partnered = list[MetSeat]()
    for _, group in groupby(seats, key=lambda seat: seat.match_id):
        match = list(group)
        first, second = (next(seat for seat in match if seat.person_id == one.id) for one in (person, other))
        sides = sides_of(first.category, match)
        if any(first in side and second in side for side in sides):
            partnered.append(first)
            continue
        points = tuple(sum(one.points for side in sides if own in side for one in side) for own in (first, second))
        meeting = Meeting(first.match_id, first.ended_at, _ending(first, second), (points[0], points[1]))
        opposed.append((first.category, first, second, meeting))
    counted = Counter(kind for kind, *_ in opposed)
    categories = tuple(kind for kind, _ in counted.most_common())
    category = category or next(iter(categories), Category.POINTS)
    shown = [(first, second, meeting) for kind, first, second, meeting in opposed if kind is category]
    won = [seat.won for seat in partnered]
    return Versus(
        players=(
            Player.of(person),
            _known(other, seats),
        ),
        category=category,
        categories=categories,
        meetings=tuple(meeting for *_, meeting in shown),
        points=(sum(one.points[0] for *_, one in shown), sum(one.points[1] for *_, one in shown)),
        gins=(sum(first.gins for first, *_ in shown), sum(second.gins for _, second, _ in shown)),
        together=Results(len(won), won.count(True), won.count(False), sum(seat.drawn for seat in partnered)),
    )


def _known(person: Person | Player, seats: Sequence[MetSeat]) -> Player:
    """Return a player with the names from their seats, if none were given."""
    seat = next((seat for seat in seats if seat.person_id == person.id), None)
    if isinstance(person, Person):
        return Player.of(person)
    if person.name is not None or seat is None:
        return person
    return Player(person.id, seat.name, username=seat.username)


def _ending(first: MetSeat, second: MetSeat) -> Ending:
    if first.won:
        return Ending.FIRST
    if second.won:
        return Ending.SECOND
    if first.drawn:
        return Ending.DRAWN
    # If a forfeit leaves no result, only the player who forfeited has lost.
    return Ending.OTHERS if first.won is False and second.won is False else Ending.NONE
