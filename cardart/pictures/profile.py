"""A person's profile: results, a chart of net points over time, and the ways they win deals. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import ceil, floor
from typing import Final

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import PlayedMatch, Profile, Rank
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import fitted_text, text_mask
from cardart.drawing.painting import disc, polygon, polyline
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import Point
from cardart.parts.badges import name_crest
from cardart.parts.portraits import Portrait, draw_person, full_names
from cardart.text import alt_text, phrases, queries
from cardart.text.seasons import champion_text

_GAP: Final = 14
_SUMMARY_HEIGHT: Final = 188
_CHART_HEIGHT: Final = 316
_TITLES_HEIGHT: Final = 42
"""Extra height of the summary if the person has season titles."""
_TITLES_BOTTOM_MARGIN: Final = 22
_MIN_TITLES_CAP: Final = 16
"""Minimum cap height of the line with season titles."""
_DEALS_HEIGHT: Final = 148
_RECENT_HEIGHT: Final = 116

_INSET: Final = MARGIN + 18
_LABEL_BASELINE: Final = 42
"""Distance from the top of a panel to the baseline of its heading."""
_SPACE: Final = 12
"""Space between a label and its value."""
_DOT_RADIUS: Final = 10
_SMALL_DOT_RADIUS: Final = 7
"""Radius of the dots for matches: `_DOT_RADIUS` in the row of recent results, `_SMALL_DOT_RADIUS` on the curve."""
_LEGEND_ENTRY_GAP: Final = 20
"""Space between the entries of a legend of marks."""
_MARK_WORD_GAP: Final = 8
"""Space between a mark in a legend and the word that explains it."""
MAX_MARKS: Final = 30
"""Maximum number of matches in a chart with a mark for each match. With more matches, it shows only the line."""

_PLOT_LEFT: Final = MARGIN + 116
_PLOT_RIGHT: Final = WIDTH - MARGIN - 30
_PLOT_TOP: Final = 68
_PLOT_HEIGHT: Final = _CHART_HEIGHT - _PLOT_TOP - 58
_DATES_BOTTOM_MARGIN: Final = 22
_LINE_WIDTH: Final = 4
_LINE_MARGIN: Final = 6
"""Margin around the plot, so that the line's thickness is not cut off."""
_POINT_PAIR_WIDTH: Final = 6
"""Minimum width of a group of matches in the chart. The line shows the lowest and highest points of each group."""
_SCALE_GAP: Final = 14

_VALUE_CAP: Final = 32
_TEXT_CAP: Final = 22
_NUMBER_BASELINE: Final = 90
"""Distance from the top of a panel to the baseline of a number below its label."""
_SHIELD_SIZE: Final = 76
_SMALL_SHIELD_SIZE: Final = 50
_NAME_BASELINE: Final = 58
"""Distance from the top of the summary to the baseline of the person's name."""
_MAX_NAME_CAP: Final = 28
_MIN_NAME_CAP: Final = 20
"""Maximum (`_MAX_NAME_CAP`) and minimum (`_MIN_NAME_CAP`) cap height of the person's name."""
_FACTS_OFFSET: Final = 72
"""Distance by which the summary's labels and numbers are lower than in other panels, because of the name above them."""

_BAR_HEIGHT: Final = 30
_SEAM_WIDTH: Final = 2
_RIVAL_LEFT: Final = 482
_LEGEND_RIVAL_GAP: Final = 24
"""Space between the legend of the last matches and the most frequent opponent."""
_MARK_STEP: Final = 27
_WAY_COLOURS: Final = (MIST, GOLD, SEAT_COLOURS[0])
"""Colours of knocks, gins and undercuts."""
_MAX_RECENT_MATCHES: Final = 12
"""Maximum number of recent matches to draw, each as a mark that shows its result."""


