"""What the computers think with."""

from __future__ import annotations

from typing import NoReturn, Protocol

from bot.engine.moves import Move
from bot.opponent.advice import Advised
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.reviews import Weighed


class ThinkerError(Exception):
    """The computer player could not answer."""


class Thinker(Protocol):
    """The mind of the computers."""

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a level in a position. Raise `ThinkerError`."""
        ...

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Return the moves of a position, the best first. Raise `ThinkerError`."""
        ...

    async def weigh(self, position: Position, played: Move, worlds: int, seed: int) -> tuple[Weighed, ...]:
        """Return what a move and the best others bring in each of so many worlds. Raise `ThinkerError`."""
        ...

    async def fortune(self, position: Position, seed: int) -> float:
        """Return by how many points the cards of a position were better than on average. Raise `ThinkerError`."""
        ...


class NoThinker:
    """The thinker where there is none."""

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Raise `ThinkerError`."""
        _refuse()

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Raise `ThinkerError`."""
        _refuse()

    async def weigh(self, position: Position, played: Move, worlds: int, seed: int) -> tuple[Weighed, ...]:
        """Raise `ThinkerError`."""
        _refuse()

    async def fortune(self, position: Position, seed: int) -> float:
        """Raise `ThinkerError`."""
        _refuse()


def _refuse() -> NoReturn:
    raise ThinkerError("there is nobody to think")
