"""Up to three people on the steps of a podium, in confetti below a title. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Box, Canvas
from cardart.drawing.lettering import common_cap, fitted_text, text_width
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal, name_crest
from cardart.parts.celebration import crown, draw_confetti, rays
from cardart.parts.portraits import Avatar, draw_person

_TITLE_CAP: Final = 34
_TITLE_BASELINE: Final = MARGIN + 48
_SUBTITLE_BASELINE: Final = _TITLE_BASELINE + 32
_TITLE_MARGIN: Final = 24
"""Space around the title without confetti."""
_HEADS_TOP: Final = _SUBTITLE_BASELINE + 22
"""Top of the winner's crown."""
_COLUMN_WIDTH: Final = 246
_TEXT_WIDTH: Final = _COLUMN_WIDTH - 28
"""Maximum width of the texts on a step."""
_FACE_SIDES: Final = (136, 112, 112)
"""Diameters of the faces, by place."""
_RINGS: Final = (GOLD, TEXT, MEDAL_COLOURS[2])
"""Colours of the rings around the faces, by place."""
_RAYS_DIAMETER: Final = 236
_CROWN_WIDTH: Final = 84
_CROWN_OVERLAP: Final = 16
"""Height by which the crown overlaps the winner's face."""
_FACE_GAP: Final = 10
"""Distance from a face to the front of its step. The face stands on the top of the step."""
_FIRST_STEP_TOP: Final = _HEADS_TOP + _CROWN_WIDTH * 7 // 10 - _CROWN_OVERLAP + _FACE_SIDES[0] + _FACE_GAP
_STEP_HEIGHTS: Final = (264, 214, 164)
"""Heights of the fronts of the steps, by place."""
_STEPS_BOTTOM: Final = _FIRST_STEP_TOP + _STEP_HEIGHTS[0]
_STEP_DEPTH: Final = 20
"""Height of the visible top of a step."""
_STEP_SLANT: Final = 16
"""Distance by which the top of a step is narrower at the back, on each side."""
_STEP_EDGE: Final = 5
"""Thickness of the edge of a step, in the colour of its medal."""
_BASE_HEIGHT: Final = 12
_BASE_OVERHANG: Final = 11
"""Height of the base below the steps, and the distance by which it is wider on each side."""
PODIUM_BOTTOM: Final = _STEPS_BOTTOM + _BASE_HEIGHT
"""Bottom of the base below the steps."""
_MEDAL_TOP: Final = -10
"""Distance from the top of a step's front to its medal, which overlaps the face."""
_NAME_BASELINE: Final = _MEDAL_TOP + MEDAL_SIZE + 40
_NAME_CAP: Final = 27
_MIN_NAME_CAP: Final = 20
"""Minimum cap height of names and results. A name that is too wide even at this height is cut off."""
_RESULT_BASELINE: Final = _NAME_BASELINE + 40
_RESULT_CAP: Final = 27
_NOTE_BASELINE: Final = _RESULT_BASELINE + 30
_MIN_NOTE_CAP: Final = 15
_CONFETTI_PIECES: Final = 210


@dataclass(frozen=True, slots=True)
class Winner:
    """A person on a step: their place, their name as the font can write it, their result, and a note below it."""

    place: int
    name: str
    result: str
    note: str
    avatar: Avatar | None


