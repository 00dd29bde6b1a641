"""A hand in slots, five to a row. Lengths are in pixels.

The discard pile is next to the first row, and the stock or the new card next to the second row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Meld
from cardart.deck.cards import LARGE, Size, back, face
from cardart.drawing.canvas import WIDTH, Box, Canvas, PanelStyle
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import EDGE, GOLD, MELD_COLOURS, RECESS, TEXT, Colour
from cardart.parts.card_rows import RING, frame
from cardart.parts.table_layout import draw_loose_cards, small_back
from cardart.text.queries import IN_A_ROW

EDGES: Final = 22
"""Distance from the sides of the picture to the cards."""
_GAP: Final = 11
_ROW: Final = LARGE.height + 42
"""Distance between the tops of the two rows, with room for labels."""
HEIGHT: Final = _ROW + LARGE.height
_SIDE: Final = WIDTH - EDGES - LARGE.width
"""The left edge of the pile, the stock and the new card."""

_LAYERS: Final = (1, 9, 20)
"""Minimum numbers of cards for one, two and three layers of the stock. `_LAYER` is the shift between layers."""
_LAYER: Final = 3
_COUNT: Final = 18
_SIGN: Final = Size(18, 25)
"""Size of the card that represents the stock, next to its number, while the new card occupies the stock's position."""
_ABOVE_NEW: Final = 27
"""Distance from the middle of that small card to the top of the new card."""
_BESIDE: Final = 8

_AROUND: Final = 5
"""Margin of a meld's mark around its cards: `_AROUND` at the sides, `_ABOVE` above and below."""
_ABOVE: Final = 8
_INTO: Final = 3
"""Overlap of a label with its card, in a part without print."""


@dataclass(frozen=True, slots=True)
class HandGrid:
    """A hand to be drawn: the cards of the slots, and the new card if there is one.

    The cards of each meld lie on a coloured plate, which joins neighbours. `framed` cards have a gold frame instead.
    There is an empty slot for each of the `gone` cards. `labels` hang beneath their cards. `discards` is the
    discard pile, top last, and `stock` the number of cards in the stock.
    """

    slots: Sequence[Card]
    new: Card | None
    discards: Sequence[Card]
    stock: int
    melds: Sequence[Meld] = ()
    framed: Collection[Card] = ()
    gone: Collection[Card] = ()
    labels: Mapping[Card, Sprite] = field(default_factory=dict[Card, Sprite])

    def draw(self, canvas: Canvas, top: int) -> None:
        """Draw the hand with its first row at `top`."""
        draw_loose_cards(canvas, self.discards, _SIDE, top)
        if self.new is None:
            self._draw_stock(canvas, top + _ROW)
        else:
            self._draw_stock_sign(canvas, top + _ROW - _ABOVE_NEW)
        places = dict(self._places(top))
        for box, colour in self._marks(places):
            canvas.panel(box, PanelStyle(colour, EDGE))
        for card, (x, y) in places.items():
            if card in self.gone:
                canvas.panel((x, y, x + LARGE.width, y + LARGE.height))
                continue
            if card in self.framed:
                canvas.put(frame(GOLD), x - RING, y - RING)
            canvas.put(face(card, canvas.appearance), x, y)
        for card, label in self.labels.items():
            x, y = places[card]
            canvas.put(label, x + (LARGE.width - label.width) // 2, y + LARGE.height - _INTO)

    def _places(self, top: int) -> Iterator[tuple[Card, tuple[int, int]]]:
        """Yield each card with the position of its top left corner."""
        for number, card in enumerate(self.slots):
            row, column = divmod(number, IN_A_ROW)
            yield card, (EDGES + column * (LARGE.width + _GAP), top + row * _ROW)
        if self.new is not None:
            yield self.new, (_SIDE, top + _ROW)

    def _marks(self, places: Mapping[Card, tuple[int, int]]) -> Iterator[tuple[Box, Colour]]:
        """Yield the boxes and colours that mark melds, one for each group of neighbouring cards."""
        marked = zip(self.melds, MELD_COLOURS, strict=False)
        colours = {card: colour for meld, colour in marked for card in meld.cards if card not in self.framed}

        def stretch(card: Card) -> tuple[Colour | None, int, bool]:
            return colours.get(card), places[card][1], card is self.new

        for (colour, y, _), cards in groupby(places, stretch):
            lefts = [places[card][0] for card in cards]
            if colour is not None:
                right, bottom = lefts[-1] + LARGE.width + _AROUND, y + LARGE.height + _ABOVE
                yield (lefts[0] - _AROUND, y - _ABOVE, right, bottom), colour

    def _draw_stock(self, canvas: Canvas, top: int) -> None:
        """Draw the stock with its number of cards."""
        if self.stock == 0:
            canvas.panel((_SIDE, top, _SIDE + LARGE.width, top + LARGE.height))
        for layer in range(sum(self.stock >= least for least in _LAYERS)):
            canvas.put(back(canvas.appearance), _SIDE - layer * _LAYER, top - layer * _LAYER)
        count = tag(str(self.stock), _COUNT, RECESS, TEXT)
        canvas.put(count, _SIDE + (LARGE.width - count.width) // 2, top + (LARGE.height - count.height) // 2)

    def _draw_stock_sign(self, canvas: Canvas, middle: int) -> None:
        """Draw a small face-down card with the number of cards in the stock next to it."""
        x = _SIDE + (LARGE.width - _SIGN.width - _BESIDE - text_mask(str(self.stock), _COUNT).width) // 2
        canvas.put(small_back(_SIGN), x, middle - _SIGN.height // 2)
        canvas.text(x + _SIGN.width + _BESIDE, middle + _COUNT // 2, str(self.stock), _COUNT)
