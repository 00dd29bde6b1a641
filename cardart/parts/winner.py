"""A person on a podium, and their face, with or without a crown. Lengths are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardart.drawing.canvas import Box, Canvas
from cardart.drawing.palette import Colour
from cardart.parts.badges import name_crest
from cardart.parts.celebration import crown
from cardart.parts.portraits import Avatar, draw_person

FACE_SIDES: Final = (136, 112, 112)
"""Diameters of the faces, by place."""
_CROWN_WIDTH: Final = 84
_CROWN_OVERLAP: Final = 16
"""Height by which a crown overlaps the face."""
CROWN_HEIGHT: Final = _CROWN_WIDTH * 7 // 10 - _CROWN_OVERLAP
"""Height of a crown above the face."""


@dataclass(frozen=True, slots=True)
class Winner:
    """A person with their place, their name as the font can write it, their result, and a note below it.

    The unit of the result is empty if it is not shown.
    """

    place: int
    name: str
    result: str
    note: str
    avatar: Avatar | None
    unit: str = ""


def draw_face(canvas: Canvas, winner: Winner, middle: int, top: int, ring: Colour, *, is_honoured: bool) -> None:
    """Draw a face with a ring in this colour. The face of an honoured person has a crown."""
    side = FACE_SIDES[winner.place - 1]
    draw_person(canvas, winner.avatar, name_crest(winner.name, side, ring), middle - side // 2, top, ring)
    if is_honoured:
        canvas.put(crown(_CROWN_WIDTH), middle - _CROWN_WIDTH // 2, top - CROWN_HEIGHT)


def face_box(winner: Winner, middle: int, top: int, *, is_honoured: bool) -> Box:
    """Return the box of a face and its crown."""
    side = FACE_SIDES[winner.place - 1]
    return middle - side // 2, top - CROWN_HEIGHT * is_honoured, middle + side // 2, top + side
