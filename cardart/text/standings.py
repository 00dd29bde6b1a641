"""Texts of standings: the title and the columns, which depend on the sort order, and movements."""

from __future__ import annotations

from typing import Final

from bot.model import words
from bot.model.ratings import Rating
from bot.model.standings import Movement, Order, Standing
from bot.model.statistics import Category
from cardart.text import phrases

_WON: Final = phrases.WON.capitalize()


def standings_title(order: Order, category: Category) -> str:
    """Return the title, which names the sort order."""
    if order is Order.POINTS:
        return phrases.BEST_NET if category is Category.PENALTY else phrases.MOST_POINTS
    return phrases.HIGHEST_RATING if order is Order.RATING else phrases.MOST_WON


def headings(order: Order, category: Category) -> tuple[str, str, str]:
    """Return the headings of the three columns. The rows are sorted by the last one."""
    if order is Order.WINS:
        return phrases.MATCHES, phrases.NET, _WON
    return phrases.MATCHES, _WON, _score_heading(order, category)


def values(standing: Standing, order: Order, category: Category) -> tuple[str, str, str]:
    """Return a person's values in the three columns, shortened to fit."""
    matches, won = f"{standing.results.decided_matches:,}", f"{standing.won:,}"
    score = _score(standing, order, category)
    return (matches, score, won) if order is Order.WINS else (matches, won, score)


def shown_rating(rating: Rating | None) -> str:
    """Return a rating as pictures show it: `1,658`, or a dash before the first rated match."""
    return "–" if rating is None else f"{rating.number:,}"


def score_text(standing: Standing, order: Order, category: Category) -> str:
    """Return a person's rating, points or net points with the unit."""
    heading = _score_heading(order, category)
    if heading is phrases.RATING:
        return f"rating {standing.rating}"
    if heading is phrases.POINTS:
        return words.count(standing.points, "point", "points")
    return f"net {words.signed(standing.net)}"


def details(standing: Standing, order: Order, category: Category) -> list[str]:
    """Return a person's points, net points, deals, gins and undercuts, but not the number that sorts the rows."""
    kind = "penalty points" if category is Category.PENALTY else "points"
    by_points, by_net = order is Order.POINTS and kind == "points", order is Order.POINTS and kind != "points"
    facts = (
        None if by_points else f"{standing.points} {kind}",
        None if by_net else f"net {words.signed(standing.net)}",
        f"deals {standing.deals_won}–{standing.deals_lost}",
        words.count(standing.gins, "gin") if standing.gins else None,
        words.count(standing.undercuts, "undercut") if standing.undercuts else None,
    )
    return [fact for fact in facts if fact is not None]


def movement_text(movement: Movement | None) -> str | None:
    """Return a movement in words: `up 2`, `down 1` or `new`. None if the place is unchanged or not compared."""
    if movement is None or movement.places == 0:
        return None
    if movement.places is None:
        return phrases.NEW
    return f"up {movement.places:,}" if movement.places > 0 else f"down {-movement.places:,}"


def _score_heading(order: Order, category: Category) -> str:
    """Return the heading of the column with ratings, points or net points.

    With penalty points, standings sorted by points show net points, which measure how well a person plays.
    """
    if order is Order.RATING:
        return phrases.RATING
    return phrases.POINTS if order is Order.POINTS and category is not Category.PENALTY else phrases.NET


def _score(standing: Standing, order: Order, category: Category) -> str:
    heading = _score_heading(order, category)
    if heading is phrases.RATING:
        return shown_rating(standing.rating)
    if heading is phrases.POINTS:
        return f"{standing.points:,}" if standing.points < 1_000_000 else phrases.short_number(standing.points)
    return phrases.signed_short(standing.net)
