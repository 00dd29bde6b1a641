"""The results of two people against each other as text: everything in their picture, and what goes below it."""

from __future__ import annotations

from typing import Final

from bot.model.history import Ending, Meeting, Versus
from bot.model.statistics import Category
from bot.model.words import count
from cardart.text.phrases import (
    MATCH_ENDINGS,
    PER_MATCH,
    deal_points,
    in_a_row,
    last_meetings_title,
    per_match,
    points_name,
    short_date,
    whose_points,
    won_by_neither,
)
from cogs.standings.profile_text import CATEGORIES
from cogs.words.names import name

MAX_LISTED: Final = 10
"""Maximum number of recent matches to list."""

WHICH: Final = "Compare yourself with:"
NOT_YOURSELF: Final = "Choose someone else. See your own results with `/gin-stats profile`."
NOBODY: Final = "The other players in this match have deleted their data."


def title(versus: Versus) -> str:
    """Return the title: the two people and the category."""
    first, second = map(name, versus.players)
    return f"{first} against {second}: {CATEGORIES[versus.category]}"


def nothing(versus: Versus) -> str:
    """Say that the two people have not finished a match against each other."""
    other = name(versus.players[1])
    return f"You and {other} haven't finished a rated match against each other here yet. Start one with `/gin play`."


def facts(versus: Versus) -> str:
    """Return the number of matches, each person's wins, points, averages, gins and streaks."""
    first, second = map(name, versus.players)
    won = versus.count(Ending.FIRST), versus.count(Ending.SECOND)
    neither = won_by_neither(versus)
    told = f", {neither}" if neither else ""
    matches = count(len(versus.meetings), "match", "matches")
    kind, whose = points_name(versus.category), whose_points(versus.category)
    averages = " – ".join(per_match(points, len(versus.meetings)) for points in versus.points)
    streak = ""
    if versus.current_streak is not None and versus.current_streak[1] > 1:
        winner, number = versus.current_streak
        streak = f"\n{(first, second)[winner]} {in_a_row(number)}"
    return "\n".join(
        (
            f"**{matches}**: {first} won **{won[0]}**, {second} won **{won[1]}**{told}{streak}",
            f"{kind}{whose}: {versus.points[0]:,} – {versus.points[1]:,} ({averages} {PER_MATCH})",
            f"Gins: {versus.gins[0]} – {versus.gins[1]}",
            f"Best streak: {versus.longest_streaks[0]} – {versus.longest_streaks[1]}",
        )
    )


def below_picture(versus: Versus) -> str | None:
    """Return what the picture leaves out: how the matches ended that neither won, and that points are of teams.

    Return None if there is nothing to add.
    """
    neither, whose = won_by_neither(versus), whose_points(versus.category)
    lines = (
        f"-# Won by neither: {neither}." if neither else None,
        f"-# Points are those{whose}." if whose else None,
    )
    return "\n".join(filter(None, lines)) or None


def last_matches(versus: Versus) -> str:
    """Return the last matches, newest first: the date, points and result of each."""
    last = versus.meetings[: -MAX_LISTED - 1 : -1]
    heading = f"**{last_meetings_title(versus.category, len(last))}**"
    return "\n".join((heading, *(f"-# {_meeting(versus, meeting)}" for meeting in last)))


def _meeting(versus: Versus, meeting: Meeting) -> str:
    told = MATCH_ENDINGS[meeting.ending]
    if told is None:
        told = f"{name(versus.players[meeting.ending is Ending.SECOND])} won"
    return f"{short_date(meeting.ended_at.date())}: {meeting.points[0]} – {meeting.points[1]}, {told}"


def together(versus: Versus) -> str | None:
    """Return the results of the matches in which the two were partners; None if there are none."""
    results = versus.together
    if not results.matches:
        return None
    return f"As partners: {count(results.matches, 'match', 'matches')}, **{results.won}** won"


def option(meeting: Meeting, category: Category) -> str:
    """Return a match as a menu option: its points from deals, result and date."""
    result = {Ending.FIRST: "you won", Ending.SECOND: "they won"}.get(meeting.ending) or MATCH_ENDINGS[meeting.ending]
    date = short_date(meeting.ended_at.date())
    return f"{deal_points(meeting.points, category)}, {result}, {date}"
