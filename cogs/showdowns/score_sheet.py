"""The score sheet: all deals and bonuses in monospaced columns, as in the picture of the scorecard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.matches.views import PublicView, ShowdownView
from bot.model import matches
from cardart.text.phrases import GAME_BONUS, LINES, game_name, side_name
from cardart.text.scorecard import ScoreLine, ScoreSum, games, games_total, score_lines, score_sums, shortened_lines
from cogs.showdowns import showdown_text
from cogs.words import rules as rules_text
from cogs.words.names import monogram_key, monograms

MAX_DEALS: Final = 40
"""Maximum number of deals with their own line. One line sums up the earlier ones, because messages have a limit."""

Row = tuple[str, list[str]]


def score_sheet(view: PublicView, deals: Sequence[ShowdownView], marks: Sequence[str]) -> str:
    """Return the finished deals and their totals, with a column for each side.

    If the rules score three games at once, each game has its own sheet, and another sheet has the totals of all three.
    `deals` are in the order in which they ended. `marks` are the monograms by seat.
    """
    first, score = "Deal.board" if view.boards > 1 else "Totals" if len(view.sides) > 2 else "", view.score
    columns, told = [side_name(seats, marks) for seats in view.sides], score_lines(deals)
    if not score.columns:
        return table_of(
            [(first, columns), *_rows(shortened_lines(told, MAX_DEALS), 0), *_sum_rows(score_sums(deals, score))]
        )
    sheets: list[str] = []
    for game, score_of_game in enumerate(games(score)):
        entered = shortened_lines([line for line in told if line.has_entry(game)], MAX_DEALS // 3)
        sheets.append(
            table_of([(game_name(game), columns), *_rows(entered, game), *_sum_rows(score_sums(deals, score_of_game))])
        )
    return "\n".join((*sheets, table_of([(first, columns), *_sum_rows([games_total(score)])])))


def _rows(told: Sequence[ScoreLine], game: int) -> list[Row]:
    """Return the rows of the deals for the game with this index."""
    return [
        (
            f"{line.label} {line.outcome_name}".strip(),
            [_cell(line, game, column) for column in range(len(line.totals[game]))],
        )
        for line in told
    ]


def _cell(line: ScoreLine, game: int, column: int) -> str:
    """Format a side's points in a deal and its new total. With three or four columns, only the total fits a phone."""
    added, total = line.added[game][column], line.totals[game][column]
    several = len(line.totals[game]) > 2
    if line.kind == "earlier":
        return str(total) if several else f"= {total}"
    if added is None or line.kind == "board":
        return "" if added is None else str(added)
    return str(total) if several else f"+{added} = {total}"


def _sum_rows(told: Sequence[ScoreSum]) -> list[Row]:
    return [(row.name, [f"+{number}" if row.bonus else str(number) for number in row.numbers]) for row in told]


def table_of(rows: Sequence[Row]) -> str:
    """Return rows as a code block, with labels aligned to the left and numbers to the right."""
    first = max(len(label) for label, _ in rows)
    widths = [max(len(cells[column]) for _, cells in rows) for column in range(len(rows[0][1]))]
    lines = [
        " │ ".join((label.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))))
        for label, cells in rows
    ]
    return "```\n" + "\n".join(lines) + "\n```"


def bonuses(view: PublicView) -> str | None:
    """Explain the rows *Game* and *Lines* of a sheet in a small line; None if the sheet has neither."""
    rules, scores = view.rules, games(view.score)
    parts = list[str]()
    if any(any(score.game) for score in scores):
        parts.append(f"{GAME_BONUS}: {rules.game_bonus} for winning {'a game' if view.score.columns else 'the match'}")
    if any(any(score.line) and (score.is_over or rules.line_credit == "at_once") for score in scores):
        parts.append(f"{LINES}: {rules.line_bonus} for each deal won")
    return f"-# {' · '.join(parts)}" if parts else None


def sheet_facts(summary: matches.MatchSummary) -> tuple[str, ...]:
    """Return a key to the monograms, the score sheet, and its rules. Without a finished deal, there is no sheet."""
    match = summary.match
    casual = "Casual · " if match.kind is matches.MatchKind.CASUAL else ""
    rules = f"-# {casual}{rules_text.short_line(match.rules, match.ruleset)}"
    if not summary.deals:
        return (showdown_text.NO_DEAL[match.status], rules)
    sheet = score_sheet(summary.view, summary.deals, monograms(match.players))
    return (monogram_key(match), sheet, "\n".join(filter(None, (bonuses(summary.view), rules))))
