"""A picture of a complete deck, for judging the cards of an appearance."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card, Rank, Suit
from bot.model.appearance import Appearance
from cardart import Picture
from cardart.deck.cards import MEDIUM, back, face
from cardart.drawing.canvas import MARGIN, Canvas
from cardart.text.queries import HAND_SUIT_ORDER

_GAP: Final = 8
_ALT: Final = "The deck: ace to king of clubs, diamonds, spades and hearts, a row for each suit, and the back."


def draw_deck(appearance: Appearance) -> Picture:
    """Draw all cards, one row for each suit, with a card's back at the end of each row."""
    across, down = MEDIUM.width + _GAP, MEDIUM.height + _GAP
    columns = len(Rank) + 1
    canvas = Canvas(columns * across - _GAP + 2 * MARGIN, len(Suit) * down - _GAP + 2 * MARGIN, appearance)
    for row, suit in enumerate(HAND_SUIT_ORDER):
        for column, rank in enumerate(Rank):
            canvas.put(face(Card.of(rank, suit), appearance, MEDIUM), MARGIN + column * across, MARGIN + row * down)
        canvas.put(back(appearance, MEDIUM), MARGIN + len(Rank) * across, MARGIN + row * down)
    return canvas.picture(_ALT)
