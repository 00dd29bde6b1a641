"""Texts about the deal of the day."""

from __future__ import annotations

from datetime import date

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import DailyPodium, DailyScore, number_of
from bot.model.words import count, signed
from cardart.text import phrases

_GINS = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)


def name(day: date) -> str:
    """Return the name of a day's deal: `Daily 214`."""
    return f"Daily {number_of(day)}"


def day_and_players(shown: DailyPodium) -> str:
    """Return the date of a deal, and the number of people who played it: `Sun 2 Aug 2026 · 12 players`."""
    players = f"{shown.endings.players:,} {'player' if shown.endings.players == 1 else 'players'}"
    return f"{phrases.weekday(shown.day)} {phrases.short_date(shown.day)} · {players}"


def result(score: DailyScore) -> str:
    """Return the result of a try: `+32 in 9 turns`."""
    return f"{signed(score.points)} in {turns(score)}"


def turns(score: DailyScore) -> str:
    """Return the number of turns of a try: `9 turns`."""
    return count(score.turns, "turn")


def turns_and_gin(score: DailyScore) -> str:
    """Return the number of turns of a try, and whether the person went gin: `gin, 9 turns`."""
    return f"{phrases.GIN}, {turns(score)}" if is_gin(score) else turns(score)


def is_gin(score: DailyScore) -> bool:
    """Return True if the person went gin."""
    return score.points > 0 and score.kind in _GINS
