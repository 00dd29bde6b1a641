"""Texts about the deal of the day."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import Final

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import CalendarDay, DailyCalendar, DailyPodium, DailyScore, number_of
from bot.model.words import count, signed
from cardart.text import phrases
from cardart.text.podium import MAX_ON_STEPS

LEAST_POINTS: Final = (1, 20, 40)
"""Minimum points of small, middle and large wins."""

_GINS: Final = (OutcomeKind.GIN, OutcomeKind.BIG_GIN)


def name(day: date) -> str:
    """Return the name of a day's deal: `Daily 214`."""
    return f"Daily {number_of(day)}"


def has_winner(shown: DailyPodium) -> bool:
    """Return True if anybody beat the computer."""
    return any(shown.endings.wins)


def podium_title(shown: DailyPodium, winner: str | None = None) -> str:
    """Return the title of a podium: `Daily 214`, or `The computer won Daily 214` if nobody beat it.

    If there is one `winner` with a short name, it is `North won Daily 214`, and after a tie `A tie in …`.
    """
    if has_winner(shown) and sum(row.place == 1 for row in shown.rows) > 1:
        return f"A tie in {name(shown.day)}"
    winner = winner if has_winner(shown) else "The computer"
    return name(shown.day) if winner is None else f"{winner} won {name(shown.day)}"


def podium_subtitle(shown: DailyPodium) -> str:
    """Return the subtitle of a podium: `Gin rummy deal of the day · Sun 2 Aug 2026`."""
    return f"{phrases.DEAL_OF_THE_DAY} · {phrases.weekday(shown.day)} {phrases.short_date(shown.day)}"


def beat_the_computer(players: int) -> str:
    """Return the words that follow `7 of 12`: `players beat the computer`."""
    return f"{'player' if players == 1 else 'players'} beat the computer"


def is_tie_broken(shown: DailyPodium) -> bool:
    """Return True if two of the people on the steps have equal points, but different places."""
    places = {(row.place, row.score.points) for row in shown.rows[:MAX_ON_STEPS]}
    return len({points for _, points in places}) < len(places)


def result(score: DailyScore) -> str:
    """Return the result of a try: `+32 in 9 turns`."""
    return f"{signed(score.points)} in {count(score.turns, 'turn')}"


def ending_and_turns(score: DailyScore) -> str:
    """Return how a try ended, and the number of its turns: `undercut · 9 turns`, `lost · 1 turn`."""
    won_by = phrases.GIN if is_gin(score) else score.kind.value
    return f"{won_by if score.points > 0 else phrases.LOST} · {count(score.turns, 'turn')}"


def points_unit(score: DailyScore) -> str:
    """Return the word that follows the points of a try: `points`."""
    return "point" if abs(score.points) == 1 else "points"


def is_gin(score: DailyScore) -> bool:
    """Return True if the person went gin."""
    return score.points > 0 and score.kind in _GINS


def size_of_win(score: DailyScore) -> int:
    """Return the size of a win from 1 to 3; 0 for a loss."""
    return sum(score.points >= least for least in LEAST_POINTS)


def calendar_title(name: str | None) -> str:
    """Return the title of a person's calendar: `North's daily deals`."""
    return phrases.DAILY_DEALS if name is None else f"{name}'s {phrases.DAILY_DEALS.lower()}"


def period(calendar: DailyCalendar) -> str:
    """Return the first and the last day of a calendar: `19 Oct – 29 Nov 2026`, `20–26 Nov 2026`."""
    return phrases.dates(calendar.days[0].day, calendar.days[-1].day)


def streak_words(calendar: DailyCalendar) -> tuple[str, str]:
    """Return two lines for a streak: `finished` and `in a row`, after its length, or an invitation to start one."""
    if calendar.streak:
        return phrases.FINISHED_IN_A_ROW
    return phrases.NO_STREAK_NOW if calendar.played else phrases.NO_STREAK_YET


def calendar_facts(calendar: DailyCalendar) -> tuple[tuple[str, str], ...]:
    """Return the names and values of the numbers about all of a person's days, with the current streak first."""
    best = None if calendar.best is None else calendar.best.score
    return (
        ("Streak", f"{calendar.streak:,}"),
        ("Longest", f"{calendar.longest_streak:,}"),
        ("Finished", f"{calendar.played:,}"),
        ("Average", "–" if calendar.average is None else signed(round(calendar.average))),
        ("Best", "–" if best is None else signed(best.points)),
    )


def days_by_month(calendar: DailyCalendar) -> list[tuple[str, str]]:
    """Return the months of a calendar, each with the results of its days: `Nov`, `27: −19, 28: +72 gin`."""
    return [
        (month, ", ".join(f"{day.day.day}: {day_result(day, calendar.today)}" for day in days))
        for month, days in groupby(calendar.days, key=lambda day: phrases.month(day.day))
    ]


def day_result(day: CalendarDay, today: date) -> str:
    """Return the result of a day in a calendar: `+32`, `+54 gin`, `not finished`, `missed`."""
    score = None if day.own is None else day.own.score
    if score is not None:
        return f"{signed(score.points)} {phrases.GIN}" if is_gin(score) else signed(score.points)
    if day.was_down:
        return phrases.NO_DEAL
    if day.day == today:
        return phrases.TODAY
    return phrases.MISSED if day.own is None else not_finished(day.own.price)


def not_finished(price: int | None) -> str:
    """Say that a try is not finished, with the points that it counts as if they are known: `not finished (−25)`."""
    return phrases.NOT_FINISHED if price is None else f"{phrases.NOT_FINISHED} ({signed(price)})"
