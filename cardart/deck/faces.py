"""Card faces, designed in units of a card that is 112 wide and 154 high.

There are two decks. One is like printed cards: an index at both ends, pips in their traditional places, and court
figures that look the same upside down. The other is for small screens and poor eyesight: its indices are much larger,
next to one large suit or the bust of the court figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, floor
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.engine.cards.cards import Card, Rank, Suit
from cardart.deck.courts import BOX, LEAF, Layer, court_ends, court_layers
from cardart.deck.ornaments import ace_layers, ground_paths
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting, Sprite, half_covered_mask, translated
from cardart.drawing.palette import (
    AZURE,
    BLACK,
    COPPER,
    COURT_BACKGROUND,
    EDGE,
    FACE,
    GOLD,
    HAIR,
    RED,
    ROBES,
    SILVER,
    SUIT_INKS,
    palette_index,
    shade_index,
)
from cardart.drawing.shapes import layered_mask, lozenge, path_mask, rounded_mask, suit_mask
from cardart.drawing.themes import DeckName, OrnamentName

_WIDTH: Final = 112
_RADIUS: Final = 11
_FACE_SHADES: Final = bytes(0 if cover < 92 else 128 if cover < 164 else 255 for cover in range(256))
"""Table that rounds the coverage of a face's pixels (0 to 255) to 0, 128 or 255.

Edges get one shade instead of the usual three, which makes files a tenth smaller. Pictures are displayed smaller than
they are drawn, which smooths the edges again.
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
        """Number of pixels for each design unit of a face."""
        return self.width / _WIDTH

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return _RADIUS * self.scale


@dataclass(frozen=True, slots=True)
class Deck:
    """The dimensions of a face in one deck, in design units.

    `corner` is the left and top of the index. Its rank and suit are centred in a column of width `column`: `cap` is the
    cap height of the rank, `pip` the size of the suit, and `gap` the distance between them. If a card is
    covered from the right, its index is readable from a visible width of `readable`. Up to a visible width of `narrow`,
    nothing but the index shows.
    """

    corner: tuple[int, int]
    column: int
    cap: int
    pip: int
    gap: int
    readable: int
    narrow: int


DECKS: Final[dict[DeckName, Deck]] = {
    "pips": Deck(corner=(5, 7), column=22, cap=32, pip=17, gap=0, readable=29, narrow=40),
    "bold": Deck(corner=(6, 7), column=43, cap=58, pip=28, gap=1, readable=50, narrow=51),
}

_MIN_RANK_MARGINS: Final = (3, 0)
"""Minimum space beside a rank in its column, in pixels: first for ranks of one character, then for ranks of two."""
_PIP_SIZE: Final = 20
_LEFT, _MIDDLE = 42.0, 56.0
_TOP, _CENTRE = 22.0, 77.0
_ACE_SIZES: Final = {Suit.CLUBS: 62, Suit.DIAMONDS: 74, Suit.HEARTS: 62, Suit.SPADES: 68}
"""Sizes of the emblems of aces, as large as the indices allow."""
_SPADE_GARLAND: Final = [lozenge(_MIDDLE + x, 27, r) for x, r in ((0, 5), (-11, 3.2), (11, 3.2))]
"""The garland above and below the ace of spades, which is grander than the other aces."""
_LARGE_SUIT: Final = (59, 79, 114)
_LARGE_ACE: Final = (61, 80, 113)
"""Size and centre (x, y) of the large suit in the "bold" deck: `_LARGE_SUIT` on number cards, `_LARGE_ACE` on aces."""
_STRIP_SUIT: Final = (48, 70, 77)
"""Size and centre (x, y) of the suit in the "pips" deck if only the upper part of the card is visible."""
_STRIP_LEFT: Final = 32
"""Left edge of a figure in the "pips" deck if only the upper part of the card is visible."""
_OUTER_PIP_HEIGHTS: Final = {
    4: (0, 1), 5: (0, 1), 6: (0, 0.5, 1), 7: (0, 0.5, 1), 8: (0, 0.5, 1), 9: (0, 0.34, 0.66, 1), 10: (0, 0.35, 0.65, 1),
}  # fmt: skip
"""For each rank, the vertical positions of the pips in both outer columns, from 0 (top row) to 1 (bottom row)."""
_MIDDLE_PIP_HEIGHTS: Final = {
    2: (0, 1), 3: (0, 0.5, 1), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,), 10: (0.175, 0.825),
}  # fmt: skip
"""For each rank, the vertical positions of the pips in the middle column, from 0 (top row) to 1 (bottom row)."""

