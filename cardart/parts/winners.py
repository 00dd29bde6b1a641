"""Up to three people on the steps of a podium, in confetti below a title. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Box, Canvas
from cardart.drawing.lettering import common_cap, fitted_text, text_width, wrapped_text
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, TEXT, Colour
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
_COLUMN_WIDTHS: Final = (480, 340, 246)
"""Widths of the steps if there are one, two or three."""
_TEXT_INSET: Final = 14
"""Minimum space beside the texts on a step."""
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
_STEP_HEIGHTS: Final = (274, 242, 210)
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
_TEXTS_TOP: Final = _MEDAL_TOP + MEDAL_SIZE
"""Distance from the top of a step's front to the space for its texts, which end at the base."""
_NAME_CAP: Final = 28
_MIN_NAME_CAP: Final = 24
"""Minimum cap height of names. A name that is too wide even at this height has two lines, and then is cut off."""
_NAME_LEADING: Final = 9
_NOTE_LEADING: Final = 12
"""Space between the two lines of a name, and between notes."""
_RESULT_CAPS: Final = (52, 40, 33)
_MIN_RESULT_CAP: Final = 20
"""Cap heights of results, by place, and the minimum if they are too wide (`_MIN_RESULT_CAP`)."""
_MIN_NOTE_CAP: Final = 15
_CONFETTI_GAP: Final = 4
"""Space around faces and steps without confetti, in addition to that around every clear box."""
_CONFETTI_PIECES: Final = 210


@dataclass(frozen=True, slots=True)
class Winner:
    """A person on a step: their place, their name as the font can write it, their result, and notes below it."""

    place: int
    name: str
    result: str
    notes: tuple[str, ...]
    avatar: Avatar | None


