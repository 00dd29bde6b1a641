"""The outcomes of a deal for a seat, as classes for the network, and their values in points."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from bot.engine.cards import Suit
from bot.engine.showdown import OutcomeKind
from bot.opponent.many_hands import Floats
from bot.opponent.position import Position

EDGES: Final = (2, 5, 9, 14, 19, 25, 32, 42, 55)
"""Upper bounds of the difference in deadwood for each class but the last."""
TYPICAL: Final = np.array([1, 4, 7, 12, 17, 22, 28, 36, 47, 63], dtype=np.float32)
"""A typical difference for each class."""
_BINS: Final = len(TYPICAL)
_KINDS: Final = (OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT)
_WON: Final = len(_KINDS) * _BINS
"""Number of classes in which the seat wins. The same number of classes follow for losses."""
CLASSES: Final = 2 * _WON + 1
VOID_CLASS: Final = CLASSES - 1


def class_of(kind: OutcomeKind, won: bool, difference: int) -> int:
    """Return the class of an outcome. A tie counts as void, and big gin as gin."""
    if kind in (OutcomeKind.VOID, OutcomeKind.TIE):
        return VOID_CLASS
    kind = OutcomeKind.GIN if kind is OutcomeKind.BIG_GIN else kind
    which = next((place for place, edge in enumerate(EDGES) if difference <= edge), _BINS - 1)
    return _KINDS.index(kind) * _BINS + which + _WON * (not won)


def worth(position: Position) -> Floats:
    """Return the value of each class for the seat of a position: the points won or lost, as in `gain`."""
    rules = position.rules
    factor = 2 if rules.spade_doubles and position.upcard.suit is Suit.SPADES else 1
    line = 0 if rules.format == "penalty" else rules.line_bonus
    others = len(position.seats) - 1
    return _worth(rules.gin_bonus, rules.undercut_bonus, factor, line, rules.oklahoma_boxes, others)


@cache
def _worth(gin_bonus: int, undercut_bonus: int, factor: int, line: int, boxes: bool, others: int) -> Floats:
    bonuses = np.repeat(np.array([0, gin_bonus, undercut_bonus], dtype=np.float32), _BINS)
    lines = np.repeat(np.array([1, 1 + 2 * factor * boxes, 1 + factor * boxes], dtype=np.float32), _BINS) * line
    won: Floats = (np.tile(TYPICAL, len(_KINDS)) + bonuses) * np.float32(factor) + lines
    # If all losers are charged equally, each one's loss is the winner's reward divided by their number.
    return np.concatenate((won, -won / np.float32(others), np.zeros(1, dtype=np.float32)))
