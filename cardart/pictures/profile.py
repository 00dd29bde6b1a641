"""A person's profile: matches played and won, net points over time, and how they win deals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from bot.values.appearance import Appearance
from bot.values.statistics import Profile
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle, Picture
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT
from cardart.drawing.themes import DEFAULT
from cardart.parts.badges import badge
from cardart.parts.line_chart import (
    APART,
    CHART_HEIGHT,
    DOT,
    INSET,
    LABEL,
    MOST_MARKS,
    NAME,
    WIDTH,
    draw_legend,
    draw_line_chart,
    draw_result,
    write,
)
from cardart.text import alt_text, phrases, queries

_GAP: Final = 14
_SUMMARY: Final = 116
_DEALS: Final = 148
_RECENT: Final = 116
_PANEL: Final = PanelStyle(RECESS, SEAM)

_VALUE: Final = 32
_TEXT: Final = 22
_NUMBER: Final = 90
"""From the top of a panel to the baseline of a number under its name."""
_BADGE: Final = 64
_SMALL_BADGE: Final = 46
_FIRST: Final = 128
"""The left of the first number of the summary, beside the badge."""

_BAR: Final = 30
_SEAM: Final = 2
_RIVAL: Final = 482
_LEGEND: Final = 40
"""Between the legend of the last matches and the rival."""
_STEP: Final = 30
_WAYS: Final = (MIST, GOLD, SEAT_COLOURS[0])
"""The colours of knocks, gins and undercuts."""
_MOST_RECENT: Final = 12
"""The most matches that are shown one by one."""


def draw_profile(profile: Profile, monograms: Sequence[str], appearance: Appearance = DEFAULT) -> Picture:
    """Draw the profile of a person who has finished at least one match.

    Args:
        profile: what to show.
        monograms: one or two of A-Z and 0-9 for the person, and another for the rival if there is one.
        appearance: that of the person who asked.

    Raises:
        ValueError: a monogram is not one or two of A-Z and 0-9.
    """
    heights = (_SUMMARY, CHART_HEIGHT, _DEALS, _RECENT)
    *tops, end = accumulate(heights, lambda top, height: top + height + _GAP, initial=MARGIN)
    canvas = Canvas(WIDTH, end - _GAP + MARGIN, appearance)
    for top, height in zip(tops, heights, strict=True):
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + height), _PANEL)
    _draw_summary(canvas, profile, monograms[0], tops[0])
    draw_line_chart(canvas, profile, tops[1])
    _draw_deals(canvas, profile, tops[2])
    _draw_recent(canvas, profile, monograms, tops[3])
    return canvas.picture(alt_text.profile(profile, monograms, _MOST_RECENT))


def _draw_summary(canvas: Canvas, profile: Profile, monogram: str, top: int) -> None:
    canvas.put(badge(None, monogram, _BADGE), INSET, top + (_SUMMARY - _BADGE) // 2)
    summary = (
        (phrases.MATCHES, str(len(profile.played))),
        (phrases.WON.capitalize(), "–" if profile.share is None else f"{profile.share}%"),
        (phrases.NET, phrases.signed(profile.net)),
        (phrases.STREAK, str(profile.streak)),
    )
    for place, (name, value) in enumerate(summary):
        x = _FIRST + place * (WIDTH - MARGIN - _FIRST) // len(summary)
        write(canvas, x, top + NAME, name)
        write(canvas, x, top + _NUMBER, value, _VALUE, TEXT)


def _draw_deals(canvas: Canvas, profile: Profile, top: int) -> None:
    """Draw a bar that stands for all deals, with parts for the ways in which deals were won."""
    deals = profile.deals_won + profile.deals_lost
    x = INSET + write(canvas, INSET, top + NAME, phrases.DEALS_WON) + DOT
    x += write(canvas, x, top + NAME, str(profile.deals_won), _TEXT, TEXT) + DOT
    write(canvas, x, top + NAME, phrases.out_of(deals))
    left, right, upper = INSET, WIDTH - INSET, top + NAME + DOT + 4
    canvas.fill((left, upper, right, upper + _BAR), SEAM)
    canvas.fill((left + _SEAM, upper + _SEAM, right - _SEAM, upper + _BAR - _SEAM), RECESS)
    start, name = 0, INSET
    for colour, number, way in zip(_WAYS, queries.wins_by_way(profile), phrases.WINS_BY, strict=True):
        first, end = (left + (right - left) * place // max(1, deals) for place in (start, start + number))
        if number:
            # A gap parts it from the next part.
            canvas.fill((first, upper, max(first + 2, end - (_SEAM if end < right else 0)), upper + _BAR), colour)
        start += number
        y = upper + _BAR + NAME - 6
        canvas.fill((name, y - LABEL, name + LABEL, y), colour)
        name += LABEL + DOT
        name += write(canvas, name, y, way) + DOT
        name += write(canvas, name, y, str(number), LABEL, TEXT) + APART


def _draw_recent(canvas: Canvas, profile: Profile, monograms: Sequence[str], top: int) -> None:
    """Draw the last matches one by one, and the opponent whom the person met most often."""
    recent = profile.played[-_MOST_RECENT:]
    write(canvas, INSET, top + NAME, phrases.last_matches(len(recent)))
    if len(profile.played) > MOST_MARKS:
        draw_legend(canvas, recent, _RIVAL - _LEGEND, top + NAME)
    middle = top + _NUMBER - DOT
    for place, match in enumerate(recent):
        draw_result(canvas, match.won, INSET + DOT + place * _STEP, middle, DOT)
    rival = profile.rival
    if rival is not None:
        write(canvas, _RIVAL, top + NAME, phrases.MOST_OFTEN)
        canvas.put(badge(None, monograms[1], _SMALL_BADGE), _RIVAL, middle - _SMALL_BADGE // 2)
        x, y = _RIVAL + _SMALL_BADGE + DOT, middle + _TEXT // 2
        write(canvas, x, y, phrases.win_loss(rival.won, rival.lost), LABEL, TEXT)
