"""The standings in the deals of the day as text: everything that the picture shows, and the viewer's own results."""

from __future__ import annotations

from typing import Final

from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import PersonId
from bot.model.streaks import Streaks
from bot.model.words import count, signed
from cardart.text.daily_standings import broken_ties, finished, streak
from cardart.text.phrases import DAILY_STANDINGS
from cogs.words.daily import CALLED_OFF, COUNTS_ELSEWHERE, PRICE_OF_STOPPING
from cogs.words.names import name

PERIODS: Final = {
    DailyPeriod.TODAY: "Today",
    DailyPeriod.WEEK: "This week",
    DailyPeriod.MONTH: "This month",
    DailyPeriod.ALL: "All time",
}
"""The labels of the buttons for the periods."""
NOBODY: Final = {
    DailyPeriod.TODAY: "Nobody has finished today's deal here yet.",
    DailyPeriod.WEEK: "Nobody has finished a daily deal here this week.",
    DailyPeriod.MONTH: "Nobody has finished a daily deal here this month.",
    DailyPeriod.ALL: "Nobody has finished a daily deal here yet.",
}
NOT_FINISHED_YET: Final = "You haven't finished today's deal."
_SUMS: Final = "-# The points of all days are added up. A day without a try counts nothing."
_FINISHED_NONE: Final = "Players with no finished deal come last."


def title(period: DailyPeriod) -> str:
    return f"{DAILY_STANDINGS}: {PERIODS[period].lower()}"


def lines(board: DailyBoard) -> str:
    return "\n".join(line(row, board.period) for row in board.rows)


def line(row: DailyStanding, period: DailyPeriod) -> str:
    """Return a row of the standings, with a second line for the finished deals and the streak."""
    total, details = row.total, (finished(row.total, period), streak(row.streak))
    head = f"**{row.place}.** {name(total.player)}: **{signed(total.points)}** in {count(total.turns, 'turn')}"
    return "\n-# ".join(filter(None, (head, " · ".join(filter(None, details)))))


def ties_explained(board: DailyBoard, person_id: PersonId) -> str | None:
    """Explain why people with equal points have different places; None if there are none."""
    explanation = broken_ties(board, person_id)
    return f"-# {explanation}." if explanation else None


def still_playing(board: DailyBoard) -> str | None:
    """Return the number of people whose tries are running; None if there are none, or if today is not shown."""
    if not board.playing or board.period is not DailyPeriod.TODAY:
        return None
    return f"-# {count(board.playing, 'person is', 'people are')} still playing."


def own_place(board: DailyBoard, person_id: PersonId) -> str | None:
    """Return the viewer's own place, or why they have none today; None if there is nothing to say."""
    if board.own is None:
        if board.own_try is None or board.period is not DailyPeriod.TODAY:
            return None
        if board.own_try.was_called_off:
            return CALLED_OFF
        return NOT_FINISHED_YET if board.own_try.score is None else COUNTS_ELSEWHERE
    if any(row.total.player.id == person_id for row in board.rows):
        return f"Your place: **{board.own.place:,}** of {board.people:,}"
    return f"You: {line(board.own, board.period)}"


def own_streaks(streaks: Streaks) -> str | None:
    """Return the viewer's current and longest streak; None if they have had none."""
    if not streaks.longest:
        return None
    return f"Your streak: **{count(streaks.current, 'day')}** (longest: {streaks.longest:,})"


def sums_explained(board: DailyBoard) -> str | None:
    """Explain how the points of several days make a place; None for a single day."""
    return None if board.period is DailyPeriod.TODAY or not board.rows else _SUMS


def unfinished_explained(board: DailyBoard) -> str | None:
    """Explain how unfinished tries count; None if nobody on the page has any."""
    shown = (*board.rows, *(() if board.own is None else (board.own,)))
    if not any(row.total.unfinished for row in shown):
        return None
    have_finished_none = any(not row.total.finished for row in shown)
    return f"-# {PRICE_OF_STOPPING}" + (f" {_FINISHED_NONE}" if have_finished_none else "")
