"""A person's profile: results, a chart of net points over time, and the ways they win deals. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Final

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import PlayedMatch, Profile, Rank, Title
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import fitted_text
from cardart.drawing.painting import polygon, polyline
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import Point
from cardart.parts.badges import name_crest
from cardart.parts.celebration import crown
from cardart.parts.meters import meter
from cardart.parts.portraits import Portrait, draw_person, full_names
from cardart.parts.results import Endings, draw_mark, draw_wins
from cardart.text import alt_text, phrases, queries
from cardart.text.seasons import short_season_name
from cardart.text.standings import shown_rating

_GAP: Final = 14
_SUMMARY_HEIGHT: Final = 220
_CHART_HEIGHT: Final = 304
_RECENT_HEIGHT: Final = 134

_INSET: Final = MARGIN + 18
_LABEL_BASELINE: Final = 42
"""Distance from the top of a panel to the baseline of its heading."""
_SPACE: Final = 12
"""Space between a label and its value."""
_DOT_RADIUS: Final = 10
_SMALL_DOT_RADIUS: Final = 7
"""Radius of the dots for matches: `_DOT_RADIUS` in the row of recent results, `_SMALL_DOT_RADIUS` on the curve."""
_LEGEND_ENTRY_GAP: Final = 19
"""Space between the entries of a legend of marks."""
_MARK_WORD_GAP: Final = 8
"""Space between a mark in a legend and the word that explains it."""
MAX_MARKS: Final = 30
"""Maximum number of matches in a chart with a mark for each match. With more matches, it shows only the line."""

_PLOT_LEFT: Final = MARGIN + 116
_GRID_RIGHT: Final = WIDTH - _INSET
_PLOT_RIGHT: Final = _GRID_RIGHT - 8
"""Right edges of the lines of the scale, and of the plot, whose last mark ends with them (`_PLOT_RIGHT`)."""
_PLOT_TOP: Final = 74
_PLOT_HEIGHT: Final = _CHART_HEIGHT - _PLOT_TOP - 62
_DATES_BOTTOM_MARGIN: Final = 20
_LINE_WIDTH: Final = 4
_LINE_MARGIN: Final = 6
"""Margin around the plot, so that the line's thickness is not cut off."""
_POINT_PAIR_WIDTH: Final = 6
"""Minimum width of a group of matches in the chart. The line shows the lowest and highest points of each group."""
_SCALE_GAP: Final = 14

_VALUE_CAP: Final = 32
_TEXT_CAP: Final = 22
_FACE_SIDE: Final = 96
_FACE_TOP: Final = 18
_RIVAL_FACE_SIDE: Final = 56
_FACE_GAP: Final = 16
"""Space between a face and the texts next to it."""
_MAX_NAME_CAP: Final = 34
_MIN_NAME_CAP: Final = 22
"""Maximum (`_MAX_NAME_CAP`) and minimum (`_MIN_NAME_CAP`) cap height of the person's name."""
_NAME_RISE: Final = 22
"""Distance by which the name moves up from the middle of the face to make room for the titles below it."""
_TITLES_DROP: Final = 28
"""Distance from the middle of the face to that of the line with season titles."""
_CROWN_WIDTH: Final = 40
_RATING_BASELINE: Final = 68
_PLACE_BASELINE: Final = 102
"""Distances from the top of the summary to the baselines of the rating and of its place."""
_FACTS_BASELINES: Final = (152, 198)
"""Distances from the top of the summary to the baselines of the labels and of the numbers."""

_RIVAL_LEFT: Final = 482
_MARK_STEP: Final = 27
_MARKS_MIDDLE: Final = 89
"""Distance from the top of the last panel to the marks of the last matches."""
_RIVAL_BASELINES: Final = (82, 110)
"""Distances from the top of the last panel to the baselines of the rival's name and of the results."""


