"""The lines of the scorecard, shared by its picture and its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.engine.scoring import Score
from bot.engine.views import ShowdownView
from cardart.text import phrases

Numbers = tuple[int, ...]
"""One number for each side."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the scorecard, with a number for each side of each game: one game, or three played at the same time.

    A `deal` is a deal of a match with one board. With several boards, each deal is a `board`, and a `round` line with
    the points of the round follows once all its boards are over. An `earlier` line sums up older lines.
    """

    what: Literal["earlier", "deal", "board", "round"]
    number: int
    """The number of the deal or round; for an `earlier` line, the last number that it includes."""
    deal: ShowdownView | None
    """The deal, if the line is for a single deal."""
    added: tuple[tuple[int | None, ...], ...]
    """Points that the line adds, by game and side; None if the side has no entry."""
    totals: tuple[Numbers, ...]
    """Points after this line, by game and side."""
    boxes: tuple[Numbers, ...]
    """Number of line bonuses earned ("boxes" on a scorecard), by game and side; 0 if the rules have none."""
    rounds: bool = False
    """True if an `earlier` line sums up rounds instead of deals."""

    @property
    def label(self) -> str:
        """`4`, `2.1` for a board, `Round 2`; `1–40` or `Rounds 1–3` for older lines that are summed up."""
        if self.what == "earlier" and self.number > 1:
            return f"Rounds 1–{self.number}" if self.rounds else f"1–{self.number}"
        if self.what == "round" or self.rounds:
            return f"Round {self.number}"
        return f"{self.number}.{self.deal.board}" if self.what == "board" and self.deal else str(self.number)

    @property
    def how(self) -> str:
        """The outcome of the deal in a word or two; empty if the line is not for a single deal."""
        return self.deal.outcome.kind.value.replace("_", " ") if self.deal else ""

    def enters(self, game: int) -> bool:
        """Return True if any side has an entry in a game."""
        return any(points is not None for points in self.added[game])


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """A sum below the deals of one game: its name, a number for each side, and True if it is a bonus."""

    name: str
    numbers: Numbers
    bonus: bool = False


Sums = Sequence[Sequence[ScoreSum]]
"""The sums below the deals, for each game."""


def games(score: Score) -> tuple[Score, ...]:
    """Return the games of a score: three if three games are played at the same time, otherwise the score itself."""
    return score.columns or (score,)


def lines(deals: Sequence[ShowdownView]) -> list[ScoreLine]:
    """Return the lines of finished deals, which must be sorted by the time at which they ended."""
    return [line for before, deal in zip((None, *deals), deals, strict=False) for line in _lines(before, deal)]


def shortened(lines: Sequence[ScoreLine], most: int) -> list[ScoreLine]:
    """Return the lines of the last `most` deals, after one line that sums up all older ones.

    If only one older deal would be summed up, it keeps its own line.
    """
    deals = [place for place, line in enumerate(lines) if line.deal is not None]
    summed = bool(lines) and lines[0].what == "earlier"
    if len(deals) <= (most if summed else most + 1):
        return list(lines)
    rest = deals[-most]
    last = lines[rest - 1]
    if last.what == "round" and last.number == 1:
        # The line of the first round says everything that a sum of its boards would say.
        return list(lines[rest - 1 :])
    nothing = tuple((None,) * len(totals) for totals in last.totals)
    boxes = tuple(_added([line.boxes[game] for line in lines[:rest]]) for game in range(len(last.totals)))
    rounds = last.rounds or last.what in ("board", "round")
    return [ScoreLine("earlier", last.number, None, nothing, last.totals, boxes, rounds), *lines[rest:]]


def sums(deals: Sequence[ShowdownView], score: Score) -> list[ScoreSum]:
    """Return the sums below the deals of one game: its points, and its bonuses and total once it is over.

    A line bonus that the rules credit at once is included before the end.
    """
    at_once = any(deal.rules.line_credit == "at_once" for deal in deals)
    below = [ScoreSum(phrases.POINTS, score.scores)] if not score.over or score.totals != score.scores else []
    bonuses = [
        (phrases.GAME_BONUS, score.game, score.over),
        (phrases.LINES, score.line, score.over or at_once),
        (phrases.SHUTOUT, score.shutout, score.over),
    ]
    below += [ScoreSum(name, numbers, bonus=True) for name, numbers, counts in bonuses if counts and any(numbers)]
    if score.over:
        below.append(ScoreSum(phrases.TOTAL, score.totals))
    elif len(below) > 1:
        below.append(ScoreSum(phrases.TOTAL, _added([score.scores, score.line])))
    return below


def together(score: Score) -> ScoreSum:
    """Return the sum of three games: their points, or their totals with all bonuses once the match is over."""
    return ScoreSum(phrases.TOTAL, score.totals) if score.over else ScoreSum(phrases.WITHOUT_BONUSES, score.scores)


def _lines(before: ShowdownView | None, deal: ShowdownView) -> Iterator[ScoreLine]:
    now = games(deal.score)
    past = [None] * len(now) if before is None else games(before.score)
    added, boxes = zip(*(_entered(deal, *pair) for pair in zip(past, now, strict=True)), strict=True)
    totals = tuple(game.scores for game in now)
    if deal.boards == 1:
        yield ScoreLine("deal", deal.number, deal, added, totals, boxes)
        return
    board = tuple(deal.outcome.points if deal.outcome.winner in side else None for side in deal.sides)
    yield ScoreLine("board", deal.number, deal, (board,), totals, ((0,) * len(board),))
    if deal.earned:
        yield ScoreLine("round", deal.number, None, added, totals, boxes)


def _entered(deal: ShowdownView, before: Score | None, now: Score) -> tuple[tuple[int | None, ...], Numbers]:
    """Return the points and the number of boxes that a deal added for each side of a game."""
    none = (0,) * len(now.scores)
    scores, won, line = (none,) * 3 if before is None else (before.scores, before.deals_won, before.line)
    # A deal won with 0 points gets an entry. Penalty points go to the losers, so the winner of such a deal gets none.
    wins = none if deal.rules.format == "penalty" else _difference(now.deals_won, won)
    points = _difference(now.scores, scores)
    added = tuple(one if one or win else None for one, win in zip(points, wins, strict=True))
    bonus = deal.rules.line_bonus
    return added, tuple(more // bonus for more in _difference(now.line, line)) if bonus else none


def _difference(numbers: Numbers, others: Numbers) -> Numbers:
    return tuple(one - other for one, other in zip(numbers, others, strict=True))


def _added(numbers: Sequence[Numbers]) -> Numbers:
    return tuple(map(sum, zip(*numbers, strict=True)))
