"""Parts shared by the table and the replay: the players' places, the stock, and the discards."""

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
"""Number of visible discards."""
_TURN: Final = -4
"""Rotation of the card below the top discard, in degrees."""
_GAP: Final = 14
_CAPTION: Final = 13
"""Distance from cards to the tops of the capitals beneath them, in pixels."""
_ACTING: Final = PanelStyle(RECESS, GOLD, 4)
_LAYER: Final = 3
"""Shift between two layers of the stock, in pixels."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part of the picture: its left, top and width in pixels."""

    left: int
    top: int
    width: int

    def draw(self, canvas: Canvas, height: int, *, acting: bool) -> None:
        """Draw the panel, with a gold outline if `acting`."""
        box = (self.left, self.top, self.left + self.width, self.top + height)
        canvas.panel(box, _ACTING if acting else PANEL)


def around(seats: Iterable[Seat], sides: Sequence[tuple[Seat, ...]]) -> tuple[list[Seat], list[Seat]]:
    """Return the seats above and below the piles, each from left to right. Two players sit face to face."""
    ordered = sorted(seats)
    if len(ordered) == 2:
        first, second = sorted(ordered, key=lambda seat: queries.side_of(seat, sides))
        return [second], [first]
    above = [seat for seat in ordered if queries.side_of(seat, sides) in (1, 2)]
    return above, [seat for seat in ordered if seat not in above]


def places(row: Sequence[Seat], top: int, width: int) -> dict[Seat, Place]:
    """Return equally wide places for a row of players, in a picture of the given width."""
    each = (width - 2 * MARGIN - (len(row) - 1) * _GAP) // len(row)
    return {seat: Place(MARGIN + number * (each + _GAP), top, each) for number, seat in enumerate(row)}


def draw_stock(
    canvas: Canvas, count: int, cards_in_layer: int, left: int, top: int, size: Size = LARGE, ring: Colour | None = None
) -> None:
    """Draw the stock in layers, with the lowest at (`left`, `top`). A `ring` marks the top card."""
    if not count:
        canvas.panel((left, top, left + size.width, top + size.height))
    lift = max(0, -(-count // cards_in_layer) - 1) * _LAYER
    for shift in range(0, lift + 1 if count else 0, _LAYER):
        if ring is not None and shift == lift:
            canvas.put(frame(ring, size), left + shift - RING, top - shift - RING)
        canvas.put(back(canvas.appearance, size), left + shift, top - shift)


def draw_loose_cards(canvas: Canvas, discards: Sequence[Card], left: int, top: int) -> None:
    """Draw the top discard, on a tilted card if there are others. Draw an empty place if there are no discards."""
    if not discards:
        canvas.panel((left, top, left + LARGE.width, top + LARGE.height))
        return
    if len(discards) > 1:
        askew = _askew()
        canvas.put(askew, left + (LARGE.width - askew.width) // 2, top + (LARGE.height - askew.height) // 2)
    canvas.put(face(discards[-1], canvas.appearance), left, top)


@cache
def _askew() -> Sprite:
    """Return a blank card that is tilted."""
    outer, inner = (
        rounded_mask(LARGE.box, LARGE.radius, inset).rotate(_TURN, Image.Resampling.BICUBIC, expand=True)
        for inset in (0, 1.5)
    )
    return cut_out(Painting(outer.size, EDGE).lay(FACE, inner).image, outer)


@cache
def small_back(size: Size) -> Sprite:
    """Return a small back. It has no pattern, which would flicker if many small backs lie side by side."""
    painting = Painting(size.box, EDGE)
    white, wide = 1.5 + 2 * size.width / 45, size.width / 12
    insets = (1.5, white, white + wide, white + wide + 2)
    for colour, inset in zip((TEXT, NAVY, SKY, NAVY), insets, strict=True):
        painting.lay(colour, rounded_mask(size.box, size.radius, inset))
    return Sprite(painting.image, card_shape(size))


def draw_discards(
    canvas: Canvas, shown: Sequence[Card], left: int, top: int, size: Size = LARGE, ring: Colour | None = None
) -> None:
    """Draw the visible discards from `left` to the right, top last. A `ring` marks the top card.

    Draw an empty place if there are no discards.
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
    """Draw the name of a pile and its number of cards, centred on `middle`."""
    text = f"{label} "
    x, y = middle - (text_mask(text, CAP).width + text_mask(str(number), CAP).width) // 2, top + _CAPTION + CAP
    x += canvas.text(x, y, text, CAP, ink=MIST)
    canvas.text(x, y, str(number), CAP)
