"""The whole deck of a look, to see what its cards are like."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card, Rank, Suit
from cardart.deck.cards import MEDIUM, back, face
from cardart.drawing.canvas import MARGIN, Canvas, Picture
from cardart.drawing.themes import DEFAULT, Look
from cardart.text import alt_text
from cardart.text.queries import SUITS

_GAP: Final = 8


def draw_deck(look: Look = DEFAULT) -> Picture:
    """Every card by suit and rank, and the back beside them."""
    across, down = MEDIUM.width + _GAP, MEDIUM.height + _GAP
    columns = len(Rank) + 1
    canvas = Canvas(columns * across - _GAP + 2 * MARGIN, len(Suit) * down - _GAP + 2 * MARGIN, look)
    for row, suit in enumerate(SUITS):
        for column, rank in enumerate(Rank):
            canvas.put(face(Card.of(rank, suit), look, MEDIUM), MARGIN + column * across, MARGIN + row * down)
        canvas.put(back(look, MEDIUM), MARGIN + len(Rank) * across, MARGIN + row * down)
    return canvas.picture(alt_text.DECK)
