"""Advice about a position: its moves in the order of their worth, with what speaks for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.moves import Move


@dataclass(frozen=True, slots=True)
class Advised:
    """A move, and what it is worth: the points that the deal brings on average, negative for those of others.

    `left` is the least deadwood that it leaves, `goes_out` the chance that the next card drawn lets the player knock or
    go gin, and `danger` the chance that the next player can use the discard. `then` is the discard or knock that is to
    follow in the same turn, where it is to take a card.
    """

    move: Move
    worth: float
    left: int = 0
    goes_out: float = 0
    danger: float = 0
    then: Move | None = None


def advised_to_json(advised: Advised) -> dict[str, Any]:
    """Return a move and its worth as plain data for JSON."""
    return {
        "move": str(advised.move),
        "worth": round(advised.worth, 3),
        "left": advised.left,
        "goes_out": round(advised.goes_out, 3),
        "danger": round(advised.danger, 3),
        "then": None if advised.then is None else str(advised.then),
    }


def advised_from_json(data: Mapping[str, Any]) -> Advised:
    """Read a move and its worth. Raise `GinError`, `KeyError`, `TypeError` or `ValueError` for what is none."""
    then = data["then"]
    return Advised(
        Move.parse(data["move"]),
        float(data["worth"]),
        int(data["left"]),
        float(data["goes_out"]),
        float(data["danger"]),
        None if then is None else Move.parse(then),
    )
