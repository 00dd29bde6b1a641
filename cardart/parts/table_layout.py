"""Parts shared by the table and the replay: the players' places, the stock, and the discards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.matches import facts
from cardart.deck.cards import LARGE, Size, back, card_shape, face, narrow_step
from cardart.drawing.canvas import LABEL_CAP, MARGIN, PANEL, Canvas, PanelStyle
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Painting, Sprite, half_covered_mask
from cardart.drawing.palette import EDGE, FACE, GOLD, MIST, NAVY, RECESS, SKY, TEXT, Colour
from cardart.drawing.shapes import lozenge, path_mask, rounded_mask
from cardart.parts.card_rows import RING_WIDTH, card_frame

VISIBLE_DISCARDS: Final = 4
"""Number of visible discards."""
_PLACE_GAP: Final = 14
_CAPTION_GAP: Final = 13
"""Distance from a pile's cards to the top of the caption beneath them, in pixels."""
_FAN_BACK: Final = Size(46, 63)
"""Size of the backs in a fan."""
_FAN_MARGIN: Final = 22
"""Space to the left and right of the middle card of a fan."""
_FAN_DEGREES: Final = 17
"""Angle between two cards of a fan, in degrees."""
_FAN_DROP: Final = 6
"""Distance by which an outer card of a fan is lower than the middle card."""
_DIAMOND_RATIO: Final = 0.2
"""Distance from the centre of the diamond on a small back to its corners, as a fraction of the back's width."""
_ACTING_STYLE: Final = PanelStyle(RECESS, GOLD, 4)
_LAYER_SHIFT: Final = 3
"""Shift between two layers of a pile, in pixels."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part of the picture: its left, top and width in pixels."""

    left: int
    top: int
    width: int

    def draw(self, canvas: Canvas, height: int, *, is_acting: bool) -> None:
        """Draw the panel, with a gold outline if `is_acting`."""
        box = (self.left, self.top, self.left + self.width, self.top + height)
        canvas.panel(box, _ACTING_STYLE if is_acting else PANEL)


def seat_rows(seats: Iterable[Seat], sides: Sequence[tuple[Seat, ...]]) -> tuple[list[Seat], list[Seat]]:
    """Return the seats above and below the piles, each from left to right. Two players sit face to face."""
    ordered = sorted(seats)
    if len(ordered) == 2:
        first, second = sorted(ordered, key=lambda seat: facts.side_index(seat, sides))
        return [second], [first]
    above = [seat for seat in ordered if facts.side_index(seat, sides) in (1, 2)]
    return above, [seat for seat in ordered if seat not in above]


def player_places(row: Sequence[Seat], top: int, width: int) -> dict[Seat, Place]:
    """Return equally wide places for a row of players, in a picture of the given width."""
    place_width = (width - 2 * MARGIN - (len(row) - 1) * _PLACE_GAP) // len(row)
    return {
        seat: Place(MARGIN + position * (place_width + _PLACE_GAP), top, place_width)
        for position, seat in enumerate(row)
    }


