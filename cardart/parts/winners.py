"""Up to three people below a title, in confetti: one on a card, and more on the steps of a podium.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, RAIL_WIDTH, WIDTH, Box, Canvas
from cardart.drawing.lettering import text_width
from cardart.drawing.palette import MIST, TEXT
from cardart.parts.celebration import draw_confetti
from cardart.parts.winner import Winner
from cardart.parts.winner_card import WinnerCard
from cardart.parts.winner_steps import WinnerSteps

TITLE_CAP: Final = 34
MAX_TITLE_WIDTH: Final = WIDTH - 2 * (RAIL_WIDTH + 60)
"""Maximum width of a title with confetti beside it."""
_TITLE_BASELINE: Final = MARGIN + 48
_SUBTITLE_BASELINE: Final = _TITLE_BASELINE + 41
_CLEAR_CAPS: Final = 2
_CLEAR_DESCENT: Final = 12
"""Space without confetti beside a line, in cap heights, and below its baseline, in pixels (`_CLEAR_DESCENT`)."""
_CROWN_GAP: Final = 22
_FACE_GAP: Final = 30
"""Distance from the subtitle to the crown of the first place, or if there is none, to the face or card (`_FACE_GAP`).
"""
_NOTE_GAP: Final = 14
_NOTE_DESCENT: Final = 7
"""Space above the note below the steps, and below its baseline."""
_CONFETTI_INSET: Final = RAIL_WIDTH + 15
_CONFETTI_GAP: Final = 4
"""Space around faces and steps without confetti, in addition to that around every clear box."""
_CONFETTI_PIECES: Final = 300
_CONFETTI_SIDES: Final = (15, 18)
"""Number of the pieces, and the sides of their squares, which are large enough for a phone."""


@dataclass(frozen=True, slots=True)
class Ceremony:
    """Up to three people, the first place first, at the top of a picture, below a title and a subtitle.

    Unless it `is_festive`, there are no crowns, rays or confetti, and no golden results. The `note`, if there is one,
    is below the people.
    """

    title: str
    subtitle: str
    winners: Sequence[Winner]
    is_festive: bool = True
    note: str = ""

    @property
    def bottom(self) -> int:
        """The y coordinate at which the ceremony ends."""
        return self._stage.bottom + (_NOTE_GAP + LABEL_CAP + _NOTE_DESCENT if self.note else 0)

    @property
    def _stage(self) -> WinnerCard | WinnerSteps:
        top = _SUBTITLE_BASELINE + (_CROWN_GAP if self.is_festive else _FACE_GAP)
        if len(self.winners) == 1:
            return WinnerCard(self.winners[0], top, self.is_festive)
        return WinnerSteps(self.winners, top, self.is_festive)

    @property
    def _lines(self) -> list[tuple[str, int, int]]:
        """The title and the subtitle, each with its cap height and its baseline."""
        return [(self.title, TITLE_CAP, _TITLE_BASELINE), (self.subtitle, LABEL_CAP, _SUBTITLE_BASELINE)]

    def draw(self, canvas: Canvas) -> None:
        """Draw the ceremony."""
        stage = self._stage
        stage.draw(canvas)
        if self.is_festive:
            self._draw_confetti(canvas, stage)
        for (text, cap, baseline), ink in zip(self._lines, (TEXT, MIST), strict=True):
            canvas.text(WIDTH // 2, baseline, text, cap, ink=ink, align="centre")
        if self.note:
            canvas.text(WIDTH // 2, self.bottom - _NOTE_DESCENT, self.note, LABEL_CAP, ink=MIST, align="centre")

    def _draw_confetti(self, canvas: Canvas, stage: WinnerCard | WinnerSteps) -> None:
        """Draw confetti beside the people, over the full width but for the title, the faces and the steps."""
        clear = list[Box]()
        for text, cap, baseline in self._lines:
            half = text_width(text, cap) // 2 + _CLEAR_CAPS * cap
            clear.append((WIDTH // 2 - half, baseline - cap, WIDTH // 2 + half, baseline + _CLEAR_DESCENT))
        for left, top, right, bottom in stage.taken:
            clear.append((left - _CONFETTI_GAP, top - _CONFETTI_GAP, right + _CONFETTI_GAP, bottom + _CONFETTI_GAP))
        box = _CONFETTI_INSET, _CONFETTI_INSET, WIDTH - _CONFETTI_INSET, stage.confetti_bottom
        draw_confetti(canvas, box, clear, _CONFETTI_PIECES, _CONFETTI_SIDES, thins_out=True)
