"""The scorecard, like a handwritten sheet: a line for each deal, a column for each side, and sums.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from PIL import ImageChops

from bot.engine.cards import Suit
from bot.engine.moves import Seat
from bot.engine.views import PublicView, ShowdownView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import WIDTH, Canvas, Picture
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import BLACK, EDGE, FADED, PAPER, PENCIL, RED, RULE, SEAT_COLOURS, SUIT_INKS, Colour
from cardart.drawing.shapes import ellipse, mask, rounded_mask, suit_mask
from cardart.parts.badges import badge
from cardart.text import alt_text, phrases, queries, scorecard
from cardart.text.scorecard import ScoreLine, Sums

MOST_DEALS: Final = 12
"""Maximum number of deals with their own lines. One line sums up all earlier deals."""
MOST_BOARDS: Final = 8
"""Maximum number of boards with their own lines, if rounds have lines too."""

_LEFT: Final = 24
_RIGHT: Final = WIDTH - _LEFT
_INSET: Final = 14
_PAD: Final = 9
_TEXT: Final = 19
_CAP: Final = 21
_LARGE: Final = 25
_BADGE: Final = 50
_SIGN: Final = 0.8
"""Maximum width of a character, in cap heights."""

_BINDING: Final = 16
"""Height of the glued edge at the top."""
_TITLE: Final = 64
_GAMES: Final = 40
_HEADS: Final = 74
_ROW: Final = 42
_GOAL: Final = 30
"""Distance between the lines of the end condition of the match."""
_TOTAL: Final = 56
_RESULT: Final = 76
_THICK: Final = 12
"""Height of the lower sheets that are visible beneath the top one."""
_SHEETS: Final = 3

_LABELS: Final = 206
_SPARE: Final = 24
"""Extra width of the labels if there are two or three columns."""
_POINTS: Final = 70
"""Space for a deal's points next to its label, because the columns of three games may be too narrow for them."""
_NUMBER: Final = 42
"""Distance from the left of a label to the end of a deal's number; 1.5 times as much for a number with a board."""
_END: Final = 14
"""Minimum space between a number and the end of its column, for the ring around the number."""
_ADDED: Final = 10
"""Space between the points of a deal and the sum. It is doubled if there is room."""
_ROOMY: Final = 240
"""Minimum width of a column that also shows the calculation of its line bonus."""

_PIP: Final = 26
_PEN: Final = 3.5
_STROKE: Final = (4, 22, 7)
"""Width and height of the stroke for a box, and the distance to the next stroke."""
_TALLY: Final = 5
"""Number of strokes after which there is a gap."""
_LEAST: Final = 11
"""Minimum cap height, for numbers that hardly fit."""
_BEFORE: Final = 9
"""Minimum distance from the left of a column to its numbers."""
_CLEAR: Final = 16
"""Space between a number and the ring around it, if there is room."""
_POINTS_ROOM: Final = 90
"""Width reserved for a total."""
_CLOSE: Final = 5
"""Space between a ring and the lines on either side."""
_APART: Final = 36
_NAMES: Final = (phrases.POINTS, phrases.GAME_BONUS, phrases.LINES, phrases.SHUTOUT, phrases.TOTAL)


