"""Two or three people on the steps of a podium. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Box, Canvas
from cardart.drawing.lettering import common_cap, fitted_text, wrapped_text
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import BLACK, EDGE, FELT, GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import path_mask
from cardart.parts.badges import MEDAL_COLOURS, MEDAL_SIZE, medal
from cardart.parts.celebration import rays
from cardart.parts.winner import CROWN_HEIGHT, FACE_SIDES, Winner, draw_face, face_box

_COLUMN_WIDTHS: Final = {2: 340, 3: 246}
"""Widths of the steps, by their number."""
_TEXT_INSET: Final = 10
"""Minimum space beside the texts on a step."""
_RAYS_LENGTH: Final = 174
"""Length of the rays behind a face, from the top of its step."""
_RAYS_INSET: Final = 28
"""Minimum distance from the margin to the rays, which end in a curve and are not cut off by the rail."""
_FACE_GAP: Final = 10
"""Distance from a face to the front of its step. The face stands on the top of the step."""
_STEP_HEIGHTS: Final = (304, 272, 244)
"""Heights of the fronts of the steps, by place."""
_STEP_DEPTH: Final = 20
"""Height of the visible top of a step."""
_STEP_SLANT: Final = 16
"""Distance by which the top of a step is narrower at the back, on each side."""
_STEP_EDGE: Final = 5
_STEP_LINE: Final = 2
"""Thickness of the edge of a step, in the colour of its medal, and of the dark line above it (`_STEP_LINE`)."""
_BASE_HEIGHT: Final = 12
_BASE_OVERHANG: Final = 11
"""Height of the base below the steps, and the distance by which it is wider on each side."""
_MEDAL_TOP: Final = -10
"""Distance from the top of a step's front to its medal, which overlaps the face."""
_TEXTS_TOP: Final = _MEDAL_TOP + MEDAL_SIZE
"""Distance from the top of a step's front to the space for its texts, which end at the base."""
_NAME_CAP: Final = 28
_MIN_NAME_CAP: Final = 24
"""Minimum cap height of names. A name that is too wide even at this height has two lines, and then is cut off."""
_NAME_LEADING: Final = 9
"""Space between the two lines of a name."""
_RESULT_CAP: Final = 46
_MIN_RESULT_CAP: Final = 20
_MIN_NOTE_CAP: Final = 15
_UNIT_LEADING: Final = 15
"""Space between a result and its unit below."""
_MAX_SPACE: Final = 22
"""Maximum distance from a note to the base."""


