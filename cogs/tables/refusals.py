"""Texts of refused pauses, nudges, claims and other changes to a match, except moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.clocks import TimeLeft
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.turns.hand_text import paused
from cogs.words import vacancies
from cogs.words.clocks import date_of
from cogs.words.table import relative_time

NO_TABLE: Final = "A practice match has no table in a channel. `/gin hand` shows it to you."
_NO_NUDGE: Final = {
    why.NudgeRefusal.TOO_SOON: "You can nudge somebody who has kept you waiting for a day, and then once a day.",
    why.NudgeRefusal.UNWANTED: "They would rather not be nudged. They may still get reminders from me.",
    why.NudgeRefusal.AWAY: "Their time stands still at the moment, so they cannot be nudged.",
}
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.BackAtTable: "They can play again, so their time runs now.",
    why.NoOffer: "Nobody offers that in {match} any more. *Pause or leave* under the table has what you can offer.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.TooSoon(match, time):
            return _too_soon(match, time)
        case why.Paused(match):
            return paused(match)
        case why.Vacant(match):
            return vacancies.question(match, match.seat_of(person_id))
        case why.NotVacant():
            return "The others have decided: the match goes on with a computer."
        case why.NotPaused():
            return "This match is not paused. `/gin hand` shows where it stands."
        case why.NoTimeToGive():
            return "There is nobody to give time to: you are not waiting for anyone, or the match has no clock."
        case why.TooMuchTime():
            return "They have so much time left already that I cannot add more."
        case why.NoNudge(_, reason):
            return _NO_NUDGE[reason]
        case _:
            return fill(_TEXTS, refusal)


def _too_soon(match: MatchInfo, time: TimeLeft | None) -> str:
    """Explain why a player cannot claim a match yet. If known, say when they can claim it or call it off."""
    if time is None:
        return "You are not waiting for any person here, so nobody's time can run out."
    if time.call_off_at is not None:
        since = date_of(time.call_off_at)
        return f"They cannot reach the table, so they do not lose. You may call the match off from {since}."
    if time.ends_at is None:
        return "You cannot claim this match yet: the other player's time stands still at the moment."
    why_then = "after a week without a move" if match.clock.time is None else "if they have not moved by then"
    return f"You can claim this match {relative_time(time.ends_at)}, {why_then}."
