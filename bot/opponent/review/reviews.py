"""Reviews of deals: the cost of each of a player's choices, and the part of the result that was luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, hypot, inf, sqrt
from statistics import fmean, stdev
from typing import Any, Final

from bot.engine.deals.moves import Move
from bot.opponent.play.advice import AdvisedMove, advised_from_json, advised_to_json

REVIEW_VERSION: Final = 1
"""The version of reviews. Increase it when their format, the weights, the determinizations or the figures change."""
DETERMINIZATIONS_PER_ROUND: Final = 16
"""Number of determinizations in one round of evaluating a choice."""
ROUNDS: Final = 2
"""Usual number of evaluation rounds per choice. The seed of each is one higher than that of the round before."""
MAX_ROUNDS_PER_CHOICE: Final = 8
"""Maximum number of evaluation rounds for a choice in which another move seems better by `CLEAR_DEFICIT` points."""
CLEAR_LEAD: Final = 4.0
"""The lead in points with which the move played needs fewer than the usual `ROUNDS`."""
CLEAR_DEFICIT: Final = 1.0
LOSS_ERRORS: Final = 2.0
"""Number of standard errors by which a move must be worse than the best to count as a loss."""
ACCURACY_SCALE: Final = 10.0
"""The loss in points that reduces a choice's accuracy to 37 % (1/e)."""
BLUNDER_POINTS: Final = 10.0
"""Minimum loss of a blunder, in points."""
BLUNDER_ERRORS: Final = 3.0
"""Number of standard errors by which a blunder must be worse than the best move."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a choice: the move played and the best one, each with its average reward.

    `step` is the index of the move in the deal, from 0. `error` is the standard error of the difference between the two
    rewards. If the move played is the best, the difference is to the second best.
    """

    step: int
    played: AdvisedMove
    best: AdvisedMove
    error: float

    @property
    def points_lost(self) -> float:
        """The points that the move lost; 0 if it is statistically as good as the best."""
        difference = self.best.worth - self.played.worth
        return difference if difference > LOSS_ERRORS * self.error else 0.0

    @property
    def is_blunder(self) -> bool:
        """True if the move lost at least 10 points and more than 3 standard errors."""
        difference = self.best.worth - self.played.worth
        return difference >= BLUNDER_POINTS and difference > BLUNDER_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """A move, and its reward in each of several determinizations."""

    advised: AdvisedMove
    rewards: tuple[float, ...]


class ChoiceEvaluation:
    """The ongoing evaluation of a choice: the rewards of the move played and of alternatives so far."""

    def __init__(self, step: int, played: Move) -> None:
        self._step, self._played = step, played
        self._moves = dict[Move, AdvisedMove]()
        self._rewards = dict[Move, list[float]]()

    def add(self, sample: Iterable[EvaluatedMove]) -> None:
        """Add the rewards of the moves in more determinizations. All moves must share these determinizations."""
        for evaluated in sample:
            self._moves[evaluated.advised.move] = evaluated.advised
            self._rewards.setdefault(evaluated.advised.move, []).extend(evaluated.rewards)

    @property
    def verdict(self) -> Verdict:
        """The verdict so far. It needs at least two determinizations."""
        played, rival = self._average(self._played), self._best_alternative
        if rival is None:
            return Verdict(self._step, played, played, 0.0)
        pairs = zip(self._rewards[rival.move], self._rewards[played.move], strict=True)
        differences = [theirs - mine for theirs, mine in pairs]
        best = rival if rival.worth > played.worth else played
        return Verdict(self._step, played, best, stdev(differences) / sqrt(len(differences)))

    @property
    def lead(self) -> float:
        """The points by which the move played leads the best alternative so far; infinite without an alternative."""
        rival = self._best_alternative
        return inf if rival is None else self._average(self._played).worth - rival.worth

    def needs_round(self, *, is_due: bool) -> bool:
        """Return True if the choice needs another round.

        `is_due` is True until the choice has had its usual number of rounds. Then only apparent mistakes need more.
        """
        return self.lead < (CLEAR_LEAD if is_due else -CLEAR_DEFICIT)

    @property
    def _best_alternative(self) -> AdvisedMove | None:
        """The best alternative so far."""
        others = [self._average(move) for move in self._rewards if move != self._played]
        return max(others, key=lambda option: option.worth, default=None)

    def _average(self, move: Move) -> AdvisedMove:
        return replace(self._moves[move], worth=fmean(self._rewards[move]))


@dataclass(frozen=True, slots=True)
class Review:
    """The cost of a player's choices in one or more deals, and the part of the result that was luck.

    `points` is the player's result. `opening` is the luck of the player's first hand, and `drawn` the luck of the cards
    drawn from the stock, both in points. `theirs` is the opponents' average luck, with first hands and draws together.
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
        for review in reviews:
            total = Review(
                total.verdicts + review.verdicts,
                total.opening + review.opening,
                total.drawn + review.drawn,
                total.theirs + review.theirs,
                total.points + review.points,
            )
        return total

    @property
    def points_lost(self) -> float:
        """The points that all choices lost together."""
        return sum(verdict.points_lost for verdict in self.verdicts)

    @property
    def luck(self) -> float:
        """The part of the result that was luck, in points."""
        return self.opening + self.drawn - self.theirs


def accuracy(verdicts: Sequence[Verdict]) -> tuple[float, float] | None:
    """Return the accuracy of choices in percent, and its standard error; None without choices.

    It is the mean of 100 · e^(-lost/10), which is 100 for the best move and 37 for a loss of 10 points.
    """
    if not verdicts:
        return None
    accuracies = [exp(-verdict.points_lost / ACCURACY_SCALE) for verdict in verdicts]
    errors = [share * verdict.error / ACCURACY_SCALE for share, verdict in zip(accuracies, verdicts, strict=True)]
    return 100 * sum(accuracies) / len(accuracies), 100 * hypot(*errors) / len(accuracies)


def costliest(verdicts: Sequence[Verdict], count: int = 3) -> tuple[Verdict, ...]:
    """Return the `count` choices that lost most, worst first, excluding choices without a loss."""
    worst = sorted((verdict for verdict in verdicts if verdict.points_lost), key=lambda verdict: -verdict.points_lost)
    return tuple(worst[:count])


def evaluated_move_to_json(weighed: EvaluatedMove) -> dict[str, Any]:
    """Return a move and its rewards as JSON-compatible data."""
    return {**advised_to_json(weighed.advised), "worths": weighed.rewards}


def evaluated_move_from_json(data: Mapping[str, Any]) -> EvaluatedMove:
    """Parse a move and its rewards. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for invalid data."""
    return EvaluatedMove(advised_from_json(data), tuple(map(float, data["worths"])))


def review_to_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON-compatible data, with points to two decimals."""
    return {
        "version": REVIEW_VERSION,
        "choices": [
            [verdict.step, advised_to_json(verdict.played), advised_to_json(verdict.best), round(verdict.error, 3)]
            for verdict in review.verdicts
        ],
        "opening": round(review.opening, 2),
        "drawn": round(review.drawn, 2),
        "theirs": round(review.theirs, 2),
        "points": round(review.points, 2),
    }


def review_from_json(data: Mapping[str, Any]) -> Review:
    """Parse a review. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for invalid data or another version."""
    if data["version"] != REVIEW_VERSION:
        raise ValueError("the review has another version")
    verdicts = tuple(
        Verdict(step, advised_from_json(played), advised_from_json(best), error)
        for step, played, best, error in data["choices"]
    )
    return Review(verdicts, data["opening"], data["drawn"], data["theirs"], data["points"])
