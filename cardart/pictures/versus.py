"""The matches between two people: their wins, their points, and the last matches. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.history import Ending, Meeting, Versus
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import can_write, fitted, text_mask
from cardart.drawing.painting import disc
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.text import alt_text, phrases

MOST_MEETINGS: Final = 10
"""Maximum number of matches that are shown individually."""

_GAP: Final = 14
_INSET: Final = MARGIN + 18
_CENTRE: Final = WIDTH // 2
_SPACE: Final = 12
"""Space between a badge and a name."""

_HEAD: Final = 252
_BADGE: Final = 64
_BADGE_TOP: Final = 18
_OWNER: Final = 26
_LEAST: Final = 20
"""Maximum (`_OWNER`) and minimum (`_LEAST`) cap height of names. Longer names are cut off."""
_NAME_LINE: Final = 60
"""Distance from the top of the first panel to the baseline of the names."""
_SCORE: Final = 52
_SCORE_LINE: Final = 152
_BAR: Final = 26
_BAR_TOP: Final = 174
_SEAM: Final = 2
_LEGEND: Final = 232

_FACT: Final = 46
_FACTS_ABOVE: Final = 40
_FACTS_BELOW: Final = 22
_VALUE: Final = 26

_ROW: Final = 40
_TITLE: Final = 44
_ROWS: Final = 88
"""Distances from the top of the last panel to the baselines of its title and of its first row."""
_BELOW: Final = 26
_MARK: Final = 10
_POINTS: Final = 24
_APART: Final = 22
"""Distance from the middle of the picture to the points on each side."""
_TO_MARK: Final = 26
"""Distance from the winner's points to the middle of the winner's mark."""

_WINS: Final = (Ending.FIRST, Ending.SECOND)


def draw_versus(versus: Versus, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the matches between two people who have met at least once, in the viewer's appearance.

    Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    shown = versus.meetings[: -MOST_MEETINGS - 1 : -1]
    facts = _facts(versus)
    heights = (
        _HEAD,
        _FACTS_ABOVE + (len(facts) - 1) * _FACT + _FACTS_BELOW,
        _ROWS + (len(shown) - 1) * _ROW + _BELOW,
    )
    canvas = Canvas(WIDTH, 2 * MARGIN + sum(heights) + 2 * _GAP, appearance)
    top = MARGIN
    tops = list[int]()
    for height in heights:
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height))
        tops.append(top)
        top += height + _GAP
    _draw_head(canvas, versus, monograms, tops[0])
    for place, (name, values) in enumerate(facts):
        _draw_fact(canvas, name, values, tops[1] + _FACTS_ABOVE + place * _FACT)
    _draw_meetings(canvas, shown, tops[2])
    return canvas.picture(alt_text.versus(versus, monograms, MOST_MEETINGS))


def _facts(versus: Versus) -> tuple[tuple[str, tuple[int, int]], ...]:
    return (
        (phrases.points_kind(versus.category), versus.points),
        (phrases.GINS, versus.gins),
        (phrases.STREAK, versus.streaks),
    )


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, ground=RECESS)


def _write_centred(canvas: Canvas, y: int, text: str, cap: int = CAP, ink: Colour = MIST) -> None:
    canvas.text(_CENTRE, y, text, cap, ink=ink, ground=RECESS, align="centre")


def _draw_head(canvas: Canvas, versus: Versus, monograms: Sequence[str], top: int) -> None:
    """Draw both people, the matches that each of them won, and a bar of all matches."""
    _draw_name(canvas, versus.players[0].name, Seat(0), monograms[0], top)
    _draw_name(canvas, versus.players[1].name, Seat(1), monograms[1], top)
    won = versus.count(Ending.FIRST), versus.count(Ending.SECOND)
    line = top + _SCORE_LINE
    _write_centred(canvas, line - 6, phrases.WON)
    apart = text_mask(phrases.WON, CAP).width // 2 + 2 * _APART
    canvas.text(_CENTRE - apart, line, f"{won[0]:,}", _SCORE, ground=RECESS, align="right")
    canvas.text(_CENTRE + apart, line, f"{won[1]:,}", _SCORE, ground=RECESS)
    _draw_bar(canvas, won, len(versus.meetings), top + _BAR_TOP)
    others = len(versus.meetings) - sum(won)
    told = phrases.matches_in_all(len(versus.meetings), others)
    _write_centred(canvas, top + _LEGEND, told)


def _draw_name(canvas: Canvas, name: str | None, seat: Seat, monogram: str, top: int) -> None:
    """Draw a person's badge in their upper corner, and their name next to it if the font can write it."""
    left = _INSET if seat == 0 else WIDTH - _INSET - _BADGE
    canvas.put(badge(seat, monogram, _BADGE), left, top + _BADGE_TOP)
    if name is None or not can_write(name):
        return
    room = _CENTRE - _INSET - _BADGE - 2 * _SPACE
    name, cap = fitted(name, _OWNER, _LEAST, room)
    beside = _INSET + _BADGE + _SPACE
    if seat == 0:
        _write(canvas, beside, top + _NAME_LINE, name, cap, TEXT)
    else:
        canvas.text(WIDTH - beside, top + _NAME_LINE, name, cap, ground=RECESS, align="right")


