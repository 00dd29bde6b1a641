"""The faces of cards, designed in units of a card that is 112 wide and 154 high.

There are two decks. One is like printed cards: an index at both ends, pips in their traditional places, and court
figures that look the same upside down. The other has indices much larger, for small screens and weak eyes, with one
large suit or the bust of the court figure beside it.
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
from cardart.drawing.painting import Painting, Sprite, crisp, cut_out, mapped
from cardart.drawing.palette import AZURE, BLACK, COPPER, EDGE, FACE, GOLD, HAIR, RED, STEEL, SUIT_INKS, TAN, index
from cardart.drawing.shapes import SUITS, cut_mask, mask, rounded_mask, scaled_path, suit_mask
from cardart.drawing.themes import DeckName

_WIDTH: Final = 112
_RADIUS: Final = 11


@dataclass(frozen=True, slots=True)
class Size:
    """The size of cards in pixels."""

    width: int
    height: int

    @property
    def box(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def scale(self) -> float:
        """Pixels per unit of the design of faces."""
        return self.width / _WIDTH

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return _RADIUS * self.scale


@dataclass(frozen=True, slots=True)
class Deck:
    """The measures of a face in one deck.

    `corner` is the left and top of the index, whose rank and suit share a column; a rank of two letters, as `10`, goes
    `beyond` it at both sides. At least `readable` of a covered card must stay visible. With `narrow` visible there is
    some air beside the index, but no room for anything else.
    """

    corner: tuple[int, int]
    column: int
    beyond: int
    cap: int
    pip: int
    gap: int
    readable: int
    narrow: int


DECKS: Final[dict[DeckName, Deck]] = {
    "pips": Deck(corner=(5, 7), column=23, beyond=2, cap=33, pip=17, gap=1, readable=31, narrow=40),
    "bold": Deck(corner=(6, 7), column=47, beyond=1, cap=58, pip=30, gap=4, readable=54, narrow=55),
}

_ASIDE: Final = 2
"""How many pixels narrower than its column a rank is at least, so that no frame touches it."""
_PIP: Final = 20
_MIDDLE: Final = 56
_TOP, _CENTRE, _BOTTOM = 20, 77, 134
_ACE: Final = 48
_SPADE: Final = 54
_RINGS: Final = (0.86, 0.79, 0.62, 0.55, 0.38, 0.31, 0.14)
_PITH: Final = (50, 55)
"""The centre of the rings, in the box of a suit."""
_EMBLEM: Final = (50, 81, 118)
"""The large suit in the deck with large indices: its size, and its centre."""
_ROWS: Final = {4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}
"""The number of rows in the two columns of pips."""
_ASIDE_FROM_MIDDLE: Final = {2: 15, 3: 14.5, 4: 13.5}
"""How far each of the two columns is from the middle, by the number of rows."""
_BETWEEN: Final = {
    2: (0, 1), 3: (0, 0.5, 1), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,), 10: (1 / 6, 5 / 6),
}  # fmt: skip
"""The pips between the columns, by their share of the way from the first row to the last."""

_HARD: Final = bytes(255 * (cover >= 128) for cover in range(256))
_BROAD: Final = 2
"""The width from which lines need no shades either."""
_HARD_EDGED: Final = frozenset((HAIR, COPPER, RED, AZURE, STEEL, GOLD, TAN, *SUIT_INKS.values()))
"""Colours of figures without a shade between them and the dark outlines, where nobody sees one."""
_BAND: Final = ((BLACK, 5.4), (GOLD, 3.4))
"""What divides a figure from the one upside down: two lines, one on the other, and their widths."""
_FRAME_RIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame around court figures in one deck.

    `notch` is the width and height of the corners that leave room for the indices; without any, the frame ends at
    `_FRAME_RIGHT` from the card's right. The line between the two figures is `fall` lower at its right end than at its
    left. `figure` is the scale of the figures.
    """

    left: int
    top: int
    notch: tuple[int, int]
    fall: float
    figure: float


_FRAMES: Final[dict[DeckName, Frame]] = {
    "pips": Frame(left=5, top=7, notch=(26, 58), fall=40, figure=0.98),
    "bold": Frame(left=55, top=7, notch=(0, 0), fall=18, figure=0.7),
}


