"""A hand in a single row of a fixed place: cards overlap, with a gap between groups and a line beneath each meld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, MEDIUM, MIDDLE, Overlap, Size, face, halo, narrowed, overlap
from cardart.drawing.canvas import Canvas
from cardart.drawing.palette import MIST
from cardart.parts.card_rows import CardGroup

LIFT: Final = 12
"""How much higher raised cards lie."""
UNDER: Final = 12
"""From the lower edge of the cards to that of the line beneath a meld."""
_GAP: Final = 16
"""Between two groups of the largest cards."""
_LINE: Final = 4
_APART: Final = 4
"""Between the last card of a group, which is narrower, and the next group."""

SIZES: Final = (LARGE, MIDDLE, MEDIUM, Size(67, 92), Size(50, 69))
"""The sizes of cards. Small ones are for hands that have grown by lay-offs."""


@dataclass(frozen=True, slots=True)
class HandRow:
    """The layout of a hand: the size of its cards, and the step from card to card in pixels."""

    size: Size
    step: int

    @staticmethod
    def of(cards: int, groups: int, room: int, appearance: Appearance, largest: Size = LARGE) -> HandRow:
        """Return the largest cards that can be read in `room` pixels, else the smallest ones."""
        fans = [
            HandRow(size, _step(overlap(appearance, size), size, cards, groups, room))
            for size in SIZES
            if size.width <= largest.width
        ]
        return next((fan for fan in fans if fan.step >= overlap(appearance, fan.size).readable), fans[-1])

    def draw(self, canvas: Canvas, groups: Sequence[CardGroup], left: int, bottom: int) -> None:
        """Draw groups from `left` on, with their lower edges at `bottom`. A framed group gets a line.

        The last card of a group is narrowed, so that the next group can begin beside it.
        """
        x, last, gap = left, groups[-1].cards[-1], _gap(self.size)
        for group in groups:
            begins = x
            ends = x + (len(group.cards) - 1) * self.step + self.size.width
            if last not in group.cards:
                ends = x + len(group.cards) * self.step + gap - _APART
            for card in group.cards:
                y = bottom - self.size.height - (LIFT if card in group.raised else 0)
                sprites = [face(card, canvas.appearance, self.size, covered=card is not last)]
                sprites += [halo(group.raised[card], self.size)] if card in group.raised else []
                for sprite in sprites:
                    canvas.put(narrowed(sprite, ends - x, self.size), x, y)
                x += self.step
            if group.framed:
                canvas.fill((begins, bottom + UNDER - _LINE, ends, bottom + UNDER), MIST)
            x += gap


def _gap(size: Size) -> int:
    """Return the gap between two groups."""
    return round(_GAP * size.scale)


def _step(may: Overlap, size: Size, cards: int, groups: int, room: int) -> int:
    """Return a step that shows as much of each index as fits, and nothing else of the card."""
    free = room - size.width - (groups - 1) * _gap(size)
    return min(may.narrow, free // max(1, cards - 1))
