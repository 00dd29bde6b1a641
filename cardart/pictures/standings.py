"""The standings of a server: place and movement, name, decided matches, wins, and net points, points or the rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.standings import Order, Ranked
from bot.model.statistics import Category
from cardart.drawing.canvas import Picture
from cardart.parts.board import BoardRow, draw_board
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.text import alt_text, phrases
from cardart.text import standings as standings_text


def draw_standings(
    rows: Sequence[Ranked],
    order: Order = Order.WINS,
    category: Category = Category.POINTS,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw standings of at least one person, with the share of their decided matches that they won as bars.

    The row of the person `own_id` has a frame. `avatars` may have some or all of the people.
    """
    title, headings = standings_text.standings_title(order, category), standings_text.headings(order, category)
    shown = [_row(row, order, category) for row in rows]
    canvas = draw_board(shown, title, headings, own_id, appearance, avatars, note_heading=phrases.SHARE_WON)
    return canvas.picture(alt_text.standings(rows, order, category, own_id))


def _row(row: Ranked, order: Order, category: Category) -> BoardRow:
    standing, results = row.standing, row.standing.results
    return BoardRow(
        row.place,
        standing.person_id,
        standing.name,
        standing.username,
        phrases.percentage(results.win_percentage),
        standings_text.values(standing, order, category),
        (results.won, results.decided_matches),
        row.movement,
    )
