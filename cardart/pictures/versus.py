"""The matches between two people: their wins, their points, and the last matches. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.history import Ending, Meeting, Versus
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import can_write, fitted_text, text_mask
from cardart.drawing.painting import disc
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.text import alt_text, phrases

MAX_MEETINGS: Final = 10
"""Maximum number of recent matches between the two people to show, each in its own row."""

_GAP: Final = 14
_INSET: Final = MARGIN + 18
_CENTRE: Final = WIDTH // 2
_SPACE: Final = 12
"""Space between a badge and a name."""

_HEAD_HEIGHT: Final = 252
_BADGE_SIZE: Final = 64
_BADGE_TOP: Final = 18
_MAX_NAME_CAP: Final = 26
_MIN_NAME_CAP: Final = 20
"""Maximum (`_MAX_NAME_CAP`) and minimum (`_MIN_NAME_CAP`) cap height of names. A name that is too wide even
at the minimum is cut off."""
_NAME_BASELINE: Final = 60
"""Distance from the top of the first panel to the baseline of the names."""
_SCORE_CAP: Final = 52
_SCORE_BASELINE: Final = 152
_BAR_HEIGHT: Final = 26
_BAR_TOP: Final = 174
_SEAM_WIDTH: Final = 2
_LEGEND_BASELINE: Final = 232

_FACT_STEP: Final = 46
_FIRST_FACT_BASELINE: Final = 40
_FACTS_BOTTOM_MARGIN: Final = 22
_VALUE_CAP: Final = 26

_ROW_STEP: Final = 40
_TITLE_BASELINE: Final = 44
_FIRST_ROW_BASELINE: Final = 88
"""Distances from the top of the last panel to the baselines of its title (`_TITLE_BASELINE`) and of its first row
(`_FIRST_ROW_BASELINE`)."""
_ROWS_BOTTOM_MARGIN: Final = 26
_MARK_RADIUS: Final = 10
_POINTS_CAP: Final = 24
_POINTS_OFFSET: Final = 22
"""Distance from the middle of the picture to the points on each side."""
_MARK_GAP: Final = 26
"""Distance from the winner's points to the middle of the winner's mark."""

_WINS: Final = (Ending.FIRST, Ending.SECOND)


def draw_versus(versus: Versus, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the results of the matches between two people, with the viewer's appearance settings.

    They must have met at least once. Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    shown = versus.meetings[: -MAX_MEETINGS - 1 : -1]
    facts = _facts(versus)
    heights = (
        _HEAD_HEIGHT,
        _FIRST_FACT_BASELINE + (len(facts) - 1) * _FACT_STEP + _FACTS_BOTTOM_MARGIN,
        _FIRST_ROW_BASELINE + (len(shown) - 1) * _ROW_STEP + _ROWS_BOTTOM_MARGIN,
    )
    canvas = Canvas(WIDTH, 2 * MARGIN + sum(heights) + 2 * _GAP, appearance)
    top = MARGIN
    tops = list[int]()
    for height in heights:
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height))
        tops.append(top)
        top += height + _GAP
    _draw_head(canvas, versus, monograms, tops[0])
    for index, (name, values) in enumerate(facts):
        _draw_fact(canvas, name, values, tops[1] + _FIRST_FACT_BASELINE + index * _FACT_STEP)
    _draw_meetings(canvas, shown, tops[2])
    return canvas.picture(alt_text.versus(versus, monograms, MAX_MEETINGS))


def _facts(versus: Versus) -> tuple[tuple[str, tuple[int, int]], ...]:
    return (
        (phrases.points_name(versus.category), versus.points),
        (phrases.GINS, versus.gins),
        (phrases.STREAK, versus.longest_streaks),
    )


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)


def _write_centred(canvas: Canvas, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> None:
    canvas.text(_CENTRE, y, text, cap, ink=ink, background=RECESS, align="centre")


def _draw_head(canvas: Canvas, versus: Versus, monograms: Sequence[str], top: int) -> None:
    """Draw both people, the matches that each of them won, and a bar of all matches."""
    _draw_name(canvas, versus.players[0].name, Seat(0), monograms[0], top)
    _draw_name(canvas, versus.players[1].name, Seat(1), monograms[1], top)
    wins = versus.count(Ending.FIRST), versus.count(Ending.SECOND)
    score_baseline = top + _SCORE_BASELINE
    _write_centred(canvas, score_baseline - 6, phrases.WON)
    score_offset = text_mask(phrases.WON, LABEL_CAP).width // 2 + 2 * _POINTS_OFFSET
    canvas.text(_CENTRE - score_offset, score_baseline, f"{wins[0]:,}", _SCORE_CAP, background=RECESS, align="right")
    canvas.text(_CENTRE + score_offset, score_baseline, f"{wins[1]:,}", _SCORE_CAP, background=RECESS)
    _draw_bar(canvas, wins, len(versus.meetings), top + _BAR_TOP)
    not_won = len(versus.meetings) - sum(wins)
    legend = phrases.matches_in_all(len(versus.meetings), not_won)
    _write_centred(canvas, top + _LEGEND_BASELINE, legend)


def _draw_name(canvas: Canvas, name: str | None, seat: Seat, monogram: str, top: int) -> None:
    """Draw a person's badge in the upper corner of their side, and their name next to it if the font can write it."""
    left = _INSET if seat == 0 else WIDTH - _INSET - _BADGE_SIZE
    canvas.put(badge(seat, monogram, _BADGE_SIZE), left, top + _BADGE_TOP)
    if name is None or not can_write(name):
        return
    max_width = _CENTRE - _INSET - _BADGE_SIZE - 2 * _SPACE
    name, cap = fitted_text(name, _MAX_NAME_CAP, _MIN_NAME_CAP, max_width)
    name_offset = _INSET + _BADGE_SIZE + _SPACE
    if seat == 0:
        _write(canvas, name_offset, top + _NAME_BASELINE, name, cap, TEXT)
    else:
        canvas.text(WIDTH - name_offset, top + _NAME_BASELINE, name, cap, background=RECESS, align="right")