def draw_profile(
    profile: Profile, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE
) -> Picture:
    """Draw the profile of a person who has finished at least one match, with the viewer's appearance settings.

    With only one match there is no chart. `portraits` are of the person, and of the rival if there is one.
    """
    has_chart = len(profile.played_matches) > 1
    heights = (
        _SUMMARY_HEIGHT + (_TITLES_HEIGHT if profile.titles else 0),
        _CHART_HEIGHT if has_chart else 0,
        _DEALS_HEIGHT,
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
    _draw_deals(canvas, profile, tops[2])
    _draw_recent(canvas, profile, portraits, tops[3])
    return canvas.picture(alt_text.profile(profile, full_names(portraits), _MAX_RECENT_MATCHES))


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)


def _draw_match_mark(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """Draw a full disc for a win, a ring for a loss, and a small disc for any other result."""
    mark = disc(radius, GOLD, EDGE, 2) if won else disc(radius, RECESS, MIST, 3)
    if won is None:
        mark = disc(radius * 3 // 4, MIST, MIST, 0)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


def _draw_summary(canvas: Canvas, profile: Profile, portrait: Portrait, top: int) -> None:
    shield = name_crest(portrait.name, _SHIELD_SIZE)
    draw_person(canvas, portrait.avatar, shield, _INSET, top + _NAME_BASELINE - (_MAX_NAME_CAP + _SHIELD_SIZE) // 2)
    x, right = _INSET + _SHIELD_SIZE + _SPACE, WIDTH - _INSET
    if profile.rank is not None:
        right -= _draw_rank(canvas, profile.rank, right, top + _NAME_BASELINE) + 2 * _SPACE
    name, cap = fitted_text(portrait.shown_name, _MAX_NAME_CAP, _MIN_NAME_CAP, right - x)
    _write(canvas, x, top + _NAME_BASELINE, name, cap, TEXT)
    summary = (
        (phrases.MATCHES, f"{profile.results.decided_matches:,}"),
        (phrases.WON.capitalize(), phrases.percentage(profile.results.win_percentage)),
        (phrases.NET, words.signed(profile.net)),
        (phrases.STREAK, str(profile.streak)),
    )
    for index, (name, value) in enumerate(summary):
        x = _INSET + index * (WIDTH - MARGIN - _INSET) // len(summary)
        _write(canvas, x, top + _FACTS_OFFSET + _LABEL_BASELINE, name)
        _write(canvas, x, top + _FACTS_OFFSET + _NUMBER_BASELINE, value, _VALUE_CAP, TEXT)
    if profile.titles:
        titles_baseline = top + _SUMMARY_HEIGHT + _TITLES_HEIGHT - _TITLES_BOTTOM_MARGIN
        canvas.put(disc(_DOT_RADIUS, GOLD, EDGE, 2), _INSET, titles_baseline - LABEL_CAP // 2 - _DOT_RADIUS)
        left = _INSET + 2 * _DOT_RADIUS + _SPACE
        titles_text, cap = fitted_text(
            champion_text(profile.titles, 1), LABEL_CAP, _MIN_TITLES_CAP, WIDTH - _INSET - left
        )
        _write(canvas, left, titles_baseline, titles_text, cap, GOLD)


def _draw_rank(canvas: Canvas, rank: Rank, right: int, baseline: int) -> int:
    """Draw a rating and its place, right-aligned at `right`. Return the total width."""
    x = right
    if rank.place is not None:
        place = phrases.place_suffix(rank)
        x -= canvas.text(x, baseline, place, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    x -= canvas.text(x, baseline, str(rank.rating), _TEXT_CAP, ink=TEXT, background=RECESS, align="right") + _SPACE
    x -= canvas.text(x, baseline, phrases.RATING, LABEL_CAP, ink=MIST, background=RECESS, align="right")
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
        """Return a scale with a margin above the highest and below the lowest net points."""
        low, high = min(net), max(*net, min(net) + 1)
        spare = (high - low) / 20
        return _Scale(low - spare, high + spare, top, len(net) - 1)

    def y(self, points: float) -> float:
        """Return the y coordinate for a score in points."""
        return self.top + (self.high - points) * _PLOT_HEIGHT / (self.high - self.low)

    def at(self, match: int, points: int) -> Point:
        """Return the chart position for the net points after a match. Match 0 is the start, before the first match."""
        return _PLOT_LEFT + match * (_PLOT_RIGHT - _PLOT_LEFT) / self.matches, self.y(points)


def _draw_line_chart(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw the chart with its scale, its legend, and the first and last date. Its panel starts at `top`."""
    _write(canvas, _INSET, top + _LABEL_BASELINE, phrases.NET_OVER_TIME)
    played, net = profile.played_matches, queries.cumulative_net(profile)
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    canvas.text(
        _PLOT_RIGHT,
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
        _draw_legend(canvas, played, _PLOT_RIGHT, top + _LABEL_BASELINE, _SMALL_DOT_RADIUS)
        for number, match in enumerate(played, 1):
            x, y = scale.at(number, net[number])
            _draw_match_mark(canvas, match.won, round(x), round(y), _SMALL_DOT_RADIUS)


def _draw_line(canvas: Canvas, scale: _Scale, net: Sequence[int]) -> None:
    """Draw the area between the line and zero, then the scale, then the line."""
    left, top = _PLOT_LEFT - _LINE_MARGIN, scale.top - _LINE_MARGIN
    size = (_PLOT_RIGHT - _PLOT_LEFT + 2 * _LINE_MARGIN, _PLOT_HEIGHT + 2 * _LINE_MARGIN)
    points = [(x - left, y - top) for x, y in (scale.at(match, net[match]) for match in _turning_points(net))]
    zero = scale.y(0) - top
    canvas.put(
        polygon(size, [(points[0][0], zero), *points, (points[-1][0], zero)], SEAT_COLOURS[0], RECESS), left, top
    )
    for number in round_numbers(scale.low, scale.high):
        y = round(scale.y(number))
        canvas.fill((_PLOT_LEFT, y - 1, _PLOT_RIGHT, y + 1), SEAM if number else MIST)
        text = ("+" if number > 0 else "") + phrases.short_number(number)
        canvas.text(
            _PLOT_LEFT - _SCALE_GAP, y + LABEL_CAP // 2, text, LABEL_CAP, ink=MIST, background=RECESS, align="right"
        )
    canvas.put(polyline(size, points, _LINE_WIDTH, SEAT_COLOURS[0], RECESS), left, top)


def round_numbers(low: float, high: float, max_count: int = 5) -> list[int]:
    """Return at most `max_count` round numbers from `low` to `high`, with the smallest step that allows this.

    The step is 1, 2 or 5 times a power of ten. Raise `ValueError` if `low` is not below `high`.
    """
    if low >= high:
        raise ValueError(f"{low} is not below {high}")
    for step in (factor * 10**power for power in count() for factor in (1, 2, 5)):
        first, last = ceil(low / step), floor(high / step)
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


def _draw_legend(canvas: Canvas, played: Iterable[PlayedMatch], x: int, y: int, radius: int) -> None:
    """Draw a legend of the marks of matches, right-aligned at `x`, with its baseline at `y`."""
    neither_entry = [(None, phrases.NEITHER)] if any(match.won is None for match in played) else []
    for won, name in (*neither_entry, (False, phrases.LOST), (True, phrases.WON)):
        x -= canvas.text(x, y, name, LABEL_CAP, ink=MIST, background=RECESS, align="right") + radius + _MARK_WORD_GAP
        _draw_match_mark(canvas, won, x, y - LABEL_CAP // 2, radius)
        x -= radius + _LEGEND_ENTRY_GAP


def _draw_deals(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw a bar of all deals, with a part for each way of winning deals, and its legend."""
    deals = profile.deals_won + profile.deals_lost
    x = _INSET + _write(canvas, _INSET, top + _LABEL_BASELINE, phrases.DEALS_WON) + _SPACE
    x += _write(canvas, x, top + _LABEL_BASELINE, f"{profile.deals_won:,}", _TEXT_CAP, TEXT) + _SPACE
    _write(canvas, x, top + _LABEL_BASELINE, f"of {deals:,}")
    left, right, bar_top = _INSET, WIDTH - _INSET, top + _LABEL_BASELINE + _SPACE + 4
    canvas.fill((left, bar_top, right, bar_top + _BAR_HEIGHT), SEAM)
    canvas.fill(
        (left + _SEAM_WIDTH, bar_top + _SEAM_WIDTH, right - _SEAM_WIDTH, bar_top + _BAR_HEIGHT - _SEAM_WIDTH), RECESS
    )
    start = 0
    ways = list(zip(_WAY_COLOURS, queries.wins_by_kind(profile), phrases.WINS_BY, strict=True))
    for colour, number, _ in ways:
        part_left, part_right = (left + (right - left) * place // max(1, deals) for place in (start, start + number))
        if number:
            # A gap separates each part of the bar from the next.
            canvas.fill(
                (
                    part_left,
                    bar_top,
                    max(part_left + 2, part_right - (_SEAM_WIDTH if part_right < right else 0)),
                    bar_top + _BAR_HEIGHT,
                ),
                colour,
            )
        start += number
    parts = [*ways, (RECESS, profile.deals_lost, phrases.LOST)]
    words_width = sum(text_mask(text, LABEL_CAP).width for _, number, name in parts for text in (name, f"{number:,}"))
    # Large numbers leave less space between the parts of the legend.
    space = min(_SPACE, (right - left - words_width - len(parts) * LABEL_CAP) // (4 * len(parts)))
    x, y = left, bar_top + _BAR_HEIGHT + _LABEL_BASELINE - 6
    for colour, number, name in parts:
        canvas.fill((x, y - LABEL_CAP, x + LABEL_CAP, y), SEAM if colour == RECESS else colour)
        canvas.fill(
            (x + _SEAM_WIDTH, y - LABEL_CAP + _SEAM_WIDTH, x + LABEL_CAP - _SEAM_WIDTH, y - _SEAM_WIDTH), colour
        )
        x += LABEL_CAP + space
        x += _write(canvas, x, y, name) + space
        x += _write(canvas, x, y, f"{number:,}", LABEL_CAP, TEXT) + 2 * space


def _draw_recent(canvas: Canvas, profile: Profile, portraits: Sequence[Portrait], top: int) -> None:
    """Draw the results of the last matches, and the opponent that the person met most often."""
    recent = profile.played_matches[-_MAX_RECENT_MATCHES:]
    _write(canvas, _INSET, top + _LABEL_BASELINE, phrases.last_matches_title(len(recent)))
    if len(profile.played_matches) > MAX_MARKS:
        _draw_legend(canvas, recent, _RIVAL_LEFT - _LEGEND_RIVAL_GAP, top + _LABEL_BASELINE, _DOT_RADIUS)
    marks_middle = top + _NUMBER_BASELINE - _SPACE
    for index, match in enumerate(recent):
        _draw_match_mark(canvas, match.won, _INSET + _DOT_RADIUS + index * _MARK_STEP, marks_middle, _DOT_RADIUS)
    note = phrases.LATEST if len(recent) > 1 else phrases.result_and_date(profile.played_matches[-1])
    _write(canvas, _INSET + len(recent) * _MARK_STEP + _SPACE // 2, marks_middle + LABEL_CAP // 2, note)
    rival = profile.rival
    if rival is not None:
        _write(canvas, _RIVAL_LEFT, top + _LABEL_BASELINE, phrases.MOST_OFTEN)
        shield = name_crest(portraits[1].name, _SMALL_SHIELD_SIZE)
        draw_person(canvas, portraits[1].avatar, shield, _RIVAL_LEFT, marks_middle - _SMALL_SHIELD_SIZE // 2)
        x, y = _RIVAL_LEFT + _SMALL_SHIELD_SIZE + _SPACE, marks_middle + _TEXT_CAP // 2
        _write(canvas, x, y, phrases.win_loss(rival.won, rival.lost), LABEL_CAP, TEXT)
