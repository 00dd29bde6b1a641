"""A card's face shows which card it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from bot.engine.cards import DECK, Card, Suit
from bot.values.appearance import DEFAULT_APPEARANCE
from cardart.deck.cards import LARGE, back, face
from cardart.drawing.lettering import rank_mask
from cardart.drawing.shapes import suit_mask
from tests.cardart.card_reader import looked_at

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_COLUMN = (7, 10, 40, 84)
"""The place of the index: left, top, right, bottom."""


def ink(card: Card) -> Image.Image:
    """Return how dark the index is, pixel by pixel: its inverted green, since neither black nor red have any."""
    return ImageChops.invert(looked_at(face(card), DEFAULT_APPEARANCE).crop(_COLUMN).getchannel("G"))


def difference(one: Image.Image, other: Image.Image) -> int:
    """Return how much two images of one size differ, summed over all pixels."""
    return sum(ImageChops.difference(one, other).tobytes())


def framed(mask: Image.Image, top: int) -> Image.Image:
    """Return a shape centred in the column of an index, its top `top` pixels down."""
    column = Image.new("L", (_COLUMN[2] - _COLUMN[0], _COLUMN[3] - _COLUMN[1]))
    column.paste(mask, ((column.width - mask.width) // 2, top))
    return column


@pytest.mark.slow
@pytest.mark.parametrize("suit", Suit)
def test_the_index_is_the_rank_above_the_suit(suit: Suit) -> None:
    """The index looks more like the card's own rank and suit than like any other."""
    ranks_drawn, suits_drawn = [rank_mask(rank, 34, 31) for rank in RANKS], [suit_mask(one, 28) for one in Suit]
    for card in (card for card in DECK if card.suit == suit):
        shown, half = ink(card), 42
        above, below = shown.crop((0, 0, shown.width, half)), shown.crop((0, half, shown.width, shown.height))
        ranks = [difference(above, framed(mask, 0).crop((0, 0, shown.width, half))) for mask in ranks_drawn]
        suits = [difference(below, framed(mask, 3).crop((0, 0, *below.size))) for mask in suits_drawn]
        assert ranks.index(min(ranks)) == card.rank - 1, card
        assert suits.index(min(suits)) == card.suit, card


@pytest.mark.parametrize("suit", Suit)
def test_hearts_and_diamonds_are_red_and_the_others_black(suit: Suit) -> None:
    """The darkest pixels of an index are red or black, as is traditional."""
    for card in (card for card in DECK if card.suit == suit):
        colours = looked_at(face(card), DEFAULT_APPEARANCE).crop(_COLUMN).getcolors(10_000) or []
        darkest = min((colour for _, colour in colours if isinstance(colour, tuple)), key=lambda colour: colour[1])
        assert (darkest[0] > 150) == (suit in (Suit.DIAMONDS, Suit.HEARTS)), card


@pytest.mark.slow
def test_all_faces_and_the_back_differ() -> None:
    """No two of the 53 sprites look the same, and all have one size."""
    sprites = [*map(face, DECK), back()]
    assert len({sprite.image.tobytes() for sprite in sprites}) == len(DECK) + 1
    assert all(one.image.size == other.image.size == (LARGE.width, LARGE.height) for one, other in pairwise(sprites))
