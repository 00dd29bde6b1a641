"""Cards as sprites, faces and the back, each drawn when first wanted and then kept. Measures are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageChops, ImageOps

from bot.engine.cards import Card, Rank, Suit
from cardart import names
from cardart.canvas import Sprite, cut_out
from cardart.courts import BOX, COLOURS, EMBLEM, figure
from cardart.lettering import rank_mask
from cardart.palette import EDGE, FACE, GOLD, INK, NAVY, SKY, Colour, quantised
from cardart.shapes import paint, rounded_mask, suit_mask
from cardart.themes import USUAL, Look


@dataclass(frozen=True, slots=True)
class Size:
    """How large cards are, and how they are fanned: the steps are from the left of one card to the left of the next.

    Less than `readable` hides an index. A step between `narrow` and `wide` would show a mere sliver of what is in the
    middle of a card; more than `loosest` shows the index upside down.
    """

    width: int
    height: int
    readable: int
    narrow: int
    wide: int
    loosest: int


LARGE: Final = Size(112, 154, 41, 44, 58, 74)
SNUG: Final = Size(112, 154, 41, 44, 44, 44)
"""As large, for pictures of many cards: the index is there once, and no more of a covered card is to be seen."""
MEDIUM: Final = Size(84, 116, 31, 33, 33, 33)
"""Three quarters as large, and as snug, for melds that others laid down."""
WIDTH: Final = LARGE.width
HEIGHT: Final = LARGE.height
SMALL: Final = (60, 82)
"""The size of the small backs that hands of others are shown by."""

_RADIUS: Final = 11
_EDGE: Final = 1.5
_INDEX: Final = (6, 10)
"""From the top left corner to the index, whose rank and suit are centred in a column."""
_COLUMN: Final = 34
_CAP: Final = 34
_PIP: Final = 28
_GAP: Final = 5
_MIRRORED: Final = 0.6
"""The size of the index upside down at the bottom right, which is there for the eye more than for reading."""
_CENTRE: Final = (72, 70)
_EMBLEM: Final = 50
_ACE: Final = 56
_FIGURE: Final = (44, 24)
_FIGURE_WIDTH: Final = 60
_HALO: Final = 5


def face(card: Card, look: Look = USUAL, size: Size = LARGE, *, covered: bool = False) -> Sprite:
    """The face of a card: its index, on large cards twice, and a court figure or one large emblem of its suit.

    One that is covered from the right has no second index, which would peep out below a raised neighbour.
    """
    return printed_face(card, names.index(card.rank, look.language), size, covered)


@cache
def printed_face(card: Card, letters: str, size: Size, covered: bool) -> Sprite:
    """The sprite of a face, whatever its colours will be."""
    ink, scale = INK[card.suit], size.width / WIDTH
    image = _blank((size.width, size.height), _radius(size))
    index = _index(letters, card.suit, scale)
    left, top = (round(length * scale) for length in _INDEX)
    image.paste(ink, (left, top), index)
    if size == LARGE and not covered:
        small = ImageOps.scale(index, _MIRRORED, Image.Resampling.LANCZOS)
        image.paste(ink, (WIDTH - left - small.width, HEIGHT - top - small.height), small.rotate(180))
    if card.rank < Rank.JACK:
        side = round((_ACE if card.rank is Rank.ACE else _EMBLEM) * scale)
        x, y = (round(length * scale) for length in _CENTRE)
        image.paste(ink, (x - side // 2, y - side // 2), suit_mask(card.suit, side))
    drawn = quantised(image, EDGE, FACE, ink)
    if card.rank >= Rank.JACK:
        left, top = (round(length * scale) for length in _FIGURE)
        drawn.paste(_bust(card.rank, card.suit, round(_FIGURE_WIDTH * scale)), (left, top))
    return cut_out(drawn, rounded_mask(image.size, _radius(size)))


def back(look: Look = USUAL, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Sprite:
    """The back that all cards share, in a size of width and height."""
    return printed_back(size)


@cache
def printed_back(size: tuple[int, int]) -> Sprite:
    """The sprite of a back, whatever its colours will be."""
    image = _blank(size)
    margin = size[0] // 16
    inner = (size[0] - 2 * margin, size[1] - 2 * margin)
    image.paste(_lattice(inner), (margin, margin), rounded_mask(inner, _RADIUS - margin))
    return cut_out(quantised(image, EDGE, FACE, NAVY, SKY), rounded_mask(size, _RADIUS))


@cache
def halo(colour: Colour, size: Size = LARGE) -> Sprite:
    """A frame that is laid over a card to mark it."""
    box, radius = (size.width, size.height), _radius(size)
    outside, inside = rounded_mask(box, radius), rounded_mask(box, radius, _HALO)
    image = Image.new("RGB", box, EDGE)
    image.paste(colour, (0, 0), rounded_mask(box, radius, _EDGE))
    image.paste(FACE, (0, 0), inside)
    return cut_out(quantised(image, EDGE, FACE, colour), ImageChops.subtract(outside, inside))


def _radius(size: Size) -> float:
    return _RADIUS * size.width / WIDTH


def _blank(size: tuple[int, int], radius: float = _RADIUS) -> Image.Image:
    """A bare card with its dark edge."""
    image = Image.new("RGB", size, EDGE)
    image.paste(FACE, (0, 0), rounded_mask(size, radius, _EDGE))
    return image


@cache
def _index(letters: str, suit: Suit, scale: float) -> Image.Image:
    """The coverage of an index: the rank above the suit."""
    cap, side, gap, column = (round(length * scale) for length in (_CAP, _PIP, _GAP, _COLUMN))
    text = rank_mask(letters, cap)
    pip = suit_mask(suit, side)
    image = Image.new("L", (column, text.height + gap + side))
    image.paste(text, ((column - text.width) // 2, 0))
    image.paste(pip, ((column - side) // 2, text.height + gap))
    return image


@cache
def _bust(rank: Rank, suit: Suit, width: int) -> Image.Image:
    """A court card's figure in palette indices, the suit embroidered on its robe."""
    unit = width / BOX[0]
    image = _dressed(rank, INK[suit], width).copy()
    left, top, side = (round(length * unit) for length in EMBLEM)
    image.paste(GOLD, (left, top), suit_mask(suit, side))
    return quantised(image, INK[suit], *COLOURS)


@cache
def _dressed(rank: Rank, robe: Colour, width: int) -> Image.Image:
    unit = width / BOX[0]
    return paint(FACE, (width, round(BOX[1] * unit)), unit, figure(rank, robe))


def _lattice(size: tuple[int, int]) -> Image.Image:
    """Crossing diagonals with a dot in each diamond."""
    pitch = 14
    dots = [(7, 0), (7, 14), (0, 7), (14, 7)]
    tile = paint(
        NAVY,
        (pitch, pitch),
        1,
        [
            (SKY, ["M -1 0 L 0 -1 L 15 14 L 14 15 Z", "M 14 -1 L 15 0 L 0 15 L -1 14 Z"]),
            (FACE, [f"M {x} {y - 2} L {x + 2} {y} L {x} {y + 2} L {x - 2} {y} Z" for x, y in dots]),
        ],
    )
    image = Image.new("RGB", size)
    for x in range(0, size[0], pitch):
        for y in range(0, size[1], pitch):
            image.paste(tile, (x, y))
    return image
