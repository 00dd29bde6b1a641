"""A picture of melds and deadwood for newcomers to the game. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card, parse_cards
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE
from cardart.drawing.canvas import MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.painting import bar, tag
from cardart.drawing.palette import MIST, RECESS, RED, TEXT
from cardart.parts.card_rows import FRAME_PADDING, CardGroup, CardRow, plate
from cardart.text import alt_text, phrases
from cardart.text.card_names import card_names

_GAP: Final = 14
_COLUMN_WIDTH: Final = (WIDTH - 2 * MARGIN - 2 * _GAP) // 3
_CARDS_TOP: Final = MARGIN + 2 * FRAME_PADDING
_PLATE_MARGIN: Final = 7
"""Margin of a meld's frame around its cards."""
_TOTAL_CAP: Final = 17
_BAR_DISTANCE: Final = 14
"""Distance from the cards to the middle of the bar beneath deadwood."""
_NAME_CAP: Final = 30
_NAME_BASELINE: Final = _CARDS_TOP + LARGE.height + 76
_TEXT_CAP: Final = 23
_LINE_HEIGHT: Final = 38
_COLUMNS_BOTTOM: Final = _NAME_BASELINE + 2 * _LINE_HEIGHT + 30
"""Bottom of the columns."""
_POINTS_BASELINE: Final = _COLUMNS_BOTTOM + 46
"""Baseline of the line with the points of cards."""
_HEIGHT: Final = _POINTS_BASELINE + 36


def draw_primer(appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a run, a set and deadwood, each with its name and a short explanation, and the points of cards."""
    canvas = Canvas(WIDTH, _HEIGHT, appearance)
    for index, (notation, is_meld, name, explanation) in enumerate(phrases.PRIMER_GROUPS):
        left = MARGIN + index * (_COLUMN_WIDTH + _GAP)
        middle = left + _COLUMN_WIDTH // 2
        canvas.panel((left, MARGIN, left + _COLUMN_WIDTH, _COLUMNS_BOTTOM))
        group_cards = parse_cards(notation)
        group = CardGroup(group_cards, is_framed=False)
        row = CardRow.of([group], _COLUMN_WIDTH, appearance)
        row_left = middle - group.width(row.step) // 2
        if is_meld:
            # Both melds have the same colour: the colours in a hand only number its melds.
            canvas.put(
                plate((group.width(row.step) - 2 * FRAME_PADDING, LARGE.height), MIST, _PLATE_MARGIN, LARGE.radius),
                row_left + FRAME_PADDING - _PLATE_MARGIN,
                _CARDS_TOP - _PLATE_MARGIN,
            )
        row.draw(canvas, _CARDS_TOP, 0, row_left)
        if not is_meld:
            _draw_total(canvas, group_cards, group.width(row.step) - 2 * FRAME_PADDING, middle)
        canvas.text(middle, _NAME_BASELINE, name, _NAME_CAP, background=RECESS, align="centre")
        for number, line in enumerate(explanation, 1):
            canvas.text(
                middle,
                _NAME_BASELINE + number * _LINE_HEIGHT + 4,
                line,
                _TEXT_CAP,
                ink=MIST,
                background=RECESS,
                align="centre",
            )
    points_text = phrases.card_points(card_names(appearance.language).letters)
    canvas.text(WIDTH // 2, _POINTS_BASELINE, points_text, _TEXT_CAP, align="centre")
    return canvas.picture(alt_text.primer(appearance.language))


def _draw_total(canvas: Canvas, deadwood: Sequence[Card], width: int, middle: int) -> None:
    """Draw a bar as wide as the deadwood beneath it, and the points in the middle of the bar."""
    label, line = tag(str(sum(card.rank.points for card in deadwood)), _TOTAL_CAP, RED, TEXT), bar(width, 9, RED)
    bar_middle = _CARDS_TOP + LARGE.height + _BAR_DISTANCE
    for sprite in (line, label):
        canvas.put(sprite, middle - sprite.width // 2, bar_middle - sprite.height // 2)
