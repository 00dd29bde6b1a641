"""A hand in slots, five to a row. Lengths are in pixels.

The new card is at the end of the second row. In a tray to the right, the discard pile is next to the first row, and the
stock next to the second row. If the new card needs that space, the tray ends above it. A sign between the piles counts
the cards of the stock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Meld
from cardart.deck.cards import LARGE, back, face
from cardart.drawing.canvas import RAIL_WIDTH, WIDTH, Box, Canvas, PanelStyle
from cardart.drawing.lettering import text_width
from cardart.drawing.painting import Sprite
from cardart.drawing.palette import EDGE, GOLD, MELD_COLOURS, MIST, RECESS, Colour
from cardart.parts.card_rows import RING_WIDTH, card_frame
from cardart.parts.table_layout import draw_top_discard
from cardart.text import phrases
from cardart.text.queries import CARDS_PER_ROW

SIDE_MARGIN: Final = 22
"""Distance from the sides of the picture to the cards."""
_SLOT_GAP: Final = 11
_ROW_STEP: Final = LARGE.height + 46
"""Distance between the tops of the two rows, with room for labels."""
GRID_HEIGHT: Final = _ROW_STEP + LARGE.height
_TRAY_MARGIN: Final = 9
"""Margin of the tray beside and below the piles. Above them, it is as high as the mark of a meld."""
_PILE_LEFT: Final = WIDTH - RAIL_WIDTH - 8 - _TRAY_MARGIN - LARGE.width
"""The left edge of the discard pile, and of the stock below it."""
_NEW_CARD_GAP: Final = _PILE_LEFT - SIDE_MARGIN - CARDS_PER_ROW * LARGE.width - (CARDS_PER_ROW - 1) * _SLOT_GAP
"""Space between the second row and the new card. If the row is full, the new card is below the discard pile."""

_LAYER_MIN_CARDS: Final = (1, 9, 20)
"""Minimum numbers of cards for one, two and three layers of the stock. `_LAYER_SHIFT` is the shift between layers."""
_LAYER_SHIFT: Final = 3
_COUNT_CAP: Final = 18
_STOCK_SIGN_DISTANCE: Final = 27
"""Distance from the middle of the stock sign (a name and a number) to the stock or the new card below it."""

_MELD_MARGIN_X: Final = 5
"""Margin of a meld's mark around its cards: `_MELD_MARGIN_X` at the sides, `_MELD_MARGIN_Y` above and below."""
_MELD_MARGIN_Y: Final = 7
_SHORT_TRAY_DISTANCE: Final = _MELD_MARGIN_Y + 4
"""Distance from the tray to the new card below it, which lies outside the tray and can have the mark of a meld."""
_LINK_RADIUS: Final = 6
_LINK_WIDTH: Final = 18
"""Width of the link between two parts of a meld."""
_TAIL_LENGTH: Final = 13
"""Length of the tails that point from the first row down and from the second row up, if both have parts of a meld."""
_TAIL_INSET: Final = 10
"""Distance of these tails from the right end of the first row, and from the left end of the second row."""
_LABEL_OVERLAP: Final = 3
"""Height by which a label covers the bottom of its card, where nothing is printed."""


