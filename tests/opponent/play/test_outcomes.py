"""The outcome classes, and their values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.engine.rules import Rules
from bot.opponent.play.outcomes import (
    CLASS_COUNT,
    MAX_DIFFERENCES,
    TYPICAL_DIFFERENCES,
    VOID_CLASS,
    class_of,
    class_values,
)
from bot.opponent.play.position import Position
from tests.opponent.helpers import positions

WINNING_KINDS = (OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT)


def first_position(rules: str, seats: int = 2) -> Position:
    """Return the first position of a match."""
    return next(position for *_, position in positions(Rules.parse(rules), seats, "worth"))


def test_every_outcome_has_its_own_class() -> None:
    """Each combination of winner, kind of win and range of differences has its own class.

    Void and tied deals share a class, and big gin counts as gin.
    """
    found = {
        class_of(kind, won, size)
        for kind in WINNING_KINDS
        for won in (True, False)
        for size in (*MAX_DIFFERENCES, MAX_DIFFERENCES[-1] + 1)
    }
    assert found == set(range(CLASS_COUNT - 1))
    assert class_of(OutcomeKind.VOID, False, 0) == class_of(OutcomeKind.TIE, False, 0) == VOID_CLASS
    assert class_of(OutcomeKind.BIG_GIN, True, 30) == class_of(OutcomeKind.GIN, True, 30)


def test_typical_differences_are_within_their_classes() -> None:
    """Each typical difference of deadwood lies within the range that it stands for."""
    assert [class_of(OutcomeKind.KNOCK, True, round(size)) for size in TYPICAL_DIFFERENCES.tolist()] == list(
        range(len(TYPICAL_DIFFERENCES))
    )


@pytest.mark.parametrize(
    ("rules", "kind", "expected"),
    [
        ("research", OutcomeKind.KNOCK, 12),
        ("research", OutcomeKind.GIN, 37),
        ("research", OutcomeKind.UNDERCUT, 37),
        ("classic", OutcomeKind.GIN, 57),
        ("low", OutcomeKind.GIN, 52),
        ("low", OutcomeKind.UNDERCUT, 42),
        ("penalty", OutcomeKind.GIN, 37),
        ("oklahoma oklahoma_boxes=on", OutcomeKind.KNOCK, 32),
        ("oklahoma oklahoma_boxes=on", OutcomeKind.GIN, 97),
        ("oklahoma oklahoma_boxes=on", OutcomeKind.UNDERCUT, 77),
    ],
)
def test_an_outcome_is_worth_its_points(rules: str, kind: OutcomeKind, expected: int) -> None:
    """A win is worth the difference, the bonus and the line bonuses, and a loss costs the same amount."""
    worths = class_values(first_position(rules))
    assert worths[class_of(kind, True, 12)] == expected
    assert worths[class_of(kind, False, 12)] == -expected
    assert worths[VOID_CLASS] == 0


def test_a_spade_doubles() -> None:
    """In Oklahoma with doubling, a spade as the upcard doubles all points except the line bonus."""
    position = first_position("oklahoma spade_doubles=on")
    by_suit = [
        class_values(replace(position, upcard=card))[class_of(OutcomeKind.GIN, True, 12)]
        for card in (position.upcard.of(7, suit) for suit in range(4))
    ]
    assert by_suit == [57, 57, 57, 94]
