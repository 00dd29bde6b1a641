"""A server's standings as text: everything that the picture shows, the points won in deals, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.model.ids import PersonId
from bot.model.seasons import Award, Awarded, Podium
from bot.model.standings import ALL_TIME, RECENT, Leaderboard, Movement, Order, Ranked, Standing, has_ratings
from bot.model.statistics import Category
from bot.model.words import count, signed
from cardart.text.phrases import NEW, not_won
from cardart.text.podium import MAX_ON_STEPS, each, people_named, shared_awards
from cardart.text.seasons import from_day, season_in_sentence, season_name
from cardart.text.standings import details
from cogs.standings.profile_text import CATEGORIES
from cogs.words.clocks import date_of
from cogs.words.names import joined, name, safe
from cogs.words.ratings import appears_after
from cogs.words.rules import bold, name_in_sentence

NOBODY = "No match has ended here yet. Start one with `/gin play`."
NOBODY_LATELY = "No match has ended here in the last 30 days. Start one with `/gin play`."
NOBODY_RATED = "Nobody has a rating yet."
MOVEMENTS_EXPLAINED = "-# ▲ and ▼: places gained and lost in the last 7 days."
RATINGS_EXPLAINED = (
    "-# Ratings start at 1500 and appear after about ten matches to 100 points. "
    "They change more when you beat a stronger player, and less in a short match."
)
NOTHING_PLAYED = "No match has ended here in the last twelve weeks. Start one with `/gin play`."

ORDERS: Final = {Order.RATING: "By rating", Order.WINS: "By wins", Order.POINTS: "By points"}
"""The labels of the buttons that sort a leaderboard."""

_PERIODS: Final = {ALL_TIME: "all time", RECENT: "last 30 days"}
_SUPERLATIVES: Final = {
    Award.GINS: "Most gins: {} ({:,}{})",
    Award.STREAK: "Best streak: {} ({:,} won in a row{})",
    Award.DEAL: "Largest deal: {} ({:,} points{})",
}

_ONE_MATCH: Final = {
    Category.POINTS: "a match for points",
    Category.TEAMS: "a team match",
    Category.PENALTY: "a match for penalty points",
}


def no_seasons() -> str:
    return "This server has no seasons. A server manager can switch them on with `/gin-admin settings`."


def category_or_ruleset(category: Category, ruleset: str | None) -> str:
    """Return the name of a category, or of a ruleset in it."""
    return CATEGORIES[category] if ruleset is None else name_in_sentence(ruleset)


def nothing_with(rules: str) -> str:
    """Say that no match with the typed rules has ended."""
    asked = name_in_sentence(rules, lambda typed: f"**{safe(typed)}**")
    return f"No match with {asked} has ended here. Choose from the list."


def period_name(period: str, began_late_at: datetime | None = None) -> str:
    """Return the name of a period. A season is named after its month or quarter; a late one has its first day."""
    if period in _PERIODS:
        return _PERIODS[period]
    return season_name(period) if began_late_at is None else f"{season_name(period)}, {from_day(began_late_at)}"


def awards(given: Sequence[Awarded], category: Category) -> str | None:
    """Return a season's champions in a category and its other awards; None if there are none."""
    first = [
        name(given_award.player) for given_award in given if given_award.category is category and given_award.place == 1
    ]
    champion = f"**Champion{'s' if len(first) > 1 else ''} of this season:** {joined(first)}" if first else None
    return "\n".join(filter(None, (champion, superlatives(given)))) or None


def superlatives(given: Sequence[Awarded], *, only_shared: bool = False) -> str | None:
    """Return a season's awards for gins, streak and largest deal; None if there are none.

    With `only_shared`, omit those of a single person.
    """
    facts = list[str]()
    for award, text in _SUPERLATIVES.items():
        for holders in shared_awards([given_award for given_award in given if given_award.award is award]):
            if only_shared and len(holders) == 1:
                continue
            names = people_named([name(holder.player) for holder in holders])
            facts.append(text.format(names, holders[0].value, each(holders)))
    return " · ".join(facts) or None


def season_is_over(period: str) -> str:
    """Return the heading of a finished season's results, such as `November 2026 is over`."""
    name = season_in_sentence(period)
    return f"{name[0].upper()}{name[1:]} is over"


def podium(shown: Podium) -> str:
    """Return the top three of a season in a category."""
    return "\n".join((f"**{CATEGORIES[shown.category].capitalize()}**", *_places(shown)))


def below_podium(shown: Podium) -> str:
    """Return the text below the picture of a podium: its champions, for the search, and people who are not in it.

    A picture shows three people, but more of them may share a place.
    """
    first = [name(row.standing.player) for row in shown.rows if row.place == 1]
    champions = f"**Champion{'s' if len(first) > 1 else ''} in {CATEGORIES[shown.category]}:** {joined(first)}"
    return "\n".join((champions, *_places(shown)[MAX_ON_STEPS:]))


