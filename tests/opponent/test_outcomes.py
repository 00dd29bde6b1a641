"""The outcome classes, and their values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.rules import Rules
from bot.engine.showdown import OutcomeKind
from bot.opponent.outcomes import CLASSES, EDGES, TYPICAL, VOID_CLASS, class_of, worth
from bot.opponent.position import Position
from tests.opponent.helpers import positions

WON = (OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.UNDERCUT)


def position_under(rules: str, seats: int = 2) -> Position:
    """Return the first position of a match."""
    return next(position for *_, position in positions(Rules.parse(rules), seats, "worth"))


def test_every_outcome_has_a_class_of_its_own() -> None:
    """Each winner, kind of win and difference has its own class, and all classes are used."""
    found = {class_of(kind, won, size) for kind in WON for won in (True, False) for size in (*EDGES, EDGES[-1] + 1)}
    assert found == set(range(CLASSES - 1))
    assert class_of(OutcomeKind.VOID, False, 0) == class_of(OutcomeKind.TIE, False, 0) == VOID_CLASS
    assert class_of(OutcomeKind.BIG_GIN, True, 30) == class_of(OutcomeKind.GIN, True, 30)


def test_typical_differences_are_within_their_classes() -> None:
    """Each typical difference falls into its own class."""
    assert [class_of(OutcomeKind.KNOCK, True, round(size)) for size in TYPICAL.tolist()] == list(range(len(TYPICAL)))


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
    """A class is worth the difference, the bonus and the line, and the same amount negative for a loss."""
    worths = worth(position_under(rules))
    assert worths[class_of(kind, True, 12)] == expected
    assert worths[class_of(kind, False, 12)] == -expected
    assert worths[VOID_CLASS] == 0


def test_a_spade_doubles() -> None:
    """In Oklahoma with doubling, a spade doubles everything except the line."""
    position = position_under("oklahoma spade_doubles=on")
    by_suit = [
        worth(replace(position, upcard=card))[class_of(OutcomeKind.GIN, True, 12)]
        for card in (position.upcard.of(7, suit) for suit in range(4))
    ]
    assert by_suit == [57, 57, 57, 94]
