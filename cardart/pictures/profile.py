"""A person's profile: results, a chart of net points over time, and the ways they win deals. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import ceil, floor
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.statistics import PlayedMatch, Profile, Rank
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import can_write, fitted, text_mask
from cardart.drawing.painting import disc, polygon, polyline
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import Point
from cardart.parts.badges import badge
from cardart.text import alt_text, phrases, queries
from cardart.text.seasons import champion

_GAP: Final = 14
_SUMMARY: Final = 188
_CHART: Final = 316
_TITLES: Final = 42
"""Extra height of the summary for titles."""
_BELOW_TITLES: Final = 22
_SMALLEST: Final = 16
"""Minimum cap height of titles."""
_DEALS: Final = 148
_RECENT: Final = 116

_INSET: Final = MARGIN + 18
_NAME: Final = 42
"""Distance from the top of a panel to the baseline of its name."""
_SPACE: Final = 12
"""Space between a label and its value."""
_DOT: Final = 10
_SMALL_DOT: Final = 7
"""Radius of the marks of matches: `_DOT` for the last matches, `_SMALL_DOT` on the line."""
_ASIDE: Final = 20
"""Space between the entries of a legend of marks."""
_TO_WORD: Final = 8
"""Space between a mark in the legend and its word."""
MOST_MARKS: Final = 30
"""Maximum number of matches for which the line shows a mark for each match."""

_LEFT: Final = MARGIN + 116
_RIGHT: Final = WIDTH - MARGIN - 30
_ABOVE: Final = 68
_PLOT_HEIGHT: Final = _CHART - _ABOVE - 58
_DATES: Final = 22
_LINE: Final = 4
_AROUND: Final = 6
"""Margin around the line for its thickness."""
_NEAR: Final = 6
"""Number of pixels within which the line has at most two points."""
_BESIDE: Final = 14

_VALUE: Final = 32
_TEXT: Final = 22
_NUMBER: Final = 90
"""Distance from the top of a panel to the baseline of a number below its name."""
_BADGE: Final = 64
_SMALL_BADGE: Final = 46
_HEAD: Final = 58
"""Distance from the top of the summary to the baseline of the person's name."""
_OWNER: Final = 28
_LEAST: Final = 20
"""Maximum (`_OWNER`) and minimum (`_LEAST`) cap height of that name."""
_FACTS: Final = 72
"""Distance by which the summary's labels and numbers are lower than in other panels, because of the name above them."""

_BAR: Final = 30
_SEAM: Final = 2
_RIVAL: Final = 482
_LEGEND: Final = 24
"""Space between the legend of the last matches and the rival."""
_STEP: Final = 27
_WAYS: Final = (MIST, GOLD, SEAT_COLOURS[0])
"""Colours of knocks, gins and undercuts."""
_MOST_RECENT: Final = 12
"""Maximum number of matches that are shown individually."""