@dataclass(frozen=True, slots=True)
class HandGrid:
    """A hand to be drawn: the cards of the slots, and the new card if there is one.

    The cards of each meld lie on a coloured plate, which joins neighbours. A thin link leads to the new card. If a meld
    continues in the second row, short tails point from one row to the other. `framed` cards have a gold frame instead.
    There is an empty slot for each of the `laid_off` cards. `labels` hang beneath their cards. `discards` is the
    discard pile, top last, and `stock` is the number of cards in the stock.
    """

    slots: Sequence[Card]
    new_card: Card | None
    discards: Sequence[Card]
    stock: int
    melds: Sequence[Meld] = ()
    framed: Collection[Card] = ()
    laid_off: Collection[Card] = ()
    labels: Mapping[Card, Sprite] = field(default_factory=dict[Card, Sprite])

    def draw(self, canvas: Canvas, top: int) -> None:
        """Draw the hand with its first row at `top`."""
        positions = dict(self._card_positions(top))
        has_stock = (_PILE_LEFT, top + _ROW_STEP) not in positions.values()
        right = _PILE_LEFT + LARGE.width + _TRAY_MARGIN
        bottom = top + (GRID_HEIGHT + _TRAY_MARGIN if has_stock else _ROW_STEP - _SHORT_TRAY_DISTANCE)
        canvas.panel((_PILE_LEFT - _TRAY_MARGIN, top - _MELD_MARGIN_Y, right, bottom))
        draw_top_discard(canvas, self.discards, _PILE_LEFT, top)
        self._draw_stock_sign(canvas, top + _ROW_STEP - _STOCK_SIGN_DISTANCE)
        if has_stock:
            self._draw_stock(canvas, top + _ROW_STEP)
        marks = list(self._meld_marks(positions))
        for box, colour in _links(marks):
            canvas.panel(box, PanelStyle(colour, EDGE, radius=_LINK_RADIUS))
        for box, colour in marks:
            canvas.panel(box, PanelStyle(colour, EDGE))
        for card, (x, y) in positions.items():
            if card in self.laid_off:
                canvas.panel((x, y, x + LARGE.width, y + LARGE.height))
                continue
            if card in self.framed:
                canvas.put(card_frame(GOLD), x - RING_WIDTH, y - RING_WIDTH)
            canvas.put(face(card, canvas.appearance), x, y)
        for card, label in self.labels.items():
            x, y = positions[card]
            canvas.put(label, x + (LARGE.width - label.width) // 2, y + LARGE.height - _LABEL_OVERLAP)

    def _card_positions(self, top: int) -> Iterator[tuple[Card, tuple[int, int]]]:
        """Yield each card with the position of its top left corner."""
        for slot, card in enumerate(self.slots):
            row, column = divmod(slot, CARDS_PER_ROW)
            yield card, (SIDE_MARGIN + column * (LARGE.width + _SLOT_GAP), top + row * _ROW_STEP)
        if self.new_card is not None:
            before = len(self.slots) - CARDS_PER_ROW
            left = SIDE_MARGIN + before * (LARGE.width + _SLOT_GAP) - _SLOT_GAP + _NEW_CARD_GAP
            yield self.new_card, (left, top + _ROW_STEP)

    def _meld_marks(self, positions: Mapping[Card, tuple[int, int]]) -> Iterator[tuple[Box, Colour]]:
        """Yield the boxes and colours that mark melds, one for each group of neighbouring cards, in their order."""
        coloured_melds = zip(self.melds, MELD_COLOURS, strict=False)
        colours = {card: colour for meld, colour in coloured_melds for card in meld.cards if card not in self.framed}

        def mark_key(card: Card) -> tuple[Colour | None, int, bool]:
            return colours.get(card), positions[card][1], card is self.new_card

        for (colour, y, _), cards in groupby(positions, mark_key):
            lefts = [positions[card][0] for card in cards]
            if colour is not None:
                right, bottom = lefts[-1] + LARGE.width + _MELD_MARGIN_X, y + LARGE.height + _MELD_MARGIN_Y
                yield (lefts[0] - _MELD_MARGIN_X, y - _MELD_MARGIN_Y, right, bottom), colour

    def _draw_stock(self, canvas: Canvas, top: int) -> None:
        """Draw the stock, in more layers if it has more cards."""
        if self.stock == 0:
            canvas.panel((_PILE_LEFT, top, _PILE_LEFT + LARGE.width, top + LARGE.height))
        for layer in range(sum(self.stock >= least for least in _LAYER_MIN_CARDS)):
            canvas.put(back(canvas.appearance), _PILE_LEFT - layer * _LAYER_SHIFT, top - layer * _LAYER_SHIFT)

    def _draw_stock_sign(self, canvas: Canvas, middle: int) -> None:
        """Write the name of the stock and its number of cards."""
        name, count, baseline = f"{phrases.STOCK} ", str(self.stock), middle + _COUNT_CAP // 2
        x = _PILE_LEFT + (LARGE.width - text_width(name, _COUNT_CAP) - text_width(count, _COUNT_CAP)) // 2
        x += canvas.text(x, baseline, name, _COUNT_CAP, ink=MIST, background=RECESS)
        canvas.text(x, baseline, count, _COUNT_CAP, background=RECESS)


def _links(marks: Sequence[tuple[Box, Colour]]) -> Iterator[tuple[Box, Colour]]:
    """Yield the boxes and colours of the links between consecutive marks of the same meld.

    In the same row, a bar joins the marks. Otherwise, each of them has a tail towards the other row.
    """
    for (before, colour), (after, next_colour) in pairwise(marks):
        if colour != next_colour:
            continue
        if before[1] == after[1]:
            y = (before[1] + before[3] - _LINK_WIDTH) // 2
            yield (before[2] - _LINK_RADIUS, y, after[0] + _LINK_RADIUS, y + _LINK_WIDTH), colour
        else:
            right, left = before[2] - _TAIL_INSET, after[0] + _TAIL_INSET
            yield (right - _LINK_WIDTH, before[3] - _LINK_RADIUS, right, before[3] + _TAIL_LENGTH), colour
            yield (left, after[1] - _TAIL_LENGTH, left + _LINK_WIDTH, after[1] + _LINK_RADIUS), colour
