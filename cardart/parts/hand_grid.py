"""A hand in slots: five to a row, the discard pile beside the first row, the stock or the new card beside the other."""

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
"""From the sides of the picture to the cards."""
_GAP: Final = 11
_ROW: Final = LARGE.height + 42
"""From the top of a row to that of the next; labels hang down between them."""
HEIGHT: Final = _ROW + LARGE.height
_SIDE: Final = WIDTH - EDGES - LARGE.width
"""The left of the pile, the stock and the new card."""

_LAYERS: Final = (1, 9, 20)
"""From how many cards on the stock has one, two or three layers, and the shift from one to the next."""
_LAYER: Final = 3
_COUNT: Final = 18
_SIGN: Final = Size(18, 25)
"""The size of the card that stands for the stock beside its number, while the new card lies in its place."""
_ABOVE_NEW: Final = 27
"""From the middle of that sign to the top of the new card."""
_BESIDE: Final = 8

_AROUND: Final = 5
"""How far the mark of a meld reaches beyond its cards to the sides, above and below."""
_ABOVE: Final = 8
_INTO: Final = 3
"""How far a label reaches into its card, where nothing is printed."""


@dataclass(frozen=True, slots=True)
class HandGrid:
    """A hand as it is to be drawn: the cards of the slots, and the new card if there is one.

    The cards of each meld lie on a plate that joins neighbours. Those in `framed` have a gold frame instead, and those
    in `gone` have left an empty slot. `labels` hang beneath their cards. `discards` is the pile with its top last, and
    `stock` the number of cards face down.
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
        """Yield each card with its left and top."""
        for number, card in enumerate(self.slots):
            row, column = divmod(number, IN_A_ROW)
            yield card, (EDGES + column * (LARGE.width + _GAP), top + row * _ROW)
        if self.new is not None:
            yield self.new, (_SIDE, top + _ROW)

    def _marks(self, places: Mapping[Card, tuple[int, int]]) -> Iterator[tuple[Box, Colour]]:
        """Yield the marks of melds with their colours, one for each stretch of neighbours."""
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
        """Draw a small card face down and the number of cards of the stock beside it."""
        x = _SIDE + (LARGE.width - _SIGN.width - _BESIDE - text_mask(str(self.stock), _COUNT).width) // 2
        canvas.put(small_back(_SIGN), x, middle - _SIGN.height // 2)
        canvas.text(x + _SIGN.width + _BESIDE, middle + _COUNT // 2, str(self.stock), _COUNT)
