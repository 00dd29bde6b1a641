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
from cogs.words.names import name
from cogs.words.table import relative_time

NO_TABLE: Final = "Practice matches have no table in a channel. See your hand with `/gin hand`."
_NO_NUDGE: Final = {
    why.NudgeRefusal.TOO_SOON: "After a day of waiting, you can nudge a player once a day.",
    why.NudgeRefusal.UNWANTED: "{name} has turned nudges off.",
    why.NudgeRefusal.AWAY: "{name} is away right now, so you can't nudge them.",
}
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.BackAtTable: "That player is back, so their clock is running again.",
    why.NoOffer: "That offer in {match} is no longer open. Press *Pause or leave* to make a new one.",
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
            return "The others have already decided to play on with a computer."
        case why.NotPaused():
            return "This match isn't paused. See your hand with `/gin hand`."
        case why.NoTimeToGive(match) if match.clock.time is None:
            return "This match has no clock."
        case why.NoTimeToGive():
            return "You can't give time now: nobody else's clock is running."
        case why.TooMuchTime():
            return "That player already has the most time allowed."
        case why.NoNudge(match, reason, awaited):
            return _NO_NUDGE[reason].format(name=name(match.players[awaited]))
        case _:
            return fill(_TEXTS, refusal)


def _too_soon(match: MatchInfo, time: TimeLeft | None) -> str:
    """Explain why a player cannot claim a match yet. If known, say when they can claim it or call it off."""
    if time is None:
        return "You aren't waiting for anyone here."
    if time.call_off_at is not None:
        since = date_of(time.call_off_at)
        return (
            "That player can no longer play in the channel, so you can't claim the match. "
            f"You can call the match off from {since}."
        )
    if time.ends_at is None:
        return "You can't claim this match while the other player's clock is paused."
    when = relative_time(time.ends_at)
    if match.clock.time is None:
        return f"You can claim this match after a week without a move, which is {when}."
    return f"You can claim this match {when} if there's no move by then."
