"""Verdicts on choices, and reviews of deals."""

from __future__ import annotations

import json
from math import exp, inf

import pytest

from bot.engine.deals.moves import DRAW, TAKE
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.review.reviews import (
    ChoiceEvaluation,
    EvaluatedMove,
    Review,
    Verdict,
    accuracy,
    costliest,
    review_from_json,
    review_to_json,
)


def verdict(lost: float, error: float = 0.1, step: int = 0) -> Verdict:
    """Return the verdict on a choice that lost this many points."""
    return Verdict(step, AdvisedMove(DRAW, -lost), AdvisedMove(TAKE, 0.0), error)


def test_errors_are_of_paired_differences() -> None:
    """The error is the standard error of the differences between moves in the same determinizations."""
    evaluation = ChoiceEvaluation(4, DRAW)
    evaluation.add([EvaluatedMove(AdvisedMove(DRAW, 9), (10, -30)), EvaluatedMove(AdvisedMove(TAKE, 9), (13, -26))])
    evaluation.add([EvaluatedMove(AdvisedMove(DRAW, 9), (0, 20)), EvaluatedMove(AdvisedMove(TAKE, 9), (3, 24))])
    found = evaluation.verdict
    assert (found.step, found.played.move, found.best.move) == (4, DRAW, TAKE)
    assert (found.played.worth, found.best.worth, found.points_lost) == (0, 3.5, 3.5)
    assert found.error == pytest.approx((1 / 3) ** 0.5 / 2)


def test_the_best_move_is_compared_with_the_second_best() -> None:
    """If the move played is the best, its standard error and its lead refer to the second best."""
    evaluation = ChoiceEvaluation(4, DRAW)
    evaluation.add([EvaluatedMove(AdvisedMove(DRAW, 9), (10, 20)), EvaluatedMove(AdvisedMove(TAKE, 9), (7, 13))])
    found = evaluation.verdict
    assert (found.played, found.points_lost, evaluation.lead) == (found.best, 0, 5)
    assert found.error == pytest.approx(2)
    alone = ChoiceEvaluation(4, DRAW)
    alone.add([EvaluatedMove(AdvisedMove(DRAW, 9), (10, 20))])
    assert (alone.verdict.error, alone.lead) == (0, inf)


def test_only_significant_losses_count() -> None:
    """A loss counts if it exceeds 2 standard errors. A blunder exceeds 3 of them, and loses at least 10 points."""
    assert verdict(3, error=1.6).points_lost == 0
    assert verdict(3, error=1.4).points_lost == 3
    assert not verdict(9.9).is_blunder
    assert not verdict(12, error=4.5).is_blunder
    assert verdict(12, error=3.5).is_blunder


def test_accuracy() -> None:
    """The accuracy is 100 % for the best move, 37 % for a loss of 10 points, and None if there are no choices."""
    assert accuracy([]) is None
    rated = accuracy([verdict(0, error=0), verdict(10, error=1)])
    assert rated is not None
    assert rated[0] == pytest.approx(50 * (1 + exp(-1)))
    assert rated[1] == pytest.approx(100 * exp(-1) * 0.1 / 2)


def test_costliest_choices() -> None:
    """The costliest choices are sorted by loss, without those that lost nothing."""
    choices = [verdict(2, step=1), verdict(0, step=2), verdict(7, step=3), verdict(4, step=4), verdict(1, step=5)]
    assert [verdict.step for verdict in costliest(choices)] == [3, 4, 1]


def test_sum_of_reviews() -> None:
    """The sum of reviews adds up points, losses, luck and choices."""
    review = Review((verdict(5),), 2, -3, 4, -20)
    total = Review.sum([review, review])
    assert (total.points, total.points_lost, total.luck, len(total.verdicts)) == (-40, 10, -10, 2)


def test_a_review_round_trips_through_json() -> None:
    """A review round-trips through JSON."""
    review = Review((verdict(5.125, step=3),), 2.5, -3.25, 4, -20)
    assert review_from_json(json.loads(json.dumps(review_to_json(review)))) == review
