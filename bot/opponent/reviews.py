"""Reviews of deals: the cost of each of a player's choices, and the part of the result that was luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, hypot, inf, sqrt
from statistics import fmean, stdev
from typing import Any, Final

from bot.engine.moves import Move
from bot.opponent.advice import Advised, advised_from_json, advised_to_json

VERSION: Final = 1
"""The version of reviews and their format. Increase it when weights, determinizations or figures change."""
CLEAR: Final = 2.0
"""Number of standard errors by which a move must be worse than the best to count as a loss."""
SCALE: Final = 10.0
"""The loss in points that reduces a choice's accuracy to 37 % (1/e)."""
BLUNDER: Final = 10.0
"""Minimum loss of a blunder, in points."""
BLUNDER_CLEAR: Final = 3.0
"""Number of standard errors by which a blunder must be worse than the best move."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a choice: the move played and the best one, each with its average reward.

    `step` is the index of the move in the deal, from 0. `error` is the standard error of the difference; if the move
    played is the best, of the difference to the second best.
    """

    step: int
    played: Advised
    best: Advised
    error: float

    @property
    def lost(self) -> float:
        """The points that the move lost; 0 if it is statistically as good as the best."""
        difference = self.best.worth - self.played.worth
        return difference if difference > CLEAR * self.error else 0.0

    @property
    def blunder(self) -> bool:
        """True if the move lost 10 points or more, by more than 3 standard errors."""
        difference = self.best.worth - self.played.worth
        return difference >= BLUNDER and difference > BLUNDER_CLEAR * self.error


@dataclass(frozen=True, slots=True)
class Weighed:
    """A move, and its reward in each of some determinizations."""

    advised: Advised
    worths: tuple[float, ...]


class Weighing:
    """The ongoing evaluation of a choice: the rewards of the move played and of alternatives so far."""

    def __init__(self, step: int, played: Move) -> None:
        self._step, self._played = step, played
        self._moves = dict[Move, Advised]()
        self._worths = dict[Move, list[float]]()

    def add(self, sample: Iterable[Weighed]) -> None:
        """Add the rewards of moves in more determinizations, the same ones for each move."""
        for one in sample:
            self._moves[one.advised.move] = one.advised
            self._worths.setdefault(one.advised.move, []).extend(one.worths)

    @property
    def verdict(self) -> Verdict:
        """The verdict so far. It needs at least two determinizations."""
        played, rival = self._worth(self._played), self._rival
        if rival is None:
            return Verdict(self._step, played, played, 0.0)
        pairs = zip(self._worths[rival.move], self._worths[played.move], strict=True)
        differences = [theirs - mine for theirs, mine in pairs]
        best = rival if rival.worth > played.worth else played
        return Verdict(self._step, played, best, stdev(differences) / sqrt(len(differences)))

    @property
    def lead(self) -> float:
        """The points by which the move played leads the best alternative so far; infinite without an alternative."""
        rival = self._rival
        return inf if rival is None else self._worth(self._played).worth - rival.worth

    @property
    def _rival(self) -> Advised | None:
        """The best alternative so far."""
        others = [self._worth(move) for move in self._worths if move != self._played]
        return max(others, key=lambda one: one.worth, default=None)

    def _worth(self, move: Move) -> Advised:
        return replace(self._moves[move], worth=fmean(self._worths[move]))


@dataclass(frozen=True, slots=True)
class Review:
    """The cost of a player's choices in one or more deals, and the part of the result that was luck.

    `points` is the player's result. `opening` and `drawn` are the points by which their first hand and the cards that
    they drew from the stock were better than average, and `theirs` is the same for all opponents together.
    """

    verdicts: tuple[Verdict, ...]
    opening: float
    drawn: float
    theirs: float
    points: float

    @staticmethod
    def sum(reviews: Iterable[Review]) -> Review:
        """Return the reviews of several deals as one."""
        total = Review((), 0, 0, 0, 0)
        for one in reviews:
            total = Review(
                total.verdicts + one.verdicts,
                total.opening + one.opening,
                total.drawn + one.drawn,
                total.theirs + one.theirs,
                total.points + one.points,
            )
        return total

    @property
    def lost(self) -> float:
        """The points that all choices lost together."""
        return sum(verdict.lost for verdict in self.verdicts)

    @property
    def dealt(self) -> float:
        """The part of the result that was luck, in points."""
        return self.opening + self.drawn - self.theirs


def accuracy(verdicts: Sequence[Verdict]) -> tuple[float, float] | None:
    """Return the accuracy of choices in percent, and its standard error; None without choices.

    It is the mean of 100 · e^(-lost/10), which is 100 for the best move and 37 for a loss of 10 points.
    """
    if not verdicts:
        return None
    kept = [exp(-verdict.lost / SCALE) for verdict in verdicts]
    errors = [share * verdict.error / SCALE for share, verdict in zip(kept, verdicts, strict=True)]
    return 100 * sum(kept) / len(kept), 100 * hypot(*errors) / len(kept)


def costliest(verdicts: Sequence[Verdict], count: int = 3) -> tuple[Verdict, ...]:
    """Return the `count` choices that lost most, worst first, excluding choices without a loss."""
    worst = sorted((one for one in verdicts if one.lost), key=lambda one: -one.lost)
    return tuple(worst[:count])


def weighed_to_json(weighed: Weighed) -> dict[str, Any]:
    """Return a move and its rewards as JSON-compatible data."""
    return {**advised_to_json(weighed.advised), "worths": weighed.worths}


def weighed_from_json(data: Mapping[str, Any]) -> Weighed:
    """Parse a move and its rewards. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for invalid data."""
    return Weighed(advised_from_json(data), tuple(map(float, data["worths"])))


def review_to_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON-compatible data, with points to two decimals."""
    return {
        "version": VERSION,
        "choices": [
            [one.step, advised_to_json(one.played), advised_to_json(one.best), round(one.error, 3)]
            for one in review.verdicts
        ],
        "opening": round(review.opening, 2),
        "drawn": round(review.drawn, 2),
        "theirs": round(review.theirs, 2),
        "points": round(review.points, 2),
    }


def review_from_json(data: Mapping[str, Any]) -> Review:
    """Parse a review. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for invalid data or another version."""
    if data["version"] != VERSION:
        raise ValueError("the review has another version")
    verdicts = tuple(
        Verdict(step, advised_from_json(played), advised_from_json(best), error)
        for step, played, best, error in data["choices"]
    )
    return Review(verdicts, data["opening"], data["drawn"], data["theirs"], data["points"])
