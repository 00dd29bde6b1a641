"""Cards as small as words, for lines of text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.engine.cards.cards import Card
from bot.model.appearance import Appearance
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, FACE, SUIT_INKS
from cardart.drawing.shapes import rounded_mask, suit_mask
from cardart.text.card_names import card_names

_PADDING_RATIO: Final = 0.23
"""Space around and between rank and suit, as a fraction of the cap height."""
_RADIUS_RATIO: Final = 0.3


def card_chip(card: Card, appearance: Appearance, cap: int) -> Sprite:
    """Return a chip with a card's rank and suit. `cap` is the cap height of the rank in pixels."""
    return _printed_chip(card, card_names(appearance.language).rank_letters(card.rank), cap)


@lru_cache(512)
def _printed_chip(card: Card, letters: str, cap: int) -> Sprite:
    rank, suit, padding = rank_mask(letters, cap, cap), suit_mask(card.suit, cap), round(cap * _PADDING_RATIO)
    size, radius = (rank.width + suit.width + 4 * padding, cap + 4 * padding), round(cap * _RADIUS_RATIO)
    painting = Painting(size, EDGE).paint_layer(FACE, rounded_mask(size, radius, 2))
    for x, mask in ((3 * padding // 2, rank), (size[0] - suit.width - 3 * padding // 2, suit)):
        painting.paint_layer(SUIT_INKS[card.suit], mask, (x, (size[1] - mask.height) // 2))
    return cut_out(painting.image, rounded_mask(size, radius))
