"""Melds and deadwood in one picture, for newcomers to the game."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import parse_cards
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.palette import MIST
from cardart.parts.card_rows import PADDING, CardGroup, CardRow
from cardart.text import alt_text, phrases

_TITLE: Final = 28
_CARDS: Final = MARGIN + PADDING
_NAME: Final = _CARDS + LARGE.height + 60
_MEANING: Final = _NAME + 40
_HEIGHT: Final = _MEANING + 30


def draw_primer(appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a run, a set and deadwood, each with its name and a short explanation."""
    canvas = Canvas(WIDTH, _HEIGHT, appearance)
    column = (WIDTH - 2 * MARGIN) // len(phrases.PRIMER)
    for place, (cards, framed, name, meaning) in enumerate(phrases.PRIMER):
        group, middle = CardGroup(parse_cards(cards), framed), MARGIN + place * column + column // 2
        row = CardRow.of([group], column, appearance)
        row.draw(canvas, _CARDS, 0, middle - group.width(row.step) // 2)
        canvas.text(middle, _NAME, name, _TITLE, align="centre")
        canvas.text(middle, _MEANING, meaning, CAP, ink=MIST, align="centre")
    return canvas.picture(alt_text.primer(appearance.language))
