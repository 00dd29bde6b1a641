"""Cards as sprites, faces and backs, each drawn on first use and then cached. Measures are in pixels."""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import Final

from PIL import Image, ImageChops

from bot.engine.cards import Card
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.backs import draw_back
from cardart.deck.faces import DECKS, Size, draw_face
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import theme_of
from cardart.text.card_names import names_of

LARGE: Final = Size(112, 154)
MIDDLE: Final = Size(98, 135)
MEDIUM: Final = Size(84, 116)
COMPACT: Final = Size(76, 104)
SMALL: Final = Size(60, 82)

_HALO: Final = 6
"""The thickness of the frame around the largest cards, with the dark line inside it."""
_WITH_TAIL: Final = 1.17
"""The height of a rank, including the tail of a Q, in heights of a capital."""


def readable_step(appearance: Appearance, size: Size) -> int:
    """Return how far the left of a card must lie from the left of the one it covers, so that no index is hidden."""
    return round(DECKS[theme_of(appearance).deck].readable * size.scale)


def narrow_step(appearance: Appearance, size: Size) -> int:
    """Return the greatest such distance at which nothing but the index of a covered card is visible."""
    return round(DECKS[theme_of(appearance).deck].narrow * size.scale)


def face(
    card: Card, appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE, *, covered: bool = False
) -> Sprite:
    """Return the face of a card; only its index if it is `covered` from the right."""
    letters = names_of(appearance.language).rank_letters(card.rank)
    return draw_face(card, letters, theme_of(appearance).deck, size, covered)


def back(appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE) -> Sprite:
    """Return the back that all cards of an appearance share."""
    return draw_back(theme_of(appearance).back, size)


def strike_height(appearance: Appearance, size: Size) -> int:
    """Return how far down a card a line through its index runs, in the gap between rank and suit."""
    deck = DECKS[theme_of(appearance).deck]
    return round((deck.corner[1] + deck.cap * _WITH_TAIL + deck.gap / 2) * size.scale)


@cache
def halo(colour: Colour, size: Size = LARGE) -> Sprite:
    """Return a frame that marks a card when it is laid over it."""
    box, radius, thick = size.box, size.radius, ceil(_HALO * size.scale)
    drawn = Painting(box, EDGE).lay(colour, rounded_mask(box, radius, 1.5))
    drawn.lay(EDGE, rounded_mask(box, radius, thick - 1))
    return cut_out(drawn.image, ImageChops.subtract(rounded_mask(box, radius), rounded_mask(box, radius, thick)))


def narrowed(sprite: Sprite, width: int, size: Size) -> Sprite:
    """Return a card or frame of a size with part of its middle cut out: no wider, with its corners."""
    if width >= sprite.width:
        return sprite
    end = ceil(size.radius)
    return Sprite(_narrow(sprite.image, width, end), sprite.mask and _narrow(sprite.mask, width, end))


def _narrow(image: Image.Image, width: int, end: int) -> Image.Image:
    narrow = image.crop((0, 0, width, image.height))
    narrow.paste(image.crop((image.width - end, 0, image.width, image.height)), (width - end, 0))
    return narrow
