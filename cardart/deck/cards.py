"""Cards as sprites, faces and backs, each drawn on first use and then cached. Measures are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final

from PIL import Image, ImageChops

from bot.engine.cards import Card
from bot.values.appearance import Appearance
from cardart.deck.backs import draw_back
from cardart.deck.faces import DECKS, UNITS, draw_face
from cardart.drawing.painting import Painting
from cardart.drawing.palette import EDGE, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.sprites import Sprite, cut_out
from cardart.drawing.themes import DEFAULT, BackName, DeckName, theme_of
from cardart.text.card_names import names_of


@dataclass(frozen=True, slots=True)
class Size:
    """The size of cards in pixels."""

    width: int
    height: int

    @property
    def scale(self) -> float:
        """Pixels per unit of the design of faces."""
        return self.width / UNITS[0]

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return _RADIUS * self.scale


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far cards can overlap, as steps from the left of one card to the left of the next.

    Less than `readable` hides an index. Up to `narrow`, nothing but the index is visible.
    """

    readable: int
    narrow: int


LARGE: Final = Size(112, 154)
MIDDLE: Final = Size(98, 135)
MEDIUM: Final = Size(84, 116)
COMPACT: Final = Size(76, 104)
SMALL: Final = Size(60, 82)

_RADIUS: Final = 11
_HALO: Final = 6
"""The thickness of the frame around the largest cards, with the dark line inside it."""
_WITH_TAIL: Final = 1.17
"""The height of a rank, including the tail of a Q, in heights of a capital."""


def overlap(appearance: Appearance, size: Size) -> Overlap:
    """Return how far cards of an appearance's deck can overlap."""
    deck = DECKS[theme_of(appearance).deck]
    return Overlap(round(deck.readable * size.scale), round(deck.narrow * size.scale))


def face(card: Card, appearance: Appearance = DEFAULT, size: Size = LARGE, *, covered: bool = False) -> Sprite:
    """Return the face of a card; only its index if it is `covered` from the right."""
    return face_of(
        card, names_of(appearance.language).rank_letters(card.rank), theme_of(appearance).deck, size, covered
    )


def back(appearance: Appearance = DEFAULT, size: Size = LARGE) -> Sprite:
    """Return the back that all cards of an appearance share."""
    return back_of(theme_of(appearance).back, size)


def strike_height(appearance: Appearance, size: Size) -> int:
    """Return how far down a card a line through its index runs, in the gap between rank and suit."""
    deck = DECKS[theme_of(appearance).deck]
    return round((deck.corner[1] + deck.cap * _WITH_TAIL + deck.gap / 2) * size.scale)


@cache
def face_of(card: Card, letters: str, deck: DeckName, size: Size, covered: bool) -> Sprite:
    """Return a face in drawn colours, which a theme replaces later."""
    box = (size.width, size.height)
    return cut_out(draw_face(card, letters, deck, box, size.radius, covered=covered), rounded_mask(box, size.radius))


@cache
def back_of(design: BackName, size: Size) -> Sprite:
    """Return a back in drawn colours, which a theme replaces later."""
    box = (size.width, size.height)
    return cut_out(draw_back(design, box, size.radius), rounded_mask(box, size.radius))


@cache
def halo(colour: Colour, size: Size = LARGE) -> Sprite:
    """Return a frame that marks a card when it is laid over it."""
    box, radius, thick = (size.width, size.height), size.radius, ceil(_HALO * size.scale)
    outside, inside = rounded_mask(box, radius), rounded_mask(box, radius, thick)
    drawn = Painting(box, EDGE).lay(colour, rounded_mask(box, radius, 1.5))
    drawn.lay(EDGE, rounded_mask(box, radius, thick - 1))
    return cut_out(drawn.image, ImageChops.subtract(outside, inside))


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
