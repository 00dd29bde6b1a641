"""Thinkers for tests of the services, without worker processes."""

from __future__ import annotations

import pytest

from bot.engine.moves import Move
from bot.opponent.advice import Advised
from bot.opponent.choosing import advise, choose
from bot.opponent.fortune import fortune
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.reviews import Weighed
from bot.opponent.simulation import weigh
from bot.play.matches import reviewer
from bot.play.matches.thinker import ThinkerError
from bot.workers import Workers


def make_reviews_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make reviews weigh each choice only once, in two determinizations."""
    for name, brief in (("WORLDS", 2), ("ROUNDS", 1), ("MORE_ROUNDS", 1)):
        monkeypatch.setattr(reviewer, name, brief)


class Mind:
    """The computer player in this process. It counts its moves, and raises `ThinkerError` while `fails` is set."""

    def __init__(self) -> None:
        self.moves = 0
        self.fails = False

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move that a level plays."""
        if self.fails:
            raise ThinkerError
        self.moves += 1
        (move,) = choose(trained(), level, [position], [seed])
        return move

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Return the moves of a position, best first."""
        if self.fails:
            raise ThinkerError
        return tuple(advise(trained(), position))

    async def weigh(self, position: Position, played: Move, worlds: int, seed: int) -> tuple[Weighed, ...]:
        """Return the results of a move and of the best alternatives in each determinization."""
        if self.fails:
            raise ThinkerError
        return weigh(trained(), position, played, worlds, seed)

    async def fortune(self, position: Position, seed: int) -> float:
        """Return by how many points the cards of a position were better than average."""
        if self.fails:
            raise ThinkerError
        return fortune(trained(), position, seed)


def think_here(monkeypatch: pytest.MonkeyPatch) -> Mind:
    """Let computer players think in this process, so that no worker process starts."""
    mind = Mind()
    for name in ("move", "advise", "weigh", "fortune"):
        monkeypatch.setattr(Workers, name, getattr(mind, name))
    return mind
