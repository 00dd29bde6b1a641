"""Where a deal is replayed: a place for each player's cards, the piles between them, and a line of words beneath.

Nothing here moves from frame to frame but the cards themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Seat
from cardart.deck.cards import LARGE, MEDIUM, Size, back, face, halo, overlap
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle, Sprite, cut_out, tag
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting
from cardart.drawing.palette import EDGE, FACE, GOLD, INK, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import rounded_mask, suit_mask
from cardart.drawing.themes import Look
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardGroup
from cardart.parts.hand_row import LIFT, UNDER, HandRow
from cardart.text import phrases, queries
from cardart.text.card_names import names_of

PEEKING: Final = 4
"""How many discards are to be seen."""

_FACING: Final = 680
_AROUND: Final = 800
"""The width for two players, and for more."""
_GAP: Final = 14
_INSET: Final = 14
_WAITING: Final = PanelStyle(RECESS, SEAM)
_ACTING: Final = PanelStyle(RECESS, GOLD, 4)

_HEADER: Final = 60
"""From the top of a player's place to their cards."""
_BADGE: Final = 42
_LABEL: Final = 19
_VALUE: Final = 28

_PILES: Final = LARGE.height + 40
_STOCK: Final = 150
"""From the left of the last discards to be seen back to that of the stock."""
_LAYER: Final = 3
_CARDS_IN_LAYER: Final = 6
_EMPTY: Final = PanelStyle(RECESS, SEAM)

