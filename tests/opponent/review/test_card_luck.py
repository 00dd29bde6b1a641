"""The luck of the cards."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.deals.phase import Phase
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.position import Position
from bot.opponent.review.card_luck import card_luck
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import RESEARCH, positions


def first_position(seed: str) -> Position:
    """Return the first position of a match."""
    return next(position for *_, position in positions(RESEARCH, 2, seed))


def test_a_good_hand_is_good_luck() -> None:
    """A hand with melds is lucky, and a hand of high cards that do not fit is unlucky."""
    seen = replace(first_position("hand"), upcard=Card.parse("9h"), discards=(Card.parse("9h"),))
    good = replace(seen, hand=Hand.parse("Ac 2c 3c 4c 5d 5h 5s 7d 8d Kd"))
    bad = replace(seen, hand=Hand.parse("Kd Qh Jc 8s Th 6d 4c 2h Qs Ad"))
    assert card_luck(trained_judge(), good, 1) > 15
    assert card_luck(trained_judge(), bad, 1) < -3


@pytest.mark.nightly
@pytest.mark.parametrize(("deals", "most"), [(3, 3.0), *nightly_after(0, [(60, 0.6)])])
def test_the_luck_of_draws_averages_to_zero(deals: int, most: float) -> None:
    """The average luck of draws is close to 0."""
    found: list[float] = []
    for number in range(deals):
        for *_, position in positions(RESEARCH, 2, f"luck {number}", limit=30):
            drawn = position.phase is Phase.DISCARD and position.history[-1].card is None
            if drawn:
                found.append(card_luck(trained_judge(), position, 1))
    assert len(found) > 6 * deals
    assert abs(fmean(found)) < most
    assert max(found) > 5
