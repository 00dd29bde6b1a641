"""Rows of grouped cards: some overlap as far as needed and are wrapped, those of hands in a fixed place get smaller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.showdown import LayOff
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, MEDIUM, MIDDLE, face, halo, narrow_step, narrowed, readable_step
from cardart.deck.faces import Size
from cardart.drawing.canvas import MARGIN, Canvas
from cardart.drawing.painting import Painting, Sprite, bar, cut_out, tag
from cardart.drawing.palette import EDGE, MIST, RED, SEAT_COLOURS, TEXT, Colour
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
_LABEL_INSET: Final = 3

HAND_LIFT: Final = 12
"""How much higher the raised cards of a `HandRow` lie."""
UNDER: Final = 12
"""From the lower edge of the cards to that of the line beneath a meld."""
_HAND_GAP: Final = 16
"""Between two groups of the largest cards."""
_LINE: Final = 4
_BEFORE: Final = 4
"""Between the last card of a group, which is narrower, and the next group."""
HAND_SIZES: Final = (LARGE, MIDDLE, MEDIUM, Size(67, 92), Size(50, 69))
"""The sizes of cards. Small ones are for hands that have grown by lay-offs."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together, with a frame or without.

    Cards can be raised, each in a frame of a colour, and labelled. Beneath cards with a total is a bar that ends in it.
    """

    cards: tuple[Card, ...]
    framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    labels: Mapping[Card, Sprite] = field(default_factory=dict[Card, Sprite])
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
    labels: Mapping[Card, Sprite] = MappingProxyType({}),
    total: int | None = None,
) -> list[CardGroup]:
    """Return the melds of a hand, framed, then its cards in no meld, with their total if that is to be shown.

    Cards laid off on the melds are raised in the colours of those who laid them off.
    """
    groups: list[CardGroup] = []
    for meld in hand.melds:
        added = {card: SEAT_COLOURS[seat] for card, seat in laid_off_on(meld, lay_offs).items()}
        groups.append(CardGroup(in_order((*meld.cards, *added)), True, {**added, **raised}, labels=labels))
    return [*groups, CardGroup(hand.unmatched, False, raised, labels=labels, total=total)] if hand.unmatched else groups


@dataclass(frozen=True, slots=True)
class CardRow:
    """Groups in one row, with `step` pixels from card to card."""

    groups: tuple[CardGroup, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE) -> CardRow:
        """Return one row that shows the index of each card, or as much of it as fits into `room` pixels."""
        covered = sum(len(group.cards) - 1 for group in groups)
        free = room - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _GAP
        narrow = narrow_step(appearance, size)
        return CardRow(tuple(groups), min(narrow, free // covered) if covered else narrow, size)

    def reads(self, appearance: Appearance) -> bool:
        """Return whether every card's index is visible."""
        return self.step >= readable_step(appearance, self.size) or all(len(group.cards) == 1 for group in self.groups)

    def draw(self, canvas: Canvas, y: int, lift: int, left: int = MARGIN) -> None:
        """Draw the row from `left` on, with the tops of the cards at `y`, and raised ones `lift` pixels higher."""
        for group in self.groups:
            right = left + group.width(self.step, self.size)
            if group.framed:
                canvas.panel((left, y - PADDING, right, y + self.size.height + PADDING))
            labels: list[tuple[Sprite, int, int]] = []
            for number, (card, place) in enumerate(zip(group.cards, group.places(self.step), strict=True)):
                covered = number < len(group.cards) - 1
                x, top = left + PADDING + place, y - lift if card in group.raised else y
                if card in group.raised:
                    framed = plate((self.size.width, self.size.height), group.raised[card], RING, self.size.radius)
                    canvas.put(framed, x - RING, top - RING)
                canvas.put(face(card, canvas.appearance, self.size, covered=covered), x, top)
                labels += [(group.labels[card], x, top)] if card in group.labels else []
            for label, x, top in labels:
                canvas.put(label, x + _LABEL_INSET, top + self.size.height - label.height)
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


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand in a single row of a fixed place, with a gap between groups: its size of cards, and the step between."""

    size: Size
    step: int

    @staticmethod
    def of(cards: int, groups: int, room: int, appearance: Appearance, largest: Size = LARGE) -> HandRow:
        """Return the largest cards that can be read in `room` pixels, else the smallest ones.

        As much of each index is visible as fits, and nothing else of the card.
        """
        rows: list[HandRow] = []
        for size in HAND_SIZES:
            if size.width <= largest.width:
                free = room - size.width - (groups - 1) * _hand_gap(size)
                rows.append(HandRow(size, min(narrow_step(appearance, size), free // max(1, cards - 1))))
        return next((row for row in rows if row.step >= readable_step(appearance, row.size)), rows[-1])

    def draw(self, canvas: Canvas, groups: Sequence[CardGroup], left: int, bottom: int) -> None:
        """Draw groups from `left` on, with their lower edges at `bottom`. A framed group gets a line.

        The last card of a group is narrowed, so that the next group can begin beside it.
        """
        x, last, gap = left, groups[-1].cards[-1], _hand_gap(self.size)
        for group in groups:
            begins = x
            ends = x + (len(group.cards) - 1) * self.step + self.size.width
            if last not in group.cards:
                ends = x + len(group.cards) * self.step + gap - _BEFORE
            for card in group.cards:
                y = bottom - self.size.height - (HAND_LIFT if card in group.raised else 0)
                sprites = [face(card, canvas.appearance, self.size, covered=card is not last)]
                sprites += [halo(group.raised[card], self.size)] if card in group.raised else []
                for sprite in sprites:
                    canvas.put(narrowed(sprite, ends - x, self.size), x, y)
                x += self.step
            if group.framed:
                canvas.fill((begins, bottom + UNDER - _LINE, ends, bottom + UNDER), MIST)
            x += gap


def _hand_gap(size: Size) -> int:
    return round(_HAND_GAP * size.scale)
