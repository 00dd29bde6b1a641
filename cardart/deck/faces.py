"""The faces of cards, designed in units of a card that is 112 wide and 154 high.

There are two decks: one with pips in their traditional places, and one with large indices for small screens and weak
eyes. A card has one large index, in the corner that stays visible in a fan. Beside it are the pips or the figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageOps

from bot.engine.cards import Card, Rank, Suit
from cardart.deck.courts import BOX, SUIT, court_layers
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, FACE, GOLD, SUIT_INKS, index
from cardart.drawing.shapes import SUITS, circle, cut_mask, mask, rounded_mask, scaled_path, suit_mask
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

    `corner` is the left and top of the index, whose rank and suit share a column. At least `readable` of a covered card
    must stay visible; nothing but the index is within `narrow`.
    """

    corner: tuple[int, int]
    column: int
    cap: int
    pip: int
    gap: int
    readable: int
    narrow: int


DECKS: Final[dict[DeckName, Deck]] = {
    "pips": Deck(corner=(7, 10), column=33, cap=34, pip=28, gap=5, readable=41, narrow=43),
    "bold": Deck(corner=(7, 10), column=42, cap=50, pip=28, gap=7, readable=51, narrow=54),
}

_FIELD: Final = (44, 9, 107, 145)
"""The part of a face beside its index that holds the pips: left, top, right, bottom."""
_PIP: Final = 20
_LEFT, _MIDDLE, _RIGHT = 54.0, 75.0, 96.0
_TOP, _BOTTOM = 24.0, 130.0
_ACE: Final = 58
_SPADE: Final = 66
_RINGS: Final = (0.86, 0.79, 0.62, 0.55, 0.38, 0.31, 0.14)
_PITH: Final = (50, 55)
"""The centre of the rings, in the box of a suit."""
_REVERSED: Final = 0.6
"""The size of the index that is upside down. It is smaller, so that nobody takes a 6 for a 9."""
_ASIDE: Final = 2
"""How many pixels narrower than its column a rank is at least, so that no frame touches it."""
_WORN: Final = 0.66
"""The size of the suit on a robe, in widths of its medallion."""
_BOLD_COURT: Final = (55, 55, 95)
"""The width of a figure in the deck with large indices, and its left and top."""
_ROWS: Final = {4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}
"""The number of rows in the two columns of pips."""
_BETWEEN: Final = {2: (0, 1), 3: (0, 0.5, 1), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,), 10: (1 / 6, 5 / 6)}
"""The pips between the columns, by their share of the way from the first row to the last."""


def _places(rank: Rank) -> Iterator[tuple[float, float]]:
    """Yield where the pips of a rank lie, in the traditional pattern: two columns, and the rest between them."""
    rows = _ROWS.get(rank.value, 0)
    for row in range(rows):
        y = _TOP + (_BOTTOM - _TOP) * row / (rows - 1)
        yield _LEFT, y
        yield _RIGHT, y
    for share in _BETWEEN.get(rank.value, ()):
        yield _MIDDLE, _TOP + (_BOTTOM - _TOP) * share


@cache
def draw_face(card: Card, letters: str, deck: DeckName, size: Size, covered: bool) -> Sprite:
    """Return a face in drawn colours, which a theme replaces later, with its dark edge and the letters of its rank.

    Nothing but the index is drawn of a card that is `covered`, since other cards will hide the rest.
    """
    scale, ink, edge = size.scale, SUIT_INKS[card.suit], rounded_mask(size.box, size.radius, 1.5)
    painting = Painting(size.box, EDGE).lay(FACE, edge)
    left, top = (round(length * scale) for length in DECKS[deck].corner)
    painting.lay(ink, _index(letters, card.suit, deck, scale), (left, top))
    if card.rank < Rank.JACK and not covered:
        painting.lay(ink, _pips(card, letters, deck, size))
    elif not covered:
        _paste_figure(painting.image, card, deck, size)
    return cut_out(painting.image, rounded_mask(size.box, size.radius))


