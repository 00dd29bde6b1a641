"""A hand in slots: five to a row, the top of the discard pile beside the first row, the stock and the new card beside
the second. Nothing overlaps but the stock, which lies behind the new card.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Meld
from cardart.deck.cards import LARGE, back, face, halo
from cardart.drawing.canvas import WIDTH, Canvas
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import EDGE, GOLD, MELD_COLOURS, RECESS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text.queries import IN_A_ROW

EDGES: Final = 18
"""From the sides of the picture to the cards."""
_GAP: Final = 11
_ROW: Final = LARGE.height + 30
"""From the top of a row to that of the next; labels hang down between them."""
HEIGHT: Final = _ROW + LARGE.height
_SIDE: Final = WIDTH - EDGES - LARGE.width
"""The left of the pile, the stock and the new card."""

_ASIDE: Final = 32
"""How far the stock lies to the left of the new card."""
_LAYERS: Final = (1, 9, 20)
"""From how many cards on the stock has one, two or three layers, and the shift from one to the next."""
_LAYER: Final = 3
_COUNT: Final = 17

_AROUND: Final = 5
"""How far the mark of a meld reaches beyond its cards to the sides, above and below."""
_ABOVE: Final = 8
_RADIUS: Final = 14
_INTO: Final = 3
_DOWN: Final = 13
"""How far a label reaches beyond its card's left and lower edge."""


@dataclass(frozen=True, slots=True)
class HandGrid:
    """A hand as it is to be drawn: the cards of the slots, and the new card if there is one.

    The cards of each meld lie on a plate that joins neighbours. Those in `framed` have a gold frame, and those in
    `gone` have left an empty slot. `labels` lie at the lower left of their cards, where they cover no index. `top` is
    that of the discard pile, if it has any cards, and `stock` the number of cards face down.
    """

    slots: Sequence[Card]
    new: Card | None
    top: Card | None
    stock: int
    melds: Sequence[Meld] = ()
    framed: Collection[Card] = ()
    gone: Collection[Card] = ()
    labels: Mapping[Card, Sprite] = field(default_factory=dict[Card, Sprite])

    def draw(self, canvas: Canvas, top: int) -> None:
        """Draw the hand with its first row at `top`."""
        self._draw_piles(canvas, top)
        places = dict(self._places(top))
        for left, y, cards, colour in self._marks(places):
            canvas.put(_plate(cards, colour), left - _AROUND, y - _ABOVE)
        for card, (x, y) in places.items():
            if card in self.gone:
                canvas.panel((x, y, x + LARGE.width, y + LARGE.height))
                continue
            canvas.put(face(card, canvas.appearance), x, y)
            if card in self.framed:
                canvas.put(halo(GOLD), x, y)
        for card, label in self.labels.items():
            x, y = places[card]
            canvas.put(label, x - _INTO, y + LARGE.height + _DOWN - label.height)
        self._draw_count(canvas, top)

    def _places(self, top: int) -> Iterator[tuple[Card, tuple[int, int]]]:
        """Yield each card with its left and top."""
        for number, card in enumerate(self.slots):
            row, column = divmod(number, IN_A_ROW)
            yield card, (EDGES + column * (LARGE.width + _GAP), top + row * _ROW)
        if self.new is not None:
            yield self.new, (_SIDE, top + _ROW)

    def _marks(self, places: Mapping[Card, tuple[int, int]]) -> Iterator[tuple[int, int, int, Colour]]:
        """Yield the marks of melds, one for each stretch of neighbours: left, top, number of cards, and colour."""
        colours = dict.fromkeys(self.framed, GOLD)
        colours |= {card: colour for meld, colour in zip(self.melds, MELD_COLOURS, strict=False) for card in meld.cards}

        def stretch(card: Card) -> tuple[Colour | None, int, bool]:
            return colours.get(card), places[card][1], card is self.new

        for (colour, y, _), cards in groupby(places, stretch):
            held = list(cards)
            if colour is not None:
                yield places[held[0]][0], y, len(held), colour

    def _draw_piles(self, canvas: Canvas, top: int) -> None:
        """Draw the top of the discard pile, and the stock with its number of cards: behind the new card, if any."""
        if self.top is None:
            canvas.panel((_SIDE, top, _SIDE + LARGE.width, top + LARGE.height))
        else:
            canvas.put(face(self.top, canvas.appearance), _SIDE, top)
        left, y = _SIDE - (0 if self.new is None else _ASIDE), top + _ROW
        if self.stock == 0:
            canvas.panel((left, y, left + LARGE.width, y + LARGE.height))
        layers = sum(self.stock >= least for least in _LAYERS)
        for layer in range(layers):
            canvas.put(back(canvas.appearance), left - layer * _LAYER, y - layer * _LAYER)

    def _draw_count(self, canvas: Canvas, top: int) -> None:
        """Draw the number of cards of the stock on what is to be seen of it."""
        count = tag(str(self.stock), _COUNT, RECESS, TEXT)
        middle = _SIDE + LARGE.width // 2 if self.new is None else _SIDE - (_ASIDE + _AROUND) // 2
        canvas.put(count, middle - count.width // 2, top + _ROW + (LARGE.height - count.height) // 2)


@cache
def _plate(cards: int, colour: Colour) -> Sprite:
    """Return a plate that joins neighbouring cards of a meld, which lie on it."""
    size = (cards * (LARGE.width + _GAP) - _GAP + 2 * _AROUND, LARGE.height + 2 * _ABOVE)
    painting = Painting(size, EDGE).lay(colour, rounded_mask(size, _RADIUS, 2))
    return cut_out(painting.image, rounded_mask(size, _RADIUS))