def draw_winners(canvas: Canvas, title: str, subtitle: str, winners: Sequence[Winner]) -> None:
    """Draw up to three people, the first place first, at the top of a picture. People in the same place are level."""
    # The second person stands to the left of the first, and the third to the right.
    columns = (winners[1], winners[0], winners[2]) if len(winners) > 2 else winners
    left = (WIDTH - len(columns) * _COLUMN_WIDTH) // 2
    lefts = [left + position * _COLUMN_WIDTH for position in range(len(columns))]
    title_width = max(text_width(title, _TITLE_CAP), text_width(subtitle, LABEL_CAP)) + 2 * _TITLE_MARGIN
    _draw_confetti(canvas, columns, lefts, title_width)
    canvas.text(WIDTH // 2, _TITLE_BASELINE, title, _TITLE_CAP, align="centre")
    canvas.text(WIDTH // 2, _SUBTITLE_BASELINE, subtitle, LABEL_CAP, ink=MIST, align="centre")
    caps = _StepCaps.of(winners)
    places = (None, *(winner.place for winner in columns), None)
    for position, (winner, left) in enumerate(zip(columns, lefts, strict=True)):
        if winner.place == 1:
            _draw_rays(canvas, left)
        _draw_step(canvas, winner.place, left, (places[position], places[position + 2]))
        _draw_winner(canvas, winner, left)
        _draw_result(canvas, winner, left + _COLUMN_WIDTH // 2, caps)
    _draw_base(canvas, lefts[0] - _BASE_OVERHANG, lefts[-1] + _COLUMN_WIDTH + _BASE_OVERHANG)


@dataclass(frozen=True, slots=True)
class _StepCaps:
    """The cap heights of names, results and notes, which are the same on all steps."""

    name: int
    result: int
    note: int

    @staticmethod
    def of(winners: Sequence[Winner]) -> _StepCaps:
        """Return the cap heights for these people."""
        return _StepCaps(
            common_cap((winner.name for winner in winners), _NAME_CAP, _MIN_NAME_CAP, _TEXT_WIDTH),
            common_cap((winner.result for winner in winners), _RESULT_CAP, _MIN_NAME_CAP, _TEXT_WIDTH),
            common_cap((winner.note for winner in winners), LABEL_CAP, _MIN_NOTE_CAP, _TEXT_WIDTH),
        )


def _step_top(place: int) -> int:
    """Return the y coordinate of the top of the front of a step."""
    return _STEPS_BOTTOM - _STEP_HEIGHTS[place - 1]


def _face_top(place: int) -> int:
    return _step_top(place) - _FACE_GAP - _FACE_SIDES[place - 1]


def _rays_box(left: int) -> Box:
    """Return the box of the rays behind the face of a first place, whose step begins at `left`.

    The rays end above the top of the step.
    """
    x, y = left + (_COLUMN_WIDTH - _RAYS_DIAMETER) // 2, _face_top(1) + (_FACE_SIDES[0] - _RAYS_DIAMETER) // 2
    return x, y, x + _RAYS_DIAMETER, _step_top(1) - _STEP_DEPTH


def _draw_rays(canvas: Canvas, left: int) -> None:
    x, top, _, bottom = _rays_box(left)
    canvas.put(rays(_RAYS_DIAMETER, bottom - top), x, top)


def _draw_confetti(canvas: Canvas, columns: Sequence[Winner], lefts: Sequence[int], title_width: int) -> None:
    """Draw confetti behind the people, over the full width but for the title and the faces."""
    inside, half = RAIL_WIDTH + 2, title_width // 2
    clear: list[Box] = [(WIDTH // 2 - half, 0, WIDTH // 2 + half, _SUBTITLE_BASELINE + _TITLE_MARGIN // 2)]
    for winner, left in zip(columns, lefts, strict=True):
        clear += [_rays_box(left)] if winner.place == 1 else []
    bottom = max(_step_top(winner.place) for winner in columns) - _STEP_DEPTH
    draw_confetti(canvas, (inside, inside, WIDTH - inside, bottom), clear, _CONFETTI_PIECES)


def _draw_step(canvas: Canvas, place: int, left: int, beside: tuple[int | None, int | None]) -> None:
    """Draw a step: its top, the edge in the colour of its medal, and its front.

    `beside` are the places of the steps on the left and on the right, or None.
    """
    top, right = _step_top(place), left + _COLUMN_WIDTH
    slants = [_STEP_SLANT if other is None or other > place else 0 for other in beside]
    canvas.put(_step_surface(*slants), left, top - _STEP_DEPTH)
    canvas.fill((left, top, right, _STEPS_BOTTOM), EDGE)
    canvas.fill((left + 2, top, right - 2, _STEPS_BOTTOM), RECESS)
    canvas.fill((left, top, right, top + _STEP_EDGE), MEDAL_COLOURS[place - 1])


def _draw_base(canvas: Canvas, left: int, right: int) -> None:
    """Draw the base that all steps stand on."""
    canvas.fill((left, _STEPS_BOTTOM, right, PODIUM_BOTTOM), EDGE)
    canvas.fill((left + 2, _STEPS_BOTTOM + 2, right - 2, PODIUM_BOTTOM - 2), SEAM)


def _draw_result(canvas: Canvas, winner: Winner, middle: int, caps: _StepCaps) -> None:
    """Draw the medal, the name and the result of a person on the front of their step."""
    top = _step_top(winner.place)
    canvas.put(medal(winner.place), middle - MEDAL_SIZE // 2, top + _MEDAL_TOP)
    for text, cap, ink, line in (
        (winner.name, caps.name, TEXT, _NAME_BASELINE),
        (winner.result, caps.result, GOLD, _RESULT_BASELINE),
        (winner.note, caps.note, MIST, _NOTE_BASELINE),
    ):
        text, cap = fitted_text(text, cap, cap, _TEXT_WIDTH)
        canvas.text(middle, top + line, text, cap, ink=ink, background=RECESS, align="centre")


@cache
def _step_surface(left_slant: int, right_slant: int) -> Sprite:
    """Return the top of a step, which is narrower at the back, but not at a side where a step is at least as high."""
    path = f"M {left_slant} 0 L {_COLUMN_WIDTH - right_slant} 0 L {_COLUMN_WIDTH} {_STEP_DEPTH} L 0 {_STEP_DEPTH} Z"
    coverage = path_mask((_COLUMN_WIDTH, _STEP_DEPTH), 1, [path])
    return cut_out(inked(coverage, SEAM, FELT), coverage)


def _draw_winner(canvas: Canvas, winner: Winner, left: int) -> None:
    """Draw a person on their step, with a crown in the first place."""
    side, top, middle = _FACE_SIDES[winner.place - 1], _face_top(winner.place), left + _COLUMN_WIDTH // 2
    ring = _RINGS[winner.place - 1]
    draw_person(canvas, winner.avatar, name_crest(winner.name, side, ring), middle - side // 2, top, ring)
    if winner.place == 1:
        sign = crown(_CROWN_WIDTH)
        canvas.put(sign, middle - sign.width // 2, top - sign.height + _CROWN_OVERLAP)
