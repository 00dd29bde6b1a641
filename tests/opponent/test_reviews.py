"""Reviews as values."""

from __future__ import annotations

import json
from math import exp, inf

import pytest

from bot.engine.moves import DRAW, TAKE
from bot.opponent.advice import Advised
from bot.opponent.reviews import (
    Review,
    Verdict,
    Weighed,
    Weighing,
    accuracy,
    costliest,
    review_from_json,
    review_to_json,
)


def verdict(lost: float, error: float = 0.1, step: int = 0) -> Verdict:
    """Return a choice that lost this many points."""
    return Verdict(step, Advised(DRAW, -lost), Advised(TAKE, 0.0), error)


def test_a_choice_is_weighed_world_by_world() -> None:
    """The error is the standard error of the differences between moves in the same determinizations."""
    weighing = Weighing(4, DRAW)
    weighing.add([Weighed(Advised(DRAW, 9), (10, -30)), Weighed(Advised(TAKE, 9), (13, -26))])
    weighing.add([Weighed(Advised(DRAW, 9), (0, 20)), Weighed(Advised(TAKE, 9), (3, 24))])
    found = weighing.verdict
    assert (found.step, found.played.move, found.best.move) == (4, DRAW, TAKE)
    assert (found.played.worth, found.best.worth, found.lost) == (0, 3.5, 3.5)
    assert found.error == pytest.approx((1 / 3) ** 0.5 / 2)


def test_the_move_played_is_compared_with_the_best_other() -> None:
    """A best move is compared with the second best, for the accuracy and for its lead."""
    weighing = Weighing(4, DRAW)
    weighing.add([Weighed(Advised(DRAW, 9), (10, 20)), Weighed(Advised(TAKE, 9), (7, 13))])
    found = weighing.verdict
    assert (found.played, found.lost, weighing.lead) == (found.best, 0, 5)
    assert found.error == pytest.approx(2)
    alone = Weighing(4, DRAW)
    alone.add([Weighed(Advised(DRAW, 9), (10, 20))])
    assert (alone.verdict.error, alone.lead) == (0, inf)


def test_what_chance_may_explain_costs_nothing() -> None:
    """A loss counts beyond two standard errors, and a blunder loses 10 points or more, beyond three."""
    assert verdict(3, error=1.6).lost == 0
    assert verdict(3, error=1.4).lost == 3
    assert not verdict(9.9).blunder
    assert not verdict(12, error=4.5).blunder
    assert verdict(12, error=3.5).blunder


def test_accuracy_is_the_mean_of_what_is_kept() -> None:
    """The best move has an accuracy of 100 %, and a loss of 10 points 37 %; without choices there is no accuracy."""
    assert accuracy([]) is None
    rated = accuracy([verdict(0, error=0), verdict(10, error=1)])
    assert rated is not None
    assert rated[0] == pytest.approx(50 * (1 + exp(-1)))
    assert rated[1] == pytest.approx(100 * exp(-1) * 0.1 / 2)


def test_the_costliest_come_first() -> None:
    """The costliest choices are sorted by loss, without those that lost nothing."""
    choices = [verdict(2, step=1), verdict(0, step=2), verdict(7, step=3), verdict(4, step=4), verdict(1, step=5)]
    assert [one.step for one in costliest(choices)] == [3, 4, 1]


def test_reviews_of_a_match_add_up() -> None:
    """The sum of reviews adds up points, losses, luck and choices."""
    one = Review((verdict(5),), 2, -3, 4, -20)
    total = Review.sum([one, one])
    assert (total.points, total.lost, total.dealt, len(total.verdicts)) == (-40, 10, -10, 2)


def test_a_review_is_read_as_it_was_written() -> None:
    """A review round-trips through JSON."""
    one = Review((verdict(5.125, step=3),), 2.5, -3.25, 4, -20)
    assert review_from_json(json.loads(json.dumps(review_to_json(one)))) == one
