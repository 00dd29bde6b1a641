"""The standings of a server: place, name, decided matches, wins, and net points, points or the rating."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.ids import PersonId
from bot.values.standings import Order, Ranked, Standing
from bot.values.statistics import Category
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import can_write, fitted, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.shapes import mask
from cardart.parts.badges import MEDAL, MEDALS, crest_of, medal
from cardart.text import alt_text, phrases
from cardart.text import standings as words

_TITLE: Final = 28
_TITLE_LINE: Final = MARGIN + 48
"""Baseline of the title."""
_HEAD: Final = 108
"""Height of the title and the column headings."""
_ROW: Final = 80
_GAP: Final = 8
_CENTRE: Final = MARGIN + 44
"""Horizontal middle of the places."""
_RANK: Final = 26
_CREST: Final = 54
_CRESTS: Final = MARGIN + 84
_NAME: Final = _CRESTS + _CREST + 16
_TEXT: Final = 24
_LEAST: Final = 20
"""Minimum cap height of names. Longer names are cut off."""
_LINE: Final = 42
"""Distance from the top of a row to the baseline of its name and numbers."""
_ENDS: Final = (WIDTH - MARGIN - 276, WIDTH - MARGIN - 184, WIDTH - MARGIN - 20)
"""Right edges of the columns: matches, wins, and the last column."""
_APART: Final = 18
"""Minimum space between two columns."""
_BAR: Final = 60
"""Distance from the top of a row to the middle of its bar, which shows the percentage of matches won."""
_BAR_END: Final = _ENDS[1] - 76
_SHARE: Final = 8
_MARK: Final = 12
"""Width of the mark of the column that the rows are sorted by."""
_OWN: Final = PanelStyle(RECESS, GOLD, 3)


def draw_standings(
    rows: Sequence[Ranked],
    order: Order = Order.WINS,
    category: Category = Category.POINTS,
    own: PersonId | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw standings of at least one person, with a frame around the row of the person `own`.

    A name that the font cannot write appears only in the text below the picture.
    """
    canvas = Canvas(WIDTH, MARGIN + _HEAD + len(rows) * (_ROW + _GAP) - _GAP + MARGIN, appearance)
    canvas.text(MARGIN + 12, _TITLE_LINE, words.title(order, category), _TITLE)
    baselines = MARGIN + _HEAD - 14
    won = phrases.WON.capitalize()
    columns = (phrases.MATCHES, won, words.last_column(order, category))
    for name, end in zip(columns, _ENDS, strict=True):
        is_order = name == (won if order is Order.WINS else columns[-1])
        wide = canvas.text(end, baselines, name, CAP, ink=TEXT if is_order else MIST, align="right")
        if is_order:
            canvas.put(_sorted_by(), end - wide - _MARK - 4, baselines - _MARK - 2)
    for number, row in enumerate(rows):
        top = MARGIN + _HEAD + number * (_ROW + _GAP)
        _draw_row(canvas, row, words.last_number(row.standing, order, category), top, own)
    return canvas.picture(alt_text.standings(rows, order, category, own))


def _draw_row(canvas: Canvas, row: Ranked, last: str, top: int, own: PersonId | None) -> None:
    box, standing = (MARGIN, top, WIDTH - MARGIN, top + _ROW), row.standing
    canvas.panel(box, _OWN) if standing.person_id == own else canvas.panel(box)
    middle, line = top + _ROW // 2, top + _LINE
    if row.place <= len(MEDALS):
        canvas.put(medal(row.place), _CENTRE - MEDAL // 2, middle - MEDAL // 2)
    else:
        cap = _RANK if row.place < 100 else _LEAST
        place = phrases.shortest_place(row.place)
        canvas.text(_CENTRE, middle + cap // 2, place, cap, ink=MIST, ground=RECESS, align="centre")
    canvas.put(crest_of(standing.name, _CREST), _CRESTS, middle - _CREST // 2)
    numbers = (f"{standing.results.decided:,}", f"{standing.won:,}", last)
    for number, end, ink in zip(numbers, _ENDS, (MIST, TEXT, TEXT), strict=True):
        canvas.text(end, line, number, _TEXT, ink=ink, ground=RECESS, align="right")
    if can_write(standing.name):
        room = _ENDS[0] - text_mask(numbers[0], _TEXT).width - _APART - _NAME
        name, cap = fitted(standing.name, _TEXT, _LEAST, room)
        canvas.text(_NAME, line, name, cap, ground=RECESS)
    else:
        canvas.text(_NAME, line, phrases.NAME_BELOW, CAP, ink=MIST, ground=RECESS)
    _draw_share(canvas, standing, top + _BAR)


def _draw_share(canvas: Canvas, standing: Standing, middle: int) -> None:
    """Draw a bar that is gold in proportion to the decided matches that were won, and the percentage."""
    results = standing.results
    won = _NAME + (_BAR_END - _NAME) * results.won // max(1, results.decided)
    canvas.fill((_NAME, middle - _SHARE // 2, _BAR_END, middle + _SHARE // 2), SEAM)
    canvas.fill((_NAME, middle - _SHARE // 2, won, middle + _SHARE // 2), GOLD)
    canvas.text(
        _ENDS[1], middle + CAP // 2, phrases.percentage(results.share), CAP, ink=GOLD, ground=RECESS, align="right"
    )


@cache
def _sorted_by() -> Sprite:
    """Return a triangle that points down."""
    coverage = mask((_MARK, _MARK), 1, [f"M 0 2 L {_MARK} 2 L {_MARK / 2} {_MARK} Z"])
    return cut_out(Painting((_MARK, _MARK), TEXT).image, coverage)
