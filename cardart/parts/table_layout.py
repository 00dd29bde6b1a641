"""What the table and its replay share: the players' places around the piles, and the stock and the discards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.cards import Card
from bot.engine.moves import Seat
from cardart.deck.cards import LARGE, back, face, narrow_step
from cardart.drawing.canvas import CAP, MARGIN, PANEL, Canvas, PanelStyle
from cardart.drawing.painting import tag
from cardart.drawing.palette import GOLD, RECESS, TEXT
from cardart.text import queries

PEEKING: Final = 4
"""How many discards are visible."""
_GAP: Final = 14
_ACTING: Final = PanelStyle(RECESS, GOLD, 4)
_LAYER: Final = 3
"""How far each layer of the stock is shifted from the one beneath."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part of the picture: its left, top and width in pixels."""

    left: int
    top: int
    width: int

    def draw(self, canvas: Canvas, height: int, *, acting: bool) -> None:
        """Draw the panel, with another outline if it is this player's turn."""
        box = (self.left, self.top, self.left + self.width, self.top + height)
        canvas.panel(box, _ACTING if acting else PANEL)


def around(seats: Iterable[Seat], sides: Sequence[tuple[Seat, ...]]) -> tuple[list[Seat], list[Seat]]:
    """Return the seats above the piles and those below, each row from left to right. Two sit face to face."""
    ordered = sorted(seats)
    if len(ordered) == 2:
        first, second = sorted(ordered, key=lambda seat: queries.side_of(seat, sides))
        return [second], [first]
    above = [seat for seat in ordered if queries.side_of(seat, sides) in (1, 2)]
    return above, [seat for seat in ordered if seat not in above]


def places(row: Sequence[Seat], top: int, width: int) -> dict[Seat, Place]:
    """Return equally wide places for players side by side, in a picture of this width."""
    each = (width - 2 * MARGIN - (len(row) - 1) * _GAP) // len(row)
    return {seat: Place(MARGIN + number * (each + _GAP), top, each) for number, seat in enumerate(row)}


def draw_stock(canvas: Canvas, count: int, cards_in_layer: int, left: int, top: int) -> int:
    """Draw the stock in layers, the lowest one at `left` and `top`, and its number of cards.

    Return how far its top is shifted from its lowest card, to the right and upwards.
    """
    lift = max(0, -(-count // cards_in_layer) - 1) * _LAYER
    for shift in range(0, lift + 1, _LAYER):
        canvas.put(back(canvas.appearance), left + shift, top - shift)
    number = tag(str(count), CAP, RECESS, TEXT)
    x, y = left + (LARGE.width - number.width) // 2, top + LARGE.height - number.height - 8
    canvas.put(number, x + lift, y - lift)
    return lift


def draw_discards(canvas: Canvas, shown: Sequence[Card], left: int, top: int) -> None:
    """Draw the visible discards from `left` on, the top one last; if there are none, their empty place."""
    if not shown:
        canvas.panel((left, top, left + LARGE.width, top + LARGE.height))
    step = narrow_step(canvas.appearance, LARGE)
    for place, card in enumerate(shown, 1):
        canvas.put(face(card, canvas.appearance, covered=place < len(shown)), left + (place - 1) * step, top)
