"""The rewards of moves in simulated deals."""

from __future__ import annotations

from statistics import fmean

import pytest

from bot.engine.moves import Verb
from bot.engine.rules import Rules
from bot.engine.views import Phase
from bot.opponent.judge import trained
from bot.opponent.simulation import CONSIDERED, simulate, weigh
from tests.opponent.helpers import RESEARCH, each_table, positions


@each_table(1)
def test_every_position_can_be_played_on_from(preset: str, seats: int) -> None:
    """Every kind of position of every preset can be simulated, including reshuffles and the end of the stock."""
    for number, (_, _, position) in enumerate(positions(Rules.parse(preset), seats, f"on {preset}", most=200)):
        if position.knock is None and number % 25 == 0:
            moves = position.moves[:3]
            assert simulate(trained(), position, moves, 2, seed=number).shape == (len(moves), 2)


def test_gin_in_hand_brings_its_points() -> None:
    """A knock with gin ends the deal and scores its points with the bonus in every determinization."""
    for *_, position in positions(RESEARCH, 2, "gin", most=4000):
        knocks = [move for move in position.moves if move.verb is Verb.KNOCK and move.melds is not None]
        gin = [move for move in knocks if sum(len(meld.cards) for meld in move.melds or ()) == len(position.hand) - 1]
        if gin:
            (worths,) = simulate(trained(), position, gin[:1], 16, seed=1)
            assert worths.min() >= 25
            return
    raise AssertionError("nobody had gin")


@pytest.mark.thorough
def test_a_move_is_weighed_against_the_best_others() -> None:
    """The move played comes first, a poor one is worth less than the best alternative, and the result is repeatable."""
    found = [position for *_, position in positions(RESEARCH, 2, "weigh", most=12)]
    position = next(one for one in reversed(found) if one.phase is Phase.DISCARD)
    worst = max(position.moves, key=lambda move: 0 if move.card is None else -int(move.card.rank))
    weighed = weigh(trained(), position, worst, 24, seed=1)
    assert weighed[0].advised.move == worst
    assert len(weighed) == CONSIDERED + 1
    played, *others = (fmean(one.worths) for one in weighed)
    assert max(others) > played
    assert weighed == weigh(trained(), position, worst, 24, seed=1)
