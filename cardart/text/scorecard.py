"""The lines of the scorecard, shared by its picture and its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.engine.matches.scoring import Score
from bot.engine.matches.views import ShowdownView
from cardart.text import phrases

SideNumbers = tuple[int, ...]
"""A number for each side, in the order of the sides."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the scorecard, with a number for each side in each game: one game, or three played at the same time.

    Its `kind` is `deal` for a deal of a match with one board, `board` for a deal of a match with several boards,
    `round` for the points of a round, below the deals of its boards, and `earlier` for the sum of older lines.
    """

    kind: Literal["earlier", "deal", "board", "round"]
    number: int
    """The number of the deal or round; for an `earlier` line, the last number that it includes."""
    deal: ShowdownView | None
    """The deal, if the line is for a single deal."""
    added: tuple[tuple[int | None, ...], ...]
    """Points that the line adds, by game and side; None if the side has no entry."""
    totals: tuple[SideNumbers, ...]
    """Points after this line, by game and side."""
    boxes: tuple[SideNumbers, ...]
    """Number of line bonuses earned ("boxes" on a scorecard), by game and side; 0 if the rules have none."""
    sums_up_rounds: bool = False
    """True if the line sums up earlier rounds instead of earlier deals."""

    @property
    def label(self) -> str:
        """`4`, `2.1` for a board, `Round 2`; `1–40` or `Rounds 1–3` for older lines that are summed up."""
        if self.kind == "earlier" and self.number > 1:
            return f"Rounds 1–{self.number}" if self.sums_up_rounds else f"1–{self.number}"
        if self.kind == "round" or self.sums_up_rounds:
            return f"Round {self.number}"
        return f"{self.number}.{self.deal.board}" if self.kind == "board" and self.deal else str(self.number)

    @property
    def outcome_name(self) -> str:
        """The outcome of the deal in a word or two; empty if the line is not for a single deal."""
        return self.deal.outcome.kind.value.replace("_", " ") if self.deal else ""

    def has_entry(self, game: int) -> bool:
        """Return True if any side has an entry in a game."""
        return any(points is not None for points in self.added[game])


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """A sum below the deals of one game: a name, a number for each side, and a flag for bonuses."""

    name: str
    numbers: SideNumbers
    bonus: bool = False


Sums = Sequence[Sequence[ScoreSum]]
"""The sums below the deals, for each game."""


def games(score: Score) -> tuple[Score, ...]:
    """Return the scores of the three games that are played at the same time; without them, only `score`."""
    return score.columns or (score,)


def score_lines(deals: Sequence[ShowdownView]) -> list[ScoreLine]:
    """Return the lines of finished deals, which must be sorted by the time at which they ended."""
    return [line for previous, deal in zip((None, *deals), deals, strict=False) for line in _deal_lines(previous, deal)]


def shortened_lines(lines: Sequence[ScoreLine], max_deals: int) -> list[ScoreLine]:
    """Return the lines of the last `max_deals` deals, after one line that sums up all older ones.

    If only one older deal would be summed up, it keeps its own line.
    """
    deal_lines = [place for place, line in enumerate(lines) if line.deal is not None]
    has_earlier = bool(lines) and lines[0].kind == "earlier"
    if len(deal_lines) <= (max_deals if has_earlier else max_deals + 1):
        return list(lines)
    first_kept = deal_lines[-max_deals]
    last = lines[first_kept - 1]
    if last.kind == "round" and last.number == 1:
        # Keep the line of round 1, because a line that sums up the boards of this round would have the same numbers.
        return list(lines[first_kept - 1 :])
    no_entries = tuple((None,) * len(totals) for totals in last.totals)
    boxes = tuple(_sum_by_side([line.boxes[game] for line in lines[:first_kept]]) for game in range(len(last.totals)))
    rounds = last.sums_up_rounds or last.kind in ("board", "round")
    return [ScoreLine("earlier", last.number, None, no_entries, last.totals, boxes, rounds), *lines[first_kept:]]


def score_sums(deals: Sequence[ShowdownView], score: Score) -> list[ScoreSum]:
    """Return the sums below the deals of one game: the points, and after the end of the game bonuses and the total.

    If the rules credit line bonuses at once, include the line bonuses and the total even before the end of the game.
    """
    at_once = any(deal.rules.line_credit == "at_once" for deal in deals)
    sum_lines = [ScoreSum(phrases.POINTS, score.scores)] if not score.is_over or score.totals != score.scores else []
    bonuses = [
        (phrases.GAME_BONUS, score.game, score.is_over),
        (phrases.LINES, score.line, score.is_over or at_once),
        (phrases.SHUTOUT, score.shutout, score.is_over),
    ]
    sum_lines += [ScoreSum(name, numbers, bonus=True) for name, numbers, counts in bonuses if counts and any(numbers)]
    if score.is_over:
        sum_lines.append(ScoreSum(phrases.TOTAL, score.totals))
    elif len(sum_lines) > 1:
        sum_lines.append(ScoreSum(phrases.TOTAL, _sum_by_side([score.scores, score.line])))
    return sum_lines


def games_total(score: Score) -> ScoreSum:
    """Return the sum of three games: their points, or their totals with all bonuses once the match is over."""
    return ScoreSum(phrases.TOTAL, score.totals) if score.is_over else ScoreSum(phrases.WITHOUT_BONUSES, score.scores)


def _deal_lines(previous: ShowdownView | None, deal: ShowdownView) -> Iterator[ScoreLine]:
    current_games = games(deal.score)
    previous_games = [None] * len(current_games) if previous is None else games(previous.score)
    added, boxes = zip(
        *(_added_points_and_boxes(deal, *pair) for pair in zip(previous_games, current_games, strict=True)), strict=True
    )
    totals = tuple(game.scores for game in current_games)
    if deal.boards == 1:
        yield ScoreLine("deal", deal.number, deal, added, totals, boxes)
        return
    board_points = tuple(deal.outcome.points if deal.outcome.winner in side else None for side in deal.sides)
    yield ScoreLine("board", deal.number, deal, (board_points,), totals, ((0,) * len(board_points),))
    if deal.board_points:
        yield ScoreLine("round", deal.number, None, added, totals, boxes)


def _added_points_and_boxes(
    deal: ShowdownView, previous: Score | None, current: Score
) -> tuple[tuple[int | None, ...], SideNumbers]:
    """Return the points and the number of boxes that a deal added for each side of a game."""
    zeros = (0,) * len(current.scores)
    previous_scores, previous_wins, previous_line = (
        (zeros,) * 3 if previous is None else (previous.scores, previous.deals_won, previous.line)
    )
    # A deal won with 0 points gets an entry. With penalty points, only the losers get an entry.
    new_wins = zeros if deal.rules.format == "penalty" else _difference(current.deals_won, previous_wins)
    points = _difference(current.scores, previous_scores)
    added = tuple(value if value or win else None for value, win in zip(points, new_wins, strict=True))
    bonus = deal.rules.line_bonus
    return added, tuple(more // bonus for more in _difference(current.line, previous_line)) if bonus else zeros


def _difference(numbers: SideNumbers, others: SideNumbers) -> SideNumbers:
    return tuple(one - other for one, other in zip(numbers, others, strict=True))


def _sum_by_side(numbers: Sequence[SideNumbers]) -> SideNumbers:
    return tuple(map(sum, zip(*numbers, strict=True)))
