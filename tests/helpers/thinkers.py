"""A computer player for tests of the services, which needs no worker processes."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import Move
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.review.card_luck import card_luck
from bot.opponent.review.hints import hint
from bot.opponent.review.reviews import EvaluatedMove
from bot.opponent.review.simulation import evaluate_move
from bot.play.matches import reviewer
from bot.play.matches.thinker import ThinkerError
from bot.workers.workers import Workers


def make_reviews_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make reviews faster: each choice is played out in one round of only two determinizations."""
    for name, brief in (("DETERMINIZATIONS_PER_ROUND", 2), ("ROUNDS", 1), ("MAX_ROUNDS_PER_CHOICE", 1)):
        monkeypatch.setattr(reviewer, name, brief)


class LocalThinker:
    """The computer player, run in this process. It counts its moves, and raises `ThinkerError` while `fails` is set."""

    def __init__(self) -> None:
        self.moves = 0
        self.fails = False

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move that the computer plays at this level."""
        if self.fails:
            raise ThinkerError
        self.moves += 1
        (move,) = choose(trained_judge(), level, [position], [seed])
        return move

    async def advise(self, position: Position, seed: int) -> tuple[AdvisedMove, ...]:
        """Return the possible moves in a position, best first."""
        if self.fails:
            raise ThinkerError
        return tuple(hint(trained_judge(), position, seed))

    async def evaluate_move(
        self,
        position: Position,
        played_move: Move,
        determinizations: int,
        seed: int,
        *,
        in_background: bool = False,
    ) -> tuple[EvaluatedMove, ...]:
        """Return the results of the played move and of the best alternatives, in this many determinizations."""
        if self.fails:
            raise ThinkerError
        return evaluate_move(trained_judge(), position, played_move, determinizations, seed)

    async def card_luck(self, position: Position, seed: int, *, in_background: bool = False) -> float:
        """Return the luck of the cards in a position: how many points better than average they were."""
        if self.fails:
            raise ThinkerError
        return card_luck(trained_judge(), position, seed)


def use_local_thinker(monkeypatch: pytest.MonkeyPatch) -> LocalThinker:
    """Replace the worker processes with a `LocalThinker`."""
    mind = LocalThinker()
    for name in ("move", "advise", "evaluate_move", "card_luck"):
        monkeypatch.setattr(Workers, name, getattr(mind, name))
    return mind
