"""The standings of a server: place, name, decided matches, wins, and net points, points or the rating."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.standings import Order, Ranked, Standing
from bot.model.statistics import Category
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import can_write, fitted_text, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal, name_crest
from cardart.text import alt_text, phrases
from cardart.text import standings as standings_text

_TITLE_CAP: Final = 28
_TITLE_BASELINE: Final = MARGIN + 48
"""Baseline of the title."""
_HEAD_HEIGHT: Final = 108
"""Height of the title and the column headings."""
_ROW_HEIGHT: Final = 80
_GAP: Final = 8
_PLACE_CENTRE: Final = MARGIN + 44
"""Horizontal middle of the column of places."""
_PLACE_CAP: Final = 26
_CREST_SIZE: Final = 54
_CREST_LEFT: Final = MARGIN + 84
_NAME_LEFT: Final = _CREST_LEFT + _CREST_SIZE + 16
_TEXT_CAP: Final = 24
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names. A name that is too wide even at this height is cut off."""
_ROW_BASELINE: Final = 42
"""Distance from the top of a row to the baseline of its name and numbers."""
_COLUMN_RIGHTS: Final = (WIDTH - MARGIN - 276, WIDTH - MARGIN - 184, WIDTH - MARGIN - 20)
"""Right edges of the columns: matches, wins, and the last column."""
_MIN_COLUMN_GAP: Final = 18
"""Minimum space between two columns."""
_BAR_MIDDLE: Final = 60
"""Distance from the top of a row to the middle of its bar, which shows the percentage of matches won."""
_BAR_RIGHT: Final = _COLUMN_RIGHTS[1] - 76
_BAR_HEIGHT: Final = 8
_MARK_SIZE: Final = 12
"""Width of the triangle next to the heading of the column that the rows are sorted by."""
_OWN_ROW_STYLE: Final = PanelStyle(RECESS, GOLD, 3)


def draw_standings(
    rows: Sequence[Ranked],
    order: Order = Order.WINS,
    category: Category = Category.POINTS,
    own_id: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw standings of at least one person, with a frame around the row of the person `own_id`.

    A name that the font cannot write is replaced by a reference to the text below the picture.
    """
    canvas = Canvas(WIDTH, MARGIN + _HEAD_HEIGHT + len(rows) * (_ROW_HEIGHT + _GAP) - _GAP + MARGIN, appearance)
    canvas.text(MARGIN + 12, _TITLE_BASELINE, standings_text.standings_title(order, category), _TITLE_CAP)
    heading_baseline = MARGIN + _HEAD_HEIGHT - 14
    won_heading = phrases.WON.capitalize()
    headings = (phrases.MATCHES, won_heading, standings_text.last_column_heading(order, category))
    for name, end in zip(headings, _COLUMN_RIGHTS, strict=True):
        is_order = name == (won_heading if order is Order.WINS else headings[-1])
        width = canvas.text(end, heading_baseline, name, LABEL_CAP, ink=TEXT if is_order else MIST, align="right")
        if is_order:
            canvas.put(_sort_mark(), end - width - _MARK_SIZE - 4, heading_baseline - _MARK_SIZE - 2)
    for position, row in enumerate(rows):
        top = MARGIN + _HEAD_HEIGHT + position * (_ROW_HEIGHT + _GAP)
        _draw_row(canvas, row, standings_text.last_column_value(row.standing, order, category), top, own_id)
    return canvas.picture(alt_text.standings(rows, order, category, own_id))


def _draw_row(canvas: Canvas, row: Ranked, last_value: str, top: int, own_id: PersonId | None) -> None:
    box, standing = (MARGIN, top, WIDTH - MARGIN, top + _ROW_HEIGHT), row.standing
    canvas.panel(box, _OWN_ROW_STYLE) if standing.person_id == own_id else canvas.panel(box)
    middle, baseline = top + _ROW_HEIGHT // 2, top + _ROW_BASELINE
    if row.place <= len(MEDAL_COLOURS):
        canvas.put(medal(row.place), _PLACE_CENTRE - MEDAL_SIZE // 2, middle - MEDAL_SIZE // 2)
    else:
        cap = _PLACE_CAP if row.place < 100 else _MIN_NAME_CAP
        place = phrases.shortest_place(row.place)
        canvas.text(_PLACE_CENTRE, middle + cap // 2, place, cap, ink=MIST, background=RECESS, align="centre")
    canvas.put(name_crest(standing.name, _CREST_SIZE), _CREST_LEFT, middle - _CREST_SIZE // 2)
    numbers = (f"{standing.results.decided_matches:,}", f"{standing.won:,}", last_value)
    for number, end, ink in zip(numbers, _COLUMN_RIGHTS, (MIST, TEXT, TEXT), strict=True):
        canvas.text(end, baseline, number, _TEXT_CAP, ink=ink, background=RECESS, align="right")
    if can_write(standing.name):
        room = _COLUMN_RIGHTS[0] - text_mask(numbers[0], _TEXT_CAP).width - _MIN_COLUMN_GAP - _NAME_LEFT
        name, cap = fitted_text(standing.name, _TEXT_CAP, _MIN_NAME_CAP, room)
        canvas.text(_NAME_LEFT, baseline, name, cap, background=RECESS)
    else:
        canvas.text(_NAME_LEFT, baseline, phrases.NAME_BELOW, LABEL_CAP, ink=MIST, background=RECESS)
    _draw_share(canvas, standing, top + _BAR_MIDDLE)


def _draw_share(canvas: Canvas, standing: Standing, middle: int) -> None:
    """Draw a bar whose gold part shows the share of decided matches that were won, and the percentage."""
    results = standing.results
    won_right = _NAME_LEFT + (_BAR_RIGHT - _NAME_LEFT) * results.won // max(1, results.decided_matches)
    canvas.fill((_NAME_LEFT, middle - _BAR_HEIGHT // 2, _BAR_RIGHT, middle + _BAR_HEIGHT // 2), SEAM)
    canvas.fill((_NAME_LEFT, middle - _BAR_HEIGHT // 2, won_right, middle + _BAR_HEIGHT // 2), GOLD)
    canvas.text(
        _COLUMN_RIGHTS[1],
        middle + LABEL_CAP // 2,
        phrases.percentage(results.win_percentage),
        LABEL_CAP,
        ink=GOLD,
        background=RECESS,
        align="right",
    )


@cache
def _sort_mark() -> Sprite:
    """Return a triangle that points down."""
    coverage = path_mask((_MARK_SIZE, _MARK_SIZE), 1, [f"M 0 2 L {_MARK_SIZE} 2 L {_MARK_SIZE / 2} {_MARK_SIZE} Z"])
    return cut_out(Painting((_MARK_SIZE, _MARK_SIZE), TEXT).image, coverage)
