"""Advice about a position: its moves by worth, with the reasons for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.deals.moves import Move, Verb


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A move and its worth: the player's average points in the deal, negative for a loss.

    `deadwood` is the least deadwood after the move, `goes_out` the probability that the next draw allows a knock or
    gin, and `danger` the probability that the next player can use the discard. `then` is the discard or knock to make
    in the same turn after taking a card.
    """

    move: Move
    worth: float
    deadwood: int = 0
    goes_out: float = 0
    danger: float = 0
    then: Move | None = None

    @property
    def is_gin(self) -> bool:
        """True if the move, or the rest of its turn, goes gin."""
        return self.deadwood == 0 and Verb.KNOCK in (self.move.verb, None if self.then is None else self.then.verb)


def advised_to_json(advised: AdvisedMove) -> dict[str, Any]:
    """Return a move and its worth as JSON-compatible data."""
    return {
        "move": str(advised.move),
        "worth": round(advised.worth, 3),
        "left": advised.deadwood,
        "goes_out": round(advised.goes_out, 3),
        "danger": round(advised.danger, 3),
        "then": None if advised.then is None else str(advised.then),
    }


def advised_from_json(data: Mapping[str, Any]) -> AdvisedMove:
    """Parse a move and its worth. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for invalid data."""
    then = data["then"]
    return AdvisedMove(
        Move.parse(data["move"]),
        float(data["worth"]),
        int(data["left"]),
        float(data["goes_out"]),
        float(data["danger"]),
        None if then is None else Move.parse(then),
    )
