"""The interface to the computer player."""

from __future__ import annotations

from typing import NoReturn, Protocol

from bot.engine.deals.moves import Move
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.review.reviews import EvaluatedMove


class ThinkerError(Exception):
    """The computer player could not answer."""


class Thinker(Protocol):
    """Chooses and judges moves for the computers."""

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a computer of this level in a position. Raise `ThinkerError`."""
        ...

    async def advise(self, position: Position, seed: int) -> tuple[AdvisedMove, ...]:
        """Return the possible moves in a position, the best first. Raise `ThinkerError`.

        A review with the same seed does not count the first one as a loss.
        """
        ...

    async def evaluate_move(
        self,
        position: Position,
        played_move: Move,
        determinizations: int,
        seed: int,
        *,
        in_background: bool = False,
    ) -> tuple[EvaluatedMove, ...]:
        """Return the move played and the best alternatives, each with its reward in every determinization.

        With `in_background`, nobody waits for the answer. Raise `ThinkerError` if the evaluation fails.
        """
        ...

    async def card_luck(self, position: Position, seed: int, *, in_background: bool = False) -> float:
        """Return the luck of a position's cards, in points above the average. Raise `ThinkerError`."""
        ...


class NoThinker:
    """A thinker that always fails, for applications without a computer player."""

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Raise `ThinkerError`."""
        _refuse()

    async def advise(self, position: Position, seed: int) -> tuple[AdvisedMove, ...]:
        """Raise `ThinkerError`."""
        _refuse()

    async def evaluate_move(
        self,
        position: Position,
        played_move: Move,
        determinizations: int,
        seed: int,
        *,
        in_background: bool = False,
    ) -> tuple[EvaluatedMove, ...]:
        """Raise `ThinkerError`."""
        _refuse()

    async def card_luck(self, position: Position, seed: int, *, in_background: bool = False) -> float:
        """Raise `ThinkerError`."""
        _refuse()


def _refuse() -> NoReturn:
    raise ThinkerError("this application has no computer player")
