"""The podium of a season: its first three people on steps, and the superlatives. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.ids import PersonId
from bot.model.seasons import Awarded, Podium
from bot.model.standings import Ranked
from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Canvas, Picture
from cardart.drawing.lettering import fitted_text, shown_name
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal, name_crest
from cardart.parts.celebration import crown, draw_confetti, draw_golden_rail, rays
from cardart.parts.portraits import NO_AVATARS, Avatar, draw_person
from cardart.text import alt_text, phrases
from cardart.text import podium as podium_text

_TITLE_CAP: Final = 34
_TITLE_BASELINE: Final = MARGIN + 54
_CATEGORY_BASELINE: Final = _TITLE_BASELINE + 34
_HEADS_TOP: Final = _CATEGORY_BASELINE + 8
"""Top of the space above the steps, for faces and confetti."""
_COLUMN_WIDTH: Final = 246
_FACE_SIDES: Final = (136, 112, 112)
"""Diameters of the faces, by place."""
_RINGS: Final = (GOLD, TEXT, MEDAL_COLOURS[2])
"""Colours of the rings around the faces, by place."""
_RAYS_DIAMETER: Final = 226
_CROWN_WIDTH: Final = 84
_CROWN_OVERLAP: Final = 16
"""Height by which the crown overlaps the winner's face."""
_FACE_GAP: Final = 10
"""Distance from a face to the front of its step. The face stands on the top of the step."""
_FIRST_STEP_TOP: Final = _HEADS_TOP + _CROWN_WIDTH * 7 // 10 - _CROWN_OVERLAP + _FACE_SIDES[0] + _FACE_GAP
_STEP_HEIGHTS: Final = (238, 208, 184)
"""Heights of the fronts of the steps, by place."""
_STEP_DEPTH: Final = 20
"""Height of the visible top of a step."""
_STEP_SLANT: Final = 16
"""Distance by which the top of a step is narrower at the back, on each side."""
_STEP_EDGE: Final = 5
"""Thickness of the edge of a step, in the colour of its medal."""
_MEDAL_TOP: Final = 16
"""Distance from the top of a step's front to its medal."""
_NAME_BASELINE: Final = _MEDAL_TOP + MEDAL_SIZE + 40
_NAME_CAP: Final = 27
_MIN_NAME_CAP: Final = 19
"""Minimum cap height of names. A name that is too wide even at this height is cut off."""
_WON_BASELINE: Final = _NAME_BASELINE + 40
_WON_CAP: Final = 27
_LOST_BASELINE: Final = _WON_BASELINE + 29
_MIN_LOST_CAP: Final = 15
"""Minimum cap height of the number of losses."""
_CONFETTI_DENSITY: Final = 110
"""Pieces of confetti per 100,000 pixels."""

_GAP: Final = 14
_SUPERLATIVE_HEIGHT: Final = 124
_SUPERLATIVE_BASELINES: Final = (36, 73, 105)
"""Baselines in the panel of a superlative: its title, its value, and the person's name."""
_SUPERLATIVE_FACE: Final = 60
_SUPERLATIVE_INSET: Final = 14
_VALUE_CAP: Final = 24
_SUPERLATIVE_CAPS: Final = (LABEL_CAP, 14)
"""Largest and smallest cap height of the title of a superlative and of the person's name."""