@cache
def draw_face(card: Card, letters: str, deck: DeckName, size: Size, covered: bool) -> Sprite:
    """Return a face in drawn colours, which a theme replaces later, with its dark edge and the letters of its rank.

    Nothing but the index is drawn of a card that is `covered`, since other cards will hide the rest.
    """
    scale, ink, edge = size.scale, SUIT_INKS[card.suit], rounded_mask(size.box, size.radius, 1.5)
    painting = Painting(size.box, EDGE).lay(FACE, crisp(edge))
    left, top = (round(length * scale) for length in DECKS[deck].corner)
    shown = Image.new("L", size.box)
    index = _index(letters, card.suit, deck, scale)
    shown.paste(index, (left - (index.width - round(DECKS[deck].column * scale)) // 2, top))
    if card.rank >= Rank.JACK and not covered:
        _paste_figure(painting.image, card, deck, size)
    if deck == "pips" and not covered:
        _paste_pips(shown, card, scale)
        shown = ImageChops.lighter(shown, shown.transpose(Image.Transpose.ROTATE_180))
        _paste_middle(shown, card, scale)
    elif card.rank < Rank.JACK and not covered:
        side, x, y = _EMBLEM
        _paste_centred(shown, _emblem(card, round(side * scale)), x * scale, y * scale)
    painting.lay(ink, crisp(shown))
    return cut_out(painting.image, rounded_mask(size.box, size.radius))


@cache
def _index(letters: str, suit: Suit, deck: DeckName, scale: float) -> Image.Image:
    """Return the coverage of an index: the rank above the suit."""
    design = DECKS[deck]
    lengths = (design.cap, design.pip, design.gap, design.column, design.beyond)
    cap, side, gap, column, beyond = (round(length * scale) for length in lengths)
    width, height = column + 2 * beyond, rank_mask("0", cap, column).height
    text = rank_mask(letters, cap, width if len(letters) > 1 else column - _ASIDE)
    image = Image.new("L", (width, height + gap + side))
    image.paste(text, ((width - text.width) // 2, (height - text.height) // 2))
    image.paste(suit_mask(suit, side), ((width - side) // 2, height + gap))
    return image


def _paste_centred(image: Image.Image, coverage: Image.Image, x: float, y: float) -> None:
    image.paste(coverage, (round(x - coverage.width / 2), round(y - coverage.height / 2)))


def _paste_pips(image: Image.Image, card: Card, scale: float) -> None:
    """Paste the coverage of the pips in the upper half that have a counterpart in the lower one."""
    for x, y in _places(card.rank):
        if y < _CENTRE and not _is_alone(card.rank, x):
            _paste_centred(image, _pip(card.suit, image.width, scale), x * scale, y * scale)


def _paste_middle(image: Image.Image, card: Card, scale: float) -> None:
    """Paste the coverage of what has no counterpart in the lower half: some pips, an ace's emblem."""
    if card.rank is Rank.ACE:
        side = round((_SPADE if card.suit is Suit.SPADES else _ACE) * scale)
        _paste_centred(image, _emblem(card, side), image.width / 2, image.height / 2)
    for x, y in _places(card.rank):
        if y == _CENTRE or _is_alone(card.rank, x):
            _paste_centred(image, _pip(card.suit, image.width, scale), x * scale, y * scale)


def _pip(suit: Suit, width: int, scale: float) -> Image.Image:
    """Return the coverage of a pip whose middle can be that of a card of this width, to the pixel."""
    side = round(_PIP * scale)
    return suit_mask(suit, side + (width - side) % 2)


def _is_alone(rank: Rank, x: float) -> bool:
    """Return whether the pips of a rank in a column have no counterpart upside down: only the one of a seven."""
    return rank is Rank.SEVEN and x == _MIDDLE


def _places(rank: Rank) -> Iterator[tuple[float, float]]:
    """Yield where the pips of a rank lie, in the traditional pattern: two columns, and the rest between them."""
    rows = _ROWS.get(rank.value, 0)
    for row in range(rows):
        y, aside = _TOP + (_BOTTOM - _TOP) * row / (rows - 1), _ASIDE_FROM_MIDDLE[rows]
        yield _MIDDLE - aside, y
        yield _MIDDLE + aside, y
    for share in _BETWEEN.get(rank.value, ()):
        yield _MIDDLE, _TOP + (_BOTTOM - _TOP) * share


@cache
def _emblem(card: Card, side: int) -> Image.Image:
    """Return a large suit. The ace of spades shows the growth rings of a felled tree: deadwood."""
    if card.suit is not Suit.SPADES or card.rank is not Rank.ACE:
        return suit_mask(card.suit, side)
    blade, stalk = SUITS[card.suit]
    rings = [(ring % 2 == 0, [scaled_path(blade, size, *_PITH)]) for ring, size in enumerate((1, *_RINGS))]
    return cut_mask((side, side), side / 100, [(True, [stalk]), *rings])


def _paste_figure(image: Image.Image, card: Card, deck: DeckName, size: Size) -> None:
    """Paste a court card's figure, the same upside down, and their frame, symmetric to the pixel."""
    scale, frame = size.scale, _FRAMES[deck]
    left, top, across, down = (round(length * scale) for length in (frame.left, frame.top, *frame.notch))
    wide = size.width - left - (left if across else round(_FRAME_RIGHT * scale))
    high = size.height - 2 * top
    half = Painting((wide, high), FACE)
    half.image.paste(_figure(card, frame.figure * scale), (across, 0))
    fall = frame.fall * scale / 2
    seam = [(0, high / 2 - fall), (wide, high / 2 + fall)]
    path = f"M 0 {high / 2 - fall} L {wide} {high / 2 + fall}"
    for colour, width in _BAND:
        half.lay(colour, crisp(mask((wide, high), 1, [path], width * scale)))
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


@cache
def _figure(card: Card, unit: float) -> Image.Image:
    """Return a court card's figure in palette indices, at `unit` pixels for each unit of its paths."""
    painting = Painting((round(BOX[0] * unit), round(BOX[1] * unit)), FACE)
    for layer in court_layers(card, SUIT_INKS[card.suit]):
        coverage = mask(painting.image.size, unit, layer.paths, layer.pen)
        is_hard = layer.colour in _HARD_EDGED and not 0 < layer.pen < _BROAD
        painting.lay(layer.colour, mapped(coverage, "L", _HARD) if is_hard else crisp(coverage))
    return painting.image
