"""The score sheet: all deals and bonuses in monospaced columns, as in the picture of the scorecard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.views import PublicView, ShowdownView
from cardart.text.phrases import game_name, side_name
from cardart.text.scorecard import ScoreLine, ScoreSum, games, lines, shortened, sums, together

MAX_DEALS: Final = 40
"""Maximum number of deals with their own line. One line sums up the earlier ones, because messages have a limit."""

Row = tuple[str, list[str]]


def score_sheet(view: PublicView, deals: Sequence[ShowdownView], marks: Sequence[str]) -> str:
    """Return the finished deals and their totals, with a column for each side. Three games have a sheet each.

    `deals` are in the order in which they ended. `marks` are the monograms by seat.
    """
    first, score = "Deal.board" if view.boards > 1 else "Totals" if len(view.sides) > 2 else "", view.score
    columns, told = [side_name(seats, marks) for seats in view.sides], lines(deals)
    if not score.columns:
        return table_of([(first, columns), *_rows(shortened(told, MAX_DEALS), 0), *_below(sums(deals, score))])
    sheets: list[str] = []
    for place, one in enumerate(games(score)):
        entered = shortened([line for line in told if line.enters(place)], MAX_DEALS // 3)
        sheets.append(table_of([(game_name(place), columns), *_rows(entered, place), *_below(sums(deals, one))]))
    return "\n".join((*sheets, table_of([(first, columns), *_below([together(score)])])))


def _rows(told: Sequence[ScoreLine], place: int) -> list[Row]:
    """Return the rows of one game."""
    return [
        (f"{line.label} {line.how}".strip(), [_cell(line, place, column) for column in range(len(line.totals[place]))])
        for line in told
    ]


def _cell(line: ScoreLine, place: int, column: int) -> str:
    """Format a side's points in a deal and its new total, or with three or four columns, to fit a phone, the total."""
    added, total = line.added[place][column], line.totals[place][column]
    several = len(line.totals[place]) > 2
    if line.what == "earlier":
        return str(total) if several else f"= {total}"
    if added is None or line.what == "board":
        return "" if added is None else str(added)
    return str(total) if several else f"+{added} = {total}"


def _below(told: Sequence[ScoreSum]) -> list[Row]:
    return [(one.name, [f"+{number}" if one.bonus else str(number) for number in one.numbers]) for one in told]


def table_of(rows: Sequence[Row]) -> str:
    """Return rows as a code block, with labels aligned to the left and numbers to the right."""
    first = max(len(label) for label, _ in rows)
    widths = [max(len(cells[column]) for _, cells in rows) for column in range(len(rows[0][1]))]
    lines = [
        " │ ".join((label.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))))
        for label, cells in rows
    ]
    return "```\n" + "\n".join(lines) + "\n```"
