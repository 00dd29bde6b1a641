"""The paper of the scorecard: the grid of its columns, and what is written and drawn on it as if by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from PIL import ImageChops

from bot.engine.cards import Suit
from bot.engine.moves import Seat
from bot.engine.views import PublicView
from cardart.drawing.canvas import Canvas
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked
from cardart.drawing.palette import BLACK, EDGE, PAPER, PENCIL, RED, RULE, SEAT_COLOURS, SUIT_INKS, Colour
from cardart.drawing.shapes import ellipse, mask, rounded_mask, suit_mask
from cardart.drawing.sprites import Sprite, cut_out
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
"""The least room between a number and the end of its column, for the ring around the number."""
ADDED: Final = 10
"""Between the points a deal added and the sum. It doubles if there is room."""

_LABELS: Final = 206
_SPARE: Final = 24
"""How much wider the labels are beside two or three columns."""
_POINTS: Final = 70
"""The room beside a label for its deal's points, in case three games leave none in their columns."""
_SIGN: Final = 0.8
"""The greatest width of a character, in heights of a capital."""

BINDING: Final = 16
"""The height of the glued edge at the top."""
THICK: Final = 12
"""The height of the sheets that peep out beneath the top one."""
_SHEETS: Final = 3
_MARKED: Final = 128
_PEN: Final = 3.5


@dataclass(frozen=True, slots=True)
class Column:
    """Where a side of a game has its numbers.

    The sum ends at `end`. What a deal added ends at `added`, which is None if there is no room for it.
    """

    game: int
    side: int
    left: int
    right: int
    end: int
    added: int | None


@dataclass(frozen=True, slots=True)
class ScorecardGrid:
    """The grid and everything that is needed to write into it: `labels` is where the labels end."""

    canvas: Canvas
    view: PublicView
    monograms: Sequence[str]
    labels: int
    columns: Sequence[Column]

    @staticmethod
    def of(
        canvas: Canvas,
        view: PublicView,
        monograms: Sequence[str],
        lines: Sequence[ScoreLine],
        below: Sequence[Sequence[ScoreSum]],
    ) -> ScorecardGrid:
        """Return a grid with room for these lines, and for the sums of each game."""
        number = len(below) * len(view.sides)
        labels = LEFT + _LABELS + (_POINTS if len(below) > 1 else _SPARE if number < 4 else 0)
        edges = [labels + (RIGHT - labels) * place // number for place in range(number + 1)]
        most = max(number for game in below for one in game for number in one.numbers)
        room = _wide(str(most), CAP) + ADDED
        gained = max((points or 0) for line in lines for game in line.added for points in game)
        spare = edges[1] - edges[0] - (END + room + _wide(f"+{gained}", TEXT))
        fits = spare >= 0
        room += min(max(0, spare) // 3, ADDED)
        columns: list[Column] = []
        for place, (left, right) in enumerate(pairwise(edges)):
            # A wide column has its numbers around its centre, a narrow one at its right.
            end = right - max(END, (right - left - 2 * room) // 2)
            columns.append(Column(*divmod(place, len(view.sides)), left, right, end, end - room if fits else None))
        return ScorecardGrid(canvas, view, monograms, labels, columns)

    @property
    def several(self) -> bool:
        """Whether three games are played at once."""
        return len(self.columns) > len(self.view.sides)

    def write(self, x: int, middle: int, text: str, cap: int, ink: Colour = PENCIL, *, right: bool = False) -> int:
        """Write centred on the height `middle`, from `x` on, or up to it if `right`. Return the width taken."""
        align = "right" if right else "left"
        return self.canvas.text(x, middle + cap // 2, text, cap, ink=ink, ground=PAPER, align=align)

    def badges(self, x: int, middle: int, seats: Sequence[Seat]) -> int:
        """Draw the badges of players who score together, from `x` on. Return where they end."""
        for seat in seats:
            self.canvas.put(badge(seat, self.monograms[seat], BADGE), x, middle - BADGE // 2)
            x += BADGE
        return x

    def rule(self, y: int, ink: Colour = RULE) -> None:
        """Draw a line across the paper."""
        self.canvas.fill((LEFT, y - 1, RIGHT, y + 1), ink)


def _wide(text: str, cap: int) -> int:
    """Return the greatest width of a number or a short text."""
    return round(len(text) * cap * _SIGN)


def draw_paper(canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """Draw a block of paper. The top sheet is the box, without the last `THICK` pixels."""
    left, top, right, bottom = box
    sheet = bottom - THICK
    for depth in range(_SHEETS, 0, -1):
        low, aside = sheet + depth * THICK // _SHEETS, 3 * depth
        canvas.fill((left + aside, sheet, right - aside, low), PAPER)
        canvas.fill((left + aside, low - 1, right - aside, low), EDGE)
    canvas.fill((left - 1, top, right + 1, sheet + 1), EDGE)
    canvas.fill((left, top, right, sheet), PAPER)
    canvas.fill((left, top, right, top + BINDING), RED)


@lru_cache(_MARKED)
def highlighted(text: str, cap: int, seat: Seat) -> Sprite:
    """Return a word with a seat's colour behind it, as if by a highlighter."""
    coverage = text_mask(text, cap)
    aside = cap * 3 // 8
    size = (coverage.width + 2 * aside, round(cap * 1.75))
    shape = rounded_mask(size, cap / 3)
    painting = Painting(size, PAPER).lay(SEAT_COLOURS[seat], shape)
    painting.lay(BLACK, coverage, (aside, (size[1] + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, shape)


@lru_cache(_MARKED)
def ring(width: int, height: int) -> Sprite:
    """Return a ring of red ink to draw around a number."""
    size, x, y, ink = (width, height), width / 2, height / 2, SUIT_INKS[Suit.HEARTS]
    outer, inner = (mask(size, 1, [ellipse(x, y, x - edge, y - edge)]) for edge in (0, _PEN))
    coverage = ImageChops.subtract(outer, inner)
    return cut_out(inked(coverage, ink, PAPER), coverage)


@cache
def suit_stamp(suit: Suit, side: int) -> Sprite:
    """Return a suit printed on paper."""
    return Sprite(inked(suit_mask(suit, side), SUIT_INKS[suit], PAPER))
