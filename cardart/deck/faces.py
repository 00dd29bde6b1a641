"""Card faces, designed in units of a card that is 112 wide and 154 high.

There are two decks. One is like printed cards: an index at both ends, pips in their traditional places, and court
figures that look the same upside down. The other is for small screens and poor eyesight: its indices are much larger,
next to one large suit or the bust of the court figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.engine.cards import Card, Rank, Suit
from cardart.deck.courts import BOX, court_layers
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting, Sprite, mapped, mostly_covered
from cardart.drawing.palette import AZURE, BLACK, COPPER, EDGE, FACE, GOLD, GROUND, HAIR, RED, SUIT_INKS, index
from cardart.drawing.shapes import SUITS, cut_mask, mask, rounded_mask, scaled_path, suit_mask
from cardart.drawing.themes import DeckName

_WIDTH: Final = 112
_RADIUS: Final = 11
_CRISP: Final = bytes(0 if cover < 92 else 128 if cover < 164 else 255 for cover in range(256))
"""Coverage table for faces: one shade between two colours instead of three, which makes files a tenth smaller."""

_FIRM: Final = bytes(0 if cover < 118 else 128 if cover < 138 else 255 for cover in range(256))
"""Coverage table for court figures, with even fewer shades, because most of their pixels are edges.

Pictures are displayed smaller than they are drawn, which smooths the edges again.
"""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a card in pixels."""

    width: int
    height: int

    @property
    def box(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def scale(self) -> float:
        """Pixels per design unit of faces."""
        return self.width / _WIDTH

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return _RADIUS * self.scale


@dataclass(frozen=True, slots=True)
class Deck:
    """The dimensions of a face in one deck, in design units.

    `corner` is the left and top of the index. Its rank and suit are centred in a column of width `column`: `cap` is the
    cap height of the rank, `pip` the size of the suit, and `gap` the distance between them. `readable` is the width of
    a covered card that must stay visible. At the width `narrow`, the index has some space next to it, but nothing else
    of the card shows.
    """

    corner: tuple[int, int]
    column: int
    cap: int
    pip: int
    gap: int
    readable: int
    narrow: int


DECKS: Final[dict[DeckName, Deck]] = {
    "pips": Deck(corner=(6, 7), column=21, cap=32, pip=18, gap=1, readable=29, narrow=40),
    "bold": Deck(corner=(6, 7), column=47, cap=58, pip=30, gap=4, readable=54, narrow=55),
}

_ASIDE: Final = (3, 1)
"""Minimum space next to a rank in its column, in pixels: for ranks of one letter, and of two."""
_PIP: Final = 20
_LEFT, _MIDDLE = 41.0, 56.0
_TOP, _CENTRE = 22.0, 77.0
_ACE: Final = 54
_RINGS: Final = (0.87, 0.81, 0.64, 0.58, 0.41, 0.35)
_LINE: Final = (0.78, 0.71)
_PITH: Final = (50, 55)
"""The lines engraved in the ace of spades (`_RINGS`) and in other aces (`_LINE`).

They are copies of the shape, scaled by these factors around the point `_PITH` of its box.
"""
_EMBLEM: Final = (54, 82, 115)
_BIG_ACE: Final = (56, 82, 114)
"""Size and centre (x, y) of the large suit in the "bold" deck: `_EMBLEM` on number cards, `_BIG_ACE` on aces."""
_ROWS: Final = {
    4: (0, 1), 5: (0, 1), 6: (0, 0.5, 1), 7: (0, 0.5, 1), 8: (0, 0.5, 1), 9: (0, 0.3, 0.7, 1), 10: (0, 0.35, 0.65, 1),
}  # fmt: skip
"""Heights of the pips in the two outer columns, by rank: 0 is the first row, 1 the last."""
_BETWEEN: Final = {
    2: (0, 1), 3: (0, 0.5, 1), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,), 10: (0.175, 0.825),
}  # fmt: skip
"""Heights of the pips between the columns, by rank."""

