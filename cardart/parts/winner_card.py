"""One person on a card, with their name and result beside their face. Lengths are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, WIDTH, Box, Canvas
from cardart.drawing.lettering import fitted_text, text_width, wrapped_text
from cardart.drawing.palette import GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.winner import FACE_SIDES, Winner, draw_face

_HEIGHT: Final = 184
_SPACE_BELOW: Final = 12
_CROWN_RISE: Final = 19
"""Height of the part of a crown that is above the card."""
_INSET: Final = (_HEIGHT - FACE_SIDES[0]) // 2
"""Space around the face."""
_TEXT_LEFT: Final = FACE_SIDES[0] + 2 * _INSET + 8
"""Distance from the left of the card to the texts."""
_TEXT_RIGHT: Final = 36
"""Space to the right of the texts."""
_TEXT_WIDTHS: Final = range(150, 381)
"""The minimum and maximum width of the texts. The card is as wide as they need."""
_NAME_CAP: Final = 28
_MIN_NAME_CAP: Final = 24
_NAME_LEADING: Final = 9
_RESULT_CAP: Final = 46
_UNIT_GAP: Final = 9
"""Space between a result and its unit."""
_MAX_LEADING: Final = 22
"""Maximum space between the name, the result and the note."""


@dataclass(frozen=True, slots=True)
class WinnerCard:
    """A card for one person. `top` is the top of the crown or, unless the person `is_honoured`, of the card.

    Only an honoured person has a crown and gold. The crown stands for a medal, too.
    """

    winner: Winner
    top: int
    is_honoured: bool

    @property
    def bottom(self) -> int:
        """The bottom of the space below the card."""
        return self._card_bottom + _SPACE_BELOW

    @property
    def confetti_bottom(self) -> int:
        """The lowest edge of confetti beside the card."""
        return self._card_bottom

    @property
    def taken(self) -> list[Box]:
        """The box that the card and the crown take."""
        left = (WIDTH - self._width) // 2
        return [(left, self.top, left + self._width, self._card_bottom)]

    @property
    def _card_top(self) -> int:
        return self.top + _CROWN_RISE * self.is_honoured

    @property
    def _card_bottom(self) -> int:
        return self._card_top + _HEIGHT

    @property
    def _name_cap(self) -> int:
        return fitted_text(self.winner.name, _NAME_CAP, _MIN_NAME_CAP, _TEXT_WIDTHS[-1])[1]

    @property
    def _unit_left(self) -> int:
        """The distance from the left of the result to its unit."""
        return text_width(self.winner.result, _RESULT_CAP) + _UNIT_GAP

    @property
    def _width(self) -> int:
        winner = self.winner
        result_width = self._unit_left + text_width(winner.unit, LABEL_CAP)
        widest = max(text_width(winner.name, self._name_cap), result_width, text_width(winner.note, LABEL_CAP))
        return _TEXT_LEFT + max(_TEXT_WIDTHS[0], min(widest, _TEXT_WIDTHS[-1])) + _TEXT_RIGHT

    def draw(self, canvas: Canvas) -> None:
        """Draw the card."""
        (left, _, right, bottom), side = self.taken[0], FACE_SIDES[0]
        canvas.panel((left, self._card_top, right, bottom))
        middle, face_top = left + _INSET + side // 2, self._card_top + _INSET
        draw_face(
            canvas, self.winner, middle, face_top, GOLD if self.is_honoured else TEXT, is_honoured=self.is_honoured
        )
        self._write_texts(canvas, left + _TEXT_LEFT)

    def _write_texts(self, canvas: Canvas, x: int) -> None:
        """Write the name, the result with its unit, and the note, from `x` on."""
        winner, name_cap = self.winner, self._name_cap
        names, line_height = wrapped_text(winner.name, name_cap, _TEXT_WIDTHS[-1]), name_cap + _NAME_LEADING
        free = _HEIGHT - len(names) * line_height + _NAME_LEADING - _RESULT_CAP - LABEL_CAP
        leading = min(_MAX_LEADING, free // 4)
        y = self._card_top + (free - 2 * leading) // 2 + name_cap
        for line, name in enumerate(names):
            _write(canvas, x, y + line * line_height, name, name_cap, TEXT)
        y += (len(names) - 1) * line_height + leading + _RESULT_CAP
        _write(canvas, x, y, winner.result, _RESULT_CAP, GOLD if self.is_honoured else TEXT)
        if winner.unit:
            _write(canvas, x + self._unit_left, y, winner.unit, LABEL_CAP, MIST)
        _write(canvas, x, y + leading + LABEL_CAP, winner.note, LABEL_CAP, MIST)


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int, ink: Colour) -> None:
    canvas.text(x, y, text, cap, ink=ink, background=RECESS)
