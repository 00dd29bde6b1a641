"""The podium of a season: its first three people on steps, and the superlatives. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.seasons import Awarded, Podium
from bot.values.standings import Order, Ranked
from cardart.drawing.canvas import CAP, MARGIN, PANEL, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import can_write, fitted
from cardart.drawing.palette import FELT, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.badges import MEDAL, crest_of, medal
from cardart.text import alt_text, phrases
from cardart.text import podium as words

_TITLE: Final = 28
_TITLE_LINE: Final = MARGIN + 48
"""Baseline of the title."""
_TOP: Final = MARGIN + 76
"""Top of the highest shield."""
_GAP: Final = 12
_COLUMN: Final = (WIDTH - 2 * MARGIN - 2 * _GAP) // 3
_ROOM: Final = _COLUMN - 20
"""Maximum width of a name."""
_CREST: Final = 68
_NAME: Final = 26
_LEAST: Final = 20
"""Minimum cap height of names. Longer names are cut off."""
_HEAD: Final = _CREST + 52
"""Height of the shield and the name above a step."""
_STEPS: Final = (232, 196, 162)
"""Heights of the steps, by place."""
_MEDAL: Final = 16
"""Distance from the top of a step to its medal."""
_NUMBER: Final = 28
_NUMBER_LINE: Final = _MEDAL + MEDAL + 42
_LABEL_LINE: Final = _NUMBER_LINE + 28
_MOST: Final = 134
_MOST_LINES: Final = (36, 78, 114)
"""Baselines in the panel of a superlative: its title, its value, and the person's name."""
_VALUE: Final = 26
_WHO: Final = 22
_FIRST: Final = PanelStyle(RECESS, GOLD, 3)


def draw_podium(
    name: str,
    category: str,
    podium: Podium,
    superlatives: Sequence[Awarded],
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw the first three people on steps below the names of a season and a category, and up to three superlatives.

    People with equal results stand equally high. Only the text below the picture has more than three people, and names
    that the font cannot write.
    """
    ground = _TOP + _HEAD + _STEPS[0]
    height = ground + (_GAP + _MOST if superlatives else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    canvas.text(MARGIN + 12, _TITLE_LINE, name, _TITLE)
    canvas.text(WIDTH - MARGIN - 12, _TITLE_LINE, category, CAP, ink=MIST, align="right")
    rows = podium.rows[:3]
    # The second stands to the left of the first, the third to the right.
    columns = (rows[1], rows[0], rows[2]) if len(rows) > 2 else rows
    left = (WIDTH - len(columns) * _COLUMN - (len(columns) - 1) * _GAP) // 2
    for number, row in enumerate(columns):
        _draw_step(canvas, row, podium.order, left + number * (_COLUMN + _GAP), ground)
    wide = (WIDTH - 2 * MARGIN - (len(superlatives) - 1) * _GAP) // max(1, len(superlatives))
    for number, one in enumerate(superlatives):
        _draw_most(canvas, one, MARGIN + number * (wide + _GAP), ground + _GAP, wide)
    return canvas.picture(alt_text.podium(name, category, podium, superlatives))


def _draw_step(canvas: Canvas, row: Ranked, order: Order, left: int, ground: int) -> None:
    top, middle, standing = ground - _STEPS[row.place - 1], left + _COLUMN // 2, row.standing
    canvas.panel((left, top, left + _COLUMN, ground), _FIRST if row.place == 1 else PANEL)
    canvas.put(crest_of(standing.name, _CREST), middle - _CREST // 2, top - _HEAD)
    _write_name(canvas, standing.name, middle, top - 18, _NAME, _ROOM, FELT)
    canvas.put(medal(row.place), middle - MEDAL // 2, top + _MEDAL)
    number = words.number(standing, order)
    canvas.text(middle, top + _NUMBER_LINE, number, _NUMBER, ground=RECESS, align="centre")
    canvas.text(middle, top + _LABEL_LINE, words.label(standing, order), CAP, ink=MIST, ground=RECESS, align="centre")


def _draw_most(canvas: Canvas, one: Awarded, left: int, top: int, wide: int) -> None:
    canvas.panel((left, top, left + wide, top + _MOST))
    middle, (what, how_much, who) = left + wide // 2, (top + line for line in _MOST_LINES)
    canvas.text(middle, what, words.SUPERLATIVES[one.award], CAP, ink=MIST, ground=RECESS, align="centre")
    canvas.text(middle, how_much, words.most(one), _VALUE, ink=GOLD, ground=RECESS, align="centre")
    _write_name(canvas, one.name, middle, who, _WHO, wide - 28, RECESS)


def _write_name(canvas: Canvas, name: str, middle: int, line: int, cap: int, room: int, ground: Colour) -> None:
    if can_write(name):
        name, cap = fitted(name, cap, _LEAST, room)
        canvas.text(middle, line, name, cap, ink=TEXT, ground=ground, align="centre")
    else:
        canvas.text(middle, line, phrases.SEE_BELOW, CAP, ink=MIST, ground=ground, align="centre")