@dataclass(frozen=True, slots=True)
class WinnerSteps:
    """Two or three people, the first place first. People in the same place stand equally high.

    `top` is the top of the crowns or, unless the first place `is_honoured`, of the highest face.
    """

    winners: Sequence[Winner]
    top: int
    is_honoured: bool

    @property
    def bottom(self) -> int:
        """The bottom of the base below the steps."""
        return self._base_top + _BASE_HEIGHT

    @property
    def confetti_bottom(self) -> int:
        """The lowest edge of confetti, which falls only beside the title: further down, it would favour a side."""
        return self.top

    @property
    def taken(self) -> list[Box]:
        """The boxes that rays, faces with crowns, and steps take."""
        boxes = [self._rays_box] if self._has_rays else []
        for winner, left in self._columns:
            middle, top = left + self._width // 2, self._face_top(winner.place)
            boxes.append(face_box(winner, middle, top, is_honoured=self._is_honoured(winner)))
            boxes.append((left, self._step_top(winner.place) - _STEP_DEPTH, left + self._width, self._base_top))
        return boxes

    @property
    def _width(self) -> int:
        return _COLUMN_WIDTHS[len(self.winners)]

    @property
    def _columns(self) -> list[tuple[Winner, int]]:
        """The people and the left edges of their steps, from left to right."""
        # The second person stands to the left of the first, and the third to the right.
        columns = (self.winners[1], self.winners[0], *self.winners[2:]) if len(self.winners) > 2 else self.winners
        left = (WIDTH - len(columns) * self._width) // 2
        return [(winner, left + position * self._width) for position, winner in enumerate(columns)]

    @property
    def _has_rays(self) -> bool:
        """True if there are rays behind the first place. Between several people, they would honour nobody."""
        return self.is_honoured and sum(winner.place == 1 for winner in self.winners) == 1

    @property
    def _rays_box(self) -> Box:
        """The box of the rays, which rise from the top of the step of the first place."""
        (middle,) = (left + self._width // 2 for winner, left in self._columns if winner.place == 1)
        bottom = self._step_top(1) - _STEP_DEPTH
        half_width = min(_RAYS_LENGTH, min(middle, WIDTH - middle) - MARGIN - _RAYS_INSET)
        return middle - half_width, bottom - _RAYS_LENGTH, middle + half_width, bottom

    @property
    def _base_top(self) -> int:
        return self.top + CROWN_HEIGHT * self.is_honoured + FACE_SIDES[0] + _FACE_GAP + _STEP_HEIGHTS[0]

    def _step_top(self, place: int) -> int:
        """Return the y coordinate of the top of the front of a step."""
        return self._base_top - _STEP_HEIGHTS[place - 1]

    def _face_top(self, place: int) -> int:
        return self._step_top(place) - _FACE_GAP - FACE_SIDES[place - 1]

    def _is_honoured(self, winner: Winner) -> bool:
        return self.is_honoured and winner.place == 1

    def _colour(self, place: int) -> Colour:
        """Return the colour of the medal, the ring and the edge of a place: its metal, if anybody is honoured."""
        return MEDAL_COLOURS[place - 1] if self.is_honoured else MIST

    def draw(self, canvas: Canvas) -> None:
        """Draw the people on their steps."""
        columns = self._columns
        if self._has_rays:
            left, top, right, bottom = self._rays_box
            canvas.put(rays(right - left, bottom - top), left, top)
        texts = _StepTexts.of(self.winners, self._width - 2 * _TEXT_INSET)
        places = (None, *(winner.place for winner, _ in columns), None)
        for position, (winner, left) in enumerate(columns):
            place, middle, is_honoured = winner.place, left + self._width // 2, self._is_honoured(winner)
            colour = self._colour(place)
            self._draw_step(canvas, place, left, (places[position], places[position + 2]))
            draw_face(canvas, winner, middle, self._face_top(place), colour, is_honoured=is_honoured)
            canvas.put(medal(place, colour=colour), middle - MEDAL_SIZE // 2, self._step_top(place) + _MEDAL_TOP)
            texts.write(canvas, winner, middle, self._step_top(place), GOLD if is_honoured else TEXT)
        self._draw_base(canvas)

    def _draw_step(self, canvas: Canvas, place: int, left: int, beside: tuple[int | None, int | None]) -> None:
        """Draw a step: its top, the edge in the colour of its medal, and its front.

        `beside` are the places of the steps on the left and on the right, or None.
        """
        top, right, bottom = self._step_top(place), left + self._width, self._base_top
        slants = [_STEP_SLANT if other is None or other > place else 0 for other in beside]
        canvas.put(_step_surface(self._width, *slants), left, top - _STEP_DEPTH)
        canvas.fill((left, top, right, bottom), EDGE)
        canvas.fill((left + 2, top, right - 2, bottom), RECESS)
        canvas.fill((left, top - _STEP_LINE, right, top), BLACK)
        canvas.fill((left, top, right, top + _STEP_EDGE), self._colour(place))

    def _draw_base(self, canvas: Canvas) -> None:
        """Draw the base that all steps stand on."""
        lefts = [left for _, left in self._columns]
        left, right = lefts[0] - _BASE_OVERHANG, lefts[-1] + self._width + _BASE_OVERHANG
        canvas.fill((left, self._base_top, right, self.bottom), EDGE)
        canvas.fill((left + 2, self._base_top + 2, right - 2, self.bottom - 2), SEAM)


@dataclass(frozen=True, slots=True)
class _StepTexts:
    """The cap heights of texts and the gaps between them, which are the same on all steps, and their maximum width.

    `name_lines` are the numbers of lines that names have by place. `space` is below the texts.
    """

    name_cap: int
    result_cap: int
    note_cap: int
    name_lines: dict[int, int]
    gap: int
    space: int
    width: int

    @staticmethod
    def of(winners: Sequence[Winner], width: int) -> _StepTexts:
        """Return the measures that fit these people."""
        name_cap = common_cap((winner.name for winner in winners), _NAME_CAP, _MIN_NAME_CAP, width)
        result_cap = common_cap((winner.result for winner in winners), _RESULT_CAP, _MIN_RESULT_CAP, width)
        note_cap = common_cap((winner.note for winner in winners), LABEL_CAP, _MIN_NOTE_CAP, width)
        name_lines, free = dict[int, int](), list[int]()
        for each in winners:
            lines = len(wrapped_text(each.name, name_cap, width))
            name_lines[each.place] = max(name_lines.get(each.place, 1), lines)
            unit = note_cap + _UNIT_LEADING if each.unit else 0
            texts = lines * (name_cap + _NAME_LEADING) - _NAME_LEADING + result_cap + unit + note_cap
            free.append(_STEP_HEIGHTS[each.place - 1] - _TEXTS_TOP - texts)
        space = min(_MAX_SPACE, min(free) // 4)
        return _StepTexts(name_cap, result_cap, note_cap, name_lines, (min(free) - space) // 3, space, width)

    def write(self, canvas: Canvas, winner: Winner, middle: int, step_top: int, ink: Colour) -> None:
        """Write the name, the result with its unit, and the note of a person below their medal.

        The notes on all steps have the same baseline, and the gaps above them are equal.
        """
        y = step_top + _STEP_HEIGHTS[winner.place - 1] - self.space
        note, note_cap = fitted_text(winner.note, self.note_cap, self.note_cap, self.width)
        _write(canvas, middle, y, note, note_cap, MIST)
        y -= self.note_cap + self.gap
        unit_y, y = y, y - (self.note_cap + _UNIT_LEADING if winner.unit else 0)
        _write(canvas, middle, y, *fitted_text(winner.result, self.result_cap, self.result_cap, self.width), ink)
        if winner.unit:
            _write(canvas, middle, unit_y, winner.unit, self.note_cap, MIST)
        names, line_height = wrapped_text(winner.name, self.name_cap, self.width), self.name_cap + _NAME_LEADING
        y -= self.result_cap + self.gap + (self.name_lines[winner.place] - len(names)) * line_height // 2
        for line, name in enumerate(reversed(names)):
            _write(canvas, middle, y - line * line_height, name, self.name_cap, TEXT)


def _write(canvas: Canvas, middle: int, y: int, text: str, cap: int, ink: Colour) -> None:
    canvas.text(middle, y, text, cap, ink=ink, background=RECESS, align="centre")


@cache
def _step_surface(width: int, left_slant: int, right_slant: int) -> Sprite:
    """Return the top of a step, which is narrower at the back, but not at a side where a step is at least as high."""
    path = f"M {left_slant} 0 L {width - right_slant} 0 L {width} {_STEP_DEPTH} L 0 {_STEP_DEPTH} Z"
    coverage = path_mask((width, _STEP_DEPTH), 1, [path])
    return cut_out(inked(coverage, SEAM, FELT), coverage)
