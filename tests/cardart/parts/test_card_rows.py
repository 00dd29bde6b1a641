"""A hand in one row is as large as it can be, with gaps between its groups."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.engine.cards import parse_cards
from bot.values.appearance import DEFAULT_APPEARANCE
from cardart.deck.cards import LARGE, MEDIUM, readable_step
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.palette import GOLD
from cardart.parts.card_rows import HAND_LIFT, HAND_SIZES, CardGroup, HandRow
from tests.cardart.card_reader import cards, colour, read

HAND = parse_cards("3d4d5d9c9h9s2c7hJsQd")
GROUPS = [CardGroup(HAND[:3], True), CardGroup(HAND[3:6], True), CardGroup(HAND[6:], False)]


def drawn(groups: list[CardGroup], fan: HandRow) -> Picture:
    """Draw a hand row by itself."""
    canvas = Canvas(720, 220, DEFAULT_APPEARANCE)
    fan.draw(canvas, groups, 20, 200)
    return canvas.picture("")


@pytest.mark.slow
def test_every_card_can_be_read() -> None:
    """The whole index of large and of medium cards is visible, in the order of the groups."""
    for size in (LARGE, MEDIUM):
        picture = drawn(GROUPS, HandRow.of(len(HAND), len(GROUPS), 680, DEFAULT_APPEARANCE, size))
        assert cards(picture) == sorted(HAND)
        assert [one.card for one in read(picture)] == list(HAND)


@pytest.mark.slow
def test_groups_are_apart() -> None:
    """The gap between groups is wider than the step from card to card."""
    xs = [one.x for one in read(drawn(GROUPS, HandRow.of(len(HAND), len(GROUPS), 680, DEFAULT_APPEARANCE)))]
    steps = [right - left for left, right in pairwise(xs)]
    assert min(steps[2], steps[5]) > max(step for place, step in enumerate(steps) if place not in (2, 5))


@pytest.mark.slow
def test_a_raised_card_is_higher_and_marked() -> None:
    """The card that was moved lies higher than the rest, framed in its player's colour."""
    groups = [GROUPS[0], CardGroup(HAND[9:], False, {HAND[9]: GOLD})]
    picture = drawn(groups, HandRow.of(4, 2, 680, DEFAULT_APPEARANCE))
    at = {one.card: one for one in read(picture)}
    assert at[HAND[9]].y == at[HAND[0]].y - HAND_LIFT
    assert colour(picture, at[HAND[9]].x + 20, at[HAND[9]].y + 2) == GOLD


def test_cards_get_smaller_before_they_hide_each_other() -> None:
    """More cards in the same room are smaller. None is larger than requested."""
    fans = [HandRow.of(number, 4, 320, DEFAULT_APPEARANCE, LARGE) for number in range(1, 40)]
    widths = [fan.size.width for fan in fans]
    assert widths == sorted(widths, reverse=True)
    assert {fan.size for fan in fans} == set(HAND_SIZES)
    assert all(fan.step >= readable_step(DEFAULT_APPEARANCE, fan.size) for fan in fans if fan.size != HAND_SIZES[-1])
    assert HandRow.of(1, 1, 1_000, DEFAULT_APPEARANCE, MEDIUM).size == MEDIUM