def draw_scorecard(
    view: PublicView,
    deals: Sequence[ShowdownView],
    monograms: Sequence[str],
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw the scorecard of a match in the viewer's appearance.

    `deals` are the finished deals, at least one, in the order in which they ended. Raise `ValueError` if a monogram is
    not one or two characters of A-Z and 0-9.
    """
    lines = scorecard.shortened(scorecard.lines(deals), MOST_DEALS if view.boards == 1 else MOST_BOARDS)
    below = [scorecard.sums(deals, game) for game in scorecard.games(view.score)]
    names = [name for name in _NAMES if any(one.name == name for game in below for one in game)]
    heads = _LEFT + _BINDING + _TITLE
    high = _HEADS + max(0, len(_goal(view)) - 2) * _GOAL
    body = heads + (_GAMES if len(below) > 1 else 0) + high
    foot = body + len(lines) * _ROW
    end = foot + sum(map(_high, names))
    bottom = end + _RESULT + _THICK
    canvas = Canvas(WIDTH, bottom + _LEFT, appearance)
    _draw_paper(canvas, (_LEFT, _LEFT, _RIGHT, bottom))
    grid = _Grid(canvas, view, monograms, lines, below)
    _draw_title(grid, heads - _TITLE // 2)
    _draw_columns(grid, heads, (body - high, body), end)
    for place, line in enumerate(lines):
        _draw_line(grid, line, body + place * _ROW)
    grid.rule(foot, PENCIL)
    for name in names:
        _draw_sums(grid, name, foot)
        foot += _high(name)
    _draw_result(grid, foot + _RESULT // 2)
    return canvas.picture(alt_text.score_sheet(view, lines, below, monograms))


@dataclass(frozen=True, slots=True)
class _Column:
    """The column of a side in a game.

    Sums are right-aligned at `end`; the largest is centred on `centre`. The points of a deal are right-aligned at
    `added`; None if there is no room for them.
    """

    game: int
    side: int
    left: int
    right: int
    centre: int
    end: int
    added: int | None


class _Grid:
    """The layout of a scorecard, and the data to write into it."""

    def __init__(
        self, canvas: Canvas, view: PublicView, monograms: Sequence[str], lines: Sequence[ScoreLine], below: Sums
    ) -> None:
        """Compute columns in which the numbers of all lines fit."""
        self.canvas, self.view, self.monograms, self.below = canvas, view, monograms, below
        self.several = len(below) > 1
        number = len(below) * len(view.sides)
        labels = _LEFT + _LABELS + (_POINTS if self.several else _SPARE if number < 4 else 0)
        edges = [labels + (_RIGHT - labels) * place // number for place in range(number + 1)]
        most = max(number for game in below for one in game for number in one.numbers)
        wide = text_mask(str(most), _CAP).width
        room = wide + _ADDED
        gained = max((points or 0) for line in lines for game in line.added for points in game)
        before = _wide(f"+{gained}", _TEXT)
        spare = edges[1] - edges[0] - (_END + room + before)
        room += min(max(0, spare) // 3, _ADDED)
        most_boxes = max(boxes for line in lines if line.deal for game in line.boxes for boxes in game)
        self.tallied = most_boxes > 1
        """True if boxes are drawn, because some deal is worth more than one."""
        if self.tallied and spare >= 0:
            before += _PAD + (most_boxes + most_boxes // _TALLY) * _STROKE[2]
        if edges[1] - edges[0] >= _ROOMY:
            bonuses = [number for game in below for one in game if one.name == phrases.LINES for number in one.numbers]
            before = max(before, *(text_mask(_boxes_sum(view, bonus), _TEXT).width for bonus in (0, *bonuses)))
        self.labels = labels
        """The right edge of the labels."""
        self.columns: list[_Column] = []
        for place, (left, right) in enumerate(pairwise(edges)):
            # Sums are centred in a column, or further right if the points of a deal need the space.
            end = min((left + right + wide) // 2, right - _END)
            end = max(end, min(right - _END, left + _BEFORE + before + room)) if spare >= 0 else end
            added = end - room if spare >= 0 else None
            self.columns.append(_Column(*divmod(place, len(view.sides)), left, right, end - wide // 2, end, added))
        column = self.columns[0]
        narrow = column.end - column.left - _BEFORE
        totals = [str(total) for line in lines for game in line.totals for total in game]
        sums = [str(number) for game in below for one in game for number in one.numbers]
        self.total_cap = _fitting(totals, _CAP, narrow)
        """Cap heights at which all numbers fit: `total_cap` for totals in lines, `sum_cap` for the sums below them."""
        self.sum_cap = _fitting(sums, _CAP, narrow)

    def write(self, x: int, middle: int, text: str, cap: int, ink: Colour = PENCIL, *, right: bool = False) -> int:
        """Write a text centred on the height `middle`. Return its width.

        `x` is its left edge, or its right edge if `right`.
        """
        align = "right" if right else "left"
        return self.canvas.text(x, middle + cap // 2, text, cap, ink=ink, ground=PAPER, align=align)

    def badges(self, x: int, middle: int, seats: Sequence[Seat]) -> int:
        """Draw the badges of a side from `x` on. Return the x coordinate of their right edge."""
        for seat in seats:
            self.canvas.put(badge(seat, self.monograms[seat], _BADGE), x, middle - _BADGE // 2)
            x += _BADGE
        return x

    def rule(self, y: int, ink: Colour = RULE) -> None:
        """Draw a horizontal line across the paper."""
        self.canvas.fill((_LEFT, y - 1, _RIGHT, y + 1), ink)


def _boxes_sum(view: PublicView, bonus: int) -> str:
    """Return the calculation of a line bonus: `6 × 20 =`."""
    each = view.rules.line_bonus
    return f"{bonus // each} × {each} =" if each else ""


def _wide(text: str, cap: int) -> int:
    """Return the maximum width of a number or a short text with this cap height."""
    return round(len(text) * cap * _SIGN)


def _fitting(texts: Iterable[str], cap: int, room: int) -> int:
    """Return the largest cap height, at most `cap`, at which the longest text fits."""
    longest = max(texts, key=len, default="")
    return next((less for less in range(cap, _LEAST, -1) if text_mask(longest, less).width <= room), _LEAST)


def _high(name: str) -> int:
    return _TOTAL if name == phrases.TOTAL else _ROW


def _draw_title(grid: _Grid, middle: int) -> None:
    """Draw the name of the game between the four suits."""
    x, y = WIDTH // 2, middle + _LARGE // 2
    name = grid.canvas.text(x, y, phrases.TITLE, _LARGE, ink=PENCIL, ground=PAPER, align="centre")
    for place, suits in ((-1, (Suit.HEARTS, Suit.SPADES)), (1, (Suit.DIAMONDS, Suit.CLUBS))):
        for far, suit in enumerate(suits):
            x = WIDTH // 2 + place * (name // 2 + _INSET + _PIP // 2 + far * (_PIP + _PAD))
            grid.canvas.put(_suit_stamp(suit, _PIP), x - _PIP // 2, middle - _PIP // 2)


def _goal(view: PublicView) -> list[tuple[str, str]]:
    """Return the end condition of the match, in lines of a label, a number, or both."""
    label, number, more = phrases.goal(view.rules)
    first = [(label, number)] if more and number.isdecimal() else [(label, ""), ("", number)]
    return [*first, *((line, "") for line in more)]


def _draw_columns(grid: _Grid, top: int, heads: tuple[int, int], end: int) -> None:
    """Draw the lines between the columns, the badges of each column, and the end condition of the match.

    `heads` is the top and bottom of the row of badges, which is below the names of games if there are three.
    """
    canvas, sides = grid.canvas, grid.view.sides
    begin, body = heads
    grid.rule(top)
    grid.rule(body, PENCIL)
    middle = (begin + body) // 2
    for edge in (grid.labels - 5, grid.labels - 1):
        canvas.fill((edge, top, edge + 2, end), SUIT_INKS[Suit.HEARTS])
    for column in grid.columns:
        if column.side == 0 and column.game:
            canvas.fill((column.left - 2, top, column.left + 2, end), PENCIL)
        elif column.side:
            canvas.fill((column.left - 1, begin, column.left + 1, end), RULE)
        seats = sides[column.side]
        half = len(seats) * _BADGE // 2
        over = max(column.left + half + _CLOSE, min(column.centre, column.right - half - _CLOSE))
        grid.badges(over - half, middle, seats)
        if grid.several and column.side == 0:
            y, name = top + (_GAMES + _TEXT) // 2, phrases.game_name(column.game)
            canvas.text(column.right, y, name, _TEXT, ink=FADED, ground=PAPER, align="centre")
    lines, x = _goal(grid.view), _LEFT + _INSET
    y = middle - (len(lines) - 1) * _GOAL // 2
    for label, number in lines:
        wide = grid.write(x, y, label, _TEXT, FADED) + _PAD // 2 if label else 0
        if number:
            grid.write(x + wide, y, number, _CAP)
        y += _GOAL


def _draw_line(grid: _Grid, line: ScoreLine, top: int) -> None:
    """Draw a line for a deal, a round, or a sum of older lines."""
    middle = top + _ROW // 2
    grid.rule(top + _ROW, FADED if line.what == "round" else RULE)
    _draw_label(grid, line, middle)
    for column in grid.columns:
        added, total = line.added[column.game][column.side], line.totals[column.game][column.side]
        if line.what == "board":
            if added is not None:
                grid.write(column.added or column.end, middle, str(added), _TEXT, FADED, right=True)
            continue
        if added is not None and column.added is not None:
            grid.write(column.added, middle, f"+{added}", _TEXT, FADED, right=True)
        if added is not None or line.what == "earlier":
            grid.write(column.end, middle, str(total), grid.total_cap, right=True)
        if grid.tallied and column.added is not None:
            _draw_boxes(grid, column, middle, line.boxes[column.game][column.side], summed=line.what == "earlier")


def _draw_label(grid: _Grid, line: ScoreLine, middle: int) -> None:
    """Draw the number and outcome of a deal.

    The outcome is highlighted in the winner's colour if it is celebrated, or if only the losers have entries.
    """
    x = _LEFT + _INSET
    if line.deal is None:
        x += _PAD + grid.write(x, middle, line.label, _CAP, FADED if line.what == "earlier" else PENCIL)
        if line.what == "round" and not line.enters(0):
            grid.write(x, middle, phrases.EVEN, _TEXT, FADED)
        return
    number = _NUMBER * 3 // 2 if line.what == "board" else _NUMBER
    cap = _fitting([line.label], _CAP, number + _INSET - _CLOSE)
    grid.write(x + number, middle, line.label, cap, right=True)
    outcome, x = line.deal.outcome, x + number + _PAD
    if outcome.winner is not None and (outcome.kind in queries.CELEBRATED or line.deal.charged):
        word = _highlighted(line.how, _TEXT, outcome.winner)
        grid.canvas.put(word, x, middle - word.height // 2)
        x += word.width
    else:
        x += _TEXT * 3 // 8
        x += grid.write(x, middle, line.how, _TEXT, FADED)
    if grid.several and outcome.winner is not None:
        points = f"+{outcome.points}"
        cap = _fitting([points], _TEXT, grid.labels - _END - x - _CLOSE)
        grid.write(grid.labels - _END, middle, points, cap, FADED, right=True)


def _draw_boxes(grid: _Grid, column: _Column, middle: int, number: int, *, summed: bool) -> None:
    """Draw a stroke for each box. The boxes of an `earlier` line are drawn only if there is room."""
    wide, high, step = _STROKE
    if summed and column.left + _PAD + (number + number // _TALLY) * step > column.end - _POINTS_ROOM:
        return
    for box in range(number):
        x = column.left + _PAD + box * step + box // _TALLY * step
        grid.canvas.fill((x, middle - high // 2, x + wide, middle + high // 2), PENCIL)


def _draw_sums(grid: _Grid, name: str, top: int) -> None:
    """Draw a line of sums below the deals. A total has two rules above it, and a ring around the winner's number."""
    high, total = _high(name), name == phrases.TOTAL
    middle = top + high // 2
    grid.rule(top + high)
    for y in (top, top + 5) if total else ():
        grid.rule(y, PENCIL)
    grid.write(_LEFT + _INSET, middle, name, _CAP, PENCIL if total else FADED)
    for column in grid.columns:
        line = next((one for one in grid.below[column.game] if one.name == name), None)
        if line is None or (line.bonus and not line.numbers[column.side]):
            continue
        number = line.numbers[column.side]
        wide = grid.write(column.end, middle, str(number), grid.sum_cap, right=True)
        if name == phrases.LINES and column.right - column.left >= _ROOMY:
            grid.write(column.end - wide - _ADDED, middle, _boxes_sum(grid.view, number), _TEXT, FADED, right=True)
        if total and scorecard.games(grid.view.score)[column.game].winner == column.side:
            centre = column.end - wide // 2
            room = min(column.right - centre, centre - column.left) - _CLOSE
            mark = _ring(2 * min(wide // 2 + _CLEAR, room), _TOTAL - 6)
            grid.canvas.put(mark, centre - mark.width // 2, middle - mark.height // 2)


def _draw_result(grid: _Grid, middle: int) -> None:
    """Draw the result or the leader of the match, and the sum of three games, which has bonuses only at the end."""
    view = grid.view
    together = scorecard.together(view.score) if grid.several else None
    results: list[tuple[Sequence[Seat], str]] = []
    if together is not None:
        results += [((), together.name)] if not view.score.over else []
        results += [(seats, str(number)) for seats, number in zip(view.sides, together.numbers, strict=True)]
    results += phrases.match_result(view) if view.score.over else phrases.lead(view) if together is None else []
    badges = sum(len(seats) * _BADGE + _PAD for seats, _ in results) + (len(results) - 1) * _APART
    room, cap = _RIGHT - _LEFT - 2 * _INSET - badges, _LARGE
    while cap > _LEAST and sum(text_mask(text, cap).width for _, text in results) > room:
        cap -= 1
    x = (WIDTH - badges - sum(text_mask(text, cap).width for _, text in results)) // 2
    for seats, text in results:
        x = grid.badges(x, middle, seats) + _PAD
        x += grid.write(x, middle, text, cap) + _APART


def _draw_paper(canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """Draw a pad of paper in a box. The lowest `_THICK` pixels show the sheets beneath the top sheet."""
    left, top, right, bottom = box
    sheet = bottom - _THICK
    for depth in range(_SHEETS, 0, -1):
        low, aside = sheet + depth * _THICK // _SHEETS, 3 * depth
        canvas.fill((left + aside, sheet, right - aside, low), PAPER)
        canvas.fill((left + aside, low - 1, right - aside, low), EDGE)
    canvas.fill((left - 1, top, right + 1, sheet + 1), EDGE)
    canvas.fill((left, top, right, sheet), PAPER)
    canvas.fill((left, top, right, top + _BINDING), RED)


@lru_cache(128)
def _highlighted(text: str, cap: int, seat: Seat) -> Sprite:
    """Return a word on a seat's colour, as if marked with a highlighter."""
    coverage = text_mask(text, cap)
    aside = cap * 3 // 8
    size = (coverage.width + 2 * aside, round(cap * 1.75))
    shape = rounded_mask(size, cap / 3)
    painting = Painting(size, PAPER).lay(SEAT_COLOURS[seat], shape)
    painting.lay(BLACK, coverage, (aside, (size[1] + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, shape)


@lru_cache(128)
def _ring(width: int, height: int) -> Sprite:
    """Return a ring of red ink to draw around a number."""
    size, x, y, ink = (width, height), width / 2, height / 2, SUIT_INKS[Suit.HEARTS]
    outer, inner = (mask(size, 1, [ellipse(x, y, x - edge, y - edge)]) for edge in (0, _PEN))
    coverage = ImageChops.subtract(outer, inner)
    return cut_out(inked(coverage, ink, PAPER), coverage)


@cache
def _suit_stamp(suit: Suit, side: int) -> Sprite:
    """Return a suit printed on paper."""
    return Sprite(inked(suit_mask(suit, side), SUIT_INKS[suit], PAPER))