@cache
def _index(letters: str, suit: Suit, deck: DeckName, scale: float) -> Image.Image:
    """Return the coverage of an index: the rank above the suit."""
    design = DECKS[deck]
    cap, side, gap, column = (round(length * scale) for length in (design.cap, design.pip, design.gap, design.column))
    text = rank_mask(letters, cap, column - _ASIDE)
    pip = suit_mask(suit, side)
    image = Image.new("L", (column, text.height + gap + side))
    image.paste(text, ((column - text.width) // 2, 0))
    image.paste(pip, ((column - side) // 2, text.height + gap))
    return image


def _pips(card: Card, letters: str, deck: DeckName, size: Size) -> Image.Image:
    """Return the coverage of what is beside the index of a card that is not a court card."""
    image, scale = Image.new("L", size.box), size.scale
    if deck == "bold":
        again = ImageOps.scale(_index(letters, card.suit, deck, scale), _REVERSED, Image.Resampling.LANCZOS).rotate(180)
        x, y = (round(length * scale) for length in DECKS[deck].corner)
        image.paste(again, (size.width - x - again.width, size.height - y - again.height))
    elif card.rank is Rank.ACE:
        emblem = _ace(card.suit, scale)
        x, y = round(_MIDDLE * scale), round((_TOP + _BOTTOM) / 2 * scale)
        image.paste(emblem, (x - emblem.width // 2, y - emblem.height // 2))
    else:
        side = round(_PIP * scale)
        pip = suit_mask(card.suit, side)
        for x, y in _places(card.rank):
            place = round(x * scale - side / 2), round(y * scale - side / 2)
            image.paste(pip if y <= (_TOP + _BOTTOM) / 2 else ImageOps.flip(pip), place)
    return image


@cache
def _ace(suit: Suit, scale: float) -> Image.Image:
    """Return one large emblem. The spade's shows the growth rings of a felled tree: deadwood."""
    if suit is not Suit.SPADES:
        return suit_mask(suit, round(_ACE * scale))
    blade, stalk = SUITS[suit]
    rings = [(ring % 2 == 0, [scaled_path(blade, size, *_PITH)]) for ring, size in enumerate((1, *_RINGS))]
    side = round(_SPADE * scale)
    return cut_mask((side, side), side / 100, [(True, [stalk]), *rings])


def _paste_figure(image: Image.Image, card: Card, deck: DeckName, size: Size) -> None:
    """Paste a court card's figure, in a frame unless large indices leave no room for one.

    Cards are seen from one side only, so there is no second figure upside down, which would double the bytes.
    """
    scale = size.scale
    if deck == "bold":
        wide, left, top = (round(length * scale) for length in _BOLD_COURT)
        image.paste(_figure(card, wide).crop((0, 0, wide, size.height - top - 2)), (left, top))
        return
    left, top, right, bottom = _FIELD
    wide, high = round((right - left) * scale), round((bottom - top) * scale)
    panel, ink = _figure(card, wide).crop((0, 0, wide, high)), index(SUIT_INKS[card.suit])
    ImageDraw.Draw(panel).rectangle((0, 0, wide - 1, high - 1), None, ink, max(1, round(1.5 * scale)))
    image.paste(panel, (round(left * scale), round(top * scale)))


@cache
def _figure(card: Card, width: int) -> Image.Image:
    """Return a court card's figure in palette indices."""
    unit = width / BOX[0]
    x, y, side = (round(length * unit) for length in SUIT)
    painting = Painting((width, round(BOX[1] * unit)), FACE).paint(unit, court_layers(card.rank, SUIT_INKS[card.suit]))
    disc, pip = mask((side, side), side / 100, [circle(50, 50, 49)]), suit_mask(card.suit, round(side * _WORN))
    painting.lay(GOLD, disc, (x - side // 2, y - side // 2))
    return painting.lay(SUIT_INKS[card.suit], pip, (x - pip.width // 2, y - pip.height // 2)).image
