"""How groups of cards share a row: fanned as far as there is room, and where to begin another row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Meld
from bot.engine.showdown import LayOff
from cardart.canvas import MARGIN, Canvas, Style, tag
from cardart.cards import LARGE, Size, face, halo
from cardart.facts import in_order, laid_off_on
from cardart.palette import BLACK, GOLD, RECESS, SEAM, SEATS, Colour

PADDING: Final = 10
"""From a frame to the cards in it."""
_GAP: Final = 10
"""Between two frames."""
_FRAME: Final = Style(RECESS, SEAM)
_LABEL: Final = 15
_LABEL_INSET: Final = 6


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that belong together, in a frame or not; some may be raised and marked with a colour, some labelled."""

    cards: tuple[Card, ...]
    framed: bool
    raised: Mapping[Card, Colour] = field(default_factory=dict[Card, Colour])
    labels: Mapping[Card, str] = field(default_factory=dict[Card, str])

    @staticmethod
    def of(meld: Meld, lay_offs: Iterable[LayOff] = (), label: str | None = None) -> Group:
        """A meld with the cards laid off on it, raised in the colours of who laid them off; its first card labelled."""
        added = laid_off_on(meld, lay_offs)
        cards = in_order((*meld.cards, *added))
        raised = {card: SEATS[seat] for card, seat in added.items()}
        return Group(cards, True, raised, {} if label is None else {cards[0]: label})

    def width(self, step: int, size: Size = LARGE) -> int:
        """How wide it is, its padding included, with `step` pixels from card to card."""
        return (len(self.cards) - 1) * step + size.width + 2 * PADDING


@dataclass(frozen=True, slots=True)
class Row:
    """Groups in one row, and how many pixels lie from card to card."""

    groups: tuple[Group, ...]
    step: int
    size: Size = LARGE

    @staticmethod
    def of(groups: Sequence[Group], room: int, size: Size = LARGE) -> Row:
        """One row of the groups that shows as much of each card as fits into `room` pixels."""
        covered = sum(len(group.cards) - 1 for group in groups)
        free = room - sum(group.width(0, size) for group in groups) - (len(groups) - 1) * _GAP
        step = min(size.loosest, free // covered) if covered else size.loosest
        return Row(tuple(groups), size.narrow if size.narrow < step < size.wide else step, size)

    def places(self) -> Iterator[tuple[Group, int]]:
        """Each group and how far from the margin it begins."""
        left = 0
        for group in self.groups:
            yield group, left
            left += group.width(self.step, self.size) + _GAP

    def draw(self, canvas: Canvas, y: int, lift: int) -> None:
        """Draw it with the tops of the cards at y, those of raised ones `lift` pixels higher."""
        for group, place in self.places():
            left = MARGIN + place
            if group.framed:
                right = left + group.width(self.step, self.size)
                canvas.panel((left, y - PADDING, right, y + self.size.height + PADDING), _FRAME)
            labels: list[tuple[str, int, int]] = []
            for number, card in enumerate(group.cards, 1):
                raised = card in group.raised
                where = (left + PADDING + (number - 1) * self.step, y - lift if raised else y)
                canvas.put(face(card, canvas.look, self.size, covered=number < len(group.cards)), *where)
                if raised:
                    canvas.put(halo(group.raised[card], self.size), *where)
                labels += [(group.labels[card], *where)] if card in group.labels else []
            for text, x, top in labels:
                label = tag(text, _LABEL, GOLD, BLACK)
                canvas.put(label, x + _LABEL_INSET, top + self.size.height - label.height - _LABEL_INSET)


def rows(groups: Sequence[Group], room: int, size: Size = LARGE) -> list[Row]:
    """As few rows as let every card be read."""
    done: list[Row] = []
    held: list[Group] = []
    for group in groups:
        if held and Row.of([*held, group], room, size).step < size.readable:
            done.append(Row.of(held, room, size))
            held = []
        held.append(group)
    return [*done, Row.of(held, room, size)] if held else []
