"""Texts of the standings in the deals of the day."""

from __future__ import annotations

from calendar import month_name
from datetime import date, timedelta
from typing import Final

from bot.model.daily import DailyTotal
from bot.model.daily_standings import DailyPeriod
from cardart.text import phrases

MIN_STREAK: Final = 2
"""The shortest streak to mention in a sentence, in days."""


def title(period: DailyPeriod, today: date) -> str:
    """Return the title of standings: `Today · Mon 23 Nov 2026`, `This week · 23–29 Nov 2026`, `November 2026`."""
    match period:
        case DailyPeriod.TODAY:
            return f"Today · {phrases.weekday(today)} {phrases.short_date(today)}"
        case DailyPeriod.WEEK:
            monday = period.first_day(today)
            return f"This week · {phrases.dates(monday, monday + timedelta(days=6))}"
        case DailyPeriod.MONTH:
            return f"{month_name[today.month]} {today.year}"
        case DailyPeriod.ALL:
            return "All time"


def values(total: DailyTotal) -> tuple[str, str]:
    """Return a person's turns and points, shortened to fit."""
    return f"{total.turns:,}", phrases.signed_short(total.points)


def days_played(total: DailyTotal, period: DailyPeriod) -> str:
    """Return the number of tries, and how many are finished unless all are: `24 played`, `23 of 24 finished`.

    Many tries are shorter, such as `987/1,024 finished`. A single day only has a note if the try is not finished.
    """
    if period is DailyPeriod.TODAY:
        return phrases.NOT_FINISHED if total.unfinished else ""
    if total.unfinished:
        all_tries = total.finished + total.unfinished
        return f"{total.finished:,}{' of ' if all_tries < 1_000 else '/'}{all_tries:,} finished"
    return f"{total.finished:,} played"


def days_in_a_row(streak: int) -> str | None:
    """Return a streak in words, such as `3 days in a row`; None if it is shorter than `MIN_STREAK`."""
    return f"{streak} days in a row" if streak >= MIN_STREAK else None
