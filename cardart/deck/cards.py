"""Card faces and backs as sprites, drawn on first use and then cached. Lengths are in pixels."""

from __future__ import annotations

from functools import cache
from typing import Final

from PIL import Image

from bot.engine.cards.cards import Card, Rank
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.backs import draw_back
from cardart.deck.faces import DECKS, Size, card_shape, draw_face, index_bottom
from cardart.drawing.painting import Sprite
from cardart.drawing.themes import DeckName, OrnamentName, theme_of
from cardart.text.card_names import card_names

LARGE: Final = Size(112, 154)
MEDIUM_LARGE: Final = Size(98, 135)
MEDIUM: Final = Size(84, 116)
COMPACT: Final = Size(76, 104)
SMALL: Final = Size(60, 82)


def readable_step(appearance: Appearance, size: Size) -> int:
    """Return the minimum distance between the left edges of overlapping cards at which every index is visible."""
    return round(DECKS[theme_of(appearance).deck].readable * size.scale)


def narrow_step(appearance: Appearance, size: Size) -> int:
    """Return the maximum distance between the left edges of overlapping cards that shows only their indices."""
    return round(DECKS[theme_of(appearance).deck].narrow * size.scale)


def index_height(appearance: Appearance, size: Size) -> int:
    """Return the distance from a card's top edge to the lower end of its index."""
    return index_bottom(theme_of(appearance).deck, size)


def face(
    card: Card, appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE, *, covered: bool = False
) -> Sprite:
    """Return the face of a card. If it is `covered` from the right, only its index is drawn."""
    return draw_face(*_face_design(card, appearance, size, covered))


def upper_face(card: Card, appearance: Appearance, size: Size, height: int, *, covered: bool = False) -> Sprite:
    """Return the upper part of a card's face, `height` pixels high. If it is `covered`, only its index is drawn."""
    design = _face_design(card, appearance, size, covered)
    return _upper_part(design, height, None if covered else height)


_FaceDesign = tuple[Card, str, DeckName, OrnamentName, Size, bool]
"""The arguments of `draw_face`, except the visible height."""


def _face_design(card: Card, appearance: Appearance, size: Size, covered: bool) -> _FaceDesign:
    """Return the arguments with which `draw_face` draws a card in an appearance.

    Only aces and court cards have ornaments, so all themes with the same deck share the sprites of other cards.
    """
    theme, letters = theme_of(appearance), card_names(appearance.language).rank_letters(card.rank)
    is_ornamented = not covered and (card.rank is Rank.ACE or card.rank >= Rank.JACK)
    return card, letters, theme.deck, theme.ornament if is_ornamented else "rings", size, covered


@cache
def _upper_part(design: _FaceDesign, height: int, visible_height: int | None) -> Sprite:
    *_, size, _ = design
    return Sprite(draw_face(*design, visible_height).image.crop((0, 0, size.width, height)), _upper_shape(size, height))


@cache
def _upper_shape(size: Size, height: int) -> Image.Image:
    """Return the mask of a card's upper part. Cards of the same size share it."""
    return card_shape(size).crop((0, 0, size.width, height))


def back(appearance: Appearance = DEFAULT_APPEARANCE, size: Size = LARGE) -> Sprite:
    """Return the card back of an appearance."""
    return draw_back(theme_of(appearance).back, size)
