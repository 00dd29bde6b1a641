"""Texts of refused preferences and holidays."""

from __future__ import annotations

from bot.model.ids import PersonId
from bot.model.words import count
from bot.play import refusals as why
from cogs.words.names import joined, safe


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.TooLongAway(most, left):
            return _too_long_away(most, left)
        case why.NotAway():
            return "You are not away, so everything goes on as usual. `/gin me away` begins a holiday."
        case why.UnknownTimeZone(zone, likely) if likely:
            cities = joined([f"*{zone.rpartition('/')[2].replace('_', ' ')}*" for zone in likely], "or")
            asked = f"I know no time zone called **{safe(zone)}**. Did you mean {cities}?"
            return f"{asked} Choose from what I offer as you type."
        case why.UnknownTimeZone(zone):
            return (
                f"There is no time zone called **{safe(zone)}**. Type another large city near you, such as *Paris* or "
                "*New York*, and choose from what I offer."
            )
        case why.UnreadableHour(text):
            return f"I cannot read {safe(text)} as a time of day. Write it like `22:00` or `7:30`."
        case _:
            return None


def _too_long_away(most: int, left: int) -> str:
    """Say that a holiday is too long, with the maximum length and the days that are left in the year."""
    if most <= 0:
        return (
            "You have used all 30 days of holiday that you have in a year. *Pause or leave* under a table pauses a "
            "single match."
        )
    return f"A holiday can last 1 to {most} days now: you have {count(left, 'day')} left of the 30 in a year."