def draw_winners(
    canvas: Canvas, title: str, subtitle: str, winners: Sequence[Winner], *, is_festive: bool = True
) -> None:
    """Draw up to three people, the first place first, at the top of a picture. People in the same place are level.

    Unless it `is_festive`, there are no crowns, rays or confetti, and no golden results.
    """
    # The second person stands to the left of the first, and the third to the right.
    columns = (winners[1], winners[0], winners[2]) if len(winners) > 2 else winners
    width = _COLUMN_WIDTHS[len(columns) - 1]
    left = (WIDTH - len(columns) * width) // 2
    lefts = [left + position * width for position in range(len(columns))]
    title_width = max(text_width(title, _TITLE_CAP), text_width(subtitle, LABEL_CAP)) + 2 * _TITLE_MARGIN
    if is_festive:
        _draw_confetti(canvas, columns, lefts, width, title_width)
    canvas.text(WIDTH // 2, _TITLE_BASELINE, title, _TITLE_CAP, align="centre")
    canvas.text(WIDTH // 2, _SUBTITLE_BASELINE, subtitle, LABEL_CAP, ink=MIST, align="centre")
    caps = _StepCaps.of(winners, width - 2 * _TEXT_INSET)
    places = (None, *(winner.place for winner in columns), None)
    for position, (winner, left) in enumerate(zip(columns, lefts, strict=True)):
        middle, is_honoured = left + width // 2, is_festive and winner.place == 1
        if is_honoured:
            _draw_rays(canvas, middle)
        _draw_step(canvas, winner.place, left, width, (places[position], places[position + 2]))
        _draw_winner(canvas, winner, middle, has_crown=is_honoured)
        _draw_result(canvas, winner, middle, caps, GOLD if is_honoured else TEXT)
    _draw_base(canvas, lefts[0] - _BASE_OVERHANG, lefts[-1] + width + _BASE_OVERHANG)


@dataclass(frozen=True, slots=True)
class _StepCaps:
    """The cap heights of names and notes, which are the same on all steps, and of results by place.

    `name_lines` are the numbers of lines that names have by place, and `width` is the maximum width of texts.
    """

    name: int
    name_lines: Mapping[int, int]
    results: tuple[int, ...]
    note: int
    width: int

    @staticmethod
    def of(winners: Sequence[Winner], width: int) -> _StepCaps:
        """Return the cap heights for these people."""
        results = tuple(
            common_cap((each.result for each in winners if each.place == place), cap, _MIN_RESULT_CAP, width)
            for place, cap in enumerate(_RESULT_CAPS, 1)
        )
        name = common_cap((winner.name for winner in winners), _NAME_CAP, _MIN_NAME_CAP, width)
        name_lines = dict[int, int]()
        for each in winners:
            name_lines[each.place] = max(name_lines.get(each.place, 1), len(wrapped_text(each.name, name, width)))
        return _StepCaps(
            name,
            name_lines,
            results,
            common_cap((note for winner in winners for note in winner.notes), LABEL_CAP, _MIN_NOTE_CAP, width),
            width,
        )


def _step_top(place: int) -> int:
    """Return the y coordinate of the top of the front of a step."""
    return _STEPS_BOTTOM - _STEP_HEIGHTS[place - 1]


def _face_top(place: int) -> int:
    return _step_top(place) - _FACE_GAP - _FACE_SIDES[place - 1]


def _rays_box(middle: int) -> Box:
    """Return the box of the rays behind the face of a first place in the middle of a step.

    The rays end above the top of the step.
    """
    x, y = middle - _RAYS_DIAMETER // 2, _face_top(1) + (_FACE_SIDES[0] - _RAYS_DIAMETER) // 2
    return x, y, x + _RAYS_DIAMETER, _step_top(1) - _STEP_DEPTH


def _draw_rays(canvas: Canvas, middle: int) -> None:
    x, top, _, bottom = _rays_box(middle)
    canvas.put(rays(_RAYS_DIAMETER, bottom - top), x, top)


def _draw_confetti(
    canvas: Canvas, columns: Sequence[Winner], lefts: Sequence[int], width: int, title_width: int
) -> None:
    """Draw confetti beside the people, over the full width but for the title, the faces and the steps."""
    inside, half = RAIL_WIDTH + 2, title_width // 2
    clear: list[Box] = [(WIDTH // 2 - half, 0, WIDTH // 2 + half, _SUBTITLE_BASELINE + _TITLE_MARGIN // 2)]
    for winner, left in zip(columns, lefts, strict=True):
        middle, side, top = left + width // 2, _FACE_SIDES[winner.place - 1], _face_top(winner.place)
        face = middle - side // 2, top, middle + side // 2, top + side
        step = left, _step_top(winner.place) - _STEP_DEPTH, left + width, _STEPS_BOTTOM
        clear += [
            (box[0] - _CONFETTI_GAP, box[1] - _CONFETTI_GAP, box[2] + _CONFETTI_GAP, box[3] + _CONFETTI_GAP)
            for box in ((_rays_box(middle) if winner.place == 1 else face), step)
        ]
    bottom = max(_step_top(winner.place) for winner in columns) - _STEP_DEPTH
    draw_confetti(canvas, (inside, inside, WIDTH - inside, bottom), clear, _CONFETTI_PIECES)


def _draw_step(canvas: Canvas, place: int, left: int, width: int, beside: tuple[int | None, int | None]) -> None:
    """Draw a step: its top, the edge in the colour of its medal, and its front.

    `beside` are the places of the steps on the left and on the right, or None.
    """
    top, right = _step_top(place), left + width
    slants = [_STEP_SLANT if other is None or other > place else 0 for other in beside]
    canvas.put(_step_surface(width, *slants), left, top - _STEP_DEPTH)
    canvas.fill((left, top, right, _STEPS_BOTTOM), EDGE)
    canvas.fill((left + 2, top, right - 2, _STEPS_BOTTOM), RECESS)
    canvas.fill((left, top, right, top + _STEP_EDGE), MEDAL_COLOURS[place - 1])


def _draw_base(canvas: Canvas, left: int, right: int) -> None:
    """Draw the base that all steps stand on."""
    canvas.fill((left, _STEPS_BOTTOM, right, PODIUM_BOTTOM), EDGE)
    canvas.fill((left + 2, _STEPS_BOTTOM + 2, right - 2, PODIUM_BOTTOM - 2), SEAM)


def _draw_result(canvas: Canvas, winner: Winner, middle: int, caps: _StepCaps, result_ink: Colour) -> None:
    """Draw the medal, the name and the result of a person on the front of their step, evenly spaced."""
    top, name_lines, result_cap = _step_top(winner.place), caps.name_lines[winner.place], caps.results[winner.place - 1]
    canvas.put(medal(winner.place), middle - MEDAL_SIZE // 2, top + _MEDAL_TOP)
    line_height = caps.name + _NAME_LEADING
    name_height = name_lines * line_height - _NAME_LEADING
    notes_height = len(winner.notes) * (caps.note + _NOTE_LEADING) - _NOTE_LEADING
    free = _STEPS_BOTTOM - top - _TEXTS_TOP - name_height - result_cap - notes_height
    gap = free // 4
    names = wrapped_text(winner.name, caps.name, caps.width)
    y = top + _TEXTS_TOP + gap + caps.name + (name_lines - len(names)) * line_height // 2
    for line, name in enumerate(names):
        _write(canvas, middle, y + line * line_height, name, caps.name, TEXT)
    y = top + _TEXTS_TOP + 2 * gap + name_height + result_cap
    _write(canvas, middle, y, *fitted_text(winner.result, result_cap, result_cap, caps.width), result_ink)
    for line, note in enumerate(winner.notes):
        note_y = y + gap + caps.note + line * (caps.note + _NOTE_LEADING)
        _write(canvas, middle, note_y, *fitted_text(note, caps.note, caps.note, caps.width), MIST)


def _write(canvas: Canvas, middle: int, y: int, text: str, cap: int, ink: Colour) -> None:
    canvas.text(middle, y, text, cap, ink=ink, background=RECESS, align="centre")


@cache
def _step_surface(width: int, left_slant: int, right_slant: int) -> Sprite:
    """Return the top of a step, which is narrower at the back, but not at a side where a step is at least as high."""
    path = f"M {left_slant} 0 L {width - right_slant} 0 L {width} {_STEP_DEPTH} L 0 {_STEP_DEPTH} Z"
    coverage = path_mask((width, _STEP_DEPTH), 1, [path])
    return cut_out(inked(coverage, SEAM, FELT), coverage)


def _draw_winner(canvas: Canvas, winner: Winner, middle: int, *, has_crown: bool) -> None:
    """Draw a person in the middle of their step, with or without a crown."""
    side, top = _FACE_SIDES[winner.place - 1], _face_top(winner.place)
    ring = _RINGS[winner.place - 1]
    draw_person(canvas, winner.avatar, name_crest(winner.name, side, ring), middle - side // 2, top, ring)
    if has_crown:
        sign = crown(_CROWN_WIDTH)
        canvas.put(sign, middle - sign.width // 2, top - sign.height + _CROWN_OVERLAP)
