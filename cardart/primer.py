"""What melds and deadwood are, in one picture for those who are new to the game."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import parse_cards
from cardart import alt, words
from cardart.canvas import MARGIN, Canvas, Picture
from cardart.cards import LARGE
from cardart.palette import MIST
from cardart.rows import PADDING, Group, Row
from cardart.themes import USUAL, Look

WIDTH: Final = 800
_TITLE: Final = 28
_TEXT: Final = 19
_CARDS: Final = MARGIN + PADDING
_NAME: Final = _CARDS + LARGE.height + 60
_MEANING: Final = _NAME + 40
_HEIGHT: Final = _MEANING + 30


def draw_primer(look: Look = USUAL) -> Picture:
    """A run, a set and deadwood, with their names and a few words under each."""
    canvas = Canvas(WIDTH, _HEIGHT, look)
    column = (WIDTH - 2 * MARGIN) // len(words.PRIMER)
    for place, (cards, framed, name, meaning) in enumerate(words.PRIMER):
        group, middle = Group(parse_cards(cards), framed), MARGIN + place * column + column // 2
        row = Row.of([group], column, look, snug=True)
        row.draw(canvas, _CARDS, 0, middle - group.width(row.step) // 2)
        canvas.text(middle, _NAME, name, _TITLE, align="centre")
        canvas.text(middle, _MEANING, meaning, _TEXT, ink=MIST, align="centre")
    return canvas.picture(alt.primer(look.language))
