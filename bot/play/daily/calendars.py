"""People's calendars of deals of the day: their own results on all servers, for nobody but themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from bot.model.daily import CalendarDay, DailyCalendar, DailyTry, day_at
from bot.model.ids import PersonId
from bot.model.streaks import Streaks
from bot.play.loading.daily_streaks import could_not_play, missable_days
from bot.play.loading.unit_of_work import Service
from bot.store import daily

WEEKS: Final = 6
"""Maximum number of weeks in a calendar. They fill the screen of a phone."""
_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """Some weeks of a calendar, and the first days of the pages before and after them; None if there are none."""

    calendar: DailyCalendar
    earlier: date | None
    later: date | None


class DailyCalendars(Service):
    """Shows people their own results."""

    async def page(self, person_id: PersonId, first: date | None = None) -> CalendarPage | None:
        """Return the weeks of a person's calendar from the day `first`, by default the last ones up to today.

        The calendar begins with the person's first try. Return None if there is none.
        """
        async with self._units.read() as unit:
            transaction, today = unit.transaction, day_at(unit.now)
            # Later days are in the future if the clock was ahead.
            tries = [one for one in await daily.tries_of(transaction, person_id) if one.day <= today]
            if not tries:
                return None
            oldest = _monday(tries[0].day)
            latest = max(oldest, _monday(today) - (WEEKS - 1) * _WEEK)
            start = latest if first is None else min(max(oldest, _monday(first)), latest)
            begin, end = max(start, tries[0].day), min(start + WEEKS * _WEEK - _DAY, today)
            called_off = {one.day for one in tries if one.was_called_off}
            missable = await missable_days(transaction, tries[0].day, today) - called_off
        streaks = Streaks.of([one.day for one in tries if one.score is not None], missable)
        own = {one.day: one for one in tries}
        days = [begin + number * _DAY for number in range((end - begin).days + 1)]
        calendar = DailyCalendar(
            tuple(
                CalendarDay(day, own.get(day), was_down=day in called_off or (day < today and day not in missable))
                for day in days
            ),
            today,
            streaks.current,
            streaks.longest,
            *_totals(tries),
        )
        return CalendarPage(
            calendar,
            earlier=max(oldest, start - WEEKS * _WEEK) if start > oldest else None,
            later=min(latest, start + WEEKS * _WEEK) if start < latest else None,
        )

    async def has_days(self, person_id: PersonId) -> bool:
        """Return True if a person has begun any deal of the day."""
        async with self._units.read() as unit:
            return await daily.last_try_before(unit.transaction, day_at(unit.now) + _DAY, person_id) is not None

    async def past_day(self, person_id: PersonId, day: date) -> CalendarDay | None:
        """Return a day that is over, with the person's try; None if they have none."""
        async with self._units.read() as unit:
            own = await daily.find_try(unit.transaction, day, person_id) if day < day_at(unit.now) else None
            if own is None:
                return None
            was_down = own.was_called_off or await could_not_play(unit.transaction, day)
            return CalendarDay(day, own, was_down=was_down)


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


def _totals(tries: Sequence[DailyTry]) -> tuple[int, float | None, DailyTry | None]:
    """Return the number of finished tries, their average points, and the best of them."""
    finished = [(one.score.points, -one.score.turns, one) for one in tries if one.score is not None]
    if not finished:
        return 0, None, None
    *_, best = max(finished, key=lambda found: found[:2])
    return len(finished), sum(points for points, *_ in finished) / len(finished), best
