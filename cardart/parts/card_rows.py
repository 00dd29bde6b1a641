"""Groups of cards in rows. Cards of a group overlap as much as necessary, and groups wrap to further rows.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.melds import Arrangement, Meld
from bot.engine.deals.showdown import LayOff
from bot.engine.matches.facts import laid_off_on, meld_in_order
from bot.model.appearance import Appearance
from cardart.deck.cards import LARGE, face, narrow_step, readable_step, upper_face
from cardart.deck.faces import Size
from cardart.drawing.canvas import MARGIN, PANEL, Canvas, PanelStyle
from cardart.drawing.painting import Painting, Sprite, bar, cut_out, tag
from cardart.drawing.palette import EDGE, GRAIN, RED, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask

FRAME_PADDING: Final = 10
"""Space between a frame and its cards."""
_FRAME_GAP: Final = 10
"""Space between two frames."""
RING_WIDTH: Final = 5
"""Thickness of the frame around a raised card, including its dark edge."""
_BAR_HEIGHT: Final = 9
"""Thickness of the bar beneath deadwood."""
_BAR_GAP: Final = 5
"""Space between cards and the bar beneath them."""
_TOTAL_SPACE: Final = 56
"""Space for the total of deadwood, to the right of its cards."""
_TOTAL_CAP: Final = 20
LEDGE_HEIGHT: Final = 6
"""Space beneath standing cards for the ledge that hides their lower parts."""
LEDGE_OVERLAP: Final = 3
"""Height of the strip at the lower edge of standing cards that the ledge covers."""
_LABEL_GAP: Final = 4
"""Space between cards and the label beneath them."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together, such as a meld, with or without a frame.

    `raised` maps each card that lies higher to the colour of the card's frame. `label` hangs beneath the cards. With a
    `total`, a bar beneath the cards ends in that number.
    """

    cards: tuple[Card, ...]
    is_framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    label: Sprite | None = None
    total: int | None = None

    def width(self, step: int, size: Size = LARGE) -> int:
        """Return the width including the padding, with `step` pixels between the left edges of cards."""
        return (
            self.card_offsets(step)[-1] + size.width + 2 * FRAME_PADDING + (0 if self.total is None else _TOTAL_SPACE)
        )

    def card_offsets(self, step: int) -> list[int]:
        """Return the distances from the first card's left edge to each card's left edge.

        A raised card is moved to the right, so that its frame does not hide the index of the card before it.
        """
        return [
            number * step + RING_WIDTH * sum(card in self.raised for card in self.cards[1 : number + 1])
            for number in range(len(self.cards))
        ]


def card_groups(
    hand: Arrangement,
    lay_offs: Iterable[LayOff] = (),
    raised: Mapping[Card, Colour] = MappingProxyType({}),
    labels: Mapping[Meld, Sprite] = MappingProxyType({}),
    total: int | None = None,
) -> list[CardGroup]:
    """Return a framed group for each meld of a hand, and a group for its deadwood with the `total`.

    Cards laid off on the melds are raised, in the colours of the seats that laid them off.
    """
    groups: list[CardGroup] = []
    for meld in hand.melds:
        lay_off_colours = {card: SEAT_COLOURS[seat] for card, seat in laid_off_on(meld, lay_offs).items()}
        groups.append(
            CardGroup(
                meld_in_order((*meld.cards, *lay_off_colours)), True, {**lay_off_colours, **raised}, labels.get(meld)
            )
        )
    return [*groups, CardGroup(hand.unmatched, False, raised, total=total)] if hand.unmatched else groups


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of groups, with `step` pixels between the left edges of cards."""

    groups: tuple[CardGroup, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(
        groups: Sequence[CardGroup],
        max_width: int,
        appearance: Appearance,
        size: Size = LARGE,
        max_step: int | None = None,
    ) -> CardRow:
        """Return a row of groups that fits into `max_width` pixels.

        If there is room, the left edges of cards are `max_step` pixels apart. By default, `max_step` is just large
        enough to show the indices of covered cards.
        """
        covered_count = sum(len(group.cards) - 1 for group in groups)
        free_width = max_width - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _FRAME_GAP
        default_step = max_step or narrow_step(appearance, size)
        return CardRow(
            tuple(groups), min(default_step, free_width // covered_count) if covered_count else default_step, size
        )

    def is_readable(self, appearance: Appearance) -> bool:
        """Return True if the index of every card is visible."""
        return self.step >= readable_step(appearance, self.size) or all(len(group.cards) == 1 for group in self.groups)

    def draw(self, canvas: Canvas, y: int, lift: int, left: int = MARGIN, padding_above: int = FRAME_PADDING) -> None:
        """Draw the row from `left`, with the tops of cards at `y`. Raised cards are `lift` pixels higher.

        `padding_above` is the space between the tops of cards and the frame around them.
        """
        for group in self.groups:
            right = left + group.width(self.step, self.size)
            if group.is_framed:
                canvas.panel((left, y - padding_above, right, y + self.size.height + FRAME_PADDING))
            for position, (card, offset) in enumerate(zip(group.cards, group.card_offsets(self.step), strict=True)):
                covered = position < len(group.cards) - 1
                x, top = left + FRAME_PADDING + offset, y - lift if card in group.raised else y
                if card in group.raised:
                    canvas.put(card_frame(group.raised[card], self.size), x - RING_WIDTH, top - RING_WIDTH)
                canvas.put(face(card, canvas.appearance, self.size, covered=covered), x, top)
            if group.label is not None:
                canvas.put(group.label, (left + right - group.label.width) // 2, y + self.size.height + _LABEL_GAP)
            if group.total is not None:
                cards_width = group.card_offsets(self.step)[-1] + self.size.width
                _draw_total(canvas, group.total, left + FRAME_PADDING, cards_width, y + self.size.height)
            left = right + _FRAME_GAP

    def width(self) -> int:
        """Return the width of the row."""
        return sum(group.width(self.step, self.size) + _FRAME_GAP for group in self.groups) - _FRAME_GAP

    def draw_standing(
        self, canvas: Canvas, y: int, height: int, lift: int, left: int = MARGIN, frame_style: PanelStyle = PANEL
    ) -> None:
        """Draw the upper parts of the cards from `left`, as if they stood in slots, with the tops of cards at `y`.

        The upper parts are `height` pixels high. Raised cards show `lift` pixels more.
        """
        bottom = y + height
        for group in self.groups:
            right, x = left + group.width(self.step, self.size), left + FRAME_PADDING
            if group.is_framed:
                canvas.panel((left, y - FRAME_PADDING, right, bottom + LEDGE_HEIGHT), frame_style)
            for position, (card, offset) in enumerate(zip(group.cards, group.card_offsets(self.step), strict=True)):
                covered, colour = position < len(group.cards) - 1, group.raised.get(card)
                shown = height if colour is None else height + lift
                if colour is not None:
                    frame = _upper_frame(colour, self.size, RING_WIDTH + shown)
                    canvas.put(frame, x + offset - RING_WIDTH, bottom - frame.height)
                canvas.put(
                    upper_face(card, canvas.appearance, self.size, shown, covered=covered), x + offset, bottom - shown
                )
            if group.is_framed:
                canvas.put(bar(right - left, LEDGE_OVERLAP + LEDGE_HEIGHT, GRAIN), left, bottom - LEDGE_OVERLAP)
            if group.total is not None:
                cards_width = group.card_offsets(self.step)[-1] + self.size.width
                _draw_total(canvas, group.total, x, cards_width, bottom - LEDGE_OVERLAP - _BAR_GAP)
            left = right + _FRAME_GAP


def _draw_total(canvas: Canvas, total: int, left: int, cards_width: int, bottom: int) -> None:
    """Draw a bar beneath deadwood, with its total at the end."""
    label = tag(str(total), _TOTAL_CAP, RED, TEXT)
    line = bar(cards_width + label.width // 2, _BAR_HEIGHT, RED)
    canvas.put(line, left, bottom + _BAR_GAP)
    canvas.put(label, left + cards_width + _BAR_GAP, bottom + _BAR_GAP + _BAR_HEIGHT - label.height)


def card_frame(colour: Colour, size: Size = LARGE) -> Sprite:
    """Return a frame to put under a card. It is `RING_WIDTH` pixels larger than the card on each side."""
    return plate(size.box, colour, RING_WIDTH, size.radius)


@cache
def _upper_frame(colour: Colour, size: Size, height: int) -> Sprite:
    """Return the upper part of a card's frame."""
    frame, box = card_frame(colour, size), (0, 0, size.width + 2 * RING_WIDTH, height)
    return Sprite(frame.image.crop(box), None if frame.mask is None else frame.mask.crop(box))


@cache
def plate(size: tuple[int, int], colour: Colour, margin: int, radius: float) -> Sprite:
    """Return a plate to put under a card or meld of the given size, `margin` pixels larger on each side."""
    box, outer = (size[0] + 2 * margin, size[1] + 2 * margin), radius + margin
    painting = Painting(box, EDGE).paint_layer(colour, rounded_mask(box, outer, 1))
    return cut_out(painting.image, rounded_mask(box, outer))


def wrap_rows(groups: Sequence[CardGroup], max_width: int, appearance: Appearance, size: Size = LARGE) -> list[CardRow]:
    """Return as few rows as possible that show the index of every card."""
    rows: list[CardRow] = []
    for group in groups:
        extended_row = CardRow.of([*(rows[-1].groups if rows else ()), group], max_width, appearance, size)
        if rows and extended_row.is_readable(appearance):
            rows[-1] = extended_row
        else:
            rows.append(CardRow.of([group], max_width, appearance, size))
    return rows
