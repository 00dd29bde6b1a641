"""Holidays as text."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.model.words import count
from bot.play.matches.holidays import MAX_DAYS_PER_YEAR, Holiday
from cogs.words.clocks import date_of

ABOUT: Final = (
    "On holiday your time stands still in matches without a live clock, I send you no reminders, and your tables say "
    "until when you are away. A holiday begins at once. A move ends it, and so does *I'm back*."
)
WELCOME_BACK: Final = "Welcome back: your holiday is over."


def away(until: datetime) -> str:
    """Return a sentence that says until when the reader is away."""
    return f"You are away until {date_of(until)}."


def taken(holiday: Holiday) -> str:
    """Explain a holiday that has just begun, and say how many days of holiday are left in the year."""
    until = None if holiday.until is None else date_of(holiday.until)
    replaced = "This holiday replaces the one that was already on. " if holiday.replaced_another else ""
    return (
        f"You are away until {until}: your time stands still in matches without a live clock, I send you no reminders, "
        f"and your tables say so. A move ends your holiday, and so does this button.\n{replaced}{days_left(holiday)}"
    )


def begun(holiday: Holiday) -> str:
    """Confirm that a holiday has begun."""
    return (
        "Your new holiday has begun, in place of the one before."
        if holiday.replaced_another
        else "Your holiday has begun."
    )


def days_left(holiday: Holiday) -> str:
    """Return a sentence about the days of holiday that a person has left in the year."""
    if holiday.days_left > 0:
        return f"You have {count(holiday.days_left, 'day')} left of the {MAX_DAYS_PER_YEAR} in a year."
    return f"You have used all {MAX_DAYS_PER_YEAR} days of holiday that you have in a year."