_HARD: Final = bytes(255 * (cover >= 128) for cover in range(256))
_DARK: Final = frozenset((HAIR, COPPER, RED, AZURE, *SUIT_INKS.values()))
"""Colours so close to the dark outlines of figures that a shade between them would be invisible."""
_BAND: Final = ((BLACK, 5.4), (GOLD, 3.4))
"""The band between a figure and its upside-down copy: colours and widths of two lines, one on top of the other."""
_FRAME_RIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame around court figures in one deck, in design units.

    `left` and `top` are its position on the card. `notch` is the width and height of the corners that are cut out for
    indices; without notches, the frame ends `_FRAME_RIGHT` before the card's right edge. The band between the two
    figures falls by `fall` from left to right. `figure` is the scale of the figures.
    """

    left: int
    top: int
    notch: tuple[int, int]
    fall: float
    figure: float


_FRAMES: Final[dict[DeckName, Frame]] = {
    "pips": Frame(left=6, top=7, notch=(25, 59), fall=50, figure=0.86),
    "bold": Frame(left=55, top=7, notch=(0, 0), fall=18, figure=0.63),
}


@cache
def draw_face(card: Card, letters: str, deck: DeckName, size: Size, covered: bool) -> Sprite:
    """Return a face with its dark edge, in base colours that a theme replaces later. `letters` is the printed rank.

    If the card is `covered`, only its index is drawn, because other cards hide the rest.
    """
    scale, ink, edge = size.scale, SUIT_INKS[card.suit], rounded_mask(size.box, size.radius, 1.5)
    painting = Painting(size.box, EDGE).lay(FACE, mapped(edge, "L", _CRISP))
    left, top = (round(length * scale) for length in DECKS[deck].corner)
    shown = Image.new("L", size.box)
    shown.paste(_index(letters, card.suit, deck, scale), (left, top))
    if card.rank >= Rank.JACK and not covered:
        _paste_figure(painting.image, card, deck, size)
    if deck == "pips" and not covered:
        turned = shown.copy()
        _paste_pips(shown, turned, card, scale)
        shown = ImageChops.lighter(shown, turned.transpose(Image.Transpose.ROTATE_180))
    elif card.rank < Rank.JACK and not covered:
        side, x, y = _BIG_ACE if card.rank is Rank.ACE else _EMBLEM
        _paste_centred(shown, _emblem(card, round(side * scale)), x * scale, y * scale)
    painting.lay(ink, mapped(shown, "L", _CRISP))
    return Sprite(painting.image, card_shape(size))


@cache
def card_shape(size: Size) -> Image.Image:
    """Return the mask of a card. Cards of the same size share it, which halves their memory use."""
    return mostly_covered(rounded_mask(size.box, size.radius))


@cache
def _index(letters: str, suit: Suit, deck: DeckName, scale: float) -> Image.Image:
    """Return the coverage of an index: the rank above the suit."""
    design = DECKS[deck]
    cap, side, gap, column = (round(length * scale) for length in (design.cap, design.pip, design.gap, design.column))
    text = rank_mask(letters, cap, column - _ASIDE[len(letters) > 1])
    image = Image.new("L", (column, text.height + gap + side))
    image.paste(text, ((column - text.width) // 2, 0))
    image.paste(suit_mask(suit, side), ((column - side) // 2, text.height + gap))
    return image


def _paste_centred(image: Image.Image, coverage: Image.Image, x: float, y: float) -> None:
    image.paste(coverage, (round(x - coverage.width / 2), round(y - coverage.height / 2)))


def _paste_pips(upright: Image.Image, turned: Image.Image, card: Card, scale: float) -> None:
    """Paste the coverage of an ace's emblem or of pips.

    Pips of the lower half are pasted upright into `turned`, which is rotated later.
    """
    wide, high = upright.size
    if card.rank is Rank.ACE:
        _paste_centred(upright, _emblem(card, round(_ACE * scale)), wide / 2, high / 2)
    pip = suit_mask(card.suit, 2 * round(_PIP * scale / 2))
    for column, share in _places(card.rank):
        x = wide / 2 + column * round((_MIDDLE - _LEFT) * scale)
        y = high / 2 - (_CENTRE - _TOP) * scale * abs(1 - 2 * share)
        if share <= 0.5:
            _paste_centred(upright, pip, x, y)
        else:
            _paste_centred(turned, pip, wide - x, y)


def _places(rank: Rank) -> Iterator[tuple[int, float]]:
    """Yield the traditional pip positions of a rank: column -1, 0 or 1, and height from 0 (first row) to 1 (last)."""
    for share in _ROWS.get(rank.value, ()):
        yield -1, share
        yield 1, share
    for share in _BETWEEN.get(rank.value, ()):
        yield 0, share


@cache
def _emblem(card: Card, side: int) -> Image.Image:
    """Return the coverage of a large suit, engraved if the card is an ace.

    The ace of spades shows the rings of a felled tree: deadwood.
    """
    if card.rank is not Rank.ACE:
        return suit_mask(card.suit, side)
    shape, rings = SUITS[card.suit], _RINGS if card.suit is Suit.SPADES else _LINE
    body = shape[:-1] or shape
    engraved = [
        (place % 2 == 1, [scaled_path(path, ring, *_PITH) for path in body]) for place, ring in enumerate(rings)
    ]
    return cut_mask((side, side), side / 100, [(True, shape), *engraved, (True, shape[1:][-1:])])


def _paste_figure(image: Image.Image, card: Card, deck: DeckName, size: Size) -> None:
    """Paste a court card's figure, its upside-down copy and their frame, point-symmetric to the pixel."""
    scale, frame = size.scale, _FRAMES[deck]
    left, top, across, down = (round(length * scale) for length in (frame.left, frame.top, *frame.notch))
    wide = size.width - left - (left if across else round(_FRAME_RIGHT * scale))
    high = size.height - 2 * top
    half = Painting((wide, high), GROUND)
    figure = _figure(card, frame.figure * scale)
    half.image.paste(figure, ((wide + across - figure.width) // 2, 0))
    fall = frame.fall * scale / 2
    seam = [(0, high / 2 - fall), (wide, high / 2 + fall)]
    path = f"M 0 {high / 2 - fall} L {wide} {high / 2 + fall}"
    for colour, width in _BAND:
        half.lay(colour, mapped(mask((wide, high), 1, [path], width * scale), "L", _CRISP))
    below = Image.new("1", (wide, high))
    ImageDraw.Draw(below).polygon([*seam, (wide, high), (0, high)], fill=1)
    half.image.paste(half.image.transpose(Image.Transpose.ROTATE_180), mask=below)
    corners = [(across, 0), (wide - 1, 0), (wide - 1, high - 1 - down)]
    corners += [(wide - 1 - across, high - 1 - down)] if across else []
    corners += [(wide - 1 - x, high - 1 - y) for x, y in corners]
    within = Image.new("1", (wide, high))
    ImageDraw.Draw(within).polygon(corners, fill=1)
    ImageDraw.Draw(half.image).line([*corners, corners[0]], index(SUIT_INKS[card.suit]), 1)
    image.paste(half.image, (left, top), within)


def _figure(card: Card, unit: float) -> Image.Image:
    """Return a court card's figure in palette indices. A unit of its paths is `unit` pixels."""
    painting = Painting((round(BOX[0] * unit), round(BOX[1] * unit)), GROUND)
    for layer in court_layers(card, SUIT_INKS[card.suit]):
        coverage = mask(painting.image.size, unit, layer.paths, layer.pen)
        painting.lay(layer.colour, mapped(coverage, "L", _FIRM if layer.pen or layer.colour not in _DARK else _HARD))
    return painting.image
