"""Holidays as text."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.model.words import count
from bot.play.matches.holidays import MAX_DAYS_PER_YEAR, Holiday
from cogs.words.clocks import date_of

ABOUT: Final = (
    "While you're on holiday, your clocks pause (except live clocks), reminders stop, and your opponents see that "
    "you're away. A holiday starts at once and ends when you make a move or press *I'm back*."
)
WELCOME_BACK: Final = "Welcome back: your holiday is over."


def away(until: datetime) -> str:
    """Return a sentence that says until when the reader is away."""
    return f"You're away until {date_of(until)}."


def taken(holiday: Holiday) -> str:
    """Explain a holiday that has just begun, and say how many days of holiday are left in the year."""
    until = None if holiday.until is None else date_of(holiday.until)
    replaced = "This replaces your previous holiday. " if holiday.replaced_another else ""
    return (
        f"You're away until {until}. Your clocks pause (except live clocks), and your opponents see that you're away. "
        f"To come back, make a move or press *I'm back*.\n{replaced}{days_left(holiday)}"
    )


def begun(holiday: Holiday) -> str:
    """Confirm that a holiday has begun."""
    return "Your new holiday replaces the previous one." if holiday.replaced_another else "Your holiday has started."


def days_left(holiday: Holiday) -> str:
    """Return a sentence about the days of holiday that a person has left in the year."""
    if holiday.days_left > 0:
        return f"You have {count(holiday.days_left, 'day')} of holiday left this year."
    return f"You've used all {MAX_DAYS_PER_YEAR} holiday days for this year."
