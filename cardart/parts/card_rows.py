"""Rows of grouped cards, which overlap as far as needed and are wrapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Arrangement, Meld
from bot.engine.showdown import LayOff
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, face, narrow_step, readable_step
from cardart.deck.faces import Size
from cardart.drawing.canvas import MARGIN, Canvas
from cardart.drawing.painting import Painting, Sprite, bar, cut_out, tag
from cardart.drawing.palette import EDGE, RED, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text.queries import in_order, laid_off_on

PADDING: Final = 10
"""From a frame to the cards in it."""
_GAP: Final = 10
"""Between two frames."""
RING: Final = 5
"""The thickness of the frame around a raised card, with its dark edge."""
_BAR: Final = 9
"""The thickness of the bar beneath cards that count against their owner."""
_BELOW: Final = 5
"""From the lower edge of the cards to that bar."""
_BESIDE: Final = 56
"""The room for a sum to the right of its cards."""
_TOTAL: Final = 20
_HANGING: Final = 4
"""From the lower edge of the cards to a label beneath them."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together, with a frame or without.

    Cards can be raised, each in a frame of a colour. A label hangs beneath them. Cards with a total have a bar beneath
    them that ends in it.
    """

    cards: tuple[Card, ...]
    framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    label: Sprite | None = None
    total: int | None = None

    def width(self, step: int, size: Size = LARGE) -> int:
        """Return the width including the padding, with `step` pixels from card to card."""
        return self.places(step)[-1] + size.width + 2 * PADDING + (0 if self.total is None else _BESIDE)

    def places(self, step: int) -> list[int]:
        """Return how far right of the first card each one lies. A frame has room beside the index before it."""
        return [
            number * step + RING * sum(card in self.raised for card in self.cards[1 : number + 1])
            for number in range(len(self.cards))
        ]


def groups_of(
    hand: Arrangement,
    lay_offs: Iterable[LayOff] = (),
    raised: Mapping[Card, Colour] = MappingProxyType({}),
    labels: Mapping[Meld, Sprite] = MappingProxyType({}),
    total: int | None = None,
) -> list[CardGroup]:
    """Return the melds of a hand, framed, then its cards in no meld, with their total if that is to be shown.

    Cards laid off on the melds are raised in the colours of those who laid them off.
    """
    groups: list[CardGroup] = []
    for meld in hand.melds:
        added = {card: SEAT_COLOURS[seat] for card, seat in laid_off_on(meld, lay_offs).items()}
        groups.append(CardGroup(in_order((*meld.cards, *added)), True, {**added, **raised}, labels.get(meld)))
    return [*groups, CardGroup(hand.unmatched, False, raised, total=total)] if hand.unmatched else groups


@dataclass(frozen=True, slots=True)
class CardRow:
    """Groups in one row, with `step` pixels from card to card."""

    groups: tuple[CardGroup, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(
        groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE, widest: int | None = None
    ) -> CardRow:
        """Return one row that shows the index of each card, or as much of it as fits into `room` pixels.

        If there is room, cards are `widest` pixels apart, or just as far as their indices need.
        """
        covered = sum(len(group.cards) - 1 for group in groups)
        free = room - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _GAP
        most = widest or narrow_step(appearance, size)
        return CardRow(tuple(groups), min(most, free // covered) if covered else most, size)

    def reads(self, appearance: Appearance) -> bool:
        """Return whether every card's index is visible."""
        return self.step >= readable_step(appearance, self.size) or all(len(group.cards) == 1 for group in self.groups)

    def draw(self, canvas: Canvas, y: int, lift: int, left: int = MARGIN) -> None:
        """Draw the row from `left` on, with the tops of the cards at `y`, and raised ones `lift` pixels higher."""
        for group in self.groups:
            right = left + group.width(self.step, self.size)
            if group.framed:
                canvas.panel((left, y - PADDING, right, y + self.size.height + PADDING))
            for number, (card, place) in enumerate(zip(group.cards, group.places(self.step), strict=True)):
                covered = number < len(group.cards) - 1
                x, top = left + PADDING + place, y - lift if card in group.raised else y
                if card in group.raised:
                    canvas.put(frame(group.raised[card], self.size), x - RING, top - RING)
                canvas.put(face(card, canvas.appearance, self.size, covered=covered), x, top)
            if group.label is not None:
                canvas.put(group.label, (left + right - group.label.width) // 2, y + self.size.height + _HANGING)
            if group.total is not None:
                wide = group.places(self.step)[-1] + self.size.width
                _draw_total(canvas, group.total, left + PADDING, wide, y + self.size.height)
            left = right + _GAP


def _draw_total(canvas: Canvas, total: int, left: int, wide: int, bottom: int) -> None:
    """Draw a bar beneath cards that count against their owner, and their sum at its end."""
    label = tag(str(total), _TOTAL, RED, TEXT)
    line = bar(wide + label.width // 2, _BAR, RED)
    canvas.put(line, left, bottom + _BELOW)
    canvas.put(label, left + wide + _BELOW, bottom + _BELOW + _BAR - label.height)


def frame(colour: Colour, size: Size = LARGE) -> Sprite:
    """Return a frame that marks a card which is laid on it, `RING` pixels from its left and top."""
    return plate(size.box, colour, RING, size.radius)


@cache
def plate(size: tuple[int, int], colour: Colour, around: int, radius: float) -> Sprite:
    """Return a plate for a card or a meld of that size to lie on, `around` pixels larger on each side."""
    box, outer = (size[0] + 2 * around, size[1] + 2 * around), radius + around
    painting = Painting(box, EDGE).lay(colour, rounded_mask(box, outer, 1))
    return cut_out(painting.image, rounded_mask(box, outer))


def wrap_rows(groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE) -> list[CardRow]:
    """Return as few rows as possible in which every card's index is visible."""
    rows: list[CardRow] = []
    for group in groups:
        longer = CardRow.of([*(rows[-1].groups if rows else ()), group], room, appearance, size)
        if rows and longer.reads(appearance):
            rows[-1] = longer
        else:
            rows.append(CardRow.of([group], room, appearance, size))
    return rows