def draw_podium(
    name: str,
    category: str,
    podium: Podium,
    superlatives: Sequence[Awarded],
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw the first three people on steps below the names of a season and a category, and up to three superlatives.

    People with equal results stand equally high. Further people, and names that the font cannot write, appear only in
    the text below the picture. `avatars` may have some or all of the people.
    """
    rows = podium.rows[:3]
    steps_bottom = _FIRST_STEP_TOP + _STEP_HEIGHTS[0]
    height = steps_bottom + (_GAP + _SUPERLATIVE_HEIGHT if superlatives else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    draw_golden_rail(canvas, (WIDTH, height))
    canvas.text(WIDTH // 2, _TITLE_BASELINE, name, _TITLE_CAP, align="centre")
    canvas.text(WIDTH // 2, _CATEGORY_BASELINE, category, LABEL_CAP, ink=MIST, align="centre")
    # The second person stands to the left of the first, and the third to the right.
    columns = (rows[1], rows[0], rows[2]) if len(rows) > 2 else rows
    left = (WIDTH - len(columns) * _COLUMN_WIDTH) // 2
    lefts = [left + position * _COLUMN_WIDTH for position in range(len(columns))]
    for row, left in zip(columns, lefts, strict=True):
        if row.place == 1:
            _draw_rays(canvas, left)
    _draw_confetti(canvas, columns, lefts)
    for row, left in zip(columns, lefts, strict=True):
        _draw_step(canvas, row, left, steps_bottom)
        _draw_winner(canvas, row, left, avatars)
    panel_width = (WIDTH - 2 * MARGIN - (len(superlatives) - 1) * _GAP) // max(1, len(superlatives))
    for position, awarded in enumerate(superlatives):
        left, avatar = MARGIN + position * (panel_width + _GAP), avatars.get(awarded.person_id)
        _draw_superlative(canvas, awarded, avatar, left, steps_bottom + _GAP, panel_width)
    return canvas.picture(alt_text.podium(name, category, podium, superlatives))


def _step_top(place: int) -> int:
    """Return the y coordinate of the top of the front of a step."""
    return _FIRST_STEP_TOP + _STEP_HEIGHTS[0] - _STEP_HEIGHTS[place - 1]


def _face_top(place: int) -> int:
    return _step_top(place) - _FACE_GAP - _FACE_SIDES[place - 1]


def _draw_rays(canvas: Canvas, left: int) -> None:
    """Draw rays behind the face of a first place, whose step begins at `left`."""
    sprite = rays(_RAYS_DIAMETER)
    middle = _face_top(1) + _FACE_SIDES[0] // 2
    canvas.put(sprite, left + (_COLUMN_WIDTH - sprite.width) // 2, middle - sprite.height // 2)


def _draw_confetti(canvas: Canvas, columns: Sequence[Ranked], lefts: Sequence[int]) -> None:
    """Draw confetti around the faces, and at the sides if there are fewer than three people."""
    inside, right = RAIL_WIDTH + 2, lefts[-1] + _COLUMN_WIDTH
    for start, end in ((inside, lefts[0]), (right, WIDTH - inside)):
        if end - start > _COLUMN_WIDTH // 2:
            height = _step_top(3) - _HEADS_TOP
            box = (start, _HEADS_TOP, end - start, height)
            draw_confetti(canvas, box, [(0, end - start)], _CONFETTI_DENSITY, seed=start)
    for row, left in zip(columns, lefts, strict=True):
        height = _step_top(row.place) - _STEP_DEPTH - _HEADS_TOP
        box = (left, _HEADS_TOP, _COLUMN_WIDTH, height)
        draw_confetti(canvas, box, [(0, _COLUMN_WIDTH)], _CONFETTI_DENSITY, seed=left)


def _draw_step(canvas: Canvas, row: Ranked, left: int, bottom: int) -> None:
    """Draw a step: its top, the edge in the colour of its medal, and its front with medal and results."""
    top, right, middle, standing = (
        _step_top(row.place),
        left + _COLUMN_WIDTH,
        left + _COLUMN_WIDTH // 2,
        row.standing,
    )
    canvas.put(_step_surface(), left, top - _STEP_DEPTH)
    canvas.fill((left, top, right, bottom), EDGE)
    canvas.fill((left + 2, top, right - 2, bottom), RECESS)
    canvas.fill((left, top, right, top + _STEP_EDGE), MEDAL_COLOURS[row.place - 1])
    canvas.put(medal(row.place), middle - MEDAL_SIZE // 2, top + _MEDAL_TOP)
    name = shown_name(standing.name, standing.username, phrases.UNNAMED)
    name, cap = fitted_text(name, _NAME_CAP, _MIN_NAME_CAP, _COLUMN_WIDTH - 24)
    canvas.text(middle, top + _NAME_BASELINE, name, cap, background=RECESS, align="centre")
    won, won_cap = fitted_text(podium_text.short_won(standing), _WON_CAP, _MIN_NAME_CAP, _COLUMN_WIDTH - 24)
    canvas.text(middle, top + _WON_BASELINE, won, won_cap, ink=GOLD, background=RECESS, align="centre")
    lost, lost_cap = fitted_text(podium_text.not_won(standing), LABEL_CAP, _MIN_LOST_CAP, _COLUMN_WIDTH - 24)
    canvas.text(middle, top + _LOST_BASELINE, lost, lost_cap, ink=MIST, background=RECESS, align="centre")


@cache
def _step_surface() -> Sprite:
    """Return the top of a step, which is narrower at the back."""
    path = f"M {_STEP_SLANT} 0 L {_COLUMN_WIDTH - _STEP_SLANT} 0 L {_COLUMN_WIDTH} {_STEP_DEPTH} L 0 {_STEP_DEPTH} Z"
    coverage = path_mask((_COLUMN_WIDTH, _STEP_DEPTH), 1, [path])
    return cut_out(inked(coverage, SEAM, FELT), coverage)


def _draw_winner(canvas: Canvas, row: Ranked, left: int, avatars: Mapping[PersonId, Avatar]) -> None:
    """Draw a person on their step, with a crown in the first place."""
    side, top, middle = _FACE_SIDES[row.place - 1], _face_top(row.place), left + _COLUMN_WIDTH // 2
    shield = name_crest(row.standing.name, side)
    draw_person(canvas, avatars.get(row.standing.person_id), shield, middle - side // 2, top, _RINGS[row.place - 1])
    if row.place == 1:
        sign = crown(_CROWN_WIDTH)
        canvas.put(sign, middle - sign.width // 2, top - sign.height + _CROWN_OVERLAP)


def _draw_superlative(canvas: Canvas, awarded: Awarded, avatar: Avatar | None, left: int, top: int, width: int) -> None:
    """Draw the panel of a superlative: the person's face, the title, the value and the person's name."""
    canvas.panel((left, top, left + width, top + _SUPERLATIVE_HEIGHT))
    face_top = top + (_SUPERLATIVE_HEIGHT - _SUPERLATIVE_FACE) // 2
    draw_person(canvas, avatar, name_crest(awarded.name, _SUPERLATIVE_FACE), left + _SUPERLATIVE_INSET, face_top)
    x = left + 2 * _SUPERLATIVE_INSET + _SUPERLATIVE_FACE
    name = shown_name(awarded.name, awarded.username, phrases.UNNAMED)
    lines = (
        (podium_text.SUPERLATIVE_TITLES[awarded.award], _SUPERLATIVE_CAPS, MIST),
        (podium_text.superlative_value(awarded), (_VALUE_CAP, _SUPERLATIVE_CAPS[1]), GOLD),
        (name, _SUPERLATIVE_CAPS, TEXT),
    )
    for (text, (cap, min_cap), ink), baseline in zip(lines, _SUPERLATIVE_BASELINES, strict=True):
        text, cap = fitted_text(text, cap, min_cap, left + width - x - 10)
        canvas.text(x, top + baseline, text, cap, ink=ink, background=RECESS)