_CAPTION: Final = 74
_TEXT: Final = 26
_SPACE: Final = 14
_BAR: Final = 6
_TRACK: Final = PanelStyle(RECESS, RECESS, 1, _BAR // 2)
_DONE: Final = PanelStyle(GOLD, GOLD, 1, _BAR // 2)
_CHIP: Final = 6
"""About the signs of a card_chip, and between them."""
_CHIP_RADIUS: Final = 8
_CHIPS: Final = 256


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part of the picture: its left, top and width in pixels."""

    left: int
    top: int
    width: int


@dataclass(frozen=True, slots=True)
class ReplayScene:
    """The places of the players, the size of their cards, and how many cards each row is laid out for."""

    look: Look
    marks: Sequence[str]
    width: int
    places: Mapping[Seat, Place]
    size: Size
    cards: int

    @staticmethod
    def of(
        look: Look, marks: Sequence[str], seats: Sequence[Seat], sides: Sequence[tuple[Seat, ...]], cards: int
    ) -> ReplayScene:
        """A stage for these players: two face to face, more as they sit at the table; each holds `cards` at most."""
        if len(seats) == 2:
            below, above = ([seat] for seat in sorted(seats, key=lambda seat: (queries.side_of(seat, sides), seat)))
        else:
            above = [seat for seat in sorted(seats) if queries.side_of(seat, sides) in (1, 2)]
            below = [seat for seat in sorted(seats) if seat not in above]
        whole, size = (_FACING, LARGE) if len(seats) == 2 else (_AROUND, MEDIUM)
        places: dict[Seat, Place] = {}
        for row, top in ((above, MARGIN), (below, MARGIN + _high(size) + _CAPTION + _PILES)):
            width = (whole - 2 * MARGIN - (len(row) - 1) * _GAP) // len(row)
            places |= {seat: Place(MARGIN + number * (width + _GAP), top, width) for number, seat in enumerate(row)}
        return ReplayScene(look, marks, whole, places, size, cards)

    @property
    def height(self) -> int:
        """How high the picture is."""
        return 2 * (MARGIN + _high(self.size)) + _CAPTION + _PILES

    def canvas(self) -> Canvas:
        """The bare stage."""
        return Canvas(self.width, self.height, self.look)

    def draw_hand(
        self, canvas: Canvas, seat: Seat, groups: Sequence[CardGroup], deadwood: int, *, acting: bool
    ) -> None:
        """A player's mark, what counts against them, and their cards."""
        place = self.places[seat]
        left, top = place.left + _INSET, place.top
        canvas.panel(
            (place.left, top, place.left + place.width, top + _high(self.size)), _ACTING if acting else _WAITING
        )
        middle = top + (_HEADER - LIFT) // 2 + 3
        canvas.put(self.mark(seat), left, middle - _BADGE // 2)
        baseline = middle + _VALUE // 2
        x = left + _BADGE + PADDING
        x += canvas.text(x, baseline, phrases.DEADWOOD, _LABEL, ink=MIST, ground=RECESS) + PADDING
        canvas.text(x, baseline, str(deadwood), _VALUE, ground=RECESS)
        held = sum(len(group.cards) for group in groups)
        parts = max(len(groups), (self.cards - 1) // 3 + 2)
        fan = HandRow.of(max(held, self.cards), parts, place.width - 2 * _INSET, self.look, self.size)
        fan.draw(canvas, groups, left, top + _HEADER + (self.size.height + fan.size.height) // 2)

    def draw_piles(self, canvas: Canvas, stock: int, discards: Sequence[Card], told: Sequence[str]) -> None:
        """Which deal it is, the stock with its number, and the last discards."""
        baseline = self._piles + (LARGE.height + _VALUE - (len(told) - 1) * 2 * _VALUE) // 2
        for line, text in enumerate(told):
            canvas.text(MARGIN + _INSET, baseline + line * 2 * _VALUE, text, _VALUE)
        for lift in range(0, self._lift(stock) + 1, _LAYER):
            canvas.put(back(self.look), self._stock + lift, self._piles - lift)
        number, lift = tag(str(stock), _LABEL, RECESS, TEXT), self._lift(stock)
        x = self._stock + lift + (LARGE.width - number.width) // 2
        canvas.put(number, x, self._piles - lift + LARGE.height - number.height - 8)
        if not discards:
            canvas.panel((self._top, self._piles, self._top + LARGE.width, self._piles + LARGE.height), _EMPTY)
        shown = discards[-PEEKING:]
        for place, card in enumerate(shown, 1 - len(shown)):
            canvas.put(face(card, self.look, covered=place < 0), self._top + place * self._peek, self._piles)

    def mark_stock(self, canvas: Canvas, stock: int, colour: Colour) -> None:
        """Frame the top of the stock."""
        canvas.put(halo(colour), self._stock + self._lift(stock), self._piles - self._lift(stock))

    def mark_pile(self, canvas: Canvas, colour: Colour) -> None:
        """Frame the top of the discard pile."""
        canvas.put(halo(colour), self._top, self._piles)

    def draw_caption(self, canvas: Canvas, parts: Sequence[Sprite | Card | str], done: int, of: int) -> None:
        """Words, cards and marks in a line, and a bar that shows how many actions of how many are done."""
        top = MARGIN + _high(self.size)
        middle, x = top + (_CAPTION - _BAR + 2) // 2, MARGIN
        for part in parts:
            if isinstance(part, str):
                x += canvas.text(x, middle + _TEXT // 2, part, _TEXT) + _SPACE
                continue
            sprite = card_chip(part, self.look) if isinstance(part, Card) else part
            canvas.put(sprite, x, middle - sprite.height // 2)
            x += sprite.width + _SPACE
        right, bottom = self.width - MARGIN, top + _CAPTION
        canvas.panel((MARGIN, bottom - _BAR, right, bottom), _TRACK)
        if done:
            reached = max(2 * _BAR, (right - MARGIN) * done // of)
            canvas.panel((MARGIN, bottom - _BAR, MARGIN + reached, bottom), _DONE)

    def mark(self, seat: Seat) -> Sprite:
        """A player's mark, for the caption."""
        return badge(seat, self.marks[seat], _BADGE)

    @property
    def _piles(self) -> int:
        """From the top of the picture to that of the piles."""
        return MARGIN + _high(self.size) + _CAPTION + (_PILES - LARGE.height) // 2

    @property
    def _top(self) -> int:
        """From the left to the top of the discard pile, which keeps its place; the others peep out to its left."""
        return self.width - MARGIN - _INSET - LARGE.width

    @property
    def _stock(self) -> int:
        """From the left to the lowest card of the stock."""
        return self._top - (PEEKING - 1) * self._peek - _STOCK

    @property
    def _peek(self) -> int:
        """From one discard to the next."""
        return overlap(self.look, LARGE).narrow

    def _lift(self, stock: int) -> int:
        """How far the top of the stock lies off the card at its bottom."""
        return max(0, -(-stock // _CARDS_IN_LAYER) - 1) * _LAYER


def card_chip(card: Card, look: Look) -> Sprite:
    """A card in the size of a word: its rank and its suit."""
    return _printed_chip(card, names_of(look.language).index(card.rank))


@lru_cache(_CHIPS)
def _printed_chip(card: Card, letters: str) -> Sprite:
    rank, suit = rank_mask(letters, _TEXT, _TEXT), suit_mask(card.suit, _TEXT)
    size = (rank.width + suit.width + 4 * _CHIP, _TEXT + 4 * _CHIP)
    painting = Painting(size, EDGE).lay(FACE, rounded_mask(size, _CHIP_RADIUS, 2))
    painting.lay(INK[card.suit], rank, (3 * _CHIP // 2, (size[1] - rank.height) // 2))
    at = (size[0] - suit.width - 3 * _CHIP // 2, (size[1] - suit.height) // 2)
    painting.lay(INK[card.suit], suit, at)
    return cut_out(painting.image, rounded_mask(size, _CHIP_RADIUS))


def _high(size: Size) -> int:
    """How high a player's place is."""
    return _HEADER + size.height + UNDER + PADDING
