"""Marks of won and lost matches, and a bar of deals won in different ways. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, pairwise
from typing import Final

from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas
from cardart.drawing.lettering import text_width
from cardart.drawing.painting import Sprite, cut_out, disc, inked
from cardart.drawing.palette import EDGE, GOLD, MIST, RECESS, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.parts.meters import meter
from cardart.text import phrases

_HEIGHT: Final = 144
"""Height of the panel with one line of the legend."""
_LEGEND_LEADING: Final = 32
"""Distance between the lines of the legend."""

_INSET: Final = MARGIN + 18
_HEADING_BASELINE: Final = 42
_NUMBER_CAP: Final = 22
_BAR_TOP: Final = 58
_BAR_HEIGHT: Final = 28
_LEGEND_BASELINE: Final = 122
"""Distances from the top of the panel to its heading, its bar and its legend."""
_GROUP_GAP: Final = 10
"""Space in the bar between the wins and the other deals."""
_LEGEND_SPACE: Final = 7
_HEAD_SPACE: Final = 16
_ENTRY_SPACE: Final = 26
"""Space between a mark, its word and its number; after the words `won by` (`_HEAD_SPACE`); and between entries of the
legend (`_ENTRY_SPACE`), or less if only then they fit."""
_PARTS_SPACE: Final = 34
"""Minimum space between the legends of wins and of other deals in one line."""
_MIN_SHARE: Final = 0.012
"""Minimum share of the bar for a way in which a deal has ended, so that it is visible."""
_DASH_HEIGHT: Final = 8
"""Height of the dash for a match that was neither won nor lost."""
_COLOURS: Final = (TEXT, GOLD, SEAT_COLOURS[0], MIST, None)
"""Colours of knocks, gins, undercuts, losses and unfinished deals in a meter. Unfinished ones are hollow."""
_NAMES: Final = (*phrases.WINS_BY, phrases.LOST, phrases.NOT_FINISHED)


_Entries = Sequence[tuple[Colour | None, int, str]]
"""Parts of the bar: the colour, the number and the name of each."""


@dataclass(frozen=True, slots=True)
class Endings:
    """The numbers of deals that were won in each way (knock, gin and undercut), lost, and not finished."""

    wins: tuple[int, int, int]
    lost: int
    unfinished: int = 0

    @property
    def deals(self) -> int:
        """The number of deals."""
        return sum(self.wins) + self.lost + self.unfinished

    @property
    def height(self) -> int:
        """The height of the panel, which depends on the number of lines of the legend."""
        return _HEIGHT + (not _fit_in_line(self.groups)) * _LEGEND_LEADING

    @property
    def parts(self) -> list[tuple[Colour | None, int, str]]:
        """The colour, the number and the name of each way in which deals ended."""
        numbers = (*self.wins, self.lost, self.unfinished)
        return [part for part in zip(_COLOURS, numbers, _NAMES, strict=True) if part[1]]

    @property
    def groups(self) -> list[_Entries]:
        """The parts in groups, without empty groups: the ways to win, and the others."""
        return [list(group) for _, group in groupby(self.parts, key=lambda part: part[2] in phrases.WINS_BY)]


def draw_mark(canvas: Canvas, won: bool | None, x: int, y: int, radius: int) -> None:
    """Draw a full disc for a win, a ring for a loss, and a dash for any other result."""
    mark = disc(radius, GOLD, EDGE, 2) if won else disc(radius, RECESS, MIST, 3)
    if won is None:
        mark = _dash(2 * radius)
    canvas.put(mark, x - mark.width // 2, y - mark.height // 2)


@cache
def _dash(width: int) -> Sprite:
    """Return the mark of a match that was neither won nor lost."""
    size, radius = (width, _DASH_HEIGHT), _DASH_HEIGHT / 2
    return cut_out(inked(rounded_mask(size, radius, 1), MIST, RECESS), rounded_mask(size, radius))


def draw_wins(canvas: Canvas, top: int, endings: Endings, told: str) -> None:
    """Draw a bar of all deals, with a part for each way in which they ended, and its legend.

    A gap separates the wins from the other deals. The words `told` follow the number of wins: `deals won` after
    `7 of 12`. The panel starts at `top`.
    """
    wins = f"{sum(endings.wins):,} of {endings.deals:,}"
    x = _INSET + _write(canvas, _INSET, top + _HEADING_BASELINE, wins, _NUMBER_CAP, TEXT)
    _write(canvas, x, top + _HEADING_BASELINE, f" {told}")
    groups, x, width = endings.groups, _INSET, WIDTH - 2 * _INSET
    leading = 0 if _fit_in_line(groups) else _LEGEND_LEADING
    if not groups:
        canvas.put(meter(width, _BAR_HEIGHT, ()), _INSET, top + _BAR_TOP)
        return
    shares = [[max(number, endings.deals * _MIN_SHARE) for _, number, _ in group] for group in groups]
    unit = (width - (len(groups) - 1) * _GROUP_GAP) / sum(map(sum, shares))
    legend_left = _INSET
    for line, (group, own_shares) in enumerate(zip(groups, shares, strict=True)):
        edges = [round(unit * end) for end in accumulate(own_shares, initial=0)]
        parts = tuple((*edge, colour) for edge, (colour, *_) in zip(pairwise(edges), group, strict=True))
        canvas.put(meter(edges[-1], _BAR_HEIGHT, parts), x, top + _BAR_TOP)
        if not leading:
            # In one line, each legend begins below its part of the bar, if there is room.
            legend_left = min(max(x, legend_left), WIDTH - _INSET - _legend_width(group))
        _draw_legend(canvas, legend_left, top + _LEGEND_BASELINE + line * leading, group)
        legend_left += 0 if leading else _legend_width(group) + _PARTS_SPACE
        x += edges[-1] + _GROUP_GAP


def _draw_legend(canvas: Canvas, x: int, y: int, entries: _Entries) -> None:
    """Draw the legend of a part of the bar, from `x` on and with its baseline at `y`.

    The ways to win follow `won by`.
    """
    space = _entry_space(entries)
    if head_width := _head_width(entries):
        _write(canvas, x, y, phrases.WON_BY)
    x += head_width
    for colour, number, name in entries:
        canvas.put(meter(LABEL_CAP, LABEL_CAP, ((0, LABEL_CAP, colour),)), x, y - LABEL_CAP)
        word_left = x + LABEL_CAP + _LEGEND_SPACE
        word_width = _write(canvas, word_left, y, name)
        _write(canvas, word_left + word_width + _LEGEND_SPACE, y, f"{number:,}", LABEL_CAP, TEXT)
        x += _entry_width(number, name) + space


def _fit_in_line(groups: Sequence[_Entries]) -> bool:
    """Return True if the legends of all groups fit beside each other."""
    return sum(_legend_width(group) + _PARTS_SPACE for group in groups) - _PARTS_SPACE <= WIDTH - 2 * _INSET


def _legend_width(entries: _Entries) -> int:
    widths = sum(_entry_width(number, name) for _, number, name in entries)
    return _head_width(entries) + widths + (len(entries) - 1) * _entry_space(entries)


def _head_width(entries: _Entries) -> int:
    """Return the width of the words before the ways to win; 0 for other parts."""
    return text_width(phrases.WON_BY, LABEL_CAP) + _HEAD_SPACE if entries[0][2] in phrases.WINS_BY else 0


def _entry_width(number: int, name: str) -> int:
    texts = text_width(name, LABEL_CAP) + text_width(f"{number:,}", LABEL_CAP)
    return LABEL_CAP + texts + 2 * _LEGEND_SPACE


def _entry_space(entries: _Entries) -> int:
    """Return the space between the entries of a legend; negative if they do not fit in a line."""
    free = WIDTH - 2 * _INSET - _head_width(entries) - sum(_entry_width(number, name) for _, number, name in entries)
    return min(_ENTRY_SPACE, free // max(1, len(entries) - 1))


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)
