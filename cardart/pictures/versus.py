"""Two people's matches against each other: their faces, the record, sums, and the last matches.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.history import Ending, Meeting, Versus
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import common_cap, fitted_text, text_width
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAT_COLOURS, TEXT, Colour
from cardart.parts.badges import seat_mark
from cardart.parts.meters import meter
from cardart.parts.portraits import Portrait, draw_portrait, full_names, monograms, shown_names
from cardart.text import alt_text, phrases

MAX_MEETINGS: Final = 8
"""Maximum number of recent matches between the two people to show, each in its own row."""

_GAP: Final = 14
_INSET: Final = MARGIN + 18
_CENTRE: Final = WIDTH // 2

_HEAD_HEIGHT: Final = 344
_FACE_SIDE: Final = 160
_FACE_TOP: Final = 24
_FACE_CENTRE: Final = 158
"""Distance from the side of the picture to the middle of a face."""
_MAX_NAME_WIDTH: Final = _CENTRE - _INSET - 12
_MAX_NAME_CAP: Final = 28
_MIN_NAME_CAP: Final = 20
"""Maximum (`_MAX_NAME_CAP`) and minimum (`_MIN_NAME_CAP`) cap height of both names. A name that is too wide even at the
minimum is cut off."""
_NAME_BASELINE: Final = 228
"""Distance from the top of the first panel to the baseline of the names."""
_WON_BASELINE: Final = 62
_SCORE_CAPS: Final = (64, 52, 42, 34, 28)
"""Cap heights for the numbers of wins. The first at which both fit is used."""
_SCORE_BASELINE: Final = 152
_SCORE_OFFSET: Final = 28
"""Distance from the middle of the picture to the numbers of wins."""
_MAX_SCORE_WIDTH: Final = _CENTRE - _FACE_CENTRE - _FACE_SIDE // 2 - _SCORE_OFFSET - 10
_STREAK_MIDDLE: Final = 190
_BAR_HEIGHT: Final = 28
_BAR_TOP: Final = 258
_LEGEND_BASELINE: Final = 320

_FACT_STEP: Final = 64
_FIRST_FACT_BASELINE: Final = 46
_FACTS_BOTTOM_MARGIN: Final = 44
_VALUE_CAP: Final = 27
_FACT_BAR_TOP: Final = 12
"""Distance from the baseline of a fact to its bars."""
_FACT_BAR_HEIGHT: Final = 11
_FACT_BAR_GAP: Final = 4
"""Distance from the middle of the picture to the bars of a fact."""

_ROW_STEP: Final = 40
_TITLE_BASELINE: Final = 44
_FIRST_ROW_BASELINE: Final = 90
"""Distances from the top of the last panel to the baselines of its title (`_TITLE_BASELINE`) and of its first row
(`_FIRST_ROW_BASELINE`)."""
_ROWS_BOTTOM_MARGIN: Final = 26
_MARK_SIDE: Final = 26
"""Side of the mark in the shape and colour of the person who won a match or a streak."""
_POINTS_CAP: Final = 24
_POINTS_OFFSET: Final = 22
"""Distance from the middle of the picture to the points on each side."""
_MARK_GAP: Final = 16
"""Distance from the widest points to the marks of winners, which form a column on each side."""

_WINS: Final = (Ending.FIRST, Ending.SECOND)


def draw_versus(versus: Versus, portraits: Sequence[Portrait], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
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
    _draw_head(canvas, versus, portraits, tops[0])
    for index, (name, values, texts) in enumerate(facts):
        _draw_fact(canvas, name, values, texts, tops[1] + _FIRST_FACT_BASELINE + index * _FACT_STEP)
    _draw_meetings(canvas, shown, phrases.last_meetings_title(versus.category, len(shown)), tops[2])
    alt = alt_text.named(
        lambda labels: alt_text.versus(versus, labels, MAX_MEETINGS), full_names(portraits), monograms(portraits)
    )
    return canvas.picture(alt)


def _facts(versus: Versus) -> tuple[tuple[str, tuple[int, int], tuple[str, str]], ...]:
    """Return the facts that compare the two people: a name, two values, and the values as texts.

    The averages are below the points that they are about.
    """
    points, matches = phrases.points_name(versus.category), len(versus.meetings)
    first, second = versus.points
    averages = phrases.per_match(first, matches), phrases.per_match(second, matches)
    return (
        (points, versus.points, _texts(versus.points)),
        (phrases.PER_MATCH, versus.points, averages),
        (phrases.GINS, versus.gins, _texts(versus.gins)),
        (phrases.STREAK, versus.longest_streaks, _texts(versus.longest_streaks)),
    )


def _texts(values: tuple[int, int]) -> tuple[str, str]:
    return f"{values[0]:,}", f"{values[1]:,}"


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)


def _write_centred(canvas: Canvas, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> None:
    canvas.text(_CENTRE, y, text, cap, ink=ink, background=RECESS, align="centre")


def _draw_head(canvas: Canvas, versus: Versus, portraits: Sequence[Portrait], top: int) -> None:
    """Draw both people face to face, the matches that each of them won, and a bar of all matches."""
    wins = versus.count(Ending.FIRST), versus.count(Ending.SECOND)
    name_cap = common_cap(shown_names(portraits), _MAX_NAME_CAP, _MIN_NAME_CAP, _MAX_NAME_WIDTH)
    for seat, centre in ((Seat(0), _FACE_CENTRE), (Seat(1), WIDTH - _FACE_CENTRE)):
        draw_portrait(canvas, seat, portraits[seat], centre - _FACE_SIDE // 2, top + _FACE_TOP, _FACE_SIDE)
        name, cap = fitted_text(portraits[seat].shown_name, name_cap, name_cap, _MAX_NAME_WIDTH)
        # A long name is not in the middle of its face, but as close to it as the panel allows.
        half = text_width(name, cap) // 2
        middle = min(max(centre, _INSET + half), WIDTH - _INSET - half)
        canvas.text(middle, top + _NAME_BASELINE, name, cap, background=RECESS, align="centre")
    _write_centred(canvas, top + _WON_BASELINE, phrases.WON)
    scores = _texts(wins)
    fitting_caps = (cap for cap in _SCORE_CAPS if max(text_width(score, cap) for score in scores) <= _MAX_SCORE_WIDTH)
    cap, baseline = next(fitting_caps, _SCORE_CAPS[-1]), top + _SCORE_BASELINE
    inks = [GOLD if won == max(wins) > min(wins) else TEXT for won in wins]
    canvas.text(_CENTRE - _SCORE_OFFSET, baseline, scores[0], cap, ink=inks[0], background=RECESS, align="right")
    canvas.text(_CENTRE + _SCORE_OFFSET, baseline, scores[1], cap, ink=inks[1], background=RECESS)
    _write_centred(canvas, baseline - cap // 2 + _VALUE_CAP // 2, "–", _VALUE_CAP)
    if versus.current_streak is not None and versus.current_streak[1] > 1:
        winner, number = versus.current_streak
        text, mark = phrases.in_a_row(number), seat_mark(Seat(winner), _MARK_SIDE)
        x = _CENTRE - (mark.width + _MARK_GAP // 2 + text_width(text, LABEL_CAP)) // 2
        canvas.put(mark, x, top + _STREAK_MIDDLE - mark.height // 2)
        _write(canvas, x + mark.width + _MARK_GAP // 2, top + _STREAK_MIDDLE + LABEL_CAP // 2, text)
    _draw_bar(canvas, wins, len(versus.meetings), top + _BAR_TOP)
    not_won = len(versus.meetings) - sum(wins)
    _write_centred(canvas, top + _LEGEND_BASELINE, phrases.matches_in_all(len(versus.meetings), not_won))


def _draw_bar(canvas: Canvas, wins: tuple[int, int], matches: int, top: int) -> None:
    """Draw a bar of all matches. Each person's wins fill it from their side, and other matches leave it empty."""
    width = WIDTH - 2 * _INSET
    first, second = (width * number // matches for number in wins)
    parts = (0, first, SEAT_COLOURS[0]), (width - second, width, SEAT_COLOURS[1])
    canvas.put(meter(width, _BAR_HEIGHT, parts), _INSET, top)


def _draw_fact(canvas: Canvas, name: str, values: tuple[int, int], texts: tuple[str, str], baseline: int) -> None:
    """Draw a fact about both people, with a bar for each of them that begins in the middle of the picture."""
    _write_centred(canvas, baseline - 3, name)
    _write(canvas, _INSET, baseline, texts[0], _VALUE_CAP, TEXT)
    canvas.text(WIDTH - _INSET, baseline, texts[1], _VALUE_CAP, background=RECESS, align="right")
    top, width = baseline + _FACT_BAR_TOP, _CENTRE - _INSET - _FACT_BAR_GAP
    first, second = (width * value // max(1, *values) for value in values)
    canvas.put(meter(width, _FACT_BAR_HEIGHT, ((width - first, width, SEAT_COLOURS[0]),)), _INSET, top)
    canvas.put(meter(width, _FACT_BAR_HEIGHT, ((0, second, SEAT_COLOURS[1]),)), _CENTRE + _FACT_BAR_GAP, top)


def _draw_meetings(canvas: Canvas, shown: Sequence[Meeting], title: str, top: int) -> None:
    """Draw the last matches, latest first: the date, the points, and a mark next to the winner's points."""
    _write(canvas, _INSET, top + _TITLE_BASELINE, title)
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
    points_width = max(text_width(f"{points:,}", _POINTS_CAP) for meeting in shown for points in meeting.points)
    mark_offset = _POINTS_OFFSET + points_width + _MARK_GAP
    for index, meeting in enumerate(shown):
        baseline = top + _FIRST_ROW_BASELINE + index * _ROW_STEP
        _write(canvas, _INSET, baseline, phrases.short_date(meeting.ended_at.date()))
        first, second = (TEXT if meeting.ending in (ending, Ending.DRAWN) else MIST for ending in _WINS)
        left, right = (f"{points:,}" for points in meeting.points)
        canvas.text(_CENTRE - _POINTS_OFFSET, baseline, left, _POINTS_CAP, ink=first, background=RECESS, align="right")
        canvas.text(_CENTRE + _POINTS_OFFSET, baseline, right, _POINTS_CAP, ink=second, background=RECESS)
        _write_centred(canvas, baseline - 3, "–")
        if meeting.ending in _WINS:
            is_first = meeting.ending is Ending.FIRST
            mark = seat_mark(Seat(0 if is_first else 1), _MARK_SIDE)
            x = _CENTRE - mark_offset - mark.width if is_first else _CENTRE + mark_offset
            canvas.put(mark, x, baseline - (_POINTS_CAP + mark.height) // 2)
        result_text = phrases.MATCH_ENDINGS[meeting.ending]
        if result_text is not None:
            canvas.text(WIDTH - _INSET, baseline, result_text, LABEL_CAP, ink=MIST, background=RECESS, align="right")
