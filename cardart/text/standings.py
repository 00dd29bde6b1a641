"""Texts of standings that depend on the sort order: the title and the last column."""

from __future__ import annotations

from bot.model import words
from bot.model.standings import Order, Standing
from bot.model.statistics import Category
from cardart.text import phrases


def standings_title(order: Order, category: Category) -> str:
    """Return the title, which names the sort order."""
    if order is Order.POINTS:
        return phrases.BEST_NET if category is Category.PENALTY else phrases.MOST_POINTS
    return phrases.HIGHEST_RATING if order is Order.RATING else phrases.MOST_WON


def last_column_heading(order: Order, category: Category) -> str:
    """Return the heading of the last column of the standings.

    With penalty points, standings sorted by points show net points, which measure how well a person plays.
    """
    if order is Order.RATING:
        return phrases.RATING
    return phrases.POINTS if order is Order.POINTS and category is not Category.PENALTY else phrases.NET


def last_column_value(standing: Standing, order: Order, category: Category) -> str:
    """Return a person's value in the last column, shortened to fit the column."""
    column = last_column_heading(order, category)
    if column is phrases.RATING:
        return str(standing.rating)
    if column is phrases.POINTS:
        return f"{standing.points:,}" if standing.points < 1_000_000 else phrases.short_number(standing.points)
    return phrases.signed_short(standing.net)


def last_column_text(standing: Standing, order: Order, category: Category) -> str:
    """Return a person's value in the last column with its unit."""
    column = last_column_heading(order, category)
    if column is phrases.RATING:
        return f"rating {standing.rating}"
    if column is phrases.POINTS:
        return words.count(standing.points, "point", "points")
    return f"net {words.signed(standing.net)}"
