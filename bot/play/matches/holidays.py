"""Holidays: a person's time stands still in their matches, as long as these have no live clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.engine.moves import Seat
from bot.play.clocks.reckoning import apart
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.changes import update_reminder
from bot.play.refusals import NotAway, TooLongAway
from bot.store import clocks, matches, people
from bot.values.ids import PersonId
from bot.values.people import Person

LONGEST: Final = 14
"""The most days at a time."""
MOST_IN_A_YEAR: Final = 30

_DAY: Final = timedelta(days=1)
_YEAR: Final = timedelta(days=365)


class Holidays(MatchService):
    """The holidays of all people."""

    @shielded
    async def take(self, person: Person, days: int) -> datetime:
        """Let a person's holiday begin, in place of one that goes on, and return its end. Raise `TooLongAway`."""
        async with self._units.write() as unit:
            await people.save_name(unit.transaction, person, unit.now)
            # Of one that goes on only what is over counts.
            await clocks.end_holiday(unit.transaction, person.id, unit.now)
            left = MOST_IN_A_YEAR - await _days_taken(unit, person.id)
            if not 1 <= days <= min(LONGEST, left):
                raise TooLongAway(min(LONGEST, left), left)
            until = unit.now + days * _DAY
            await clocks.add_holiday(unit.transaction, person.id, unit.now, until)
            await _tell_matches(unit, self._writer, person.id)
            return until

    @shielded
    async def end(self, person_id: PersonId) -> None:
        """End a person's holiday. Raise `NotAway`."""
        async with self._units.write() as unit:
            person = await people.load(unit.transaction, person_id)
            if person is None or person.away_until is None or person.away_until <= unit.now:
                raise NotAway
            await _end(unit, self._writer, person_id)


async def come_back(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """End the holiday of a player who is about to move, if one goes on, and return the match as it is then."""
    person = loaded.row.seats[seat].person
    if person is None or person.away_until is None or person.away_until <= unit.now:
        return loaded
    await _end(unit, writer, person.id)
    return await unit.load(loaded.info.id)


async def _end(unit: UnitOfWork, writer: MatchWriter, person_id: PersonId) -> None:
    await clocks.end_holiday(unit.transaction, person_id, unit.now)
    await _tell_matches(unit, writer, person_id)


async def _tell_matches(unit: UnitOfWork, writer: MatchWriter, person_id: PersonId) -> None:
    """Let the tables of a person's matches say until when they are away, and the timekeeper know when time runs."""
    for row in await matches.running_of(unit.transaction, person_id):
        if not row.info.practice:
            loaded = await writer.revise(unit, await unit.restore(row))
            await update_reminder(unit, loaded, loaded.seat_of(person_id))


async def _days_taken(unit: UnitOfWork, person_id: PersonId) -> int:
    """Return how many days of holiday a person took within a year: whole ones, and one for each that is shorter.

    Holidays that meet are one, so that nothing is lost by changing one's mind.
    """
    year_ago = unit.now - _YEAR
    taken = (await clocks.holidays(unit.transaction, [person_id], year_ago)).get(person_id, ())
    return sum(max(1, round((ends - begins) / _DAY)) for begins, ends in apart(year_ago, taken))
