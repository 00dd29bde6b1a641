"""Texts of the standings in the deals of the day."""

from __future__ import annotations

from typing import Final

from bot.model.daily import DailyTotal
from bot.model.daily_standings import DailyPeriod
from bot.model.words import count
from cardart.text import phrases

MIN_STREAK: Final = 2
"""The shortest streak to mention in a sentence, in days."""


def headings(period: DailyPeriod) -> tuple[str, str, str]:
    """Return the headings of the three columns. The rows are sorted by the last one. Today's standings have no days."""
    return "" if period is DailyPeriod.TODAY else phrases.DAYS, phrases.TURNS, phrases.POINTS


def values(total: DailyTotal, period: DailyPeriod) -> tuple[str, str, str]:
    """Return a person's values in the three columns, shortened to fit."""
    days = "" if period is DailyPeriod.TODAY else days_played(total)
    return days, f"{total.turns:,}", phrases.signed_short(total.points)


def days_played(total: DailyTotal) -> str:
    """Return the number of finished tries, and of all tries if some are unfinished: `12`, `12/13`."""
    return f"{total.finished:,}" + (f"/{total.finished + total.unfinished:,}" if total.unfinished else "")


def streak(days: int) -> str:
    """Return the length of a streak; a dash if there is none."""
    return count(days, "day") if days else "–"


def days_in_a_row(streak: int) -> str | None:
    """Return a streak in words, such as `3 days in a row`; None if it is shorter than `MIN_STREAK`."""
    return f"{streak} days in a row" if streak >= MIN_STREAK else None
