"""The score pad: a line for each deal, a column for each side, and what it all comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import Suit
from bot.engine.views import PublicView, ShowdownView
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.palette import FADED, INK, PAPER, PENCIL, RULE
from cardart.drawing.plotting import fill
from cardart.drawing.themes import DEFAULT, Look
from cardart.parts.scorecard_grid import (
    ADDED,
    BADGE,
    CAP,
    END,
    INSET,
    LEFT,
    MARGIN,
    PAD,
    RIGHT,
    TEXT,
    WIDTH,
    Column,
    ScorecardGrid,
)
from cardart.parts.scorecard_paper import BINDING, THICK, draw_paper, highlighted, ring, suit_stamp
from cardart.text import alt_text, phrases, queries, scorecard
from cardart.text.scorecard import ScoreLine, ScoreSum

MOST_DEALS: Final = 12
"""So many deals stand on the pad one by one, after a line that sums up those before."""
MOST_BOARDS: Final = 8
"""The same where rounds have lines of their own besides those of their boards."""

_TITLE: Final = 64
_GAMES: Final = 40
_HEADS: Final = 74
_ROW: Final = 42
_GOAL: Final = 30
"""From one line of what is played to, in the head of the labels, to the next."""
_TOTAL: Final = 56
_RESULT: Final = 76

_NUMBER: Final = 42
"""From the left of a label to the end of its deal's number; where a board's is with it, half as much again."""
_LARGE: Final = 25
_SMALL: Final = 17
"""For bonuses in narrow columns."""
_PIP: Final = 26
_STROKE: Final = (4, 22, 7)
"""The width and height of a stroke for a box, and how far the next one is."""
_TALLY: Final = 5
"""After so many strokes comes a gap."""
_CLEAR: Final = 16
"""From a number to the ring around it, where there is room."""
_POINTS_ROOM: Final = 90
"""What a total takes, and a little more."""
_CLOSE: Final = 5
"""How near such a ring may come to the lines beside it."""
_APART: Final = 36
_ROOMY: Final = 240
"""A column of this width has room for how many boxes make its lines."""
_NAMES: Final = (phrases.POINTS, phrases.GAME_BONUS, phrases.LINES, phrases.SHUTOUT, phrases.TOTAL)


def draw_scorecard(
    view: PublicView, deals: Sequence[ShowdownView], marks: Sequence[str], look: Look = DEFAULT
) -> Picture:
    """The score of a match: its deals so far, at least one, and what they add up to.

    Args:
        view: the match as everyone sees it.
        deals: the deals that are over, in the order in which they ended.
        marks: one or two of A-Z and 0-9 for each seat.
        look: that of whom it is for.

    Raises:
        ValueError: a mark is no such monogram.
    """
    told = scorecard.shortened(scorecard.lines(deals), MOST_DEALS if view.boards == 1 else MOST_BOARDS)
    below = [scorecard.sums(deals, game) for game in scorecard.games(view.score)]
    names = [name for name in _NAMES if any(one.name == name for game in below for one in game)]
    several = len(below) > 1
    heads = MARGIN + BINDING + _TITLE
    high = _HEADS + max(0, len(_goal(view)) - 2) * _GOAL
    body = heads + (_GAMES if several else 0) + high
    foot = body + len(told) * _ROW
    end = foot + sum(map(_high, names))
    bottom = end + (_RESULT if view.score.over else 0) + THICK
    canvas = Canvas(WIDTH, bottom + MARGIN, look)
    draw_paper(canvas, (LEFT, MARGIN, RIGHT, bottom))
    pad = ScorecardGrid.of(canvas, view, marks, told, below)
    _draw_title(pad, heads - _TITLE // 2)
    _draw_columns(pad, heads, (body - high, body), end)
    for place, line in enumerate(told):
        _draw_line(pad, line, body + place * _ROW)
    pad.rule(foot, PENCIL)
    for name in names:
        _draw_sums(pad, name, below, foot)
        foot += _high(name)
    if view.score.over:
        _draw_result(pad, foot + _RESULT // 2)
    return canvas.picture(alt_text.pad(view, told, below, marks))


def _high(name: str) -> int:
    return _TOTAL if name == phrases.TOTAL else _ROW


def _draw_title(pad: ScorecardGrid, middle: int) -> None:
    """The name of the game between the four suits."""
    name = pad.canvas.text(
        WIDTH // 2, middle + _LARGE // 2, phrases.PAD, _LARGE, ink=PENCIL, ground=PAPER, align="centre"
    )
    for place, suits in ((-1, (Suit.HEARTS, Suit.SPADES)), (1, (Suit.DIAMONDS, Suit.CLUBS))):
        for far, suit in enumerate(suits):
            x = WIDTH // 2 + place * (name // 2 + INSET + _PIP // 2 + far * (_PIP + PAD))
            pad.canvas.put(suit_stamp(suit, _PIP), x - _PIP // 2, middle - _PIP // 2)


def _goal(view: PublicView) -> list[tuple[str, str]]:
    """What is played to in lines, each some words, or how many, or both."""
    label, number, more = phrases.goal(view.rules)
    first = [(label, number)] if more and number.isdecimal() else [(label, ""), ("", number)]
    return [*first, *((line, "") for line in more)]


def _draw_columns(pad: ScorecardGrid, top: int, heads: tuple[int, int], end: int) -> None:
    """The lines between the columns, and over each whose it is; beside them what is played to.

    `heads` is where the row for that begins and ends, under the names of three games.
    """
    canvas, sides = pad.canvas, pad.view.sides
    begin, body = heads
    pad.rule(top)
    pad.rule(body, PENCIL)
    middle = (begin + body) // 2
    for edge in (pad.labels - 5, pad.labels - 1):
        fill(canvas, (edge, top, edge + 2, end), INK[Suit.HEARTS])
    for column in pad.columns:
        if column.side == 0 and column.game:
            fill(canvas, (column.left - 2, top, column.left + 2, end), PENCIL)
        elif column.side:
            fill(canvas, (column.left - 1, begin, column.left + 1, end), RULE)
        seats = sides[column.side]
        centre = (column.left + column.right) // 2
        pad.badges(centre - len(seats) * BADGE // 2, middle, seats)
        if pad.several and column.side == 0:
            y, name = top + (_GAMES + TEXT) // 2, phrases.game(column.game)
            canvas.text(column.right, y, name, TEXT, ink=FADED, ground=PAPER, align="centre")
    lines, x = _goal(pad.view), LEFT + INSET
    y = middle - (len(lines) - 1) * _GOAL // 2
    for label, number in lines:
        wide = pad.write(x, y, label, TEXT, FADED) + PAD // 2 if label else 0
        if number:
            pad.write(x + wide, y, number, CAP)
        y += _GOAL


def _draw_line(pad: ScorecardGrid, line: ScoreLine, top: int) -> None:
    """A deal, a round, or the sum of what was before."""
    middle = top + _ROW // 2
    pad.rule(top + _ROW, FADED if line.what == "round" else RULE)
    _draw_label(pad, line, middle)
    for column in pad.columns:
        added, total = line.added[column.game][column.side], line.totals[column.game][column.side]
        if line.what == "board":
            if added is not None:
                pad.write(column.added or column.end, middle, str(added), TEXT, FADED, right=True)
            continue
        if added is not None and column.added is not None:
            pad.write(column.added, middle, f"+{added}", TEXT, FADED, right=True)
        if added is not None or line.what == "earlier":
            pad.write(column.end, middle, str(total), CAP, right=True)
        if column.added is not None:
            _draw_boxes(pad, column, middle, line.boxes[column.game][column.side], summed=line.what == "earlier")


def _draw_label(pad: ScorecardGrid, line: ScoreLine, middle: int) -> None:
    """Which deal it is and how it ended, in its winner's colour where that is special or told nowhere else."""
    x = LEFT + INSET
    if line.deal is None:
        # The font has no dash.
        x += PAD + pad.write(x, middle, line.label.replace("–", "-"), CAP, FADED if line.what == "earlier" else PENCIL)
        if line.what == "round" and not line.enters(0):
            pad.write(x, middle, phrases.EVEN, TEXT, FADED)
        return
    number = _NUMBER * 3 // 2 if line.what == "board" else _NUMBER
    pad.write(x + number, middle, line.label, CAP, right=True)
    outcome, x = line.deal.outcome, x + number + PAD
    if outcome.winner is not None and (outcome.kind in queries.CELEBRATED or line.deal.charged):
        word = highlighted(line.how, TEXT, outcome.winner)
        pad.canvas.put(word, x, middle - word.height // 2)
    else:
        pad.write(x + TEXT * 3 // 8, middle, line.how, TEXT, FADED)
    if pad.several and outcome.winner is not None:
        pad.write(pad.labels - END, middle, f"+{outcome.points}", TEXT, FADED, right=True)


def _draw_boxes(pad: ScorecardGrid, column: Column, middle: int, number: int, *, summed: bool) -> None:
    """A stroke for each box; of deals that are summed up, as long as there is room."""
    wide, high, step = _STROKE
    if summed and column.left + PAD + (number + number // _TALLY) * step > column.end - _POINTS_ROOM:
        return
    for box in range(number):
        x = column.left + PAD + box * step + box // _TALLY * step
        fill(pad.canvas, (x, middle - high // 2, x + wide, middle + high // 2), PENCIL)


def _draw_sums(pad: ScorecardGrid, name: str, below: Sequence[Sequence[ScoreSum]], top: int) -> None:
    """A line below the deals; over a total there are two rules, and a ring is around that of a game's winner."""
    high, total = _high(name), name == phrases.TOTAL
    middle = top + high // 2
    pad.rule(top + high)
    for y in (top, top + 5) if total else ():
        pad.rule(y, PENCIL)
    pad.write(LEFT + INSET, middle, name, CAP, PENCIL if total else FADED)
    for column in pad.columns:
        told = next((one for one in below[column.game] if one.name == name), None)
        if told is None or (told.bonus and not told.numbers[column.side]):
            continue
        number = told.numbers[column.side]
        small = TEXT if column.added is not None else _SMALL
        text, cap = (f"+{number}", small) if told.bonus else (str(number), CAP)
        wide = pad.write(column.end, middle, text, cap, right=True)
        if name == phrases.LINES and column.right - column.left >= _ROOMY:
            bonus = pad.view.rules.line_bonus
            pad.write(column.end - wide - ADDED, middle, f"{number // bonus} x {bonus}", TEXT, FADED, right=True)
        if total and scorecard.games(pad.view.score)[column.game].winner == column.side:
            centre = column.end - wide // 2
            room = min(column.right - centre, centre - column.left) - _CLOSE
            mark = ring(2 * min(wide // 2 + _CLEAR, room), _TOTAL - 6)
            pad.canvas.put(mark, centre - mark.width // 2, middle - mark.height // 2)


def _draw_result(pad: ScorecardGrid, middle: int) -> None:
    """What three games come to together, and how the match ended."""
    view = pad.view
    told = [(seats, str(view.score.totals[place])) for place, seats in enumerate(view.sides)] if pad.several else []
    told += phrases.result(view)
    room = sum(len(seats) * BADGE + PAD + text_mask(text, _LARGE).width for seats, text in told)
    x = (WIDTH - room - (len(told) - 1) * _APART) // 2
    for seats, text in told:
        x = pad.badges(x, middle, seats) + PAD
        x += pad.write(x, middle, text, _LARGE) + _APART
