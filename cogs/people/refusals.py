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
            return "You aren't on holiday. Start one with `/gin me away`."
        case why.UnknownTimeZone(zone, likely) if likely:
            cities = joined([f"*{zone.rpartition('/')[2].replace('_', ' ')}*" for zone in likely], "or")
            asked = f"I don't know the time zone **{safe(zone)}**. Did you mean {cities}?"
            return f"{asked} Choose from the list."
        case why.UnknownTimeZone(zone):
            return f"I don't know the time zone **{safe(zone)}**. Type a large city in your time zone, such as *Paris*."
        case why.UnreadableHour(text):
            return f"I can't read {safe(text)} as a time. Type a time such as `22:00` or `7:30`."
        case why.Blocked(blocked_id):
            return f"You've blocked <@{blocked_id}>. To play with them, unblock them in `/gin me preferences`."
        case why.TooManyBlocked(maximum):
            return f"You can block up to {maximum} people. Unblock someone first in `/gin me preferences`."
        case _:
            return None


def _too_long_away(most: int, left: int) -> str:
    """Say that a holiday is too long, with the maximum length and the days that are left in the year."""
    if most <= 0:
        return "You've used all 30 holiday days for this year. To pause one match, press *Pause or leave* at its table."
    return (
        f"Your holiday can last {count(most, 'day')} at most. You have {count(left, 'day')} of holiday left this year."
    )
