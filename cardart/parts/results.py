"""Marks of won and lost matches, and a bar of deals won in different ways. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas
from cardart.drawing.lettering import text_width
from cardart.drawing.painting import Sprite, cut_out, disc, inked
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.parts.meters import meter
from cardart.text import phrases

WINS_HEIGHT: Final = 144
"""Height of the panel of wins."""

_INSET: Final = MARGIN + 18
_HEADING_BASELINE: Final = 42
_NUMBER_CAP: Final = 22
_BAR_TOP: Final = 58
_BAR_HEIGHT: Final = 28
_LEGEND_BASELINE: Final = 122
"""Distances from the top of the panel of wins to its heading, its bar and its legend."""
_MAX_SPACE: Final = 12
_MIN_SPACE: Final = 5
"""Maximum and minimum space between a word and its number. Large numbers leave less space in the legend."""
_LEGEND_CAPS: Final = range(LABEL_CAP, 11, -1)
"""Cap heights for the legend. The first at which it fits is used."""
_DASH_HEIGHT: Final = 8
"""Height of the dash for a match that was neither won nor lost."""
_WAY_COLOURS: Final = (MIST, GOLD, SEAT_COLOURS[0])
"""Colours of knocks, gins and undercuts."""


def draw_mark(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """Draw a full disc for a win, a ring for a loss, and a dash for any other result."""
    mark = disc(radius, GOLD, EDGE, 2) if won else disc(radius, RECESS, MIST, 3)
    if won is None:
        mark = _dash(2 * radius)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


@cache
def _dash(width: int) -> Sprite:
    """Return the mark of a match that was neither won nor lost."""
    size, radius = (width, _DASH_HEIGHT), _DASH_HEIGHT / 2
    return cut_out(inked(rounded_mask(size, radius, 1), MIST, RECESS), rounded_mask(size, radius))


def draw_wins(
    canvas: Canvas, top: int, heading: str, wins: tuple[int, int, int], lost: int, unfinished: int = 0
) -> None:
    """Draw a bar of all deals, in which each way of winning has a part, and its legend. Its panel starts at `top`.

    `wins` are the numbers of knocks, gins and undercuts.
    """
    deals = sum(wins) + lost + unfinished
    x = _INSET + _write(canvas, _INSET, top + _HEADING_BASELINE, heading) + _MAX_SPACE
    x += _write(canvas, x, top + _HEADING_BASELINE, f"{sum(wins):,}", _NUMBER_CAP, TEXT) + _MAX_SPACE
    _write(canvas, x, top + _HEADING_BASELINE, f"of {deals:,}")
    width = WIDTH - 2 * _INSET
    edges = [width * end // max(1, deals) for end in accumulate(wins, initial=0)]
    bar_parts = tuple((*edge, colour) for edge, colour in zip(pairwise(edges), _WAY_COLOURS, strict=True))
    canvas.put(meter(width, _BAR_HEIGHT, bar_parts), _INSET, top + _BAR_TOP)
    _draw_legend(canvas, top + _LEGEND_BASELINE, wins, lost, unfinished)


def _draw_legend(canvas: Canvas, y: int, wins: Sequence[int], lost: int, unfinished: int) -> None:
    """Draw a legend of the bar of wins, with its baseline at `y`."""
    parts: list[tuple[Colour | None, int, str]] = [
        *zip(_WAY_COLOURS, wins, phrases.WINS_BY, strict=True),
        (None, lost, phrases.LOST),
    ]
    if unfinished:
        parts.append((None, unfinished, phrases.NOT_FINISHED))
    texts = [text for _, number, name in parts for text in (name, f"{number:,}")]
    cap = next((cap for cap in _LEGEND_CAPS if _legend_space(texts, cap) >= _MIN_SPACE), _LEGEND_CAPS[-1])
    x, space = _INSET, _legend_space(texts, cap)
    for colour, number, name in parts:
        if colour is None:
            won = None if name is phrases.NOT_FINISHED else False
            draw_mark(canvas, won, x + cap // 2, y - cap // 2, cap // 2)
        else:
            canvas.put(meter(cap, cap, ((0, cap, colour),)), x, y - cap)
        x += cap + space
        x += _write(canvas, x, y, name, cap) + space
        x += _write(canvas, x, y, f"{number:,}", cap, TEXT) + 2 * space


def _legend_space(texts: Sequence[str], cap: int) -> int:
    """Return the space between a mark, its word and its number in the legend. `texts` are the words and numbers."""
    taken = sum(text_width(text, cap) for text in texts) + len(texts) // 2 * cap
    return min(_MAX_SPACE, (WIDTH - 2 * _INSET - taken) // (2 * len(texts)))


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)
