"""The scorecard, like a handwritten sheet: a line for each deal, a column for each side, and sums.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, sin
from typing import Final

from bot.engine.cards.cards import Suit
from bot.engine.deals.moves import Seat
from bot.engine.matches import facts
from bot.engine.matches.views import PublicView, ShowdownView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import WIDTH, Canvas, Picture
from cardart.drawing.lettering import baseline, fitted_text, text_mask, text_width
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import BLACK, EDGE, FADED, PAPER, PENCIL, RED, RULE, SEAT_COLOURS, SUIT_INKS, Colour
from cardart.drawing.shapes import path_mask, rounded_mask, suit_mask
from cardart.parts.portraits import Portrait, draw_portrait, monograms
from cardart.text import alt_text, phrases, scorecard
from cardart.text.scorecard import ScoreLine, Sums

MAX_DEALS: Final = 12
"""Maximum number of deals with their own lines. One line sums up all earlier deals."""
MAX_BOARDS: Final = 8
"""Like `MAX_DEALS`, but for matches with several boards. It is lower, because each round has a line too."""

_LEFT: Final = 24
_RIGHT: Final = WIDTH - _LEFT
_INSET: Final = 14
_PAD: Final = 9
_TEXT_CAP: Final = 19
_NUMBER_CAP: Final = 21
_LARGE_CAP: Final = 25
_RESULT_CAP: Final = 30
_PORTRAIT_SIDE: Final = 50
_MAX_CHARACTER_WIDTH: Final = 0.8
"""Maximum width of a digit or letter, in cap heights."""

_BINDING_HEIGHT: Final = 16
"""Height of the glued edge at the top."""
_TITLE_HEIGHT: Final = 64
_GAMES_HEIGHT: Final = 40
_HEADS_HEIGHT: Final = 74
_NAME_LINE_HEIGHT: Final = 24
"""Extra height of the row of portraits for each line of the names below them."""
_NAME_CAP: Final = 17
_ROW_HEIGHT: Final = 42
_GOAL_LINE_HEIGHT: Final = 30
"""Distance between lines of text that state the end condition of the match."""
_TOTAL_HEIGHT: Final = 56
_RESULT_HEIGHT: Final = 80
_PAD_THICKNESS: Final = 12
"""Visible height of the lower sheets of the pad, beneath the top sheet."""
_LOWER_SHEETS: Final = 3

_LABELS_WIDTH: Final = 206
_EXTRA_LABELS_WIDTH: Final = 24
"""Extra width for the line labels if there are only two or three columns."""
_LABEL_POINTS_WIDTH: Final = 70
"""Space for a deal's points next to its label, because the columns of three games can be too narrow for them."""
_DEAL_NUMBER_WIDTH: Final = 42
"""Width of the space for a deal's number; 1.5 times as wide if the number includes the board, such as `2.1`."""
_MIN_RIGHT_GAP: Final = 14
"""Minimum space between a number and the end of its column, for the ring around the number."""
_ADDED_GAP: Final = 10
"""Minimum space between a deal's points and the running total to their right; up to twice as much if there is room."""
_MIN_CALCULATION_WIDTH: Final = 240
"""Minimum width of a column that also shows the calculation of its line bonus."""

