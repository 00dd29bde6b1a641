"""A hand in one row: as large as it can be read, in groups with gaps between them."""

from __future__ import annotations

from itertools import pairwise

from bot.engine.cards import parse_cards
from cardart.canvas import Canvas, Picture
from cardart.cards import LARGE, MEDIUM, overlap
from cardart.fan import LIFT, SIZES, Fan
from cardart.palette import GOLD
from cardart.rows import Group
from cardart.themes import USUAL
from tests.cardart.reader import cards, colour, read

HAND = parse_cards("3d4d5d9c9h9s2c7hJsQd")
GROUPS = [Group(HAND[:3], True), Group(HAND[3:6], True), Group(HAND[6:], False)]


def drawn(groups: list[Group], fan: Fan) -> Picture:
    """A fan by itself."""
    canvas = Canvas(720, 220, USUAL)
    fan.draw(canvas, groups, 20, 200)
    return canvas.picture("")


def test_every_card_can_be_read() -> None:
    """Of large and of middling cards the whole index is seen, in the order of the groups."""
    for size in (LARGE, MEDIUM):
        picture = drawn(GROUPS, Fan.of(len(HAND), len(GROUPS), 680, USUAL, size))
        assert cards(picture) == sorted(HAND)
        assert [one.card for one in read(picture)] == list(HAND)


def test_groups_are_apart() -> None:
    """From group to group there is more room than from card to card."""
    xs = [one.x for one in read(drawn(GROUPS, Fan.of(len(HAND), len(GROUPS), 680, USUAL)))]
    steps = [right - left for left, right in pairwise(xs)]
    assert min(steps[2], steps[5]) > max(step for place, step in enumerate(steps) if place not in (2, 5))


def test_a_raised_card_is_higher_and_marked() -> None:
    """What was moved lies higher than the rest, in the colour of who moved it."""
    groups = [GROUPS[0], Group(HAND[9:], False, {HAND[9]: GOLD})]
    picture = drawn(groups, Fan.of(4, 2, 680, USUAL))
    at = {one.card: one for one in read(picture)}
    assert at[HAND[9]].y == at[HAND[0]].y - LIFT
    assert colour(picture, at[HAND[9]].x + 20, at[HAND[9]].y + 2) == GOLD


def test_cards_get_smaller_before_they_hide_each_other() -> None:
    """The more cards a room must hold, the smaller they are; none is larger than what is asked for."""
    fans = [Fan.of(number, 4, 320, USUAL, LARGE) for number in range(1, 40)]
    widths = [fan.size.width for fan in fans]
    assert widths == sorted(widths, reverse=True)
    assert {fan.size for fan in fans} == set(SIZES)
    assert all(fan.step >= overlap(USUAL, fan.size).readable for fan in fans if fan.size != SIZES[-1])
    assert Fan.of(1, 1, 1_000, USUAL, MEDIUM).size == MEDIUM
