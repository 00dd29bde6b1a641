"""Reminders of the deal of the day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.model.ids import PersonId
from bot.model.people import QuietHours


@dataclass(frozen=True, slots=True)
class ReminderTime:
    """The hour at which people are reminded of the deal of the day, and the time zone and quiet hours that they chose.

    Without a time zone, the hour is in UTC.
    """

    daily_hour: int
    quiet: QuietHours


@dataclass(frozen=True, slots=True)
class DailyReminder:
    """A reminder of the deal of a day, which the person has not finished, with the length of their streak."""

    person_id: PersonId
    day: date
    streak: int
    has_begun: bool = False