_NO_SHADES: Final = bytes(255 * (cover >= 128) for cover in range(256))
_FIGURE_SHADES: Final = bytes(
    0 if cover < 32 else 64 if cover < 128 else 192 if cover < 224 else 255 for cover in range(256)
)
"""Table that rounds the coverage of a figure's pixels (0 to 255) to 0, 64, 192 or 255.

With two shades instead of one, slanting outlines have no visible steps. Files become up to a seventh larger.
"""
_GROUND_SHADES: Final = bytes(76 * (cover >= 128) for cover in range(256))
"""Table that rounds the coverage of the pattern behind a figure to 0, or to the lightest shade."""
_DARK_COLOURS: Final = frozenset((HAIR, COPPER, AZURE, *ROBES.values()))
"""Colours so close to the dark outlines of figures that two shades between them would look alike."""
_CRISP_COLOURS: Final = frozenset((RED, LEAF))
"""Colours of lips, jewels, flowers and leaves, which touch too many others for the palette to have all the shades."""
_DIVIDER_WIDTHS: Final = (5.4, 3.4)
"""Widths of the two lines of the band between a figure and its upside-down copy: black, and the suit's colour on it."""
_DIVIDER_COLOURS: Final = {Suit.CLUBS: GOLD, Suit.DIAMONDS: GOLD, Suit.HEARTS: GOLD, Suit.SPADES: SILVER}
_DIVIDER_FALLS: Final = {Suit.CLUBS: 0.7, Suit.DIAMONDS: 0.65, Suit.HEARTS: 0.55, Suit.SPADES: 0.6}
"""Slopes of the bands, as fractions of the greatest fall. Steeper bands would end in the corners of the notches."""
_FIGURE_AIR: Final = 3
"""Space between a frame and the top of the highest crown, in design units."""
_SIDE_MARGIN: Final = 4
"""Space in pixels between the sides of a frame and all that a figure carries: one for the line, the rest for ground."""
_HALO: Final = 2
"""Width of the bare ground around a figure in pixels."""
_MIN_PEN_UNIT: Final = 0.8
"""In figures with fewer pixels per unit, outlines are as thick as with this many. Thinner ones would have gaps.

Such figures are drawn in their small version.
"""


@dataclass(frozen=True, slots=True)
class CourtFrame:
    """The frame around court figures in one deck, in design units.

    `left`, `right` and `top` are its distances from the card's edges; it is as far from the bottom as from the top.
    `notch` is the width and height of the corners that are cut out for indices. The figures fill the width between
    the notches and the opposite sides; a `zoom` enlarges them, and cuts off their sides. `fall` is the greatest
    difference in height between the two ends of the band between the figures.
    """

    left: int
    right: int
    top: int
    notch: tuple[int, int]
    fall: float
    zoom: float = 1


_COURT_FRAMES: Final[dict[DeckName, CourtFrame]] = {
    "pips": CourtFrame(left=6, right=6, top=7, notch=(25, 59), fall=50),
    "bold": CourtFrame(left=51, right=7, top=7, notch=(0, 0), fall=18, zoom=1.12),
}