def _places(shown: Podium) -> list[str]:
    """Return a line with the place, name and results of each person on a podium."""
    return [
        f"**{row.place}.** {name(row.standing.player)}: {sort_value(row.standing, Order.WINS, shown.category)}"
        for row in shown.rows
    ]


def nobody(board: Leaderboard, period: str, *, played: bool) -> str:
    """Return the reason why the standings are empty."""
    if board.order is Order.RATING and played:
        return NOBODY_RATED
    if period == ALL_TIME or not played:
        return NOBODY
    return NOBODY_LATELY if period == RECENT else f"No match counts in {season_in_sentence(period)} yet."


def began_late(began_at: datetime | None) -> str | None:
    """Say from when a season counts matches if it began in the middle of its month or quarter; None if it did not."""
    return None if began_at is None else f"-# Counted from {date_of(began_at)}. Matches that ended earlier don't count."


def not_listed(category: Category, ruleset: str | None, period: str) -> str:
    """Explain that readers are not in the standings because they have finished no match of this kind in the period."""
    kind = _ONE_MATCH[category] if ruleset is None else f"a match with {name_in_sentence(ruleset, bold)}"
    if period in (ALL_TIME, RECENT):
        return f"You haven't finished {kind} here {'yet' if period == ALL_TIME else 'in the last 30 days'}."
    return f"You haven't finished {kind} that counts in {season_in_sentence(period)}."


def without_ratings(period: str, ruleset: str | None) -> str | None:
    """Explain why the order by rating cannot be shown; None if it can."""
    if has_ratings(period, ruleset):
        return None
    what = "these rules" if ruleset is not None else "a season"
    return f"-# There are no separate ratings for {what}, so this list is sorted by matches won."


def lines(board: Leaderboard, category: Category) -> str:
    return "\n".join(line(row, board.order, category) for row in board.rows)


def line(row: Ranked, order: Order, category: Category) -> str:
    """Return a row of the standings. The second line has the facts that the first one, which sorts it, has not."""
    standing, mark = row.standing, movement_mark(row.movement)
    head = " ".join(filter(None, (f"**{row.place}.**", mark, name(standing.player))))
    return f"{head}: {sort_value(standing, order, category)}\n-# {' · '.join(details(standing, order, category))}"


def movement_mark(movement: Movement | None) -> str | None:
    """Return a movement as an arrow with a number, or as a word. None if the place is unchanged or not compared."""
    if movement is None or movement.places == 0:
        return None
    if movement.places is None:
        return f"*{NEW}*"
    return f"{'▲' if movement.places > 0 else '▼'}{abs(movement.places)}"


def movements_explained(board: Leaderboard) -> str | None:
    """Explain the arrows; None if the page has none."""
    shown = (*(row.movement for row in board.rows), board.own_movement)
    return MOVEMENTS_EXPLAINED if any(movement is not None and movement.places for movement in shown) else None


def sort_value(standing: Standing, order: Order, category: Category) -> str:
    """Format the value that sorts the standings, then the person's match results."""
    won = f"{standing.won} won, {not_won(standing.results)}"
    if order is Order.RATING:
        return f"rating **{standing.rating}**, {won}"
    if order is Order.POINTS:
        led = f"net **{signed(standing.net)}**" if category is Category.PENALTY else f"**{standing.points}** points"
        return f"{led}, {won}"
    return f"**{standing.won}** won, {not_won(standing.results)}"


def unranked(board: Leaderboard) -> str | None:
    """Name the people without a rating to show, with their rated matches, most first; None if there are none.

    If there are too many to name, return their number.
    """
    if not board.provisional:
        return None
    if board.provisional_people > len(board.provisional):
        return f"-# No rating yet: {board.provisional_people:,} people."
    people = sorted(board.provisional, key=lambda standing: -standing.rated)
    named = [f"{name(standing.player)} ({count(standing.rated, 'match', 'matches')})" for standing in people]
    return f"-# No rating yet: {joined(named)}."


def own_place(board: Leaderboard, person_id: PersonId, category: Category) -> str | None:
    """Return the reader's own place; None if they are not on the leaderboard."""
    if board.own is None:
        return None
    if board.own_place is None:
        rating = board.own.rating
        return "You have no rating yet." if rating is None else f"Your rating appears after {appears_after(rating)}."
    if any(row.standing.person_id == person_id for row in board.rows):
        return f"Your place: **{board.own_place:,}** of {board.people:,}"
    return f"You: {line(Ranked(board.own_place, board.own, board.own_movement), board.order, category)}"
