"""Rows of groups of cards, which overlap as much as necessary and wrap. Lengths are in pixels."""

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
"""Space between a frame and its cards."""
_GAP: Final = 10
"""Space between two frames."""
RING: Final = 5
"""Thickness of the frame around a raised card, including its dark edge."""
_BAR: Final = 9
"""Thickness of the bar beneath deadwood."""
_BELOW: Final = 5
"""Space between cards and that bar."""
_BESIDE: Final = 56
"""Space for the total of deadwood, to the right of its cards."""
_TOTAL: Final = 20
_HANGING: Final = 4
"""Space between cards and the label beneath them."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together, such as a meld, with or without a frame.

    `raised` cards lie higher, each in a frame of its colour. `label` hangs beneath the cards. With a `total`, a bar
    beneath the cards ends in that number.
    """

    cards: tuple[Card, ...]
    framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    label: Sprite | None = None
    total: int | None = None

    def width(self, step: int, size: Size = LARGE) -> int:
        """Return the width including the padding, with `step` pixels between the left edges of cards."""
        return self.places(step)[-1] + size.width + 2 * PADDING + (0 if self.total is None else _BESIDE)

    def places(self, step: int) -> list[int]:
        """Return the distance of each card from the first card.

        A raised card is moved to the right, so that its frame does not hide the index of the card before it.
        """
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
    """Return a framed group for each meld of a hand, and a group for its deadwood with the `total`.

    Cards laid off on the melds are raised, in the colours of the seats that laid them off.
    """
    groups: list[CardGroup] = []
    for meld in hand.melds:
        added = {card: SEAT_COLOURS[seat] for card, seat in laid_off_on(meld, lay_offs).items()}
        groups.append(CardGroup(in_order((*meld.cards, *added)), True, {**added, **raised}, labels.get(meld)))
    return [*groups, CardGroup(hand.unmatched, False, raised, total=total)] if hand.unmatched else groups


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of groups, with `step` pixels between the left edges of cards."""

    groups: tuple[CardGroup, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(
        groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE, widest: int | None = None
    ) -> CardRow:
        """Return a row of groups that fits into `room` pixels.

        If there is room, cards are `widest` pixels apart; by default, only as far as their indices need.
        """
        covered = sum(len(group.cards) - 1 for group in groups)
        free = room - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _GAP
        most = widest or narrow_step(appearance, size)
        return CardRow(tuple(groups), min(most, free // covered) if covered else most, size)

    def reads(self, appearance: Appearance) -> bool:
        """Return True if the index of every card is visible."""
        return self.step >= readable_step(appearance, self.size) or all(len(group.cards) == 1 for group in self.groups)

    def draw(self, canvas: Canvas, y: int, lift: int, left: int = MARGIN) -> None:
        """Draw the row from `left`, with the tops of cards at `y`. Raised cards are `lift` pixels higher."""
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
    """Draw a bar beneath deadwood, with its total at the end."""
    label = tag(str(total), _TOTAL, RED, TEXT)
    line = bar(wide + label.width // 2, _BAR, RED)
    canvas.put(line, left, bottom + _BELOW)
    canvas.put(label, left + wide + _BELOW, bottom + _BELOW + _BAR - label.height)


def frame(colour: Colour, size: Size = LARGE) -> Sprite:
    """Return the frame of a card, which is then drawn on it `RING` pixels from its left and top."""
    return plate(size.box, colour, RING, size.radius)


@cache
def plate(size: tuple[int, int], colour: Colour, around: int, radius: float) -> Sprite:
    """Return a plate to put under a card or meld of the given size, `around` pixels larger on each side."""
    box, outer = (size[0] + 2 * around, size[1] + 2 * around), radius + around
    painting = Painting(box, EDGE).lay(colour, rounded_mask(box, outer, 1))
    return cut_out(painting.image, rounded_mask(box, outer))


def wrap_rows(groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE) -> list[CardRow]:
    """Return as few rows as possible that show the index of every card."""
    rows: list[CardRow] = []
    for group in groups:
        longer = CardRow.of([*(rows[-1].groups if rows else ()), group], room, appearance, size)
        if rows and longer.reads(appearance):
            rows[-1] = longer
        else:
            rows.append(CardRow.of([group], room, appearance, size))
    return rows
