"""The scene of a replay: a place for each player's cards, the piles between them, and a caption.

Nothing but the cards moves from frame to frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Seat
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, MEDIUM, Size, back, face, halo, overlap
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting
from cardart.drawing.palette import EDGE, FACE, GOLD, MIST, RECESS, SEAM, SUIT_INKS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask, suit_mask
from cardart.drawing.sprites import Sprite, cut_out, tag
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardGroup
from cardart.parts.hand_row import LIFT, UNDER, HandRow
from cardart.text import phrases, queries
from cardart.text.card_names import names_of

PEEKING: Final = 4
"""How many discards are visible."""

_FACING: Final = 680
_AROUND: Final = 800
"""The width for more than two players; `_FACING` is that for two."""
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
"""From the left of the first visible discard back to the left of the stock."""
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
"""The room around and between rank and suit of a card in the caption."""
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
    """The places of the players, the size of their cards, and the most cards that a hand holds."""

    appearance: Appearance
    monograms: Sequence[str]
    width: int
    places: Mapping[Seat, Place]
    size: Size
    cards: int

    @staticmethod
    def of(
        appearance: Appearance,
        monograms: Sequence[str],
        seats: Sequence[Seat],
        sides: Sequence[tuple[Seat, ...]],
        cards: int,
    ) -> ReplayScene:
        """Return a scene for these players: two face to face, more as they sit at the table."""
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
        return ReplayScene(appearance, monograms, whole, places, size, cards)

    @property
    def height(self) -> int:
        """The height of the picture."""
        return 2 * (MARGIN + _high(self.size)) + _CAPTION + _PILES

    def canvas(self) -> Canvas:
        """Return a bare scene."""
        return Canvas(self.width, self.height, self.appearance)

    def draw_hand(
        self, canvas: Canvas, seat: Seat, groups: Sequence[CardGroup], deadwood: int, *, acting: bool
    ) -> None:
        """Draw a player's badge, deadwood and cards."""
        place = self.places[seat]
        left, top = place.left + _INSET, place.top
        canvas.panel(
            (place.left, top, place.left + place.width, top + _high(self.size)), _ACTING if acting else _WAITING
        )
        middle = top + (_HEADER - LIFT) // 2 + 3
        canvas.put(self.badge(seat), left, middle - _BADGE // 2)
        baseline = middle + _VALUE // 2
        x = left + _BADGE + PADDING
        x += canvas.text(x, baseline, phrases.DEADWOOD, _LABEL, ink=MIST, ground=RECESS) + PADDING
        canvas.text(x, baseline, str(deadwood), _VALUE, ground=RECESS)
        held = sum(len(group.cards) for group in groups)
        parts = max(len(groups), (self.cards - 1) // 3 + 2)
        fan = HandRow.of(max(held, self.cards), parts, place.width - 2 * _INSET, self.appearance, self.size)
        fan.draw(canvas, groups, left, top + _HEADER + (self.size.height + fan.size.height) // 2)

    def draw_piles(self, canvas: Canvas, stock: int, discards: Sequence[Card], notes: Sequence[str]) -> None:
        """Draw notes on the deal, the stock and its number of cards, and the last discards."""
        baseline = self._piles + (LARGE.height + _VALUE - (len(notes) - 1) * 2 * _VALUE) // 2
        for line, text in enumerate(notes):
            canvas.text(MARGIN + _INSET, baseline + line * 2 * _VALUE, text, _VALUE)
        for lift in range(0, self._lift(stock) + 1, _LAYER):
            canvas.put(back(self.appearance), self._stock + lift, self._piles - lift)
        number, lift = tag(str(stock), _LABEL, RECESS, TEXT), self._lift(stock)
        x = self._stock + lift + (LARGE.width - number.width) // 2
        canvas.put(number, x, self._piles - lift + LARGE.height - number.height - 8)
        if not discards:
            canvas.panel((self._top, self._piles, self._top + LARGE.width, self._piles + LARGE.height), _EMPTY)
        shown = discards[-PEEKING:]
        for place, card in enumerate(shown, 1 - len(shown)):
            canvas.put(face(card, self.appearance, covered=place < 0), self._top + place * self._peek, self._piles)

    def mark_stock(self, canvas: Canvas, stock: int, colour: Colour) -> None:
        """Frame the top of the stock."""
        canvas.put(halo(colour), self._stock + self._lift(stock), self._piles - self._lift(stock))

    def mark_pile(self, canvas: Canvas, colour: Colour) -> None:
        """Frame the top of the discard pile."""
        canvas.put(halo(colour), self._top, self._piles)

    def draw_caption(self, canvas: Canvas, parts: Sequence[Sprite | Card | str], done: int, of: int) -> None:
        """Draw texts, cards and badges in a line, and a bar that shows how many of the actions are done."""
        top = MARGIN + _high(self.size)
        middle, x = top + (_CAPTION - _BAR + 2) // 2, MARGIN
        for part in parts:
            if isinstance(part, str):
                x += canvas.text(x, middle + _TEXT // 2, part, _TEXT) + _SPACE
                continue
            sprite = card_chip(part, self.appearance) if isinstance(part, Card) else part
            canvas.put(sprite, x, middle - sprite.height // 2)
            x += sprite.width + _SPACE
        right, bottom = self.width - MARGIN, top + _CAPTION
        canvas.panel((MARGIN, bottom - _BAR, right, bottom), _TRACK)
        if done:
            reached = max(2 * _BAR, (right - MARGIN) * done // of)
            canvas.panel((MARGIN, bottom - _BAR, MARGIN + reached, bottom), _DONE)

    def badge(self, seat: Seat) -> Sprite:
        """Return a player's badge for the caption."""
        return badge(seat, self.monograms[seat], _BADGE)

    @property
    def _piles(self) -> int:
        """The top of the piles."""
        return MARGIN + _high(self.size) + _CAPTION + (_PILES - LARGE.height) // 2

    @property
    def _top(self) -> int:
        """The left of the discard pile's top card, which never moves. The other discards peep out to its left."""
        return self.width - MARGIN - _INSET - LARGE.width

    @property
    def _stock(self) -> int:
        """The left of the stock's lowest card."""
        return self._top - (PEEKING - 1) * self._peek - _STOCK

    @property
    def _peek(self) -> int:
        """The step from one discard to the next."""
        return overlap(self.appearance, LARGE).narrow

    def _lift(self, stock: int) -> int:
        """Return how far the top of the stock is shifted from its lowest card."""
        return max(0, -(-stock // _CARDS_IN_LAYER) - 1) * _LAYER


def card_chip(card: Card, appearance: Appearance) -> Sprite:
    """Return a card in the size of a word: its rank and its suit."""
    return _printed_chip(card, names_of(appearance.language).rank_letters(card.rank))


@lru_cache(_CHIPS)
def _printed_chip(card: Card, letters: str) -> Sprite:
    rank, suit = rank_mask(letters, _TEXT, _TEXT), suit_mask(card.suit, _TEXT)
    size = (rank.width + suit.width + 4 * _CHIP, _TEXT + 4 * _CHIP)
    painting = Painting(size, EDGE).lay(FACE, rounded_mask(size, _CHIP_RADIUS, 2))
    painting.lay(SUIT_INKS[card.suit], rank, (3 * _CHIP // 2, (size[1] - rank.height) // 2))
    at = (size[0] - suit.width - 3 * _CHIP // 2, (size[1] - suit.height) // 2)
    painting.lay(SUIT_INKS[card.suit], suit, at)
    return cut_out(painting.image, rounded_mask(size, _CHIP_RADIUS))


def _high(size: Size) -> int:
    """Return the height of a player's place."""
    return _HEADER + size.height + UNDER + PADDING