def draw_profile(
    profile: Profile, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw the profile of a person who has finished at least one match, with the viewer's appearance settings.

    With only one match there is no chart. `portraits` are of the person, and of the rival if there is one.
    """
    endings = Endings(queries.wins_by_kind(profile), profile.deals_lost)
    has_chart = len(profile.played_matches) > 1
    heights = (
        _SUMMARY_HEIGHT,
        _CHART_HEIGHT if has_chart else 0,
        endings.height,
        _RECENT_HEIGHT,
    )
    *tops, end = accumulate(heights, lambda top, height: top + height + (_GAP if height else 0), initial=MARGIN)
    canvas = Canvas(WIDTH, end - _GAP + MARGIN, appearance)
    for top, height in zip(tops, heights, strict=True):
        if height:
            canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height))
    _draw_summary(canvas, profile, portraits[0], tops[0])
    if has_chart:
        _draw_line_chart(canvas, profile, tops[1])
    draw_wins(canvas, tops[2], endings, phrases.DEALS_WON.lower())
    _draw_recent(canvas, profile, portraits, tops[3])
    return canvas.picture(alt_text.profile(profile, full_names(portraits)))


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)


def _draw_summary(canvas: Canvas, profile: Profile, portrait: Portrait, top: int) -> None:
    """Draw the person, their titles and their rating, and the most important numbers below."""
    draw_person(canvas, portrait.avatar, name_crest(portrait.shown_name, _FACE_SIDE), _INSET, top + _FACE_TOP)
    x, right, middle = _INSET + _FACE_SIDE + _FACE_GAP, WIDTH - _INSET, top + _FACE_TOP + _FACE_SIDE // 2
    if profile.rank is not None and profile.rank.rating.is_settled:
        right -= _draw_rank(canvas, profile.rank, right, top) + 2 * _SPACE
    name, cap = fitted_text(portrait.shown_name, _MAX_NAME_CAP, _MIN_NAME_CAP, right - x)
    name_middle = middle - _NAME_RISE if profile.titles else middle
    _write(canvas, x, name_middle + cap // 2, name, cap, TEXT)
    if profile.titles:
        _draw_titles(canvas, profile.titles, x, middle + _TITLES_DROP, right)
    summary = (
        (phrases.MATCHES, f"{profile.results.decided_matches:,}"),
        (phrases.WON.capitalize(), phrases.percentage(profile.results.win_percentage)),
        (phrases.NET, words.signed(profile.net)),
        (phrases.STREAK, f"{profile.streak:,}"),
    )
    for index, (name, value) in enumerate(summary):
        x = _INSET + index * (WIDTH - MARGIN - _INSET) // len(summary)
        _write(canvas, x, top + _FACTS_BASELINES[0], name)
        _write(canvas, x, top + _FACTS_BASELINES[1], value, _VALUE_CAP, TEXT)


def _draw_titles(canvas: Canvas, titles: Sequence[Title], x: int, middle: int, right: int) -> None:
    """Draw a crown, the number of titles if there are several, and the season of the latest one."""
    sign = crown(_CROWN_WIDTH)
    canvas.put(sign, x, middle - sign.height // 2)
    x += sign.width + _SPACE
    if len(titles) > 1:
        x += _write(canvas, x, middle + _TEXT_CAP // 2, f"×{len(titles)}", _TEXT_CAP, GOLD) + _SPACE
    season, cap = fitted_text(short_season_name(titles[0].season), LABEL_CAP, LABEL_CAP, right - x)
    _write(canvas, x, middle + cap // 2, season, cap)


def _draw_rank(canvas: Canvas, rank: Rank, right: int, top: int) -> int:
    """Draw a rating after its label, and its place below, right-aligned at `right`. Return the width."""
    line = top + _RATING_BASELINE
    width = canvas.text(right, line, shown_rating(rank.rating), _VALUE_CAP, background=RECESS, align="right") + _SPACE
    width += canvas.text(right - width, line, phrases.RATING, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    if rank.place is not None:
        place = phrases.place_name(rank.place)
        canvas.text(right, top + _PLACE_BASELINE, place, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    return width


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps matches and points to pixels.

    `low` and `high` are the points at the bottom and top of the plot, `top` is the y coordinate of its top, and
    `matches` the number of matches.
    """

    low: int
    high: int
    top: int
    matches: int

    @staticmethod
    def of(net: Sequence[int], top: int) -> _Scale:
        """Return a scale that begins and ends with round numbers."""
        low, *_, high = round_numbers(min(net), max(*net, min(net) + 1))
        return _Scale(low, high, top, len(net) - 1)

    def y(self, points: float) -> float:
        """Return the y coordinate for a score in points."""
        return self.top + (self.high - points) * _PLOT_HEIGHT / (self.high - self.low)

    def at(self, match: int, points: int) -> Point:
        """Return the chart position for the net points after a match. Match 0 is the start, before the first match."""
        return _PLOT_LEFT + match * (_PLOT_RIGHT - _PLOT_LEFT) / self.matches, self.y(points)


def _draw_line_chart(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw the chart with its scale, and the first and last date. Its panel starts at `top`."""
    _write(canvas, _INSET, top + _LABEL_BASELINE, phrases.NET_OVER_TIME)
    played, net = profile.played_matches, queries.cumulative_net(profile)
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    canvas.text(
        _GRID_RIGHT,
        top + _CHART_HEIGHT - _DATES_BOTTOM_MARGIN,
        last,
        LABEL_CAP,
        ink=MIST,
        background=RECESS,
        align="right",
    )
    if first != last:
        _write(canvas, _PLOT_LEFT, top + _CHART_HEIGHT - _DATES_BOTTOM_MARGIN, first)
    scale = _Scale.of(net, top + _PLOT_TOP)
    _draw_line(canvas, scale, net)
    if scale.matches <= MAX_MARKS:
        for number, match in enumerate(played, 1):
            x, y = scale.at(number, net[number])
            draw_mark(canvas, match.won, round(x), round(y), _SMALL_DOT_RADIUS)


def _draw_line(canvas: Canvas, scale: _Scale, net: Sequence[int]) -> None:
    """Draw the area between the line and zero, then the scale, then the line."""
    left, top = _PLOT_LEFT - _LINE_MARGIN, scale.top - _LINE_MARGIN
    size = (_PLOT_RIGHT - _PLOT_LEFT + 2 * _LINE_MARGIN, _PLOT_HEIGHT + 2 * _LINE_MARGIN)
    points = [(x - left, y - top) for x, y in (scale.at(match, net[match]) for match in _turning_points(net))]
    zero = scale.y(0) - top
    canvas.put(polygon(size, [(points[0][0], zero), *points, (points[-1][0], zero)], MIST, RECESS), left, top)
    for number in round_numbers(scale.low, scale.high):
        y = round(scale.y(number))
        if number:
            canvas.put(meter(_GRID_RIGHT - _PLOT_LEFT, 2, ()), _PLOT_LEFT, y - 1)
        else:
            canvas.fill((_PLOT_LEFT, y - 1, _GRID_RIGHT, y + 1), SEAM)
        text = ("+" if number > 0 else "") + phrases.short_number(number)
        canvas.text(
            _PLOT_LEFT - _SCALE_GAP, y + LABEL_CAP // 2, text, LABEL_CAP, ink=MIST, background=RECESS, align="right"
        )
    canvas.put(polyline(size, points, _LINE_WIDTH, MIST, RECESS), left, top)


def round_numbers(low: int, high: int, max_count: int = 5) -> list[int]:
    """Return at most `max_count` round numbers, the first at most `low` and the last at least `high`.

    The step is 1, 2 or 5 times a power of ten, and the smallest that allows this. Raise `ValueError` if `low` is not
    below `high`.
    """
    if low >= high:
        raise ValueError(f"{low} is not below {high}")
    for step in (factor * 10**power for power in count() for factor in (1, 2, 5)):
        first, last = low // step, -(-high // step)
        if last - first < max_count:
            return [step * number for number in range(first, last + 1)]
    raise AssertionError("unreachable: some step is large enough")


def _turning_points(net: Sequence[int]) -> list[int]:
    """Return the matches at which the line has vertices.

    The vertices are the line's first and last points, and the lowest and highest points in each group of matches.
    """
    group_size = -(-len(net) // ((_PLOT_RIGHT - _PLOT_LEFT) // _POINT_PAIR_WIDTH))
    turning_points = {0, len(net) - 1}
    for start in range(0, len(net), group_size):
        group = range(start, min(start + group_size, len(net)))
        turning_points |= {min(group, key=lambda match: net[match]), max(group, key=lambda match: net[match])}
    return sorted(turning_points)


def _draw_legend(canvas: Canvas, played: Iterable[PlayedMatch], x: int, y: int) -> None:
    """Draw a legend of the marks of matches from `x` on, with its baseline at `y`."""
    neither = [(None, phrases.NEITHER)] if any(match.won is None for match in played) else []
    for won, name in ((True, phrases.WON), (False, phrases.LOST), *neither):
        draw_mark(canvas, won, x + _SMALL_DOT_RADIUS, y - LABEL_CAP // 2, _SMALL_DOT_RADIUS)
        x += 2 * _SMALL_DOT_RADIUS + _MARK_WORD_GAP
        x += _write(canvas, x, y, name) + _LEGEND_ENTRY_GAP


def _draw_recent(canvas: Canvas, profile: Profile, portraits: Sequence[Portrait], top: int) -> None:
    """Draw the results of the last matches with a legend, and the opponent that the person met most often."""
    recent = profile.played_matches[-phrases.MAX_RECENT_MATCHES :]
    title_width = _write(canvas, _INSET, top + _LABEL_BASELINE, phrases.last_matches_title(len(recent)))
    if len(recent) > 1:
        x = _INSET + title_width + _LEGEND_ENTRY_GAP
        _draw_legend(canvas, profile.played_matches, x, top + _LABEL_BASELINE)
    middle = top + _MARKS_MIDDLE
    for index, match in enumerate(recent):
        draw_mark(canvas, match.won, _INSET + _DOT_RADIUS + index * _MARK_STEP, middle, _DOT_RADIUS)
    note = phrases.LATEST if len(recent) > 1 else phrases.result_and_date(profile.played_matches[-1])
    _write(canvas, _INSET + len(recent) * _MARK_STEP + _SPACE // 2, middle + LABEL_CAP // 2, note)
    rival = profile.rival
    if rival is not None:
        _write(canvas, _RIVAL_LEFT, top + _LABEL_BASELINE, phrases.MOST_OFTEN)
        first, second = (top + baseline for baseline in _RIVAL_BASELINES)
        shield, y = (
            name_crest(portraits[1].shown_name, _RIVAL_FACE_SIDE),
            (first + second - LABEL_CAP - _RIVAL_FACE_SIDE) // 2,
        )
        draw_person(canvas, portraits[1].avatar, shield, _RIVAL_LEFT, y)
        x = _RIVAL_LEFT + _RIVAL_FACE_SIDE + _SPACE
        name, cap = fitted_text(portraits[1].shown_name, LABEL_CAP, LABEL_CAP, WIDTH - _INSET - x)
        _write(canvas, x, first, name, cap, TEXT)
        _write(canvas, x, second, phrases.win_loss(rival.won, rival.lost))
