"""Every card in a row shows its index, and frames and labels do not cover cards."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card, parse_cards
from bot.engine.cards.melds import Meld
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import THEMES
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MEDIUM_LARGE, Size, face
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, FELT, GOLD
from cardart.parts.card_rows import LEDGE_HEIGHT, RING_WIDTH, CardGroup, CardRow
from tests.cardart.card_reader import decoded_rgb, pixel_colour, read_cards, rendered, visible_cards

HAND = parse_cards("3d4d5d9c9h9s2c7hJsQd")
GROUPS = [CardGroup(HAND[:3], True), CardGroup(HAND[3:6], True), CardGroup(HAND[6:], False)]
TOP, LIFT = 40, 12


def draw_row(groups: list[CardGroup], size: Size = LARGE, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Return a picture that shows only one row of cards."""
    canvas = Canvas(900, 260, appearance)
    CardRow.of(groups, 860, appearance, size).draw(canvas, TOP, LIFT)
    return canvas.picture("")


@pytest.mark.thorough
@pytest.mark.parametrize("size", [LARGE, MEDIUM_LARGE, MEDIUM, COMPACT])
def test_every_card_can_be_read(size: Size) -> None:
    """The whole index of every card is visible, in the order of the groups."""
    picture = draw_row(GROUPS, size)
    assert visible_cards(picture) == sorted(HAND)
    assert [card.card for card in read_cards(picture)] == list(HAND)


@pytest.mark.nightly
@pytest.mark.parametrize("theme", THEMES)
def test_a_raised_card_is_higher_and_uncovered_in_its_frame(theme: str) -> None:
    """A raised card at the end of a group is uncovered and higher than the others, and has a frame around it."""
    look = Appearance(theme)
    picture = draw_row([CardGroup(HAND[:3], True, {HAND[2]: GOLD})], appearance=look)
    at = {card.card: card for card in read_cards(picture, look)}
    raised = at[HAND[2]]
    assert [raised.y, at[HAND[0]].y] == [TOP - LIFT, TOP]
    middle = (10, 10, LARGE.width - 10, LARGE.height - 10)
    shown = decoded_rgb(picture).crop((raised.x, raised.y, raised.x + LARGE.width, raised.y + LARGE.height))
    assert shown.crop(middle).tobytes() == rendered(face(HAND[2], look), look).crop(middle).tobytes()
    edge = pixel_colour(picture, raised.x + 20, raised.y - RING_WIDTH + 2)
    assert edge == pixel_colour(picture, raised.x + LARGE.width + RING_WIDTH - 3, raised.y + 60) != FELT


def test_a_label_hangs_beneath_its_meld_and_hides_nothing() -> None:
    """A label hangs beneath its meld and covers nothing of the cards."""
    plain, labelled = (
        draw_row([CardGroup(HAND[:3], True, label=label)]) for label in (None, tag("1", 16, GOLD, BLACK))
    )
    box = (0, 0, 900, TOP + LARGE.height)
    assert decoded_rgb(plain).crop(box).tobytes() == decoded_rgb(labelled).crop(box).tobytes()
    assert plain.content != labelled.content


def test_a_frame_has_room_beside_the_index_before_it() -> None:
    """A raised card is moved to the right, so that its frame does not cover the index of the card on its left."""
    meld = Meld(parse_cards("4s5s6s"))
    six = Card.parse("6s")
    assert CardGroup(meld.cards, True, {six: GOLD}).card_offsets(40) == [0, 40, 80 + RING_WIDTH]


def test_cards_are_as_far_apart_as_requested() -> None:
    """Cards are as far apart as requested, or as far as the row's maximum width allows."""
    assert CardRow.of(GROUPS, 2_000, DEFAULT_APPEARANCE, LARGE, 70).step == 70
    assert CardRow.of(GROUPS, 860, DEFAULT_APPEARANCE, LARGE, 300) == CardRow.of(
        GROUPS, 860, DEFAULT_APPEARANCE, LARGE, 200
    )


@pytest.mark.thorough
@pytest.mark.parametrize("theme", THEMES)
def test_standing_cards_show_their_upper_parts(theme: str) -> None:
    """Standing cards show their whole indices and nothing below their slots, and a raised card shows more."""
    look, shown = Appearance(theme), round(LARGE.height * 0.75)
    groups = [CardGroup(HAND[:3], True, {HAND[2]: GOLD}), CardGroup(HAND[6:7], False, total=2)]
    canvas = Canvas(900, 260, look)
    CardRow.of(groups, 860, look).draw_standing(canvas, TOP, shown, LIFT)
    picture = canvas.picture("")
    at = {card.card: card for card in read_cards(picture, look)}
    assert sorted(at) == sorted((*HAND[:3], HAND[6]))
    assert [at[HAND[2]].y, at[HAND[0]].y, at[HAND[6]].y] == [TOP - LIFT, TOP, TOP]
    felt, below = THEMES[theme].colours.get(FELT, FELT), TOP + shown + LEDGE_HEIGHT
    for card in at.values():
        column = [pixel_colour(picture, card.x + 20, y) for y in range(TOP, 240)]
        assert felt not in column[: below - TOP]
        assert set(column[below - TOP :]) == {felt}
