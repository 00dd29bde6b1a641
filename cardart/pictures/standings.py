"""The standings of a server: rank, name, matches, how many of them were won, and net points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.statistics import Standing
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import can_write, text_mask
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.text import alt_text, phrases

_HEAD: Final = 52
"""The height of the names of the columns."""
_ROW: Final = 74
_GAP: Final = 8
_INSET: Final = MARGIN + 16
_CENTRE: Final = MARGIN + 44
"""The middle of the ranks."""
_RANK: Final = 26
_MEDALS: Final = (GOLD, TEXT, SEAT_COLOURS[1])
"""The colours of the first three places: gold, silver and bronze."""
_BADGE: Final = 52
_BADGES: Final = MARGIN + 88
_NAME: Final = _BADGES + _BADGE + 14
_TEXT: Final = 24
_VALUE: Final = 26
_ENDS: Final = (WIDTH - MARGIN - 244, WIDTH - MARGIN - 142, WIDTH - MARGIN - 20)
"""Where the numbers of matches, of those won, and of net points end."""
_NAME_END: Final = _ENDS[0] - 90
_SHARE: Final = 6
"""The height of the bar that shows the share of matches won."""
_OWN: Final = PanelStyle(RECESS, GOLD, 3)


def draw_standings(
    standings: Sequence[Standing],
    monograms: Sequence[str],
    first: int = 1,
    own: int | None = None,
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw standings from the place `first` on, at least one, with a frame around the `own` place.

    A name that the font has no letters for is left to the text below the picture. Raise `ValueError` for a monogram
    that is not one or two of A-Z and 0-9.
    """
    canvas = Canvas(WIDTH, MARGIN + _HEAD + len(standings) * (_ROW + _GAP) - _GAP + MARGIN, appearance)
    for name, end in zip((phrases.MATCHES, phrases.WON.capitalize(), phrases.NET_SHORT), _ENDS, strict=True):
        canvas.text(end, MARGIN + (_HEAD + CAP) // 2, name, CAP, ink=MIST, align="right")
    for place, (standing, monogram) in enumerate(zip(standings, monograms, strict=True)):
        top = MARGIN + _HEAD + place * (_ROW + _GAP)
        _draw_row(canvas, standing, monogram, first + place, top, is_own=first + place == own)
    return canvas.picture(alt_text.standings(standings, monograms, first, own))


def _draw_row(canvas: Canvas, standing: Standing, monogram: str, rank: int, top: int, *, is_own: bool) -> None:
    box = (MARGIN, top, WIDTH - MARGIN, top + _ROW)
    canvas.panel(box, _OWN) if is_own else canvas.panel(box)
    middle = top + _ROW // 2
    medal = _medal(rank)
    if medal is None:
        canvas.text(_CENTRE, middle + _RANK // 2, str(rank), _RANK, ink=MIST, ground=RECESS, align="centre")
    else:
        canvas.put(medal, _CENTRE - medal.width // 2, middle - medal.height // 2)
    canvas.put(badge(None, monogram, _BADGE), _BADGES, middle - _BADGE // 2)
    if can_write(standing.name):
        canvas.text(_NAME, middle + 2, _fitting(standing.name), _TEXT, ground=RECESS)
    else:
        canvas.text(_NAME, middle, phrases.NAME_BELOW, CAP, ink=MIST, ground=RECESS)
    _draw_share(canvas, standing, middle + 16)
    net = f"{'+' if standing.net > 0 else ''}{phrases.short_number(standing.net)}"
    numbers = (str(standing.matches), str(standing.won), net)
    for number, end, ink in zip(numbers, _ENDS, (MIST, TEXT, TEXT), strict=True):
        canvas.text(end, middle + _VALUE // 2, number, _VALUE, ink=ink, ground=RECESS, align="right")


def _medal(rank: int) -> Sprite | None:
    """Return the sign of one of the first three places."""
    fill: Colour | None = dict(enumerate(_MEDALS, 1)).get(rank)
    return None if fill is None else tag(str(rank), _RANK, fill, BLACK)


def _draw_share(canvas: Canvas, standing: Standing, top: int) -> None:
    """Draw a bar as long as all matches, and gold as far as they were won."""
    won = _NAME + (_NAME_END - _NAME) * standing.won // max(1, standing.matches)
    canvas.fill((_NAME, top, _NAME_END, top + _SHARE), SEAM)
    canvas.fill((_NAME, top, won, top + _SHARE), GOLD)


def _fitting(name: str) -> str:
    """Return a name, or its beginning if it is too long."""
    room, shown = _NAME_END - _NAME, name
    while text_mask(shown, _TEXT).width > room:
        shown = f"{shown.removesuffix('…')[:-1].rstrip()}…"
    return shown
