"""Texts of the standings in the deals of the day."""

from __future__ import annotations

from calendar import month_name
from datetime import date, timedelta
from itertools import combinations
from typing import Final

from bot.model.daily import DailyTotal
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from cardart.text import phrases

MIN_STREAK: Final = 2
"""The shortest streak to mention in a sentence, in days."""


def subtitle(board: DailyBoard) -> str:
    """Return the days and the number of people in standings: `November 2026 · 108 players`."""
    return f"{period_name(board.period, board.today)} · {phrases.players(board.people)}"


def period_name(period: DailyPeriod, today: date) -> str:
    """Return the days of standings: `Today, Mon 23 Nov 2026`, `This week, 23–29 Nov 2026`, `November 2026`."""
    match period:
        case DailyPeriod.TODAY:
            return f"Today, {phrases.weekday(today)} {phrases.short_date(today)}"
        case DailyPeriod.WEEK:
            monday = period.first_day(today)
            return f"This week, {phrases.dates(monday, monday + timedelta(days=6))}"
        case DailyPeriod.MONTH:
            return f"{month_name[today.month]} {today.year}"
        case DailyPeriod.ALL:
            return "All time"


def turns(total: DailyTotal) -> str:
    """Return the number of a person's turns: `1,204 turns`."""
    return f"{total.turns:,} {'turn' if total.turns == 1 else 'turns'}"


def streak(days: int) -> str:
    """Return a current streak: `streak 1,204`; an empty text if there is none."""
    return f"streak {days:,}" if days else ""


def finished(total: DailyTotal, period: DailyPeriod) -> str:
    """Return the number of finished tries, and of all if some are not finished: `23 finished`, `23 of 24 finished`.

    A single day only has a note if the try is not finished.
    """
    if period is DailyPeriod.TODAY:
        return phrases.NOT_FINISHED if total.unfinished else ""
    all_tries = f" of {total.finished + total.unfinished:,}" if total.unfinished else ""
    return f"{total.finished:,}{all_tries} finished"


def pinned(board: DailyBoard, own_id: PersonId | None) -> DailyStanding | None:
    """Return the viewer's own standing if it is on another page."""
    is_elsewhere = own_id is not None and all(row.total.player.id != own_id for row in board.rows)
    return board.own if is_elsewhere else None


def broken_ties(board: DailyBoard, own_id: PersonId | None) -> str:
    """Return why people with equal points have different places: `Fewer turns break ties`; empty if none have."""
    own = pinned(board, own_id)
    keys = [row.total.key for row in (*board.rows, *([] if own is None else [own]))]
    tied = [(one, other) for one, other in combinations(keys, 2) if one[:2] == other[:2] and one != other]
    if not tied:
        return ""
    text = phrases.FEWER_TURNS_FIRST
    is_equal_in_turns = any(one[:3] == other[:3] for one, other in tied)
    return f"{text}, {phrases.THEN_FEWER_UNFINISHED}" if is_equal_in_turns else text


def days_in_a_row(streak: int) -> str | None:
    """Return a streak in words, such as `3 days in a row`; None if it is shorter than `MIN_STREAK`."""
    return f"{streak} days in a row" if streak >= MIN_STREAK else None
