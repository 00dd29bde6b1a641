"""The podium of a season: its first three people on steps, and the superlatives. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.seasons import Awarded, Podium
from bot.model.standings import Ranked
from cardart.drawing.canvas import LABEL_CAP, MARGIN, PANEL, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import can_write, fitted_text
from cardart.drawing.palette import FELT, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.badges import MEDAL_SIZE, medal, name_crest
from cardart.text import alt_text, phrases
from cardart.text import podium as podium_text

_TITLE_CAP: Final = 28
_TITLE_BASELINE: Final = MARGIN + 48
"""Baseline of the title."""
_FIRST_CREST_TOP: Final = MARGIN + 76
"""Top of the first place's shield, which is the highest."""
_GAP: Final = 12
_COLUMN_WIDTH: Final = (WIDTH - 2 * MARGIN - 2 * _GAP) // 3
_MAX_NAME_WIDTH: Final = _COLUMN_WIDTH - 20
"""Maximum width of a name."""
_CREST_SIZE: Final = 68
_NAME_CAP: Final = 26
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names. A name that is too wide even at this height is cut off."""
_HEAD_HEIGHT: Final = _CREST_SIZE + 52
"""Height of the shield and the name above a step."""
_STEP_HEIGHTS: Final = (232, 196, 162)
"""Heights of the steps, by place."""
_MEDAL_TOP: Final = 16
"""Distance from the top of a step to its medal."""
_NUMBER_CAP: Final = 28
_NUMBER_BASELINE: Final = _MEDAL_TOP + MEDAL_SIZE + 42
_LABEL_BASELINE: Final = _NUMBER_BASELINE + 28
_SUPERLATIVE_HEIGHT: Final = 134
_SUPERLATIVE_BASELINES: Final = (36, 78, 114)
"""Baselines in the panel of a superlative: its title, its value, and the person's name."""
_VALUE_CAP: Final = 26
_SUPERLATIVE_NAME_CAP: Final = 22
_FIRST_PLACE_STYLE: Final = PanelStyle(RECESS, GOLD, 3)


def draw_podium(
    name: str,
    category: str,
    podium: Podium,
    superlatives: Sequence[Awarded],
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw the first three people on steps below the names of a season and a category, and up to three superlatives.

    People with equal results stand equally high. Further people, and names that the font cannot write,
    appear only in the text below the picture.
    """
    steps_bottom = _FIRST_CREST_TOP + _HEAD_HEIGHT + _STEP_HEIGHTS[0]
    height = steps_bottom + (_GAP + _SUPERLATIVE_HEIGHT if superlatives else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    canvas.text(MARGIN + 12, _TITLE_BASELINE, name, _TITLE_CAP)
    canvas.text(WIDTH - MARGIN - 12, _TITLE_BASELINE, category, LABEL_CAP, ink=MIST, align="right")
    rows = podium.rows[:3]
    # The second person stands to the left of the first, and the third to the right.
    columns = (rows[1], rows[0], rows[2]) if len(rows) > 2 else rows
    left = (WIDTH - len(columns) * _COLUMN_WIDTH - (len(columns) - 1) * _GAP) // 2
    for position, row in enumerate(columns):
        _draw_step(canvas, row, left + position * (_COLUMN_WIDTH + _GAP), steps_bottom)
    panel_width = (WIDTH - 2 * MARGIN - (len(superlatives) - 1) * _GAP) // max(1, len(superlatives))
    for position, awarded in enumerate(superlatives):
        _draw_superlative(canvas, awarded, MARGIN + position * (panel_width + _GAP), steps_bottom + _GAP, panel_width)
    return canvas.picture(alt_text.podium(name, category, podium, superlatives))


def _draw_step(canvas: Canvas, row: Ranked, left: int, steps_bottom: int) -> None:
    top, middle, standing = steps_bottom - _STEP_HEIGHTS[row.place - 1], left + _COLUMN_WIDTH // 2, row.standing
    canvas.panel((left, top, left + _COLUMN_WIDTH, steps_bottom), _FIRST_PLACE_STYLE if row.place == 1 else PANEL)
    canvas.put(name_crest(standing.name, _CREST_SIZE), middle - _CREST_SIZE // 2, top - _HEAD_HEIGHT)
    _write_name(canvas, standing.name, middle, top - 18, _NAME_CAP, _MAX_NAME_WIDTH, FELT)
    canvas.put(medal(row.place), middle - MEDAL_SIZE // 2, top + _MEDAL_TOP)
    canvas.text(middle, top + _NUMBER_BASELINE, f"{standing.won:,}", _NUMBER_CAP, background=RECESS, align="centre")
    canvas.text(
        middle,
        top + _LABEL_BASELINE,
        podium_text.label(standing),
        LABEL_CAP,
        ink=MIST,
        background=RECESS,
        align="centre",
    )


def _draw_superlative(canvas: Canvas, awarded: Awarded, left: int, top: int, width: int) -> None:
    canvas.panel((left, top, left + width, top + _SUPERLATIVE_HEIGHT))
    middle, (title_baseline, value_baseline, name_baseline) = (
        left + width // 2,
        (top + line for line in _SUPERLATIVE_BASELINES),
    )
    canvas.text(
        middle,
        title_baseline,
        podium_text.SUPERLATIVE_TITLES[awarded.award],
        LABEL_CAP,
        ink=MIST,
        background=RECESS,
        align="centre",
    )
    canvas.text(
        middle,
        value_baseline,
        podium_text.superlative_value(awarded),
        _VALUE_CAP,
        ink=GOLD,
        background=RECESS,
        align="centre",
    )
    _write_name(canvas, awarded.name, middle, name_baseline, _SUPERLATIVE_NAME_CAP, width - 28, RECESS)


def _write_name(
    canvas: Canvas, name: str, middle: int, baseline: int, cap: int, max_width: int, background: Colour
) -> None:
    if can_write(name):
        name, cap = fitted_text(name, cap, _MIN_NAME_CAP, max_width)
        canvas.text(middle, baseline, name, cap, ink=TEXT, background=background, align="centre")
    else:
        canvas.text(middle, baseline, phrases.SEE_BELOW, LABEL_CAP, ink=MIST, background=background, align="centre")