def _draw_bar(canvas: Canvas, wins: tuple[int, int], matches: int, top: int) -> None:
    """Draw a bar of all matches. Each person's wins fill it from their side, and other matches leave it empty."""
    left, right = _INSET, WIDTH - _INSET
    canvas.fill((left, top, right, top + _BAR_HEIGHT), SEAM)
    canvas.fill((left + _SEAM_WIDTH, top + _SEAM_WIDTH, right - _SEAM_WIDTH, top + _BAR_HEIGHT - _SEAM_WIDTH), RECESS)
    first = left + (right - left) * wins[0] // matches
    second = right - (right - left) * wins[1] // matches
    if wins[0]:
        canvas.fill((left, top, first - (_SEAM_WIDTH if first < right else 0), top + _BAR_HEIGHT), SEAT_COLOURS[0])
    if wins[1]:
        canvas.fill((second + (_SEAM_WIDTH if second > left else 0), top, right, top + _BAR_HEIGHT), SEAT_COLOURS[1])


def _draw_fact(canvas: Canvas, name: str, values: tuple[int, int], baseline: int) -> None:
    _write_centred(canvas, baseline - 3, name)
    _write(canvas, _INSET, baseline, f"{values[0]:,}", _VALUE_CAP, TEXT)
    canvas.text(WIDTH - _INSET, baseline, f"{values[1]:,}", _VALUE_CAP, background=RECESS, align="right")


def _draw_meetings(canvas: Canvas, shown: Sequence[Meeting], top: int) -> None:
    """Draw the last matches, latest first: the date, the points, and a mark next to the winner's points."""
    _write(canvas, _INSET, top + _TITLE_BASELINE, phrases.last_matches_title(len(shown)))
    if len(shown) > 1:
        canvas.text(
            WIDTH - _INSET,
            top + _TITLE_BASELINE,
            phrases.LATEST_FIRST,
            LABEL_CAP,
            ink=MIST,
            background=RECESS,
            align="right",
        )
    for index, meeting in enumerate(shown):
        baseline = top + _FIRST_ROW_BASELINE + index * _ROW_STEP
        _write(canvas, _INSET, baseline, phrases.short_date(meeting.ended_at.date()))
        first, second = (TEXT if meeting.ending in (ending, Ending.DRAWN) else MIST for ending in _WINS)
        left, right = (f"{points:,}" for points in meeting.points)
        left_width = canvas.text(
            _CENTRE - _POINTS_OFFSET, baseline, left, _POINTS_CAP, ink=first, background=RECESS, align="right"
        )
        right_width = canvas.text(_CENTRE + _POINTS_OFFSET, baseline, right, _POINTS_CAP, ink=second, background=RECESS)
        _write_centred(canvas, baseline - 3, "–")
        if meeting.ending in _WINS:
            mark_offset = (left_width if meeting.ending is Ending.FIRST else right_width) + _POINTS_OFFSET + _MARK_GAP
            x = _CENTRE + (-mark_offset if meeting.ending is Ending.FIRST else mark_offset)
            mark = disc(_MARK_RADIUS, GOLD, EDGE, 2)
            canvas.put(mark, x - mark.width // 2, baseline - LABEL_CAP // 2 - mark.height // 2 - 2)
        result_text = phrases.MATCH_ENDINGS[meeting.ending]
        if result_text is not None:
            canvas.text(WIDTH - _INSET, baseline, result_text, LABEL_CAP, ink=MIST, background=RECESS, align="right")
