"""The outcomes of a deal for a seat, as classes for the network, and their values in points."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from bot.engine.cards.cards import Suit
from bot.engine.deals.showdown import OutcomeKind
from bot.opponent.play.hand_arrays import Floats
from bot.opponent.play.position import Position

MAX_DIFFERENCES: Final = (2, 5, 9, 14, 19, 25, 32, 42, 55)
"""The largest deadwood difference in each range; the last range has no maximum.

Each outcome class of the network, except void, combines a kind of outcome with one of these ranges.
"""
TYPICAL_DIFFERENCES: Final = np.array([1, 4, 7, 12, 17, 22, 28, 36, 47, 63], dtype=np.float32)
"""For each range of deadwood differences, a typical difference."""
_BIN_COUNT: Final = len(TYPICAL_DIFFERENCES)
_KINDS: Final = (OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT)
_WINNING_CLASSES: Final = len(_KINDS) * _BIN_COUNT
"""Number of classes in which the seat wins. The same number of classes follow for losses."""
CLASS_COUNT: Final = 2 * _WINNING_CLASSES + 1
VOID_CLASS: Final = CLASS_COUNT - 1


def class_of(kind: OutcomeKind, won: bool, difference: int) -> int:
    """Return the class of an outcome. A tie counts as void, and big gin as gin."""
    if kind in (OutcomeKind.VOID, OutcomeKind.TIE):
        return VOID_CLASS
    kind = OutcomeKind.GIN if kind is OutcomeKind.BIG_GIN else kind
    bin_index = next((index for index, edge in enumerate(MAX_DIFFERENCES) if difference <= edge), _BIN_COUNT - 1)
    return _KINDS.index(kind) * _BIN_COUNT + bin_index + _WINNING_CLASSES * (not won)


def class_values(position: Position) -> Floats:
    """Return the value of each class for the seat of a position: the points won or lost, as in `reward`."""
    rules = position.rules
    factor = 2 if rules.spade_doubles and position.upcard.suit is Suit.SPADES else 1
    line = 0 if rules.format == "penalty" else rules.line_bonus
    others = len(position.seats) - 1
    return _class_values(rules.gin_bonus, rules.undercut_bonus, factor, line, rules.oklahoma_boxes, others)


@cache
def _class_values(gin_bonus: int, undercut_bonus: int, factor: int, line: int, boxes: bool, others: int) -> Floats:
    bonuses = np.repeat(np.array([0, gin_bonus, undercut_bonus], dtype=np.float32), _BIN_COUNT)
    lines = np.repeat(np.array([1, 1 + 2 * factor * boxes, 1 + factor * boxes], dtype=np.float32), _BIN_COUNT) * line
    won: Floats = (np.tile(TYPICAL_DIFFERENCES, len(_KINDS)) + bonuses) * np.float32(factor) + lines
    # If all losers are charged equally, each loses the winner's reward divided by the number of losers.
    return np.concatenate((won, -won / np.float32(others), np.zeros(1, dtype=np.float32)))
