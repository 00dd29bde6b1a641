"""The score sheet: every deal and every bonus, as on the pad, in monospaced columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.scoring import Score
from bot.engine.views import ShowdownView

MOST_DEALS: Final = 40
"""So many deals stand on a score sheet one by one, after a line that sums up those before: a message has a limit."""

Row = tuple[str, list[str]]


def score_sheet(
    marks: Sequence[str], sides: Sequence[Sequence[Seat]], deals: Sequence[ShowdownView], score: Score
) -> str:
    """The deals so far and what they add up to, a column for each side; three sheets where three games are scored.

    Args:
        marks: a monogram for each seat.
        sides: who scores together.
        deals: the deals that are over, in the order in which they ended.
        score: what the match stands at.
    """
    first = "Deal.board" if any(deal.boards > 1 for deal in deals) else ""
    header: Row = (first, ["+".join(marks[seat] for seat in side) for side in sides])
    if not score.columns:
        return table_of([header, *_rows(deals, score, lambda whole: whole, MOST_DEALS)])
    sheets: list[str] = []
    for place, game in enumerate(score.columns):
        entered = [deal for before, deal in zip((None, *deals), deals, strict=False) if _enters(before, deal, place)]
        rows = _rows(entered, game, lambda whole, place=place: whole.columns[place], MOST_DEALS // 3)
        sheets.append(table_of([(f"Game {place + 1}", header[1]), *rows]))
    return "\n".join((*sheets, table_of([header, ("Total", list(map(str, score.totals)))])))


def _rows(deals: Sequence[ShowdownView], score: Score, game: Callable[[Score], Score], most: int) -> list[Row]:
    """The lines of one game; `game` finds it in the score that a deal led to."""
    rows: list[Row] = []
    before = tuple(0 for _ in score.scores)
    for place, deal in enumerate(deals, 1):
        now = game(deal.score).scores
        if place == len(deals) - most:
            rows = [(f"1–{deal.number}", [_sum(points, len(now)) for points in now])]
        else:
            added = [_cell(old, new, len(now)) for old, new in zip(before, now, strict=True)]
            rows += _entries(deal, added)
        before = now
    if not score.over or score.totals != score.scores:
        rows.append(("Points", list(map(str, score.scores))))
    if score.over:
        for label, bonus in (("Game", score.game), ("Lines", score.line), ("Shutout", score.shutout)):
            if any(bonus):
                rows.append((label, [f"+{points}" for points in bonus]))
        rows.append(("Total", list(map(str, score.totals))))
    return rows


def _enters(before: ShowdownView | None, deal: ShowdownView, place: int) -> bool:
    """Whether a deal has an entry in one of three games."""
    return sum(deal.score.columns[place].deals_won) > (
        0 if before is None else sum(before.score.columns[place].deals_won)
    )


def _entries(deal: ShowdownView, added: list[str]) -> list[Row]:
    """A deal's line; of one on a board of several what that board brought, and once the round is over what counts."""
    kind, outcome = deal.outcome.kind.value.replace("_", " "), deal.outcome
    if deal.boards == 1:
        return [(f"{deal.number} {kind}", added)]
    board = [str(outcome.points) if outcome.winner in side else "" for side in deal.sides]
    return [(f"{deal.number}.{deal.board} {kind}", board), *([(f"Round {deal.number}", added)] if deal.earned else [])]


def _cell(before: int, now: int, sides: int) -> str:
    """What a side got and has; only what it has where three or four columns must fit a phone."""
    if now == before:
        return ""
    return _sum(now, sides) if sides > 2 else f"+{now - before} {_sum(now, sides)}"


def _sum(points: int, sides: int) -> str:
    return str(points) if sides > 2 else f"= {points}"


def table_of(rows: Sequence[Row]) -> str:
    """Rows as a monospaced block: labels to the left, numbers to the right."""
    first = max(len(label) for label, _ in rows)
    widths = [max(len(cells[column]) for _, cells in rows) for column in range(len(rows[0][1]))]
    lines = [
        " │ ".join((label.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))))
        for label, cells in rows
    ]
    return "```\n" + "\n".join(lines) + "\n```"
