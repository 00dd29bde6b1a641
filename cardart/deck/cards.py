"""Cards as sprites, faces and backs, each drawn when first wanted and then kept. Measures are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final

from PIL import Image, ImageChops

from bot.engine.cards import Card
from cardart.deck.backs import draw_back
from cardart.deck.faces import DECKS, UNITS, draw_face
from cardart.drawing.canvas import Sprite, cut_out
from cardart.drawing.painting import Painting
from cardart.drawing.palette import EDGE, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import DEFAULT, THEMES, BackName, DeckName, Look
from cardart.text.card_names import names_of


@dataclass(frozen=True, slots=True)
class Size:
    """How large cards are, in pixels."""

    width: int
    height: int

    @property
    def scale(self) -> float:
        """Pixels for each of the units in which faces are designed."""
        return self.width / UNITS[0]

    @property
    def radius(self) -> float:
        """Of the corners."""
        return _RADIUS * self.scale


@dataclass(frozen=True, slots=True)
class Overlap:
    """How cards may overlap: steps from the left of one card to the left of the next.

    Less than `readable` hides an index; up to `narrow` nothing but the index is seen.
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
"""How thick the frame of the largest cards is, with the dark line inside it."""
_WITH_TAIL: Final = 1.17
"""The height of a rank, the tail of a Q included, in heights of a capital."""


def overlap(look: Look, size: Size) -> Overlap:
    """How cards of a look's deck may overlap."""
    deck = DECKS[THEMES[look.theme].deck]
    return Overlap(round(deck.readable * size.scale), round(deck.narrow * size.scale))


def face(card: Card, look: Look = DEFAULT, size: Size = LARGE, *, covered: bool = False) -> Sprite:
    """The face of a card as the deck of a look has it; of one that is covered from the right, the index."""
    return face_of(card, names_of(look.language).index(card.rank), THEMES[look.theme].deck, size, covered)


def back(look: Look = DEFAULT, size: Size = LARGE) -> Sprite:
    """The back that all cards of a look share."""
    return back_of(THEMES[look.theme].back, size)


def struck_at(look: Look, size: Size) -> int:
    """How far down a card a line runs between its rank and its suit, through the gap."""
    deck = DECKS[THEMES[look.theme].deck]
    return round((deck.corner[1] + deck.cap * _WITH_TAIL + deck.gap / 2) * size.scale)


@cache
def face_of(card: Card, letters: str, deck: DeckName, size: Size, covered: bool) -> Sprite:
    """A face whose colours are still a matter of the look."""
    box = (size.width, size.height)
    return cut_out(draw_face(card, letters, deck, box, size.radius, covered=covered), rounded_mask(box, size.radius))


@cache
def back_of(design: BackName, size: Size) -> Sprite:
    """A back whose colours are still a matter of the look."""
    box = (size.width, size.height)
    return cut_out(draw_back(design, box, size.radius), rounded_mask(box, size.radius))


@cache
def halo(colour: Colour, size: Size = LARGE) -> Sprite:
    """A frame that is laid over a card to mark it."""
    box, radius, thick = (size.width, size.height), size.radius, ceil(_HALO * size.scale)
    outside, inside = rounded_mask(box, radius), rounded_mask(box, radius, thick)
    drawn = Painting(box, EDGE).lay(colour, rounded_mask(box, radius, 1.5))
    drawn.lay(EDGE, rounded_mask(box, radius, thick - 1))
    return cut_out(drawn.image, ImageChops.subtract(outside, inside))


def narrowed(sprite: Sprite, width: int, size: Size) -> Sprite:
    """A card or frame of a size without a part of its middle, so that it is no wider and still has its corners."""
    if width >= sprite.width:
        return sprite
    end = ceil(size.radius)
    return Sprite(_narrow(sprite.image, width, end), sprite.mask and _narrow(sprite.mask, width, end))


def _narrow(image: Image.Image, width: int, end: int) -> Image.Image:
    narrow = image.crop((0, 0, width, image.height))
    narrow.paste(image.crop((image.width - end, 0, image.width, image.height)), (width - end, 0))
    return narrow