@cache
def draw_face(
    card: Card,
    letters: str,
    deck: DeckName,
    ornament: OrnamentName,
    size: Size,
    covered: bool,
    visible_height: int | None = None,
) -> Sprite:
    """Return a face with its dark edge, in base colours that a theme replaces later. `letters` is the printed rank.

    The `ornament` makes a difference only to aces and court cards. If the card is `covered`, only its index is drawn,
    because other cards hide the rest. If only an upper part of a card is visible, one large suit or its figure is in
    the middle of that part, whose height in pixels is `visible_height`: pips would be cut.
    """
    scale, ink, inside = size.scale, SUIT_INKS[card.suit], rounded_mask(size.box, size.radius, 1.5)
    painting = Painting(size.box, EDGE).paint_layer(FACE, translated(inside, "L", _FACE_SHADES))
    left, top = (round(length * scale) for length in DECKS[deck].corner)
    coverage = Image.new("L", size.box)
    coverage.paste(_index(letters, card.suit, deck, scale), (left, top))
    if card.rank >= Rank.JACK and not covered:
        if visible_height is None:
            _paste_figure(painting.image, card, deck, ornament, size)
        else:
            _paste_bust(painting.image, card, deck, ornament, size, visible_height)
    if deck == "pips" and not covered and visible_height is None:
        turned = coverage.copy()
        _paste_pips(coverage, turned, card, ornament, scale)
        coverage = ImageChops.lighter(coverage, turned.transpose(Image.Transpose.ROTATE_180))
    elif card.rank < Rank.JACK and not covered:
        side, x, y = _STRIP_SUIT if deck == "pips" else _LARGE_ACE if card.rank is Rank.ACE else _LARGE_SUIT
        middle = y * scale if visible_height is None else visible_height / 2
        _paste_centred(coverage, _emblem(card, ornament, round(side * scale)), x * scale, middle)
    painting.paint_layer(ink, translated(coverage, "L", _FACE_SHADES))
    return Sprite(painting.image, card_shape(size))


@cache
def card_shape(size: Size) -> Image.Image:
    """Return the mask of a card. Cards of the same size share it, which halves their memory use."""
    return half_covered_mask(rounded_mask(size.box, size.radius))


