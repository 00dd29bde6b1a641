"""The score sheet: what the picture of it and the words for it are both made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.engine.scoring import Score
from bot.engine.views import ShowdownView
from cardart.text import phrases

Numbers = tuple[int, ...]
"""A number for each side."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the sheet: of each game (the only one, or three at once) a number for each side.

    A deal on one of several boards is a `board`; what its round counts for is a line of its own, once the round is
    over. Lines of the past may be summed up as `earlier`.
    """

    what: Literal["earlier", "deal", "board", "round"]
    number: int
    """The number of the deal or round, or of the last that is summed up."""
    deal: ShowdownView | None
    """The deal of a line that has one."""
    added: tuple[tuple[int | None, ...], ...]
    """What each side got; None where nothing is entered for it."""
    totals: tuple[Numbers, ...]
    """What each game stands at then."""
    boxes: tuple[Numbers, ...]
    """How many line bonuses it earned; none where the rules know none."""
    rounds: bool = False
    """Whether what is summed up are rounds."""

    @property
    def label(self) -> str:
        """What it is the line of: `4`, `2.1` for a board, `Round 2`; `1–40` or `Rounds 1–3` for what is summed up."""
        if self.what == "earlier" and self.number > 1:
            return f"{phrases.ROUNDS} 1–{self.number}" if self.rounds else f"1–{self.number}"
        if self.what == "round" or self.rounds:
            return f"{phrases.ROUND} {self.number}"
        return f"{self.number}.{self.deal.board}" if self.what == "board" and self.deal else str(self.number)

    @property
    def how(self) -> str:
        """How its deal ended, in a word or two; nothing for a line of several deals."""
        return phrases.how(self.deal.outcome.kind) if self.deal else ""

    def enters(self, game: int) -> bool:
        """Whether anything is entered in a game."""
        return any(points is not None for points in self.added[game])


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """A line below the deals of one game: its name, a number for each side, and whether that is a bonus."""

    name: str
    numbers: Numbers
    bonus: bool = False


def games(score: Score) -> tuple[Score, ...]:
    """The games of a score: three where so many are played at once, else the only one."""
    return score.columns or (score,)


def lines(deals: Sequence[ShowdownView]) -> list[ScoreLine]:
    """The lines of the deals that are over, in the order in which they ended."""
    told: list[ScoreLine] = []
    before: ShowdownView | None = None
    for deal in deals:
        told += _lines(before, deal)
        before = deal
    return told


def shortened(told: Sequence[ScoreLine], most: int) -> list[ScoreLine]:
    """The lines with so many of the last deals one by one, and those before, of two or more, summed up in one."""
    deals = [place for place, line in enumerate(told) if line.deal is not None]
    summed = bool(told) and told[0].what == "earlier"
    if len(deals) <= (most if summed else most + 1):
        return list(told)
    rest = deals[-most]
    last = told[rest - 1]
    nothing = tuple((None,) * len(totals) for totals in last.totals)
    boxes = tuple(_summed([line.boxes[game] for line in told[:rest]]) for game in range(len(last.totals)))
    rounds = last.rounds or last.what in ("board", "round")
    return [ScoreLine("earlier", last.number, None, nothing, last.totals, boxes, rounds), *told[rest:]]


def sums(deals: Sequence[ShowdownView], score: Score) -> list[ScoreSum]:
    """What stands below the deals of one game: its points, and what comes to them at the end.

    A line bonus that is credited at once is there before the end.
    """
    at_once = any(deal.rules.line_credit == "at_once" for deal in deals)
    told = [ScoreSum(phrases.POINTS, score.scores)] if not score.over or score.totals != score.scores else []
    bonuses = [
        (phrases.GAME_BONUS, score.game, score.over),
        (phrases.LINES, score.line, score.over or at_once),
        (phrases.SHUTOUT, score.shutout, score.over),
    ]
    told += [ScoreSum(name, numbers, bonus=True) for name, numbers, counts in bonuses if counts and any(numbers)]
    if score.over:
        told.append(ScoreSum(phrases.TOTAL, score.totals))
    elif len(told) > 1:
        told.append(ScoreSum(phrases.TOTAL, _summed([score.scores, score.line])))
    return told


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
    """What a deal brought to each side of a game, and how many boxes."""
    none = (0,) * len(now.scores)
    scores, won, line = (none,) * 3 if before is None else (before.scores, before.deals_won, before.line)
    # A deal may be won with nothing. Penalty points are the others', and whoever wins gets none.
    wins = none if deal.rules.format == "penalty" else _less(now.deals_won, won)
    points = _less(now.scores, scores)
    added = tuple(one if one or win else None for one, win in zip(points, wins, strict=True))
    bonus = deal.rules.line_bonus
    return added, tuple(more // bonus for more in _less(now.line, line)) if bonus else none


def _less(numbers: Numbers, others: Numbers) -> Numbers:
    return tuple(one - other for one, other in zip(numbers, others, strict=True))


def _summed(numbers: Sequence[Numbers]) -> Numbers:
    return tuple(map(sum, zip(*numbers, strict=True)))