_PIP_SIZE: Final = 26
_RING_THICKNESS: Final = 3.5
_RING_POINTS: Final = 72
_RING_START: Final = -2.2
_RING_TURN: Final = 6.75
"""Angle at which the pen starts a ring (`_RING_START`), and how far it turns, in radians: a little more than once."""
_RING_SPIRAL: Final = 0.07
"""Distance of the start of a ring from its end, as a fraction of the radius."""
_RING_UNEVENNESS: Final = 0.02
_STROKE: Final = (4, 22, 7)
"""Width and height of the stroke drawn for each box, and the distance to the next stroke."""
_STROKES_PER_GROUP: Final = 5
"""Number of strokes in a group. A gap separates the groups."""
_MIN_CAP: Final = 11
"""Minimum cap height of text that is shrunk to fit."""
_MIN_LEFT_GAP: Final = 9
"""Minimum distance from the left of a column to its numbers."""
_RING_GAP: Final = 16
"""Space between a number and the ring around it, if there is room."""
_RESERVED_TOTAL_WIDTH: Final = 90
"""Width reserved for a total."""
_MIN_RING_GAP: Final = 12
"""Minimum space between a number and the ring around it. The ring of a wide number crosses the line beside it."""
_RING_LINE_GAP: Final = 5
"""Space between a ring and the lines on either side, if there is room."""
_RESULT_GAP: Final = 36
_SUM_NAMES: Final = (phrases.POINTS, phrases.GAME_BONUS, phrases.LINES, phrases.SHUTOUT, phrases.TOTAL)


