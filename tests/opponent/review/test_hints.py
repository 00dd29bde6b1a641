"""Hints: one plan for the whole turn, and low deadwood among equally good discards."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import TAKE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches.actions import Play
from bot.engine.matches.match import apply
from bot.engine.rules import Rules
from bot.opponent.play.choosing import advise
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.observation import position_of
from bot.opponent.play.position import Position
from bot.opponent.review.hints import hint
from bot.opponent.review.reviews import DETERMINIZATIONS_PER_ROUND, MAX_ROUNDS_PER_CHOICE, ROUNDS, ChoiceEvaluation
from bot.opponent.review.simulation import evaluate_move
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import RESEARCH, positions

SEED = 5


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("preset", "seats"), nightly_after(2, [("research", 2), ("penalty", 3), ("oklahoma", 2), ("partners", 4)])
)
def test_the_hint_after_taking_a_card_keeps_the_plan(preset: str, seats: int) -> None:
    """The discard or knock in the advice to take a card is the first hint after taking it, with the same deadwood."""
    checked = 0
    for table, seat, position in positions(Rules.parse(preset), seats, f"plan {preset}", limit=60):
        if TAKE not in position.moves or checked == 4:
            continue
        (take,) = (option for option in hint(trained_judge(), position, SEED) if option.move == TAKE)
        after = position_of(apply(table.match, Play(seat, TAKE)), seat, table.past)
        best = hint(trained_judge(), after, SEED)[0]
        assert (take.then, take.deadwood) == (best.move, best.deadwood)
        checked += 1
    assert checked == 4


@pytest.mark.nightly
def test_of_equally_good_discards_a_hint_names_one_that_leaves_the_least_deadwood() -> None:
    """A review finds no better move than the hint, but one that is better than any favourite with less deadwood."""
    lowered = checked = 0
    for *_, position in positions(RESEARCH, 2, "equal", limit=200):
        is_discard = position.phase is Phase.DISCARD and all(move.verb is Verb.DISCARD for move in position.moves)
        if not is_discard or len(position.moves) < 2 or checked == 8:
            continue
        best, *others = hint(trained_judge(), position, SEED)
        simulated = {option.move for option in advise(trained_judge(), position)[:4]}
        assert not _ever_loses(position, best.move)
        assert all(
            _ever_loses(position, other.move)
            for other in others
            if other.move in simulated and other.deadwood < best.deadwood
        )
        lowered += any(other.worth > best.worth for other in others if other.move in simulated)
        checked += 1
    assert 0 < lowered < checked == 8


def _ever_loses(position: Position, move: Move) -> bool:
    """Return True if a review would count a move as a loss after some number of rounds."""
    evaluation = ChoiceEvaluation(0, move)
    for number in range(MAX_ROUNDS_PER_CHOICE):
        evaluation.add(evaluate_move(trained_judge(), position, move, DETERMINIZATIONS_PER_ROUND, SEED + number))
        if evaluation.verdict.points_lost:
            return True
        if not evaluation.needs_round(is_due=number + 1 < ROUNDS):
            break
    return False
