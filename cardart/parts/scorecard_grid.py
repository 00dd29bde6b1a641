"""Where things stand on a score pad: labels to the left of a red line, then a column for each side of each game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.engine.moves import Seat
from bot.engine.views import PublicView
from cardart.drawing.canvas import Canvas
from cardart.drawing.palette import PAPER, PENCIL, RULE, Colour
from cardart.drawing.plotting import fill
from cardart.parts.badges import badge
from cardart.text.scorecard import ScoreLine, ScoreSum

WIDTH: Final = 800
MARGIN: Final = 24
LEFT: Final = MARGIN
RIGHT: Final = WIDTH - MARGIN

TEXT: Final = 19
CAP: Final = 21
BADGE: Final = 50
INSET: Final = 14
PAD: Final = 9
END: Final = 14
"""The least room between a number and the end of its column, with a ring around the number."""
ADDED: Final = 10
"""From what was added to what it came to; twice as much where there is room."""

_LABELS: Final = 206
_SPARE: Final = 24
"""What more they have beside two or three columns."""
_POINTS: Final = 70
"""The room beside a label for what its deal brought, where the columns of three games have none."""
_SIGN: Final = 0.8
"""How wide a sign is at most, in heights of a capital."""


@dataclass(frozen=True, slots=True)
class Column:
    """Where a side of a game has its numbers, from left to right.

    What it stands at ends at `end`, what a deal added to that at `added`: None where there is no room for it.
    """

    game: int
    side: int
    left: int
    right: int
    end: int
    added: int | None


@dataclass(frozen=True, slots=True)
class ScorecardGrid:
    """A score pad under the pencil: what to draw on, whose marks are on it, where labels end, and the columns."""

    canvas: Canvas
    view: PublicView
    marks: Sequence[str]
    labels: int
    columns: Sequence[Column]

    @staticmethod
    def of(
        canvas: Canvas,
        view: PublicView,
        marks: Sequence[str],
        told: Sequence[ScoreLine],
        below: Sequence[Sequence[ScoreSum]],
    ) -> ScorecardGrid:
        """A ledger with room for these lines, and the sums of each game."""
        number = len(below) * len(view.sides)
        labels = LEFT + _LABELS + (_POINTS if len(below) > 1 else _SPARE if number < 4 else 0)
        edges = [labels + (RIGHT - labels) * place // number for place in range(number + 1)]
        most = max(number for game in below for one in game for number in one.numbers)
        room = _wide(str(most), CAP) + ADDED
        gained = max((points or 0) for line in told for game in line.added for points in game)
        spare = edges[1] - edges[0] - (END + room + _wide(f"+{gained}", TEXT))
        fits = spare >= 0
        room += min(max(0, spare) // 3, ADDED)
        columns: list[Column] = []
        for place, (left, right) in enumerate(pairwise(edges)):
            # A wide column has its numbers about its middle, a narrow one at its right.
            end = right - max(END, (right - left - 2 * room) // 2)
            columns.append(Column(*divmod(place, len(view.sides)), left, right, end, end - room if fits else None))
        return ScorecardGrid(canvas, view, marks, labels, columns)

    @property
    def several(self) -> bool:
        """Whether three games are played at once."""
        return len(self.columns) > len(self.view.sides)

    def write(self, x: int, middle: int, text: str, cap: int, ink: Colour = PENCIL, *, right: bool = False) -> int:
        """Write about the middle of a line, from x on or up to it; gives the width it took."""
        align = "right" if right else "left"
        return self.canvas.text(x, middle + cap // 2, text, cap, ink=ink, ground=PAPER, align=align)

    def badges(self, x: int, middle: int, seats: Sequence[Seat]) -> int:
        """Draw the marks of those who score together from x on; gives where they end."""
        for seat in seats:
            self.canvas.put(badge(seat, self.marks[seat], BADGE), x, middle - BADGE // 2)
            x += BADGE
        return x

    def rule(self, y: int, ink: Colour = RULE) -> None:
        """Draw a line across the paper."""
        fill(self.canvas, (LEFT, y - 1, RIGHT, y + 1), ink)


def _wide(text: str, cap: int) -> int:
    """The room that a number or a few words take at most."""
    return round(len(text) * cap * _SIGN)
