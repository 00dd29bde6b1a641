"""A person's card: what they played and won, how their points went over time, and how they win deals."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle, Picture
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEATS, TEXT
from cardart.drawing.plotting import fill
from cardart.drawing.themes import DEFAULT, Look
from cardart.parts.badges import badge
from cardart.parts.line_chart import (
    APART,
    CHART_HEIGHT,
    DOT,
    INSET,
    LABEL,
    MOST_DOTS,
    NAME,
    WIDTH,
    draw_legend,
    draw_line_chart,
    draw_result,
    write,
)
from cardart.text import alt_text, phrases
from cardart.text.figures import LAST, Career

_GAP: Final = 14
_FACTS: Final = 116
_DEALS: Final = 148
_LATELY: Final = 116
_PANEL: Final = PanelStyle(RECESS, SEAM)

_VALUE: Final = 32
_TEXT: Final = 22
_NUMBER: Final = 90
"""From the top of a panel to the baseline of a number under its name."""
_BADGE: Final = 64
_SMALL: Final = 46
_FIRST: Final = 128
"""Where the facts begin, beside the badge."""

_BAR: Final = 30
_SEAM: Final = 2
_RIVAL: Final = 482
_LEGEND: Final = 40
"""Between the legend of the last matches and that."""
_STEP: Final = 30
_KINDS: Final = (MIST, GOLD, SEATS[0])
"""The colours of knocks, gins and undercuts."""


def draw_profile(career: Career, look: Look = DEFAULT) -> Picture:
    """The card.

    Raises:
        ValueError: a mark is not one or two of A-Z and 0-9.
    """
    tops = list(accumulate((_FACTS, CHART_HEIGHT, _DEALS), lambda top, high: top + high + _GAP, initial=MARGIN))
    canvas = Canvas(WIDTH, tops[-1] + _LATELY + MARGIN, look)
    for top, high in zip(tops, (_FACTS, CHART_HEIGHT, _DEALS, _LATELY), strict=True):
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + high), _PANEL)
    facts, chart, deals, lately = tops
    _draw_facts(canvas, career, facts)
    draw_line_chart(canvas, career, chart)
    _draw_deals(canvas, career, deals)
    _draw_lately(canvas, career, lately)
    return canvas.picture(alt_text.profile(career))


def _draw_facts(canvas: Canvas, career: Career, top: int) -> None:
    canvas.put(badge(None, career.mark, _BADGE), INSET, top + (_FACTS - _BADGE) // 2)
    share = "-" if career.share is None else f"{career.share}%"
    told = (
        (phrases.MATCHES, str(len(career.results))),
        (phrases.WON.capitalize(), share),
        (phrases.NET, phrases.signed(career.line[-1])),
        (phrases.STREAK, str(career.streak)),
    )
    for place, (name, value) in enumerate(told):
        x = _FIRST + place * (WIDTH - MARGIN - _FIRST) // len(told)
        write(canvas, x, top + NAME, name)
        write(canvas, x, top + _NUMBER, value, _VALUE, TEXT)


def _draw_deals(canvas: Canvas, career: Career, top: int) -> None:
    """How deals were won, as parts of a bar that stands for all of them."""
    x = INSET + write(canvas, INSET, top + NAME, phrases.DEALS_WON) + DOT
    x += write(canvas, x, top + NAME, str(career.deals_won), _TEXT, TEXT) + DOT
    write(canvas, x, top + NAME, phrases.of(career.deals_won + career.deals_lost))
    left, right, upper = INSET, WIDTH - INSET, top + NAME + DOT + 4
    fill(canvas, (left, upper, right, upper + _BAR), SEAM)
    fill(canvas, (left + _SEAM, upper + _SEAM, right - _SEAM, upper + _BAR - _SEAM), RECESS)
    all_deals, start, name = max(1, career.deals_won + career.deals_lost), 0, INSET
    for colour, number, kind in zip(_KINDS, career.kinds, phrases.WAYS, strict=True):
        first, end = (left + (right - left) * deals // all_deals for deals in (start, start + number))
        if number:
            # A little of what is beneath parts it from what comes next.
            fill(canvas, (first, upper, max(first + 2, end - (_SEAM if end < right else 0)), upper + _BAR), colour)
        start += number
        y = upper + _BAR + NAME - 6
        fill(canvas, (name, y - LABEL, name + LABEL, y), colour)
        name += LABEL + DOT
        name += write(canvas, name, y, kind) + DOT
        name += write(canvas, name, y, str(number), LABEL, TEXT) + APART


def _draw_lately(canvas: Canvas, career: Career, top: int) -> None:
    """The last matches one by one, and whom the person met most."""
    last = career.results[-LAST:]
    write(canvas, INSET, top + NAME, phrases.last(len(last)))
    if len(career.results) > MOST_DOTS:
        draw_legend(canvas, last, _RIVAL - _LEGEND, top + NAME)
    middle = top + _NUMBER - DOT
    for place, result in enumerate(last):
        draw_result(canvas, result.won, INSET + DOT + place * _STEP, middle, DOT)
    rival = career.rival
    if rival is not None:
        write(canvas, _RIVAL, top + NAME, phrases.MOST_OFTEN)
        canvas.put(badge(None, rival.mark, _SMALL), _RIVAL, middle - _SMALL // 2)
        x, y = _RIVAL + _SMALL + DOT, middle + _TEXT // 2
        write(canvas, x, y, phrases.against(rival.won, rival.lost), LABEL, TEXT)
