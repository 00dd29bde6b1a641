"""Card faces and backs as sprites, drawn on first use and then cached. Lengths are in pixels.

Each theme has its own back: a lattice, the rings of a tree, or a framed diamond.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from PIL import Image

from bot.engine.cards.cards import Card
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.faces import DECKS, Size, card_shape, draw_face, index_bottom
from cardart.drawing.painting import Painting, Sprite, half_covered_mask
from cardart.drawing.palette import EDGE, FACE, NAVY, SKY, TEXT
from cardart.drawing.shapes import circle, rounded_mask, rounded_rectangle
from cardart.drawing.themes import BackName, DeckName, theme_of
from cardart.text.card_names import card_names

LARGE: Final = Size(112, 154)
MEDIUM_LARGE: Final = Size(98, 135)
MEDIUM: Final = Size(84, 116)
COMPACT: Final = Size(76, 104)
SMALL: Final = Size(60, 82)

_BORDER_RATIO: Final = 1 / 16
"""Width of the white border, as a fraction of the card's width."""


def readable_step(appearance: Appearance, size: Size) -> int:
    """Return the minimum distance between the left edges of overlapping cards at which every index is visible."""
    return round(DECKS[theme_of(appearance).deck].readable * size.scale)


def narrow_step(appearance: Appearance, size: Size) -> int:
    """Return the maximum distance between the left edges of overlapping cards that shows only their indices."""
    return round(DECKS[theme_of(appearance).deck].narrow * size.scale)


def index_height(appearance: Appearance, size: Size) -> int:
    """Return the distance from a card's top edge to the lower end of its index."""
    return index_bottom(theme_of(appearance).deck, size)


def face(
    card: Card, appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE, *, covered: bool = False
) -> Sprite:
    """Return the face of a card. If it is `covered` from the right, only its index is drawn."""
    letters = card_names(appearance.language).rank_letters(card.rank)
    return draw_face(card, letters, theme_of(appearance).deck, size, covered)


def upper_face(card: Card, appearance: Appearance, size: Size, height: int, *, covered: bool = False) -> Sprite:
    """Return the upper part of a card's face, `height` pixels high. If it is `covered`, only its index is drawn."""
    letters = card_names(appearance.language).rank_letters(card.rank)
    return _upper_part(card, letters, theme_of(appearance).deck, size, covered, height)


@cache
def _upper_part(card: Card, letters: str, deck: DeckName, size: Size, covered: bool, height: int) -> Sprite:
    image = draw_face(card, letters, deck, size, covered).image
    return Sprite(image.crop((0, 0, size.width, height)), _upper_shape(size, height))


@cache
def _upper_shape(size: Size, height: int) -> Image.Image:
    """Return the mask of a card's upper part. Cards of the same size share it."""
    return card_shape(size).crop((0, 0, size.width, height))


def back(appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE) -> Sprite:
    """Return the card back of an appearance."""
    return draw_back(theme_of(appearance).back, size)


@cache
def draw_back(design: BackName, size: Size) -> Sprite:
    """Return a card back with its dark edge, in base colours that a theme replaces later."""
    image = Painting(size.box, EDGE).paint_layer(FACE, rounded_mask(size.box, size.radius, 1.5)).image
    margin = round(size.width * _BORDER_RATIO)
    inner = (size.width - 2 * margin, size.height - 2 * margin)
    within = half_covered_mask(rounded_mask(inner, max(2, size.radius - margin)))
    image.paste(_BACK_DESIGNS[design](inner), (margin, margin), within)
    return Sprite(image, card_shape(size))


def _lattice(size: tuple[int, int]) -> Image.Image:
    """Return a pattern of crossing diagonals with a dot in each diamond."""
    pitch = 14
    dots = [(7, 0), (7, 14), (0, 7), (14, 7)]
    lines = ["M -1 0 L 0 -1 L 15 14 L 14 15 Z", "M 14 -1 L 15 0 L 0 15 L -1 14 Z"]
    diamonds = [f"M {x} {y - 2} L {x + 2} {y} L {x} {y + 2} L {x - 2} {y} Z" for x, y in dots]
    tile = Painting((pitch, pitch), NAVY).paint_paths(1, [(SKY, lines), (TEXT, diamonds)]).image
    image = Image.new("P", size)
    for x in range(0, size[0], pitch):
        for y in range(0, size[1], pitch):
            image.paste(tile, (x, y))
    return image


def _rings(size: tuple[int, int]) -> Image.Image:
    """Return the rings of a tree, slightly off-centre."""
    width, height = size
    x, y, step = width * 0.46, height * 0.54, width / 14
    painting = Painting(size, NAVY)
    for number in range(round(height / step), 0, -1):
        radius, shift = number * step, number * step * 0.05
        for colour, thick in ((SKY, 0), (NAVY, max(1.4, step * 0.34))):
            painting.paint_paths(1, [(colour, [circle(x + shift, y - shift, radius - thick)])])
    return painting.paint_paths(1, [(SKY, [circle(x, y, step * 0.4)])]).image


def _diamond(size: tuple[int, int]) -> Image.Image:
    """Return the back called `diamond`: one within a frame, on a plain background."""
    width, height = size
    edges = (width / 9, width / 9 + width / 14)
    outer, inner = (rounded_rectangle(edge, edge, width - edge, height - edge, 0) for edge in edges)
    x, y, across, along = width / 2, height / 2, width * 0.2, width * 0.28
    diamond = f"M {x} {y - along} L {x + across} {y} L {x} {y + along} L {x - across} {y} Z"
    return Painting(size, NAVY).paint_paths(1, [(SKY, [outer]), (NAVY, [inner]), (SKY, [diamond])]).image


_BACK_DESIGNS: Final[dict[BackName, Callable[[tuple[int, int]], Image.Image]]] = {
    "lattice": _lattice,
    "rings": _rings,
    "diamond": _diamond,
}
