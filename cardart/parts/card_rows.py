"""Rows of grouped cards, which overlap as far as needed and are wrapped into several rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Meld
from bot.engine.showdown import LayOff
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, Size, face, halo, overlap, strike_height
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle
from cardart.drawing.palette import RECESS, RED, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.sprites import Sprite, bar, tag
from cardart.text.queries import in_order, laid_off_on

PADDING: Final = 10
"""From a frame to the cards in it."""
_GAP: Final = 10
"""Between two frames."""
_APART: Final = 8
"""Between two cards that do not overlap."""
_FRAME: Final = PanelStyle(RECESS, SEAM)
_STRIKE: Final = 5
"""The thickness of the line through cards, and how far it extends beyond them; a little less on smaller cards."""
_BESIDE: Final = 56
"""The room for a sum to the right of its cards."""
_TOTAL: Final = 20
_LABEL_INSET: Final = 3


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together, with a frame or without.

    Cards can be marked by a colour, raised as well, and labelled. Cards with a total are struck through.
    """

    cards: tuple[Card, ...]
    framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    marked: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    labels: Mapping[Card, Sprite] = field(default_factory=dict[Card, Sprite])
    total: int | None = None

    @staticmethod
    def of(meld: Meld, lay_offs: Iterable[LayOff] = (), label: Sprite | None = None) -> CardGroup:
        """Return a meld and the cards laid off on it, which are raised. The label is for its first card."""
        added = laid_off_on(meld, lay_offs)
        cards = in_order((*meld.cards, *added))
        raised = {card: SEAT_COLOURS[seat] for card, seat in added.items()}
        return CardGroup(cards, True, raised, labels={} if label is None else {cards[0]: label})

    def width(self, step: int, size: Size = LARGE) -> int:
        """Return the width including the padding, with `step` pixels from card to card."""
        return (len(self.cards) - 1) * step + size.width + 2 * PADDING + (0 if self.total is None else _BESIDE)


@dataclass(frozen=True, slots=True)
class CardRow:
    """Groups in one row, with `step` pixels from card to card."""

    groups: tuple[CardGroup, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(
        groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE, *, snug: bool = False
    ) -> CardRow:
        """Return one row that shows as much of each card as fits into `room` pixels; of a `snug` row, only the indices.

        Cards in frames always overlap. Others lie apart if there is room.
        """
        may, apart = overlap(appearance, size), size.width + _APART
        framed = any(group.framed for group in groups)
        loosest = may.narrow if snug or framed else apart
        covered = sum(len(group.cards) - 1 for group in groups)
        free = room - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _GAP
        step = min(loosest, free // covered) if covered else loosest
        return CardRow(tuple(groups), step if step >= size.width else min(step, may.narrow), size)

    def reads(self, appearance: Appearance) -> bool:
        """Return whether every card's index is visible."""
        return self.step >= overlap(appearance, self.size).readable or all(
            len(group.cards) == 1 for group in self.groups
        )

    def places(self) -> Iterator[tuple[CardGroup, int]]:
        """Yield each group and how far from the left of the row it begins."""
        left = 0
        for group in self.groups:
            yield group, left
            left += group.width(self.step, self.size) + _GAP

    def draw(self, canvas: Canvas, y: int, lift: int, start: int = MARGIN) -> None:
        """Draw the row from `start` on, with the tops of the cards at `y`, and raised ones `lift` pixels higher."""
        for group, place in self.places():
            left = start + place
            if group.framed:
                right = left + group.width(self.step, self.size)
                canvas.panel((left, y - PADDING, right, y + self.size.height + PADDING), _FRAME)
            labels: list[tuple[Sprite, int, int]] = []
            overlapping = self.step < self.size.width
            for number, card in enumerate(group.cards):
                covered = overlapping and number < len(group.cards) - 1
                raised = card in group.raised
                where = (left + PADDING + number * self.step, y - lift if raised else y)
                canvas.put(face(card, canvas.appearance, self.size, covered=covered), *where)
                colour = group.raised.get(card) or group.marked.get(card)
                if colour is not None:
                    canvas.put(halo(colour, self.size), *where)
                labels += [(group.labels[card], *where)] if card in group.labels else []
            for label, x, top in labels:
                canvas.put(label, x + _LABEL_INSET, top + self.size.height - label.height)
            if group.total is not None:
                self._strike(canvas, group, left + PADDING, y)

    def _strike(self, canvas: Canvas, group: CardGroup, left: int, y: int) -> None:
        """Draw a line through cards that count against their owner, and their sum."""
        wide, middle = (
            group.width(self.step, self.size) - 2 * PADDING - _BESIDE,
            y + strike_height(canvas.appearance, self.size),
        )
        line = bar(wide + 2 * _STRIKE, ceil(_STRIKE * self.size.scale), RED)
        canvas.put(line, left - _STRIKE, middle - line.height // 2)
        label = tag(str(group.total), _TOTAL, RED, TEXT)
        canvas.put(label, left + wide + _STRIKE // 2, middle - label.height // 2)


def wrap_rows(
    groups: Sequence[CardGroup], room: int, appearance: Appearance, size: Size = LARGE, *, snug: bool = False
) -> list[CardRow]:
    """Return as few rows as possible in which every card's index is visible."""
    done: list[CardRow] = []
    held: list[CardGroup] = []
    for group in groups:
        if held and not CardRow.of([*held, group], room, appearance, size, snug=snug).reads(appearance):
            done.append(CardRow.of(held, room, appearance, size, snug=snug))
            held = []
        held.append(group)
    return [*done, CardRow.of(held, room, appearance, size, snug=snug)] if held else []