@cache
def _index(letters: str, suit: Suit, deck: DeckName, scale: float) -> Image.Image:
    """Return the mask of a corner index: the rank above the suit."""
    design = DECKS[deck]
    cap, side, gap, column = (round(length * scale) for length in (design.cap, design.pip, design.gap, design.column))
    text = rank_mask(letters, cap, column - _MIN_RANK_MARGINS[len(letters) > 1])
    image = Image.new("L", (column, text.height + gap + side))
    image.paste(text, ((column - text.width) // 2, 0))
    image.paste(suit_mask(suit, side), ((column - side) // 2, text.height + gap))
    return image


@cache
def index_bottom(deck: DeckName, size: Size) -> int:
    """Return the distance from a card's top edge to the lower end of its index."""
    return round(DECKS[deck].corner[1] * size.scale) + _index("A", Suit.SPADES, deck, size.scale).height


def _paste_centred(image: Image.Image, coverage: Image.Image, x: float, y: float) -> None:
    image.paste(255, (round(x - coverage.width / 2), round(y - coverage.height / 2)), coverage)


def _paste_pips(upright: Image.Image, turned: Image.Image, card: Card, ornament: OrnamentName, scale: float) -> None:
    """Paste an ace's emblem, or the pips of another card, into masks.

    Pips of the lower half are pasted upright into `turned`, which is rotated later.
    """
    width, height = upright.size
    if card.rank is Rank.ACE:
        _paste_centred(upright, _emblem(card, ornament, round(_ACE_SIZES[card.suit] * scale)), width / 2, height / 2)
        if card.suit is Suit.SPADES:
            garland = path_mask(upright.size, scale, _SPADE_GARLAND)
            for mask in (upright, turned):
                mask.paste(255, mask=garland)
    pip = suit_mask(card.suit, 2 * round(_PIP_SIZE * scale / 2))
    for column, row_height in _pip_positions(card.rank):
        x = width / 2 + column * round((_MIDDLE - _LEFT) * scale)
        y = height / 2 - (_CENTRE - _TOP) * scale * abs(1 - 2 * row_height)
        if row_height <= 0.5:
            _paste_centred(upright, pip, x, y)
        else:
            _paste_centred(turned, pip, width - x, y)


def _pip_positions(rank: Rank) -> Iterator[tuple[int, float]]:
    """Yield the traditional pip positions of a rank: column -1, 0 or 1, height from 0 (top row) to 1 (bottom row)."""
    for row_height in _OUTER_PIP_HEIGHTS.get(rank.value, ()):
        yield -1, row_height
        yield 1, row_height
    for row_height in _MIDDLE_PIP_HEIGHTS.get(rank.value, ()):
        yield 0, row_height


@cache
def _emblem(card: Card, ornament: OrnamentName, side: int) -> Image.Image:
    """Return the mask of a large suit, engraved if the card is an ace."""
    if card.rank is not Rank.ACE:
        return suit_mask(card.suit, side)
    return layered_mask((side, side), side / 100, ace_layers(card.suit, ornament))


def _paste_figure(image: Image.Image, card: Card, deck: DeckName, ornament: OrnamentName, size: Size) -> None:
    """Paste a court card's figure, its upside-down copy and their frame, point-symmetric to the pixel."""
    scale, frame = size.scale, _COURT_FRAMES[deck]
    left, right, top, across, down = (
        round(length * scale) for length in (frame.left, frame.right, frame.top, *frame.notch)
    )
    frame_width = size.width - left - right
    frame_height = size.height - 2 * top
    half = Painting((frame_width, frame_height), COURT_BACKGROUND)
    _paint_ground(half, ornament, across, scale)
    figure = _figure(card, round((frame_width - across) * frame.zoom))
    figure_left = across + _figure_left(card, figure.width, frame_width - across)
    _paste_with_halo(half.image, figure, (figure_left, round(_FIGURE_AIR * scale)))
    half_fall = frame.fall * _DIVIDER_FALLS[card.suit] * scale / 2
    divider = [(0, frame_height / 2 - half_fall), (frame_width, frame_height / 2 + half_fall)]
    path = f"M 0 {frame_height / 2 - half_fall} L {frame_width} {frame_height / 2 + half_fall}"
    for colour, width in zip((BLACK, _DIVIDER_COLOURS[card.suit]), _DIVIDER_WIDTHS, strict=True):
        half.paint_layer(
            colour, translated(path_mask((frame_width, frame_height), 1, [path], width * scale), "L", _FACE_SHADES)
        )
    lower_half = Image.new("1", (frame_width, frame_height))
    ImageDraw.Draw(lower_half).polygon([*divider, (frame_width, frame_height), (0, frame_height)], fill=1)
    half.image.paste(half.image.transpose(Image.Transpose.ROTATE_180), mask=lower_half)
    _outline_cut_parts(half.image, across, down)
    corners = _frame_corners(frame_width, frame_height, across, down, 0)
    frame_mask = Image.new("1", (frame_width, frame_height))
    ImageDraw.Draw(frame_mask).polygon(corners, fill=1)
    ImageDraw.Draw(half.image).line([*corners, corners[0]], palette_index(SUIT_INKS[card.suit]), 1)
    image.paste(half.image, (left, top), frame_mask)


def _frame_corners(width: int, height: int, across: int, down: int, inset: int) -> list[tuple[int, int]]:
    """Return the corners of a frame with notches of the given size, moved inwards by `inset`."""
    last_x, last_y = width - 1 - inset, height - 1 - inset
    corners = [(across + inset, inset), (last_x, inset), (last_x, last_y - down)]
    corners += [(last_x - across, last_y - down)] if across else []
    return corners + [(width - 1 - x, height - 1 - y) for x, y in corners]


def _outline_cut_parts(image: Image.Image, across: int, down: int) -> None:
    """Draw a dark outline where a frame cuts a figure, since its own line may have the colour of the robe."""
    ground = (palette_index(COURT_BACKGROUND), shade_index(COURT_BACKGROUND, GOLD, 1))
    line = Image.new("L", image.size)
    corners = _frame_corners(*image.size, across, down, 1)
    ImageDraw.Draw(line).line([*corners, corners[0]], 255, 1)
    drawn = translated(image, "L", bytes(255 * (entry not in ground) for entry in range(256)))
    image.paste(palette_index(BLACK), mask=half_covered_mask(ImageChops.darker(line, drawn)))


def _paste_with_halo(image: Image.Image, figure: Sprite, at: tuple[int, int]) -> None:
    """Paste a figure, with bare ground around it: golden parts would merge with a golden pattern."""
    assert figure.mask is not None
    drawn = Image.new("L", image.size)
    drawn.paste(255, at, figure.mask)
    image.paste(
        palette_index(COURT_BACKGROUND), mask=half_covered_mask(drawn.filter(ImageFilter.MaxFilter(2 * _HALO + 1)))
    )
    image.paste(figure.image, at, figure.mask)


def _paste_bust(
    image: Image.Image, card: Card, deck: DeckName, ornament: OrnamentName, size: Size, visible_height: int
) -> None:
    """Paste a court card's figure once, in a frame in the middle of the upper part of the card that is visible."""
    scale, frame = size.scale, _COURT_FRAMES[deck]
    left = round((_STRIP_LEFT if deck == "pips" else frame.left) * scale)
    right, top = round(frame.right * scale), round(frame.top * scale)
    width = size.width - left - right
    figure = _figure(card, round(width * frame.zoom))
    bust = Painting((width, figure.height), COURT_BACKGROUND)
    _paint_ground(bust, ornament, 0, scale)
    _paste_with_halo(bust.image, figure, (_figure_left(card, figure.width, width), round(_FIGURE_AIR * scale)))
    box = (0, 0, width - 1, figure.height - 1)
    ImageDraw.Draw(bust.image).rectangle(box, outline=palette_index(SUIT_INKS[card.suit]))
    image.paste(bust.image, (left, max(top, (visible_height - figure.height) // 2)))


def _shades_of(layer: Layer) -> bytes:
    """Return the table that rounds the coverage of a figure's layer."""
    if layer.opacity < 1:
        return bytes(round(255 * layer.opacity) * (cover >= 128) for cover in range(256))
    if layer.colour in _CRISP_COLOURS:
        return _NO_SHADES
    return _FACE_SHADES if layer.colour in _DARK_COLOURS else _FIGURE_SHADES


def _figure_left(card: Card, figure_width: int, width: int) -> int:
    """Return the left edge of a figure in a frame `width` pixels wide.

    The figure's face is in the middle, unless the frame would then cut what the figure carries. The figure always
    fills the frame.
    """
    first, last = (end * figure_width / BOX[0] for end in court_ends(card))
    surplus = figure_width - width
    left = max(ceil(_SIDE_MARGIN - first), min(round(-surplus / 2), floor(width - _SIDE_MARGIN - last)))
    return min(0, max(-surplus, left))


def _paint_ground(half: Painting, ornament: OrnamentName, left: int, scale: float) -> None:
    """Paint the pattern behind a figure, in a shade of gold that does not compete with the figure."""
    width, height = half.image.width - left, half.image.height
    paths = ground_paths(ornament, width / scale, height / scale)
    if paths:
        half.paint_layer(GOLD, translated(path_mask((width, height), scale, paths), "L", _GROUND_SHADES), (left, 0))


# Themes with different ornaments share figures. The cache is small, because each figure takes 8 KB.
@lru_cache(48)
def _figure(card: Card, width: int) -> Sprite:
    """Return a court card's figure, `width` pixels wide, without its background."""
    unit = width / BOX[0]
    painting, thickening = Painting((width, round(BOX[1] * unit)), COURT_BACKGROUND), max(1, _MIN_PEN_UNIT / unit)
    for layer in court_layers(card, ROBES[card.suit], "small" if unit < _MIN_PEN_UNIT else "large"):
        coverage = path_mask(painting.image.size, unit, layer.paths, layer.pen * thickening)
        painting.paint_layer(layer.colour, translated(coverage, "L", _shades_of(layer)))
    background = palette_index(COURT_BACKGROUND)
    drawn = translated(painting.image, "L", bytes(255 * (entry != background) for entry in range(256)))
    return Sprite(painting.image, half_covered_mask(drawn))
