"""The players' places around the piles, the stock, and the discards: parts of the table and of its replay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image

from bot.engine.cards import Card
from bot.engine.moves import Seat
from cardart.deck.cards import LARGE, Size, back, card_shape, face, narrow_step
from cardart.drawing.canvas import CAP, MARGIN, PANEL, Canvas, PanelStyle
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, FACE, GOLD, MIST, NAVY, RECESS, SKY, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.parts.card_rows import RING, frame
from cardart.text import queries

PEEKING: Final = 4
"""How many discards are visible."""
_TURN: Final = -4
"""By how many degrees the card below a top discard is turned."""
_GAP: Final = 14
_CAPTION: Final = 13
"""From cards to the capitals beneath them."""
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


def draw_stock(
    canvas: Canvas, count: int, cards_in_layer: int, left: int, top: int, size: Size = LARGE, ring: Colour | None = None
) -> None:
    """Draw the stock in layers, the lowest one at `left` and `top`, its top card in a ring if it is to be marked."""
    if not count:
        canvas.panel((left, top, left + size.width, top + size.height))
    lift = max(0, -(-count // cards_in_layer) - 1) * _LAYER
    for shift in range(0, lift + 1 if count else 0, _LAYER):
        if ring is not None and shift == lift:
            canvas.put(frame(ring, size), left + shift - RING, top - shift - RING)
        canvas.put(back(canvas.appearance, size), left + shift, top - shift)


def draw_loose_cards(canvas: Canvas, discards: Sequence[Card], left: int, top: int) -> None:
    """Draw the top discard on one that lies askew below it; if there are none, their empty place."""
    if not discards:
        canvas.panel((left, top, left + LARGE.width, top + LARGE.height))
        return
    if len(discards) > 1:
        askew = _askew()
        canvas.put(askew, left + (LARGE.width - askew.width) // 2, top + (LARGE.height - askew.height) // 2)
    canvas.put(face(discards[-1], canvas.appearance), left, top)


@cache
def _askew() -> Sprite:
    """Return a card that lies askew, without a print."""
    outer, inner = (
        rounded_mask(LARGE.box, LARGE.radius, inset).rotate(_TURN, Image.Resampling.BICUBIC, expand=True)
        for inset in (0, 1.5)
    )
    return cut_out(Painting(outer.size, EDGE).lay(FACE, inner).image, outer)


@cache
def small_back(size: Size) -> Sprite:
    """Return a small back without a pattern, which would only flicker where many of them lie side by side."""
    painting = Painting(size.box, EDGE)
    white, wide = 1.5 + 2 * size.width / 45, size.width / 12
    insets = (1.5, white, white + wide, white + wide + 2)
    for colour, inset in zip((TEXT, NAVY, SKY, NAVY), insets, strict=True):
        painting.lay(colour, rounded_mask(size.box, size.radius, inset))
    return Sprite(painting.image, card_shape(size))


def draw_discards(
    canvas: Canvas, shown: Sequence[Card], left: int, top: int, size: Size = LARGE, ring: Colour | None = None
) -> None:
    """Draw the visible discards from `left` on, the top one last, in a ring if it is to be marked.

    If there are none, draw their empty place.
    """
    step = narrow_step(canvas.appearance, size)
    for place, card in enumerate(shown[:-1]):
        canvas.put(face(card, canvas.appearance, size, covered=True), left + place * step, top)
    x = left + max(0, len(shown) - 1) * step + (0 if ring is None or len(shown) < 2 else RING)
    if ring is not None:
        canvas.put(frame(ring, size), x - RING, top - RING)
    if shown:
        canvas.put(face(shown[-1], canvas.appearance, size), x, top)
    else:
        canvas.panel((x, top, x + size.width, top + size.height))


def draw_caption(canvas: Canvas, middle: int, top: int, label: str, number: int) -> None:
    """Draw what lies above and how many cards it has, centred on `middle`."""
    text = f"{label} "
    x, y = middle - (text_mask(text, CAP).width + text_mask(str(number), CAP).width) // 2, top + _CAPTION + CAP
    x += canvas.text(x, y, text, CAP, ink=MIST)
    canvas.text(x, y, str(number), CAP)