def draw_profile(profile: Profile, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the profile of a person who has finished at least one match, in the viewer's appearance.

    With only one match there is no chart. The monograms are for the person, and for the rival if there is one. Raise
    `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    several = len(profile.played) > 1
    heights = (_SUMMARY + (_TITLES if profile.titles else 0), _CHART if several else 0, _DEALS, _RECENT)
    *tops, end = accumulate(heights, lambda top, height: top + height + (_GAP if height else 0), initial=MARGIN)
    canvas = Canvas(WIDTH, end - _GAP + MARGIN, appearance)
    for top, height in zip(tops, heights, strict=True):
        if height:
            canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height))
    _draw_summary(canvas, profile, monograms[0], tops[0])
    if several:
        _draw_line_chart(canvas, profile, tops[1])
    _draw_deals(canvas, profile, tops[2])
    _draw_recent(canvas, profile, monograms, tops[3])
    return canvas.picture(alt_text.profile(profile, monograms, _MOST_RECENT))


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, ground=RECESS)


def _draw_result(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """Draw a full disc for a win, a ring for a loss, and a small disc for neither."""
    mark = disc(radius, GOLD, EDGE, 2) if won else disc(radius, RECESS, MIST, 3)
    if won is None:
        mark = disc(radius * 3 // 4, MIST, MIST, 0)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


def _draw_summary(canvas: Canvas, profile: Profile, monogram: str, top: int) -> None:
    canvas.put(badge(None, monogram, _BADGE), _INSET, top + _HEAD - (_OWNER + _BADGE) // 2)
    name, x, right = profile.player.name or "", _INSET + _BADGE + _SPACE, WIDTH - _INSET
    if profile.rank is not None:
        right -= _draw_rank(canvas, profile.rank, right, top + _HEAD) + 2 * _SPACE
    if can_write(name):
        name, cap = fitted(name, _OWNER, _LEAST, right - x)
        _write(canvas, x, top + _HEAD, name, cap, TEXT)
    summary = (
        (phrases.MATCHES, f"{profile.results.decided:,}"),
        (phrases.WON.capitalize(), phrases.percentage(profile.results.share)),
        (phrases.NET, phrases.signed(profile.net)),
        (phrases.STREAK, str(profile.streak)),
    )
    for place, (name, value) in enumerate(summary):
        x = _INSET + place * (WIDTH - MARGIN - _INSET) // len(summary)
        _write(canvas, x, top + _FACTS + _NAME, name)
        _write(canvas, x, top + _FACTS + _NUMBER, value, _VALUE, TEXT)
    if profile.titles:
        line = top + _SUMMARY + _TITLES - _BELOW_TITLES
        canvas.put(disc(_DOT, GOLD, EDGE, 2), _INSET, line - CAP // 2 - _DOT)
        left = _INSET + 2 * _DOT + _SPACE
        told, cap = fitted(champion(profile.titles, 1), CAP, _SMALLEST, WIDTH - _INSET - left)
        _write(canvas, left, line, told, cap, GOLD)


def _draw_rank(canvas: Canvas, rank: Rank, right: int, line: int) -> int:
    """Draw a rating with its place, right-aligned at `right`. Return their width."""
    x = right
    if rank.place is not None:
        place = phrases.place_of(rank)
        x -= canvas.text(x, line, place, CAP, ink=MIST, ground=RECESS, align="right")
    x -= canvas.text(x, line, rank.rating, _TEXT, ink=TEXT, ground=RECESS, align="right") + _SPACE
    x -= canvas.text(x, line, phrases.RATING, CAP, ink=MIST, ground=RECESS, align="right")
    return right - x


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps matches and points to pixels.

    `low` and `high` are the points at the bottom and top of the plot, `top` is the y coordinate of its top, and
    `matches` the number of matches.
    """

    low: float
    high: float
    top: int
    matches: int

    @staticmethod
    def of(net: Sequence[int], top: int) -> _Scale:
        """Return a scale with a margin above the highest and below the lowest number."""
        low, high = min(net), max(*net, min(net) + 1)
        spare = (high - low) / 20
        return _Scale(low - spare, high + spare, top, len(net) - 1)

    def y(self, points: float) -> float:
        """Return the y coordinate of a number of points."""
        return self.top + (self.high - points) * _PLOT_HEIGHT / (self.high - self.low)

    def at(self, match: int, points: int) -> Point:
        """Return the position of the points after a match; match 0 is the start, before the first match."""
        return _LEFT + match * (_RIGHT - _LEFT) / self.matches, self.y(points)


def _draw_line_chart(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw the chart with its scale, its legend, and the first and last date. Its panel starts at `top`."""
    _write(canvas, _INSET, top + _NAME, phrases.NET_OVER_TIME)
    played, net = profile.played, queries.running_net(profile)
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    canvas.text(_RIGHT, top + _CHART - _DATES, last, CAP, ink=MIST, ground=RECESS, align="right")
    if first != last:
        _write(canvas, _LEFT, top + _CHART - _DATES, first)
    scale = _Scale.of(net, top + _ABOVE)
    _draw_line(canvas, scale, net)
    if scale.matches <= MOST_MARKS:
        _draw_legend(canvas, played, _RIGHT, top + _NAME, _SMALL_DOT)
        for number, match in enumerate(played, 1):
            x, y = scale.at(number, net[number])
            _draw_result(canvas, match.won, round(x), round(y), _SMALL_DOT)


def _draw_line(canvas: Canvas, scale: _Scale, net: Sequence[int]) -> None:
    """Draw the area between the line and zero, then the scale, then the line."""
    left, top = _LEFT - _AROUND, scale.top - _AROUND
    size = (_RIGHT - _LEFT + 2 * _AROUND, _PLOT_HEIGHT + 2 * _AROUND)
    points = [(x - left, y - top) for x, y in (scale.at(match, net[match]) for match in _turning_points(net))]
    zero = scale.y(0) - top
    canvas.put(
        polygon(size, [(points[0][0], zero), *points, (points[-1][0], zero)], SEAT_COLOURS[0], RECESS), left, top
    )
    for number in round_numbers(scale.low, scale.high):
        y = round(scale.y(number))
        canvas.fill((_LEFT, y - 1, _RIGHT, y + 1), SEAM if number else MIST)
        text = ("+" if number > 0 else "") + phrases.short_number(number)
        canvas.text(_LEFT - _BESIDE, y + CAP // 2, text, CAP, ink=MIST, ground=RECESS, align="right")
    canvas.put(polyline(size, points, _LINE, SEAT_COLOURS[0], RECESS), left, top)


def round_numbers(low: float, high: float, most: int = 5) -> list[int]:
    """Return at most `most` round numbers from `low` to `high`, with the smallest step that allows this.

    The step is 1, 2 or 5 times a power of ten. Raise `ValueError` if `low` is not below `high`.
    """
    if low >= high:
        raise ValueError(f"{low} is not below {high}")
    for step in (times * 10**power for power in count() for times in (1, 2, 5)):
        first, last = ceil(low / step), floor(high / step)
        if last - first < most:
            return [step * number for number in range(first, last + 1)]
    raise AssertionError("unreachable: some step is large enough")


def _turning_points(net: Sequence[int]) -> list[int]:
    """Return the matches that are points of the line: the extremes of each group of close matches, and both ends."""
    every = -(-len(net) // ((_RIGHT - _LEFT) // _NEAR))
    points = {0, len(net) - 1}
    for start in range(0, len(net), every):
        near = range(start, min(start + every, len(net)))
        points |= {min(near, key=lambda match: net[match]), max(near, key=lambda match: net[match])}
    return sorted(points)


def _draw_legend(canvas: Canvas, played: Iterable[PlayedMatch], x: int, y: int, radius: int) -> None:
    """Draw a legend of the marks of matches, right-aligned at `x`, with its baseline at `y`."""
    neither = [(None, phrases.NEITHER)] if any(match.won is None for match in played) else []
    for won, name in (*neither, (False, phrases.LOST), (True, phrases.WON)):
        x -= canvas.text(x, y, name, CAP, ink=MIST, ground=RECESS, align="right") + radius + _TO_WORD
        _draw_result(canvas, won, x, y - CAP // 2, radius)
        x -= radius + _ASIDE


def _draw_deals(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw a bar of all deals, with a part for each way of winning deals, and its legend."""
    deals = profile.deals_won + profile.deals_lost
    x = _INSET + _write(canvas, _INSET, top + _NAME, phrases.DEALS_WON) + _SPACE
    x += _write(canvas, x, top + _NAME, f"{profile.deals_won:,}", _TEXT, TEXT) + _SPACE
    _write(canvas, x, top + _NAME, f"of {deals:,}")
    left, right, upper = _INSET, WIDTH - _INSET, top + _NAME + _SPACE + 4
    canvas.fill((left, upper, right, upper + _BAR), SEAM)
    canvas.fill((left + _SEAM, upper + _SEAM, right - _SEAM, upper + _BAR - _SEAM), RECESS)
    start = 0
    ways = list(zip(_WAYS, queries.wins_by_way(profile), phrases.WINS_BY, strict=True))
    for colour, number, _ in ways:
        first, end = (left + (right - left) * place // max(1, deals) for place in (start, start + number))
        if number:
            # A gap separates it from the next part.
            canvas.fill((first, upper, max(first + 2, end - (_SEAM if end < right else 0)), upper + _BAR), colour)
        start += number
    parts = [*ways, (RECESS, profile.deals_lost, phrases.LOST)]
    words = sum(text_mask(text, CAP).width for _, number, name in parts for text in (name, f"{number:,}"))
    # Large numbers leave less room between the parts.
    space = min(_SPACE, (right - left - words - len(parts) * CAP) // (4 * len(parts)))
    x, y = left, upper + _BAR + _NAME - 6
    for colour, number, name in parts:
        canvas.fill((x, y - CAP, x + CAP, y), SEAM if colour == RECESS else colour)
        canvas.fill((x + _SEAM, y - CAP + _SEAM, x + CAP - _SEAM, y - _SEAM), colour)
        x += CAP + space
        x += _write(canvas, x, y, name) + space
        x += _write(canvas, x, y, f"{number:,}", CAP, TEXT) + 2 * space


def _draw_recent(canvas: Canvas, profile: Profile, monograms: Sequence[str], top: int) -> None:
    """Draw the results of the last matches, and the opponent that the person met most often."""
    recent = profile.played[-_MOST_RECENT:]
    _write(canvas, _INSET, top + _NAME, phrases.last_matches(len(recent)))
    if len(profile.played) > MOST_MARKS:
        _draw_legend(canvas, recent, _RIVAL - _LEGEND, top + _NAME, _DOT)
    middle = top + _NUMBER - _SPACE
    for place, match in enumerate(recent):
        _draw_result(canvas, match.won, _INSET + _DOT + place * _STEP, middle, _DOT)
    told = phrases.LATEST if len(recent) > 1 else phrases.ended(profile.played[-1])
    _write(canvas, _INSET + len(recent) * _STEP + _SPACE // 2, middle + CAP // 2, told)
    rival = profile.rival
    if rival is not None:
        _write(canvas, _RIVAL, top + _NAME, phrases.MOST_OFTEN)
        canvas.put(badge(None, monograms[1], _SMALL_BADGE), _RIVAL, middle - _SMALL_BADGE // 2)
        x, y = _RIVAL + _SMALL_BADGE + _SPACE, middle + _TEXT // 2
        _write(canvas, x, y, phrases.win_loss(rival.won, rival.lost), CAP, TEXT)
