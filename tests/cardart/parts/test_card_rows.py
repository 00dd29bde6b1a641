"""Rows of cards show every index, and marks do not cover cards."""

from __future__ import annotations

import pytest

from bot.engine.cards import Card, parse_cards
from bot.engine.melds import Meld
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import THEMES
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MIDDLE, Size, face
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, FELT, GOLD
from cardart.parts.card_rows import RING, CardGroup, CardRow
from tests.cardart.card_reader import cards, colour, looked_at, read, whole

HAND = parse_cards("3d4d5d9c9h9s2c7hJsQd")
GROUPS = [CardGroup(HAND[:3], True), CardGroup(HAND[3:6], True), CardGroup(HAND[6:], False)]
TOP, LIFT = 40, 12


def drawn(groups: list[CardGroup], size: Size = LARGE, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a picture with only one row."""
    canvas = Canvas(900, 260, appearance)
    CardRow.of(groups, 860, appearance, size).draw(canvas, TOP, LIFT)
    return canvas.picture("")


@pytest.mark.thorough
@pytest.mark.parametrize("size", [LARGE, MIDDLE, MEDIUM, COMPACT])
def test_every_card_can_be_read(size: Size) -> None:
    """The whole index of every card is visible, in the order of the groups."""
    picture = drawn(GROUPS, size)
    assert cards(picture) == sorted(HAND)
    assert [one.card for one in read(picture)] == list(HAND)


@pytest.mark.parametrize("theme", THEMES)
def test_a_raised_card_is_higher_and_whole_within_its_frame(theme: str) -> None:
    """A raised card at the end of a group is uncovered and higher than the others, and has a frame around it."""
    look = Appearance(theme)
    picture = drawn([CardGroup(HAND[:3], True, {HAND[2]: GOLD})], appearance=look)
    at = {one.card: one for one in read(picture, look)}
    raised = at[HAND[2]]
    assert [raised.y, at[HAND[0]].y] == [TOP - LIFT, TOP]
    middle = (10, 10, LARGE.width - 10, LARGE.height - 10)
    shown = whole(picture).crop((raised.x, raised.y, raised.x + LARGE.width, raised.y + LARGE.height))
    assert shown.crop(middle).tobytes() == looked_at(face(HAND[2], look), look).crop(middle).tobytes()
    edge = colour(picture, raised.x + 20, raised.y - RING + 2)
    assert edge == colour(picture, raised.x + LARGE.width + RING - 3, raised.y + 60) != FELT


def test_a_label_hangs_beneath_its_meld_and_hides_nothing() -> None:
    """A label hangs beneath its meld and changes nothing on the cards."""
    plain, labelled = (drawn([CardGroup(HAND[:3], True, label=label)]) for label in (None, tag("1", 16, GOLD, BLACK)))
    box = (0, 0, 900, TOP + LARGE.height)
    assert whole(plain).crop(box).tobytes() == whole(labelled).crop(box).tobytes()
    assert plain.content != labelled.content


def test_a_frame_has_room_beside_the_index_before_it() -> None:
    """A raised card is moved to the right, so that its frame hides nothing of the card before it."""
    meld = Meld(parse_cards("4s5s6s"))
    six = Card.parse("6s")
    assert CardGroup(meld.cards, True, {six: GOLD}).places(40) == [0, 40, 80 + RING]


def test_cards_are_as_far_apart_as_is_asked_for() -> None:
    """If there is room, cards are as far apart as requested. If not, they use all of the room."""
    assert CardRow.of(GROUPS, 2_000, DEFAULT_APPEARANCE, LARGE, 70).step == 70
    assert CardRow.of(GROUPS, 860, DEFAULT_APPEARANCE, LARGE, 300) == CardRow.of(
        GROUPS, 860, DEFAULT_APPEARANCE, LARGE, 200
    )