def draw_scorecard(
    view: PublicView,
    deals: Sequence[ShowdownView],
    portraits: Sequence[Portrait],
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw the scorecard of a match in the viewer's appearance.

    `deals` are the finished deals, at least one, in the order in which they ended. `portraits` are by seat. Raise
    `ValueError` if a monogram is not one or two characters of A-Z and 0-9.
    """
    lines = scorecard.shortened_lines(scorecard.score_lines(deals), MAX_DEALS if view.boards == 1 else MAX_BOARDS)
    sum_rows = [scorecard.score_sums(deals, game) for game in scorecard.games(view.score)]
    names = [name for name in _SUM_NAMES if any(row.name == name for game in sum_rows for row in game)]
    heads_top = _LEFT + _BINDING_HEIGHT + _TITLE_HEIGHT
    names_height = _names_height(view, portraits)
    heads_height = _HEADS_HEIGHT + max(max(0, len(_goal_lines(view)) - 2) * _GOAL_LINE_HEIGHT, names_height)
    lines_top = heads_top + (_GAMES_HEIGHT if len(sum_rows) > 1 else 0) + heads_height
    sums_top = lines_top + len(lines) * _ROW_HEIGHT
    sums_bottom = sums_top + sum(map(_sum_height, names))
    bottom = sums_bottom + _RESULT_HEIGHT + _PAD_THICKNESS
    canvas = Canvas(WIDTH, bottom + _LEFT, appearance)
    _draw_paper(canvas, (_LEFT, _LEFT, _RIGHT, bottom))
    grid = _Grid(canvas, view, portraits, lines, sum_rows)
    _draw_title(grid, heads_top - _TITLE_HEIGHT // 2)
    _draw_columns(grid, heads_top, (lines_top - heads_height, lines_top), sums_bottom)
    for index, line in enumerate(lines):
        _draw_line(grid, line, lines_top + index * _ROW_HEIGHT)
    grid.rule(sums_top, PENCIL)
    for name in names:
        _draw_sums(grid, name, sums_top)
        sums_top += _sum_height(name)
    _draw_result(grid, sums_top + _RESULT_HEIGHT // 2)
    return canvas.picture(alt_text.score_sheet(view, lines, sum_rows, monograms(portraits)))


@dataclass(frozen=True, slots=True)
class _Column:
    """The column of a side in a game.

    Sums are right-aligned at `end`. The points of a deal are
    right-aligned at `added`, which is None if there is no room for these points.
    """

    game: int
    side: int
    left: int
    right: int
    end: int
    added: int | None


class _Grid:
    """The layout of a scorecard, and the data to write into it."""

    def __init__(
        self,
        canvas: Canvas,
        view: PublicView,
        portraits: Sequence[Portrait],
        lines: Sequence[ScoreLine],
        sum_rows: Sums,
    ) -> None:
        """Compute columns in which the numbers of all lines fit."""
        self.canvas, self.view, self.portraits, self.sum_rows = canvas, view, portraits, sum_rows
        self.has_several_games = len(sum_rows) > 1
        number, labels_right = len(sum_rows) * len(view.sides), _labels_right(view)
        largest_sum = max(number for game in sum_rows for row in game for number in row.numbers)
        largest_width = text_mask(str(largest_sum), _NUMBER_CAP).width
        column_width = (_RIGHT - labels_right) // number
        self.has_label_points = (
            self.has_several_games and largest_width <= column_width - _MIN_LEFT_GAP - _MIN_RIGHT_GAP
        )
        """True if the points of a deal are next to its label. Columns with large numbers need this space."""
        if self.has_several_games and not self.has_label_points:
            labels_right -= _LABEL_POINTS_WIDTH
        edges = [labels_right + (_RIGHT - labels_right) * index // number for index in range(number + 1)]
        sum_space = largest_width + _ADDED_GAP
        most_gained = max((points or 0) for line in lines for game in line.added for points in game)
        added_width = _max_text_width(f"+{most_gained}", _TEXT_CAP)
        spare_width = edges[1] - edges[0] - (_MIN_RIGHT_GAP + sum_space + added_width)
        sum_space += min(max(0, spare_width) // 3, _ADDED_GAP)
        most_boxes = max(boxes for line in lines if line.deal for game in line.boxes for boxes in game)
        self.shows_boxes = most_boxes > 1
        """True if boxes (line bonuses) are drawn, because a side earned more than one box in a deal."""
        if self.shows_boxes and spare_width >= 0:
            added_width += _PAD + (most_boxes + most_boxes // _STROKES_PER_GROUP) * _STROKE[2]
        if edges[1] - edges[0] >= _MIN_CALCULATION_WIDTH:
            bonuses = [
                number for game in sum_rows for row in game if row.name == phrases.LINES for number in row.numbers
            ]
            added_width = max(
                added_width, *(text_mask(_bonus_calculation(view, bonus), _TEXT_CAP).width for bonus in (0, *bonuses))
            )
        self.labels_right = labels_right
        """The right edge of the labels."""
        self.columns: list[_Column] = []
        for index, (left, right) in enumerate(pairwise(edges)):
            # Centre the sums in their column or, in a narrow column, centre them together with the points of a deal.
            end, both_width = (left + right + largest_width) // 2, added_width + sum_space
            if spare_width >= 0 and end < left + _MIN_LEFT_GAP + both_width:
                is_narrow = right - left < _MIN_CALCULATION_WIDTH
                end = max((left + right + both_width) // 2 if is_narrow else 0, left + _MIN_LEFT_GAP + both_width)
            end = min(end, right - _MIN_RIGHT_GAP)
            added = end - sum_space if spare_width >= 0 else None
            self.columns.append(_Column(*divmod(index, len(view.sides)), left, right, end, added))
        column = self.columns[0]
        totals = [str(total) for line in lines for game in line.totals for total in game]
        totals += [str(number) for game in sum_rows for row in game for number in row.numbers]
        self.number_cap = _fitting_cap(totals, _NUMBER_CAP, column.end - column.left - _MIN_LEFT_GAP)
        """Cap height of the running totals and of the sums."""

    def write(
        self, x: int, middle: int, text: str, cap: int, ink: Colour = PENCIL, *, align_right: bool = False
    ) -> int:
        """Write a text centred on the height `middle`. Return its width.

        `x` is its left edge, or its right edge if `align_right`.
        """
        align = "right" if align_right else "left"
        return self.canvas.text(x, middle + cap // 2, text, cap, ink=ink, background=PAPER, align=align)

    def draw_portraits(self, x: int, middle: int, seats: Sequence[Seat]) -> int:
        """Draw the portraits of a side from `x` on. Return the x coordinate of their right edge."""
        for seat in seats:
            draw_portrait(self.canvas, seat, self.portraits[seat], x, middle - _PORTRAIT_SIDE // 2, _PORTRAIT_SIDE)
            x += _PORTRAIT_SIDE
        return x

    def rule(self, y: int, ink: Colour = RULE) -> None:
        """Draw a horizontal line across the paper."""
        self.canvas.fill((_LEFT, y - 1, _RIGHT, y + 1), ink)


def _bonus_calculation(view: PublicView, bonus: int) -> str:
    """Return the calculation of a line bonus: `6 × 20 =`."""
    each = view.rules.line_bonus
    return f"{bonus // each} × {each} =" if each else ""


def _max_text_width(text: str, cap: int) -> int:
    """Return an upper limit for the width of a number or short text at the cap height `cap`."""
    return round(len(text) * cap * _MAX_CHARACTER_WIDTH)


def _fitting_cap(texts: Iterable[str], cap: int, max_width: int) -> int:
    """Return the largest cap height, at most `cap`, at which the longest text fits."""
    longest = max(texts, key=len, default="")
    return next(
        (smaller_cap for smaller_cap in range(cap, _MIN_CAP, -1) if text_mask(longest, smaller_cap).width <= max_width),
        _MIN_CAP,
    )


def _sum_height(name: str) -> int:
    return _TOTAL_HEIGHT if name == phrases.TOTAL else _ROW_HEIGHT


def _draw_title(grid: _Grid, middle: int) -> None:
    """Draw the name of the game between the four suits."""
    x, y = WIDTH // 2, middle + _LARGE_CAP // 2
    name_width = grid.canvas.text(x, y, phrases.TITLE, _LARGE_CAP, ink=PENCIL, background=PAPER, align="centre")
    for direction, suits in ((-1, (Suit.HEARTS, Suit.SPADES)), (1, (Suit.DIAMONDS, Suit.CLUBS))):
        for position, suit in enumerate(suits):
            x = WIDTH // 2 + direction * (name_width // 2 + _INSET + _PIP_SIZE // 2 + position * (_PIP_SIZE + _PAD))
            grid.canvas.put(_suit_stamp(suit, _PIP_SIZE), x - _PIP_SIZE // 2, middle - _PIP_SIZE // 2)


def _labels_right(view: PublicView) -> int:
    """Return the right edge of the labels, with the space for a deal's points if the match has three games."""
    if view.score.columns:
        return _LEFT + _LABELS_WIDTH + _LABEL_POINTS_WIDTH
    return _LEFT + _LABELS_WIDTH + (_EXTRA_LABELS_WIDTH if len(view.sides) < 4 else 0)


def _names_height(view: PublicView, portraits: Sequence[Portrait]) -> int:
    """Return the height of the names below the portraits."""
    return max(map(len, _side_names(view, portraits))) * _NAME_LINE_HEIGHT


def _side_names(view: PublicView, portraits: Sequence[Portrait]) -> list[list[str]]:
    """Return the lines with the names of each side.

    The names of a team, and those in the narrow columns of three games, are replaced by monograms if any is too wide.
    """
    columns = len(view.sides) * (3 if view.score.columns else 1)
    max_width = (_RIGHT - _labels_right(view)) // columns - 2 * _RING_LINE_GAP
    if not view.score.columns and max(map(len, view.sides)) == 1:
        return [_name_lines(portraits[seat], max_width) for (seat,) in view.sides]
    names = [" · ".join(portraits[seat].shown_name for seat in seats) for seats in view.sides]
    if max(text_width(name, _NAME_CAP) for name in names) > max_width:
        names = [" · ".join(portraits[seat].monogram for seat in seats) for seats in view.sides]
    return [[name] for name in names]


def _name_lines(portrait: Portrait, max_width: int) -> list[str]:
    """Return a name in one line, or in two if it is too wide and has a space. Lines that are too wide are cut off."""
    name = portrait.shown_name
    first, _, second = name.partition(" ")
    lines = [first, second] if second and text_width(name, _NAME_CAP) > max_width else [name]
    return [fitted_text(line, _NAME_CAP, _NAME_CAP, max_width)[0] for line in lines]


def _goal_lines(view: PublicView) -> list[tuple[str, str]]:
    """Return the end condition of the match as lines, each with a label, a number, or both."""
    label, number, further_lines = phrases.goal(view.rules)
    main_lines = [(label, number)] if further_lines and number.isdecimal() else [(label, ""), ("", number)]
    return [*main_lines, *((line, "") for line in further_lines)]


def _draw_columns(grid: _Grid, top: int, heads: tuple[int, int], bottom: int) -> None:
    """Draw the lines between the columns, the portraits of each column, and the end condition of the match.

    `heads` is the top and bottom of the row of portraits. If the match has three games, their names are above this row.
    """
    canvas, sides = grid.canvas, grid.view.sides
    heads_top, heads_bottom = heads
    grid.rule(top)
    grid.rule(heads_bottom, PENCIL)
    middle = (heads_top + heads_bottom) // 2
    names, names_height = _side_names(grid.view, grid.portraits), _names_height(grid.view, grid.portraits)
    for edge in (grid.labels_right - 5, grid.labels_right - 1):
        canvas.fill((edge, top, edge + 2, bottom), SUIT_INKS[Suit.HEARTS])
    for column in grid.columns:
        if column.side == 0 and column.game:
            canvas.fill((column.left - 2, top, column.left + 2, bottom), PENCIL)
        elif column.side:
            canvas.fill((column.left - 1, heads_top, column.left + 1, bottom), RULE)
        seats = sides[column.side]
        half_width, centre = len(seats) * _PORTRAIT_SIDE // 2, (column.left + column.right) // 2
        grid.draw_portraits(centre - half_width, middle - names_height // 2, seats)
        for number, line in enumerate(names[column.side], 1):
            y = heads_bottom - names_height + number * _NAME_LINE_HEIGHT - _PAD
            canvas.text(centre, y, line, _NAME_CAP, ink=PENCIL, background=PAPER, align="centre")
        if grid.has_several_games and column.side == 0:
            y, name = top + (_GAMES_HEIGHT + _TEXT_CAP) // 2, phrases.game_name(column.game)
            canvas.text(column.right, y, name, _TEXT_CAP, ink=FADED, background=PAPER, align="centre")
    lines, x = _goal_lines(grid.view), _LEFT + _INSET
    y = middle - (len(lines) - 1) * _GOAL_LINE_HEIGHT // 2
    for label, number in lines:
        label_width = grid.write(x, y, label, _TEXT_CAP, FADED) + _PAD // 2 if label else 0
        if number:
            grid.write(x + label_width, y, number, _NUMBER_CAP)
        y += _GOAL_LINE_HEIGHT


def _draw_line(grid: _Grid, line: ScoreLine, top: int) -> None:
    """Draw a line for a deal, a round, or a sum of older lines."""
    middle = top + _ROW_HEIGHT // 2
    grid.rule(top + _ROW_HEIGHT, FADED if line.kind == "round" else RULE)
    _draw_label(grid, line, middle)
    for column in grid.columns:
        added, total = line.added[column.game][column.side], line.totals[column.game][column.side]
        if line.kind == "board":
            if added is not None:
                grid.write(column.added or column.end, middle, str(added), _TEXT_CAP, FADED, align_right=True)
            continue
        if added is not None and column.added is not None:
            grid.write(column.added, middle, f"+{added}", _TEXT_CAP, FADED, align_right=True)
        if added is not None or line.kind == "earlier":
            grid.write(column.end, middle, str(total), grid.number_cap, align_right=True)
        if grid.shows_boxes and column.added is not None:
            _draw_boxes(grid, column, middle, line.boxes[column.game][column.side], is_sum=line.kind == "earlier")


def _draw_label(grid: _Grid, line: ScoreLine, middle: int) -> None:
    """Draw the number and outcome of a deal.

    The outcome is in the winner's colour if it is a special one, such as gin, or if the winner's own column has no
    entry because only losers score.
    """
    x = _LEFT + _INSET
    if line.deal is None:
        x += _PAD + grid.write(x, middle, line.label, _NUMBER_CAP, FADED if line.kind == "earlier" else PENCIL)
        if line.kind == "round" and not line.has_entry(0):
            grid.write(x, middle, phrases.EVEN, _TEXT_CAP, FADED)
        return
    number_width = _DEAL_NUMBER_WIDTH * 3 // 2 if line.kind == "board" else _DEAL_NUMBER_WIDTH
    cap = _fitting_cap([line.label], _NUMBER_CAP, number_width + _INSET - _RING_LINE_GAP)
    grid.write(x + number_width, middle, line.label, cap, align_right=True)
    outcome, x = line.deal.outcome, x + number_width + _PAD
    if outcome.winner is not None and (outcome.kind in facts.CELEBRATED_OUTCOMES or line.deal.penalty_points):
        highlighted = _highlighted(line.outcome_name, _TEXT_CAP, outcome.winner)
        grid.canvas.put(highlighted, x, middle - highlighted.height // 2)
        x += highlighted.width
    else:
        x += _TEXT_CAP * 3 // 8
        x += grid.write(x, middle, line.outcome_name, _TEXT_CAP, FADED)
    if grid.has_label_points and outcome.winner is not None:
        points = f"+{outcome.points}"
        cap = _fitting_cap([points], _TEXT_CAP, grid.labels_right - _MIN_RIGHT_GAP - x - _RING_LINE_GAP)
        grid.write(grid.labels_right - _MIN_RIGHT_GAP, middle, points, cap, FADED, align_right=True)


def _draw_boxes(grid: _Grid, column: _Column, middle: int, box_count: int, *, is_sum: bool) -> None:
    """Draw a stroke for each box. If `is_sum` (an `earlier` line), draw strokes only if all of them fit."""
    stroke_width, stroke_height, step = _STROKE
    if (
        is_sum
        and column.left + _PAD + (box_count + box_count // _STROKES_PER_GROUP) * step
        > column.end - _RESERVED_TOTAL_WIDTH
    ):
        return
    for box in range(box_count):
        x = column.left + _PAD + box * step + box // _STROKES_PER_GROUP * step
        grid.canvas.fill((x, middle - stroke_height // 2, x + stroke_width, middle + stroke_height // 2), PENCIL)


def _draw_sums(grid: _Grid, name: str, top: int) -> None:
    """Draw a row of sums below the deals. Draw a double line above the totals, and a ring around the winner's total."""
    height, is_total = _sum_height(name), name == phrases.TOTAL
    middle = top + height // 2
    grid.rule(top + height)
    for y in (top, top + 5) if is_total else ():
        grid.rule(y, PENCIL)
    grid.write(_LEFT + _INSET, middle, name, _NUMBER_CAP, PENCIL if is_total else FADED)
    for column in grid.columns:
        line = next((sum_row for sum_row in grid.sum_rows[column.game] if sum_row.name == name), None)
        if line is None or (line.bonus and not line.numbers[column.side]):
            continue
        number = line.numbers[column.side]
        number_width = grid.write(column.end, middle, str(number), grid.number_cap, align_right=True)
        if name == phrases.LINES and column.right - column.left >= _MIN_CALCULATION_WIDTH:
            grid.write(
                column.end - number_width - _ADDED_GAP,
                middle,
                _bonus_calculation(grid.view, number),
                _TEXT_CAP,
                FADED,
                align_right=True,
            )
        if is_total and scorecard.games(grid.view.score)[column.game].winner == column.side:
            centre = column.end - number_width // 2
            half_width = min(column.right - centre, centre - column.left) - _RING_LINE_GAP
            gap = max(_MIN_RING_GAP, min(_RING_GAP, half_width - number_width // 2))
            ring = _ring(2 * (number_width // 2 + gap), _TOTAL_HEIGHT - 6)
            grid.canvas.put(ring, centre - ring.width // 2, middle - ring.height // 2)


def _draw_result(grid: _Grid, middle: int) -> None:
    """Draw the result or the leader of the match. With three games, draw each side's total, but no leader."""
    view = grid.view
    games_total = scorecard.games_total(view.score) if grid.has_several_games else None
    results: list[tuple[Sequence[Seat], str]] = []
    if games_total is not None:
        results += [((), games_total.name)] if not view.score.is_over else []
        results += [(seats, str(number)) for seats, number in zip(view.sides, games_total.numbers, strict=True)]
    results += (
        phrases.match_result(view) if view.score.is_over else phrases.match_lead(view) if games_total is None else []
    )
    portraits_width = sum(len(seats) * _PORTRAIT_SIDE + _PAD for seats, _ in results) + (len(results) - 1) * _RESULT_GAP
    max_width, cap = _RIGHT - _LEFT - 2 * _INSET - portraits_width, _RESULT_CAP
    while cap > _MIN_CAP and sum(text_mask(text, cap).width for _, text in results) > max_width:
        cap -= 1
    x = (WIDTH - portraits_width - sum(text_mask(text, cap).width for _, text in results)) // 2
    for seats, text in results:
        x = grid.draw_portraits(x, middle, seats) + _PAD
        x += grid.write(x, middle, text, cap) + _RESULT_GAP


def _draw_paper(canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """Draw a pad of paper in a box. The lowest `_PAD_THICKNESS` pixels show the sheets beneath the top sheet."""
    left, top, right, bottom = box
    top_sheet_bottom = bottom - _PAD_THICKNESS
    for sheet_number in range(_LOWER_SHEETS, 0, -1):
        sheet_bottom, inset = top_sheet_bottom + sheet_number * _PAD_THICKNESS // _LOWER_SHEETS, 3 * sheet_number
        canvas.fill((left + inset, top_sheet_bottom, right - inset, sheet_bottom), PAPER)
        canvas.fill((left + inset, sheet_bottom - 1, right - inset, sheet_bottom), EDGE)
    canvas.fill((left - 1, top, right + 1, top_sheet_bottom + 1), EDGE)
    canvas.fill((left, top, right, top_sheet_bottom), PAPER)
    canvas.fill((left, top, right, top + _BINDING_HEIGHT), RED)


@lru_cache(128)
def _highlighted(text: str, cap: int, seat: Seat) -> Sprite:
    """Return a word on a seat's colour, as if marked with a highlighter."""
    coverage = text_mask(text, cap)
    side_padding = cap * 3 // 8
    size = (coverage.width + 2 * side_padding, round(cap * 1.75))
    shape = rounded_mask(size, cap / 3)
    painting = Painting(size, PAPER).paint_layer(SEAT_COLOURS[seat], shape)
    painting.paint_layer(BLACK, coverage, (side_padding, (size[1] + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, shape)


@lru_cache(128)
def _ring(width: int, height: int) -> Sprite:
    """Return a ring of red ink around a number, drawn by hand: it is slightly uneven, and its ends overlap."""
    size, ink, inset = (width, height), SUIT_INKS[Suit.HEARTS], _RING_THICKNESS / 2 + 1
    points: list[str] = []
    for step in range(_RING_POINTS + 1):
        drawn = step / _RING_POINTS
        angle = _RING_START + _RING_TURN * drawn
        reach = 1 - _RING_SPIRAL * (1 - drawn) - _RING_UNEVENNESS * (1 + sin(2 * angle + 1))
        x = width / 2 + (width / 2 - inset) * reach * cos(angle)
        points.append(f"{x} {height / 2 + (height / 2 - inset) * reach * sin(angle)}")
    coverage = path_mask(size, 1, [f"M {' L '.join(points)}"], _RING_THICKNESS)
    return cut_out(inked(coverage, ink, PAPER), coverage)


@cache
def _suit_stamp(suit: Suit, side: int) -> Sprite:
    """Return a suit symbol on the background of the scorecard's paper."""
    return Sprite(inked(suit_mask(suit, side), SUIT_INKS[suit], PAPER))