def draw_stock(
    canvas: Canvas, count: int, cards_in_layer: int, left: int, top: int, size: Size = LARGE, ring: Colour | None = None
) -> None:
    """Draw the stock in layers, with the lowest layer at (`left`, `top`). A `ring` marks the top card."""
    if not count:
        canvas.panel((left, top, left + size.width, top + size.height))
    total_shift = max(0, -(-count // cards_in_layer) - 1) * _LAYER_SHIFT
    for shift in range(0, total_shift + 1 if count else 0, _LAYER_SHIFT):
        if ring is not None and shift == total_shift:
            canvas.put(card_frame(ring, size), left + shift - RING_WIDTH, top - shift - RING_WIDTH)
        canvas.put(back(canvas.appearance, size), left + shift, top - shift)


def draw_top_discard(canvas: Canvas, discards: Sequence[Card], left: int, top: int) -> None:
    """Draw the top discard, on the edge of another if there are more. Without discards, draw an empty place."""
    if not discards:
        canvas.panel((left, top, left + LARGE.width, top + LARGE.height))
        return
    if len(discards) > 1:
        canvas.put(_blank_card(), left + _LAYER_SHIFT, top + _LAYER_SHIFT)
    canvas.put(face(discards[-1], canvas.appearance), left, top)


@cache
def _blank_card() -> Sprite:
    painting = Painting(LARGE.box, EDGE).paint_layer(FACE, rounded_mask(LARGE.box, LARGE.radius, 1.5))
    return Sprite(painting.image, card_shape(LARGE))


@cache
def small_back(size: Size) -> Sprite:
    """Return a small back. It has a diamond, but no pattern: patterns of many small backs would seem to flicker."""
    painting = Painting(size.box, EDGE)
    for colour, layer in _small_back_layers(size):
        painting.paint_layer(colour, layer)
    return Sprite(painting.image, card_shape(size))


@cache
def _small_back_layers(size: Size) -> tuple[tuple[Colour, Image.Image], ...]:
    """Return the layers of a small back above its edge: colours and masks."""
    white, wide = 1.5 + 2 * size.width / 45, size.width / 12
    insets = (1.5, white, white + wide, white + wide + 2)
    layers = [
        (colour, rounded_mask(size.box, size.radius, inset))
        for colour, inset in zip((TEXT, NAVY, SKY, NAVY), insets, strict=True)
    ]
    diamond = lozenge(size.width / 2, size.height / 2, size.width * _DIAMOND_RATIO)
    return *layers, (SKY, path_mask(size.box, 1, [diamond]))


@cache
def fan_of_backs(count: int) -> Sprite:
    """Return a fan of one to three small backs."""
    size, pivot = (_FAN_BACK.width + 2 * _FAN_MARGIN, _FAN_BACK.height + 14), (_FAN_MARGIN + _FAN_BACK.width / 2, 88)
    image, covered = Image.new("P", size), Image.new("1", size)
    for position in range(count):
        # The outer cards are lower, because their corners would rise above the middle card.
        steps = (count - 1) / 2 - position
        place = (_FAN_MARGIN, 5 + round(_FAN_DROP * abs(steps)))

        def turned(layer: Image.Image, steps: float = steps, place: tuple[int, int] = place) -> Image.Image:
            mask = Image.new("L", size)
            mask.paste(layer, place)
            return mask.rotate(_FAN_DEGREES * steps, Image.Resampling.BICUBIC, center=pivot)

        painting = Painting(size, EDGE)
        for colour, layer in _small_back_layers(_FAN_BACK):
            painting.paint_layer(colour, turned(layer))
        shape = half_covered_mask(turned(rounded_mask(_FAN_BACK.box, _FAN_BACK.radius)))
        image.paste(painting.image, (0, 0), shape)
        covered.paste(1, (0, 0), shape)
    return Sprite(image, covered)


def draw_discards(
    canvas: Canvas,
    visible_discards: Sequence[Card],
    left: int,
    top: int,
    size: Size = LARGE,
    ring: Colour | None = None,
) -> None:
    """Draw the visible discards from `left` to the right, top last. A `ring` marks the top card.

    Draw an empty place if there are no discards.
    """
    step = narrow_step(canvas.appearance, size)
    for position, card in enumerate(visible_discards[:-1]):
        canvas.put(face(card, canvas.appearance, size, covered=True), left + position * step, top)
    x = (
        left
        + max(0, len(visible_discards) - 1) * step
        + (0 if ring is None or len(visible_discards) < 2 else RING_WIDTH)
    )
    if ring is not None:
        canvas.put(card_frame(ring, size), x - RING_WIDTH, top - RING_WIDTH)
    if visible_discards:
        canvas.put(face(visible_discards[-1], canvas.appearance, size), x, top)
    else:
        canvas.panel((x, top, x + size.width, top + size.height))


def draw_caption(canvas: Canvas, middle: int, top: int, label: str, number: int) -> None:
    """Draw the name of a pile and its number of cards, centred on `middle`."""
    text = f"{label} "
    x, y = (
        middle - (text_mask(text, LABEL_CAP).width + text_mask(str(number), LABEL_CAP).width) // 2,
        top + _CAPTION_GAP + LABEL_CAP,
    )
    x += canvas.text(x, y, text, LABEL_CAP, ink=MIST)
    canvas.text(x, y, str(number), LABEL_CAP)
