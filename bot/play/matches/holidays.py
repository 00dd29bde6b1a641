"""Holidays: a person's clocks stand still, except in matches with a live clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.ids import MatchId, PersonId
from bot.model.people import Person
from bot.play.clocks.reckoning import Span, merged_spans
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.changes import Change, update_reminder
from bot.play.refusals import NotAway, TooLongAway
from bot.store import clocks, matches, people

MAX_DAYS: Final = 14
"""Maximum length of a holiday, in days."""
MAX_DAYS_PER_YEAR: Final = 30

_DAY: Final = timedelta(days=1)
_YEAR: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Holiday:
    """The end of a person's current holiday, or None, and the number of days left of the yearly allowance.

    `days_left_if_ended` is the number of days that would be left if the current holiday ended now. `replaced_another`
    is True if this holiday has just replaced another.
    """

    until: datetime | None
    days_left: int
    days_left_if_ended: int
    replaced_another: bool = False

    @property
    def max_days(self) -> int:
        """Maximum days of a holiday that begins now and replaces the current one."""
        return min(MAX_DAYS, self.days_left_if_ended)


class Holidays(MatchService):
    """The holidays of all people."""

    async def current(self, person_id: PersonId) -> Holiday:
        """Return a person's current holiday and the days they have left."""
        async with self._units.read() as unit:
            return await _holiday(unit, person_id)

    @shielded
    async def take(self, person: Person, days: int) -> Holiday:
        """Begin a person's holiday, which replaces the current one, and return it. Raise `TooLongAway`."""
        async with self._units.write() as unit:
            people.save_name(unit.transaction, person, unit.now)
            before = await _holiday(unit, person.id)
            if not 1 <= days <= before.max_days:
                raise TooLongAway(before.max_days, before.days_left_if_ended)
            await clocks.end_holiday(unit.transaction, person.id, unit.now)
            await clocks.add_holiday(unit.transaction, person.id, unit.now, unit.now + days * _DAY)
            await _update_matches(unit, self._writer, person.id)
            return replace(await _holiday(unit, person.id), replaced_another=before.until is not None)

    @shielded
    async def end(self, person_id: PersonId, clicked: MatchId | None = None) -> None:
        """End a person's holiday. Raise `NotAway`.

        `clicked` is the match in whose hand message the person clicked, if any. The answer to the click updates that
        message.
        """
        async with self._units.write() as unit:
            person = await people.load(unit.transaction, person_id)
            if person is None or not person.is_away(unit.now):
                raise NotAway
            await _end(unit, self._writer, person_id, clicked)


async def end_holiday_before_move(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat, clicked_by: Seat | None
) -> tuple[LoadedMatch, bool]:
    """End the holiday of a player who is about to move, if they have one.

    Return the match after that, and whether a holiday ended. `clicked_by` is the seat of the player who clicked in
    their own hand message, if any.
    """
    person, match_id = loaded.row.seats[seat].person, loaded.info.id
    if person is None or not person.is_away(unit.now):
        return loaded, False
    await _end(unit, writer, person.id, match_id if clicked_by == seat else None)
    return await unit.load(match_id), True


async def _end(unit: UnitOfWork, writer: MatchWriter, person_id: PersonId, clicked: MatchId | None) -> None:
    await clocks.end_holiday(unit.transaction, person_id, unit.now)
    await _update_matches(unit, writer, person_id, clicked)


async def _update_matches(
    unit: UnitOfWork, writer: MatchWriter, person_id: PersonId, clicked: MatchId | None = None
) -> None:
    """Update the tables, reminders and due times of a person's matches after a change of their holiday."""
    running = await matches.running_of(unit.transaction, person_id)
    await matches.lock_matches(unit.transaction, [row.info.id for row in running])
    for loaded in await unit.restore_readable(row for row in running if not row.info.is_practice):
        seat = loaded.seat_of(person_id)
        change = Change(clicked_by=seat if loaded.info.id == clicked else None)
        await update_reminder(unit, await writer.revise(unit, loaded, change), seat)


async def _holiday(unit: UnitOfWork, person_id: PersonId) -> Holiday:
    person, year_ago = await people.load(unit.transaction, person_id), unit.now - _YEAR
    taken = (await clocks.holidays(unit.transaction, [person_id], year_ago)).get(person_id, ())
    taken_so_far = [(begins, min(ends, unit.now)) for begins, ends in taken]
    left, free = (MAX_DAYS_PER_YEAR - _days(year_ago, spans) for spans in (taken, taken_so_far))
    return Holiday(person.away_until if person is not None and person.is_away(unit.now) else None, left, free)


def _days(since: datetime, taken: Iterable[Span]) -> int:
    """Return the number of holiday days since a moment. Each holiday is rounded to whole days, at least one.

    Adjacent holidays count as one, so that a player who replaces a holiday loses no days.
    """
    return sum(max(1, round((ends - begins) / _DAY)) for begins, ends in merged_spans(since, taken))
