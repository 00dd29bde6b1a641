"""The scorecard: a line for each deal, a column for each side, and the sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import Suit
from bot.engine.views import PublicView, ShowdownView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.palette import FADED, PAPER, PENCIL, RULE, SUIT_INKS
from cardart.parts.scorecard_paper import (
    ADDED,
    BADGE,
    BINDING,
    CAP,
    END,
    INSET,
    LEFT,
    MARGIN,
    PAD,
    RIGHT,
    TEXT,
    THICK,
    WIDTH,
    Column,
    ScorecardGrid,
    draw_paper,
    highlighted,
    ring,
    suit_stamp,
)
from cardart.text import alt_text, phrases, queries, scorecard
from cardart.text.scorecard import ScoreLine, ScoreSum

MOST_DEALS: Final = 12
"""The most deals with lines of their own; one line sums up those before."""
MOST_BOARDS: Final = 8
"""The same if rounds have lines besides those of their boards."""

_TITLE: Final = 64
_GAMES: Final = 40
_HEADS: Final = 74
_ROW: Final = 42
_GOAL: Final = 30
"""The step between the lines that say when the match ends."""
_TOTAL: Final = 56
_RESULT: Final = 76

_NUMBER: Final = 42
"""From the left of a label to the end of a deal's number; half as much again for a number with a board's."""
_LARGE: Final = 25
_SMALL: Final = 17
"""For bonuses in narrow columns."""
_PIP: Final = 26
_STROKE: Final = (4, 22, 7)
"""The width and height of a stroke for a box, and the step to the next one."""
_TALLY: Final = 5
"""A gap follows this many strokes."""
_CLEAR: Final = 16
"""Between a number and the ring around it, if there is room."""
_POINTS_ROOM: Final = 90
"""The width of a total and a little more."""
_CLOSE: Final = 5
"""Between a ring and the lines beside it."""
_APART: Final = 36
_ROOMY: Final = 240
"""The least width of a column that also says how many boxes make up its lines."""
_NAMES: Final = (phrases.POINTS, phrases.GAME_BONUS, phrases.LINES, phrases.SHUTOUT, phrases.TOTAL)


def draw_scorecard(
    view: PublicView,
    deals: Sequence[ShowdownView],
    monograms: Sequence[str],
    appearance: Appearance = DEFAULT_APPEARANCE,
) -> Picture:
    """Draw the scorecard of a match: its finished deals, at least one, and what they add up to.

    Args:
        view: the match as everyone sees it.
        deals: the finished deals in the order in which they ended.
        monograms: one or two of A-Z and 0-9 for each seat.
        appearance: that of the person who asked.

    Raises:
        ValueError: a monogram is not one or two of A-Z and 0-9.
    """
    lines = scorecard.shortened(scorecard.lines(deals), MOST_DEALS if view.boards == 1 else MOST_BOARDS)
    below = [scorecard.sums(deals, game) for game in scorecard.games(view.score)]
    names = [name for name in _NAMES if any(one.name == name for game in below for one in game)]
    several = len(below) > 1
    heads = MARGIN + BINDING + _TITLE
    high = _HEADS + max(0, len(_goal(view)) - 2) * _GOAL
    body = heads + (_GAMES if several else 0) + high
    foot = body + len(lines) * _ROW
    end = foot + sum(map(_high, names))
    bottom = end + (_RESULT if view.score.over else 0) + THICK
    canvas = Canvas(WIDTH, bottom + MARGIN, appearance)
    draw_paper(canvas, (LEFT, MARGIN, RIGHT, bottom))
    grid = ScorecardGrid.of(canvas, view, monograms, lines, below)
    _draw_title(grid, heads - _TITLE // 2)
    _draw_columns(grid, heads, (body - high, body), end)
    for place, line in enumerate(lines):
        _draw_line(grid, line, body + place * _ROW)
    grid.rule(foot, PENCIL)
    for name in names:
        _draw_sums(grid, name, below, foot)
        foot += _high(name)
    if view.score.over:
        _draw_result(grid, foot + _RESULT // 2)
    return canvas.picture(alt_text.score_sheet(view, lines, below, monograms))


def _high(name: str) -> int:
    return _TOTAL if name == phrases.TOTAL else _ROW


def _draw_title(grid: ScorecardGrid, middle: int) -> None:
    """Draw the name of the game between the four suits."""
    name = grid.canvas.text(
        WIDTH // 2, middle + _LARGE // 2, phrases.TITLE, _LARGE, ink=PENCIL, ground=PAPER, align="centre"
    )
    for place, suits in ((-1, (Suit.HEARTS, Suit.SPADES)), (1, (Suit.DIAMONDS, Suit.CLUBS))):
        for far, suit in enumerate(suits):
            x = WIDTH // 2 + place * (name // 2 + INSET + _PIP // 2 + far * (_PIP + PAD))
            grid.canvas.put(suit_stamp(suit, _PIP), x - _PIP // 2, middle - _PIP // 2)


def _goal(view: PublicView) -> list[tuple[str, str]]:
    """Return when the match ends in lines of a label, a number, or both."""
    label, number, more = phrases.goal(view.rules)
    first = [(label, number)] if more and number.isdecimal() else [(label, ""), ("", number)]
    return [*first, *((line, "") for line in more)]


def _draw_columns(grid: ScorecardGrid, top: int, heads: tuple[int, int], end: int) -> None:
    """Draw the lines between the columns, whose each is, and when the match ends.

    `heads` is where the row of badges begins and ends. It is below the names of three games.
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
        centre = (column.left + column.right) // 2
        grid.badges(centre - len(seats) * BADGE // 2, middle, seats)
        if grid.several and column.side == 0:
            y, name = top + (_GAMES + TEXT) // 2, phrases.game_name(column.game)
            canvas.text(column.right, y, name, TEXT, ink=FADED, ground=PAPER, align="centre")
    lines, x = _goal(grid.view), LEFT + INSET
    y = middle - (len(lines) - 1) * _GOAL // 2
    for label, number in lines:
        wide = grid.write(x, y, label, TEXT, FADED) + PAD // 2 if label else 0
        if number:
            grid.write(x + wide, y, number, CAP)
        y += _GOAL


def _draw_line(grid: ScorecardGrid, line: ScoreLine, top: int) -> None:
    """Draw a line for a deal, a round, or older ones that are summed up."""
    middle = top + _ROW // 2
    grid.rule(top + _ROW, FADED if line.what == "round" else RULE)
    _draw_label(grid, line, middle)
    for column in grid.columns:
        added, total = line.added[column.game][column.side], line.totals[column.game][column.side]
        if line.what == "board":
            if added is not None:
                grid.write(column.added or column.end, middle, str(added), TEXT, FADED, right=True)
            continue
        if added is not None and column.added is not None:
            grid.write(column.added, middle, f"+{added}", TEXT, FADED, right=True)
        if added is not None or line.what == "earlier":
            grid.write(column.end, middle, str(total), CAP, right=True)
        if column.added is not None:
            _draw_boxes(grid, column, middle, line.boxes[column.game][column.side], summed=line.what == "earlier")


def _draw_label(grid: ScorecardGrid, line: ScoreLine, middle: int) -> None:
    """Draw a deal's number and how it ended, in its winner's colour if it is special or nothing else says who won."""
    x = LEFT + INSET
    if line.deal is None:
        x += PAD + grid.write(x, middle, line.label, CAP, FADED if line.what == "earlier" else PENCIL)
        if line.what == "round" and not line.enters(0):
            grid.write(x, middle, phrases.EVEN, TEXT, FADED)
        return
    number = _NUMBER * 3 // 2 if line.what == "board" else _NUMBER
    grid.write(x + number, middle, line.label, CAP, right=True)
    outcome, x = line.deal.outcome, x + number + PAD
    if outcome.winner is not None and (outcome.kind in queries.CELEBRATED or line.deal.charged):
        word = highlighted(line.how, TEXT, outcome.winner)
        grid.canvas.put(word, x, middle - word.height // 2)
    else:
        grid.write(x + TEXT * 3 // 8, middle, line.how, TEXT, FADED)
    if grid.several and outcome.winner is not None:
        grid.write(grid.labels - END, middle, f"+{outcome.points}", TEXT, FADED, right=True)


def _draw_boxes(grid: ScorecardGrid, column: Column, middle: int, number: int, *, summed: bool) -> None:
    """Draw a stroke for each box; for older deals only if there is room."""
    wide, high, step = _STROKE
    if summed and column.left + PAD + (number + number // _TALLY) * step > column.end - _POINTS_ROOM:
        return
    for box in range(number):
        x = column.left + PAD + box * step + box // _TALLY * step
        grid.canvas.fill((x, middle - high // 2, x + wide, middle + high // 2), PENCIL)


def _draw_sums(grid: ScorecardGrid, name: str, below: Sequence[Sequence[ScoreSum]], top: int) -> None:
    """Draw a line below the deals. A total has two rules above it, and a ring around a game's winner."""
    high, total = _high(name), name == phrases.TOTAL
    middle = top + high // 2
    grid.rule(top + high)
    for y in (top, top + 5) if total else ():
        grid.rule(y, PENCIL)
    grid.write(LEFT + INSET, middle, name, CAP, PENCIL if total else FADED)
    for column in grid.columns:
        line = next((one for one in below[column.game] if one.name == name), None)
        if line is None or (line.bonus and not line.numbers[column.side]):
            continue
        number = line.numbers[column.side]
        small = TEXT if column.added is not None else _SMALL
        text, cap = (f"+{number}", small) if line.bonus else (str(number), CAP)
        wide = grid.write(column.end, middle, text, cap, right=True)
        if name == phrases.LINES and column.right - column.left >= _ROOMY:
            bonus = grid.view.rules.line_bonus
            grid.write(column.end - wide - ADDED, middle, f"{number // bonus} × {bonus}", TEXT, FADED, right=True)
        if total and scorecard.games(grid.view.score)[column.game].winner == column.side:
            centre = column.end - wide // 2
            room = min(column.right - centre, centre - column.left) - _CLOSE
            mark = ring(2 * min(wide // 2 + _CLEAR, room), _TOTAL - 6)
            grid.canvas.put(mark, centre - mark.width // 2, middle - mark.height // 2)


def _draw_result(grid: ScorecardGrid, middle: int) -> None:
    """Draw what three games add up to together, and how the match ended."""
    view = grid.view
    results = [(seats, str(view.score.totals[place])) for place, seats in enumerate(view.sides)] if grid.several else []
    results += phrases.match_result(view)
    room = sum(len(seats) * BADGE + PAD + text_mask(text, _LARGE).width for seats, text in results)
    x = (WIDTH - room - (len(results) - 1) * _APART) // 2
    for seats, text in results:
        x = grid.badges(x, middle, seats) + PAD
        x += grid.write(x, middle, text, _LARGE) + _APART
