"""How a person's points went from match to match: a line, with a mark for each of few matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardart.drawing.canvas import MARGIN, Canvas
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, SEATS, Colour
from cardart.drawing.plotting import Point, area, day, dot, fill, line, short, steps
from cardart.text import phrases
from cardart.text.figures import Career, Result

WIDTH: Final = 800
CHART_HEIGHT: Final = 316
"""How high the panel is."""
MOST_DOTS: Final = 30
"""Of so many matches, at most, each has a mark on the line."""
INSET: Final = MARGIN + 18
LABEL: Final = 19
NAME: Final = 42
"""From the top of a panel to the baseline of its name."""
APART: Final = 26
DOT: Final = 12
_TO_WORD: Final = 16
"""From the middle of a legend's mark to its word."""

_LEFT: Final = MARGIN + 100
_RIGHT: Final = WIDTH - MARGIN - 30
_ABOVE: Final = 68
_HIGH: Final = CHART_HEIGHT - _ABOVE - 58
_DATES: Final = 22
_LINE: Final = 4
_AROUND: Final = 6
"""How far a line may reach beyond its box, being thick."""
_NEAR: Final = 6
"""In so many pixels lie two points of a line, at most."""
_BESIDE: Final = 14
_SMALL_DOT: Final = 7


def write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL, ink: Colour = MIST) -> int:
    """Write on a panel; gives the width it took."""
    return canvas.text(x, y, text, cap, ink=ink, ground=RECESS)


def draw_result(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """A full disc for what was won, a ring for what was lost, and a small one for what was neither."""
    mark = dot(radius, GOLD, EDGE, 2) if won else dot(radius, RECESS, MIST, 3)
    if won is None:
        mark = dot(radius * 3 // 4, MIST, MIST, 0)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where points lie in the picture: what the scale goes from and to, its top, and over how many matches."""

    low: float
    high: float
    top: int
    matches: int

    @staticmethod
    def of(stands: Sequence[int], top: int) -> _Plot:
        """A plot with a little room above the highest and below the lowest."""
        low, high = min(stands), max(*stands, min(stands) + 1)
        spare = (high - low) / 20
        return _Plot(low - spare, high + spare, top, len(stands) - 1)

    def y(self, points: float) -> float:
        """How far down so many points lie."""
        return self.top + (self.high - points) * _HIGH / (self.high - self.low)

    def at(self, number: int, points: int) -> Point:
        """Where what a match led to lies; 0 is before the first one."""
        return _LEFT + number * (_RIGHT - _LEFT) / self.matches, self.y(points)


def draw_line_chart(canvas: Canvas, career: Career, top: int) -> None:
    """The line, over a scale and between two dates, on a panel that begins at `top`."""
    write(canvas, INSET, top + NAME, phrases.OVER_TIME)
    first, last = day(career.results[0].ended), day(career.results[-1].ended)
    canvas.text(_RIGHT, top + CHART_HEIGHT - _DATES, last, LABEL, ink=MIST, ground=RECESS, align="right")
    if first != last:
        write(canvas, _LEFT, top + CHART_HEIGHT - _DATES, first)
    stands = career.line
    plot = _Plot.of(stands, top + _ABOVE)
    _draw_line(canvas, plot, stands)
    if plot.matches <= MOST_DOTS:
        draw_legend(canvas, career.results, _RIGHT, top + NAME)
        for number, result in enumerate(career.results, 1):
            x, y = plot.at(number, stands[number])
            draw_result(canvas, result.won, round(x), round(y), _SMALL_DOT)


def _draw_line(canvas: Canvas, plot: _Plot, stands: Sequence[int]) -> None:
    """What lies between the line and nothing, then the scale, then the line."""
    left, top = _LEFT - _AROUND, plot.top - _AROUND
    size = (_RIGHT - _LEFT + 2 * _AROUND, _HIGH + 2 * _AROUND)
    shown = [plot.at(number, stands[number]) for number in _telling(stands)]
    points = [(x - left, y - top) for x, y in shown]
    zero = plot.y(0) - top
    canvas.put(area(size, [(points[0][0], zero), *points, (points[-1][0], zero)], FELT), left, top)
    for step in steps(plot.low, plot.high):
        y = round(plot.y(step))
        fill(canvas, (_LEFT, y - 1, _RIGHT, y + 1), SEAM if step else MIST)
        number = ("+" if step > 0 else "") + short(step)
        canvas.text(_LEFT - _BESIDE, y + LABEL // 2, number, LABEL, ink=MIST, ground=RECESS, align="right")
    canvas.put(line(size, points, _LINE, SEATS[0], RECESS), left, top)


def _telling(stands: Sequence[int]) -> list[int]:
    """The matches that the line goes through: of so many that they lie close together, the highest and the lowest."""
    every = -(-len(stands) // ((_RIGHT - _LEFT) // _NEAR))
    told = {0, len(stands) - 1}
    for start in range(0, len(stands), every):
        near = range(start, min(start + every, len(stands)))
        told |= {min(near, key=lambda number: stands[number]), max(near, key=lambda number: stands[number])}
    return sorted(told)


def draw_legend(canvas: Canvas, results: Sequence[Result], right: int, y: int) -> None:
    """What the marks of results mean, up to the right, with the baseline at `y`."""
    x = right
    there = {result.won for result in results}
    for won, name in ((None, phrases.NEITHER), (False, phrases.LOST), (True, phrases.WON)):
        if won is None and won not in there:
            continue
        x -= canvas.text(x, y, name, LABEL, ink=MIST, ground=RECESS, align="right") + _TO_WORD
        draw_result(canvas, won, x, y - LABEL // 2, _SMALL_DOT)
        x -= APART
