"""The rewards of moves in simulated deals."""

from __future__ import annotations

from statistics import fmean

import pytest

from bot.engine.deals.moves import Verb
from bot.engine.deals.phase import Phase
from bot.engine.rules import Rules
from bot.opponent.play.judge import trained_judge
from bot.opponent.review.simulation import MAX_ALTERNATIVES, evaluate_move, rollouts
from tests.opponent.helpers import RESEARCH, each_table, positions


@each_table(1)
def test_every_kind_of_position_can_be_simulated(preset: str, seats: int) -> None:
    """Every kind of position of every preset can be simulated, including reshuffles and the end of the stock."""
    for number, (_, _, position) in enumerate(positions(Rules.parse(preset), seats, f"on {preset}", limit=200)):
        if position.knock is None and number % 25 == 0:
            moves = position.moves[:3]
            assert rollouts(trained_judge(), position, moves, 2, seed=number).shape == (len(moves), 2)


def test_gin_scores_its_points() -> None:
    """A knock with gin ends the deal and scores its points with the bonus in every determinization."""
    for *_, position in positions(RESEARCH, 2, "gin", limit=4000):
        knocks = [move for move in position.moves if move.verb is Verb.KNOCK and move.melds is not None]
        gin = [move for move in knocks if sum(len(meld.cards) for meld in move.melds or ()) == len(position.hand) - 1]
        if gin:
            (worths,) = rollouts(trained_judge(), position, gin[:1], 16, seed=1)
            assert worths.min() >= 25
            return
    raise AssertionError("nobody had gin")


@pytest.mark.thorough
def test_a_move_is_compared_with_the_best_alternatives() -> None:
    """The move played comes first in the result, and a poor one gets less than the best alternative.

    The same seed gives the same result again.
    """
    found = [position for *_, position in positions(RESEARCH, 2, "weigh", limit=12)]
    position = next(position for position in reversed(found) if position.phase is Phase.DISCARD)
    worst = max(position.moves, key=lambda move: 0 if move.card is None else -int(move.card.rank))
    weighed = evaluate_move(trained_judge(), position, worst, 24, seed=1)
    assert weighed[0].advised.move == worst
    assert len(weighed) == MAX_ALTERNATIVES + 1
    played, *others = (fmean(evaluated.rewards) for evaluated in weighed)
    assert max(others) > played
    assert weighed == evaluate_move(trained_judge(), position, worst, 24, seed=1)
