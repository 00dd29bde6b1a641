"""A picture of melds and deadwood for newcomers to the game. Lengths are in pixels."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import parse_cards
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE
from cardart.drawing.canvas import MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.palette import MELD_COLOURS, MIST, RECESS
from cardart.parts.card_rows import PADDING, CardGroup, CardRow, plate
from cardart.text import alt_text, phrases
from cardart.text.card_names import names_of

_GAP: Final = 14
_COLUMN: Final = (WIDTH - 2 * MARGIN - 2 * _GAP) // 3
_CARDS: Final = MARGIN + 2 * PADDING
_AROUND: Final = 7
"""Margin of a meld's colour around its cards."""
_TITLE: Final = 30
_NAME: Final = _CARDS + LARGE.height + 68
_TEXT: Final = 23
_LINE: Final = 38
_END: Final = _NAME + 2 * _LINE + 30
"""Bottom of the columns."""
_POINTS: Final = _END + 46
"""Baseline of the line with the points of cards."""
_HEIGHT: Final = _POINTS + 36


def draw_primer(appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a run, a set and deadwood, each with its name and a short explanation, and the points of cards."""
    canvas = Canvas(WIDTH, _HEIGHT, appearance)
    for place, (cards, is_meld, name, meaning) in enumerate(phrases.PRIMER):
        left = MARGIN + place * (_COLUMN + _GAP)
        middle = left + _COLUMN // 2
        canvas.panel((left, MARGIN, left + _COLUMN, _END))
        held = parse_cards(cards)
        group = CardGroup(held, framed=False, total=None if is_meld else sum(card.rank.points for card in held))
        row = CardRow.of([group], _COLUMN, appearance)
        begin = middle - group.width(row.step) // 2
        if is_meld:
            size, colour = (group.width(row.step) - 2 * PADDING, LARGE.height), MELD_COLOURS[place]
            canvas.put(plate(size, colour, _AROUND, LARGE.radius), begin + PADDING - _AROUND, _CARDS - _AROUND)
        row.draw(canvas, _CARDS, 0, begin)
        canvas.text(middle, _NAME, name, _TITLE, ground=RECESS, align="centre")
        for number, line in enumerate(meaning, 1):
            canvas.text(middle, _NAME + number * _LINE + 4, line, _TEXT, ink=MIST, ground=RECESS, align="centre")
    counted = phrases.card_points(names_of(appearance.language).letters)
    canvas.text(WIDTH // 2, _POINTS, counted, _TEXT, align="centre")
    return canvas.picture(alt_text.primer(appearance.language))
