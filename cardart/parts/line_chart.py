"""A chart of net points after each match: a line, with a mark for each match if there are few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, floor
from typing import Final

from bot.values.statistics import PlayedMatch, Profile
from cardart.drawing.canvas import MARGIN, Canvas
from cardart.drawing.palette import EDGE, FELT, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, Colour
from cardart.drawing.shapes import Point
from cardart.drawing.sprites import disc, polygon, polyline
from cardart.text import phrases, queries

WIDTH: Final = 800
CHART_HEIGHT: Final = 316
MOST_MARKS: Final = 30
"""The most matches that each have a mark on the line."""
INSET: Final = MARGIN + 18
LABEL: Final = 19
NAME: Final = 42
"""From the top of a panel to the baseline of its name."""
APART: Final = 26
DOT: Final = 12
_TO_WORD: Final = 16
"""From the centre of a mark in the legend to its word."""

_LEFT: Final = MARGIN + 100
_RIGHT: Final = WIDTH - MARGIN - 30
_ABOVE: Final = 68
_PLOT_HEIGHT: Final = CHART_HEIGHT - _ABOVE - 58
_DATES: Final = 22
_LINE: Final = 4
_AROUND: Final = 6
"""How far the thick line can reach beyond its box."""
_NEAR: Final = 6
"""At most two points of the line lie within this many pixels."""
_BESIDE: Final = 14
_SMALL_DOT: Final = 7


def write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width taken."""
    return canvas.text(x, y, text, cap, ink=ink, ground=RECESS)


def draw_result(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """Draw a full disc for a win, a ring for a loss, and a small disc for neither."""
    mark = disc(radius, GOLD, EDGE, 2) if won else disc(radius, RECESS, MIST, 3)
    if won is None:
        mark = disc(radius * 3 // 4, MIST, MIST, 0)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps matches and points to pixels: the points at the foot and the head, the top, and the number of matches."""

    low: float
    high: float
    top: int
    matches: int

    @staticmethod
    def of(net: Sequence[int], top: int) -> _Scale:
        """Return a scale with a little room above the highest and below the lowest number."""
        low, high = min(net), max(*net, min(net) + 1)
        spare = (high - low) / 20
        return _Scale(low - spare, high + spare, top, len(net) - 1)

    def y(self, points: float) -> float:
        """Return the height of a number of points."""
        return self.top + (self.high - points) * _PLOT_HEIGHT / (self.high - self.low)

    def at(self, match: int, points: int) -> Point:
        """Return the place of the points after a match; 0 is before the first one."""
        return _LEFT + match * (_RIGHT - _LEFT) / self.matches, self.y(points)


def draw_line_chart(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw the chart, with its scale and the first and last date, on a panel that begins at `top`."""
    write(canvas, INSET, top + NAME, phrases.NET_OVER_TIME)
    played, net = profile.played, queries.running_net(profile)
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    canvas.text(_RIGHT, top + CHART_HEIGHT - _DATES, last, LABEL, ink=MIST, ground=RECESS, align="right")
    if first != last:
        write(canvas, _LEFT, top + CHART_HEIGHT - _DATES, first)
    scale = _Scale.of(net, top + _ABOVE)
    _draw_line(canvas, scale, net)
    if scale.matches <= MOST_MARKS:
        draw_legend(canvas, played, _RIGHT, top + NAME)
        for number, match in enumerate(played, 1):
            x, y = scale.at(number, net[number])
            draw_result(canvas, match.won, round(x), round(y), _SMALL_DOT)


def _draw_line(canvas: Canvas, scale: _Scale, net: Sequence[int]) -> None:
    """Draw the area between the line and zero, then the scale, then the line."""
    left, top = _LEFT - _AROUND, scale.top - _AROUND
    size = (_RIGHT - _LEFT + 2 * _AROUND, _PLOT_HEIGHT + 2 * _AROUND)
    points = [(x - left, y - top) for x, y in (scale.at(match, net[match]) for match in _turning_points(net))]
    zero = scale.y(0) - top
    canvas.put(polygon(size, [(points[0][0], zero), *points, (points[-1][0], zero)], FELT), left, top)
    for number in round_numbers(scale.low, scale.high):
        y = round(scale.y(number))
        canvas.fill((_LEFT, y - 1, _RIGHT, y + 1), SEAM if number else MIST)
        text = ("+" if number > 0 else "") + phrases.short_number(number)
        canvas.text(_LEFT - _BESIDE, y + LABEL // 2, text, LABEL, ink=MIST, ground=RECESS, align="right")
    canvas.put(polyline(size, points, _LINE, SEAT_COLOURS[0], RECESS), left, top)


def round_numbers(low: float, high: float, most: int = 5) -> list[int]:
    """Return at most `most` round numbers from low to high, in the smallest even steps that allow that.

    Raises:
        ValueError: `low` is not below `high`.
    """
    if low >= high:
        raise ValueError(f"nothing lies between {low} and {high}")
    for step in (times * 10**power for power in count() for times in (1, 2, 5)):
        first, last = ceil(low / step), floor(high / step)
        if last - first < most:
            return [step * number for number in range(first, last + 1)]
    raise AssertionError("some step is wide enough")


def _turning_points(net: Sequence[int]) -> list[int]:
    """Return the matches that the line goes through: of those that lie close together, the highest and the lowest."""
    every = -(-len(net) // ((_RIGHT - _LEFT) // _NEAR))
    points = {0, len(net) - 1}
    for start in range(0, len(net), every):
        near = range(start, min(start + every, len(net)))
        points |= {min(near, key=lambda match: net[match]), max(near, key=lambda match: net[match])}
    return sorted(points)


def draw_legend(canvas: Canvas, played: Iterable[PlayedMatch], right: int, y: int) -> None:
    """Draw what the marks of these results mean, right-aligned, with the baseline at `y`."""
    x = right
    results = {match.won for match in played}
    for won, name in ((None, phrases.NEITHER), (False, phrases.LOST), (True, phrases.WON)):
        if won is None and won not in results:
            continue
        x -= canvas.text(x, y, name, LABEL, ink=MIST, ground=RECESS, align="right") + _TO_WORD
        draw_result(canvas, won, x, y - LABEL // 2, _SMALL_DOT)
        x -= APART