def _draw_bar(canvas: Canvas, won: tuple[int, int], matches: int, top: int) -> None:
    """Draw a bar of all matches. Each person's wins fill it from their side, and other matches leave it empty."""
    left, right = _INSET, WIDTH - _INSET
    canvas.fill((left, top, right, top + _BAR), SEAM)
    canvas.fill((left + _SEAM, top + _SEAM, right - _SEAM, top + _BAR - _SEAM), RECESS)
    first = left + (right - left) * won[0] // matches
    second = right - (right - left) * won[1] // matches
    if won[0]:
        canvas.fill((left, top, first - (_SEAM if first < right else 0), top + _BAR), SEAT_COLOURS[0])
    if won[1]:
        canvas.fill((second + (_SEAM if second > left else 0), top, right, top + _BAR), SEAT_COLOURS[1])


def _draw_fact(canvas: Canvas, name: str, values: tuple[int, int], line: int) -> None:
    _write_centred(canvas, line - 3, name)
    _write(canvas, _INSET, line, f"{values[0]:,}", _VALUE, TEXT)
    canvas.text(WIDTH - _INSET, line, f"{values[1]:,}", _VALUE, ground=RECESS, align="right")


def _draw_meetings(canvas: Canvas, shown: Sequence[Meeting], top: int) -> None:
    """Draw the last matches, latest first: the date, the points, and a mark next to the winner's points."""
    _write(canvas, _INSET, top + _TITLE, phrases.last_matches(len(shown)))
    if len(shown) > 1:
        canvas.text(WIDTH - _INSET, top + _TITLE, phrases.LATEST_FIRST, CAP, ink=MIST, ground=RECESS, align="right")
    for place, meeting in enumerate(shown):
        line = top + _ROWS + place * _ROW
        _write(canvas, _INSET, line, phrases.short_date(meeting.ended_at.date()))
        first, second = (TEXT if meeting.ending in (ending, Ending.DRAWN) else MIST for ending in _WINS)
        left, right = (f"{points:,}" for points in meeting.points)
        before = canvas.text(_CENTRE - _APART, line, left, _POINTS, ink=first, ground=RECESS, align="right")
        behind = canvas.text(_CENTRE + _APART, line, right, _POINTS, ink=second, ground=RECESS)
        _write_centred(canvas, line - 3, "–")
        if meeting.ending in _WINS:
            aside = (before if meeting.ending is Ending.FIRST else behind) + _APART + _TO_MARK
            x = _CENTRE + (-aside if meeting.ending is Ending.FIRST else aside)
            mark = disc(_MARK, GOLD, EDGE, 2)
            canvas.put(mark, x - mark.width // 2, line - CAP // 2 - mark.height // 2 - 2)
        told = phrases.ENDINGS[meeting.ending]
        if told is not None:
            canvas.text(WIDTH - _INSET, line, told, CAP, ink=MIST, ground=RECESS, align="right")
