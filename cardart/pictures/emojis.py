"""The application's emojis, for buttons and texts: cards, suits, the back of a card, and a fist for knocking.

Discord shows an emoji about 20 pixels high in a button, 22 in a line of text and 48 alone, on any background. So a card
is a white tile with only a large rank and its suit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Final

from PIL import Image, ImageFilter

from bot.engine.cards import DECK, Card, Suit
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.lettering import rank_mask
from cardart.drawing.palette import Colour
from cardart.drawing.shapes import FIST, SUITS, cut_mask, mask, rounded_mask
from cardart.drawing.themes import THEMES
from cardart.text.card_names import ENGLISH, NAMES, names_of

_SIDE: Final = 128
"""Size of an emoji in pixels. Discord scales it down."""
_RADIUS: Final = 22
_EDGE: Final = 4
"""Width of the edge that separates a tile from a white background."""
_HASH: Final = 4
"""Length of the hash in a name. It only has to distinguish the drawings of one card."""

_WHITE: Final[Colour] = (255, 255, 255)
_GREY: Final[Colour] = (120, 124, 134)
_BLACK: Final[Colour] = (28, 30, 38)
_GOLD: Final[Colour] = (255, 196, 60)
_NAVY: Final[Colour] = (30, 58, 120)
_SKY: Final[Colour] = (150, 190, 240)

_CAP: Final = 92
_FROM: Final = 6
"""Space between a tile's left edge and its rank, and between its suit and the right edge."""
_RANK: Final = 60
_SUIT: Final = 54
"""Maximum widths of a rank (`_RANK`) and of its suit (`_SUIT`)."""
_ALONE: Final = 100
"""Size of a suit without a rank."""
_OUTLINE: Final = 7
"""Thickness of the outline of the fist."""
_DIAMONDS: Final = 3
"""Number of diamonds across a back, few enough to be visible at 20 pixels."""


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji: a name of 2 to 32 characters of a-z, 0-9 and `_`, and a PNG of 128 by 128 pixels.

    The name ends in a hash of the pixels, so a new drawing gets a new name. `key_of` removes the hash.
    """

    name: str
    content: bytes


def key_of(name: str) -> str:
    """Return an emoji's name without the hash: `king_of_diamonds_4c`."""
    return name.rpartition("_")[0]


def card_emoji(card: Card, appearance: Appearance) -> Emoji:
    """Return the emoji of a card, with the letters of the appearance's language and in two or four colours.

    The emoji is the same in all themes.
    """
    return _card(card, names_of(appearance.language).rank_letters(card.rank), _sets_apart(card.suit, appearance))


def suit_emoji(suit: Suit, appearance: Appearance) -> Emoji:
    """Return the emoji of a suit in two or four colours."""
    return _suit(suit, _sets_apart(suit, appearance))


def all_emojis() -> Iterator[Emoji]:
    """Yield every emoji once, most used first."""
    looks = [
        Appearance(four_colours=four_colours, language=language)
        for english in (True, False)
        for four_colours in (False, True)
        for language, names in NAMES.items()
        if (names.letters == ENGLISH.letters) is english
    ]
    emojis = [card_emoji(card, DEFAULT_APPEARANCE) for card in DECK]
    emojis += [back_emoji(), fist_emoji()]
    emojis += [suit_emoji(suit, Appearance(four_colours=four)) for four in (False, True) for suit in Suit]
    emojis += [card_emoji(card, look) for look in looks for card in DECK]
    yield from {emoji.name: emoji for emoji in emojis}.values()


def _sets_apart(suit: Suit, appearance: Appearance) -> bool:
    """Return True if the suit has a different colour in this appearance than in a two-colour deck.

    If the colours are the same, both decks share the emojis.
    """
    classic = THEMES[DEFAULT_APPEARANCE.theme]
    return appearance.four_colours and classic.four[suit] != classic.two[suit]


def _ink(suit: Suit, four_colours: bool) -> Colour:
    classic = THEMES[DEFAULT_APPEARANCE.theme]
    return (classic.four if four_colours else classic.two)[suit]


@cache
def _card(card: Card, letters: str, four_colours: bool) -> Emoji:
    rank, suit = _cut(rank_mask(letters, _CAP, _RANK)), _suit_mask(card.suit, _SUIT)
    image, ink, middle = _tile(_WHITE), _ink(card.suit, four_colours), _SIDE // 2
    image.paste(ink, (_FROM + (_RANK - rank.width) // 2, middle - rank.height // 2), rank)
    image.paste(ink, (_SIDE - _FROM - suit.width, middle - suit.height // 2), suit)
    own = "" if letters == ENGLISH.rank_letters(card.rank) else f"_{letters.lower()}"
    return _named(f"{card.rank.name.lower()}{own}_of_{card.suit.name.lower()}_{_colours(four_colours)}", image)


@cache
def _suit(suit: Suit, four_colours: bool) -> Emoji:
    image, pip = _tile(_WHITE), _suit_mask(suit, _ALONE)
    image.paste(_ink(suit, four_colours), ((_SIDE - pip.width) // 2, (_SIDE - pip.height) // 2), pip)
    return _named(f"{suit.name.lower()}_{_colours(four_colours)}", image)


@cache
def back_emoji() -> Emoji:
    """Return the emoji of a card's back."""
    image, inset = _tile(_WHITE), 13
    inner = _SIDE - 2 * inset
    image.paste(_NAVY, (inset, inset), rounded_mask((inner, inner), _RADIUS - inset))
    pitch = inner / _DIAMONDS
    half = pitch * 0.36
    middles = [((column + 0.5) * pitch, (row + 0.5) * pitch) for row in range(_DIAMONDS) for column in range(_DIAMONDS)]
    paths = [f"M {x} {y - half} L {x + half} {y} L {x} {y + half} L {x - half} {y} Z" for x, y in middles]
    image.paste(_SKY, (inset, inset), mask((inner, inner), 1, paths))
    return _named("back", image)


@cache
def fist_emoji() -> Emoji:
    """Return the emoji of a fist, which stands for knocking. Its outline is visible on any background."""
    inner = _SIDE - 2 * _OUTLINE
    fist, shape = (Image.new("L", (_SIDE, _SIDE)) for _ in range(2))
    fist.paste(cut_mask((inner, inner), inner / 100, FIST), (_OUTLINE, _OUTLINE))
    paths = [path for covers, layer in FIST if covers for path in layer]
    shape.paste(mask((inner, inner), inner / 100, paths), (_OUTLINE, _OUTLINE))
    around = shape.filter(ImageFilter.MaxFilter(2 * _OUTLINE - 1))
    image = Image.new("RGBA", (_SIDE, _SIDE), (*_BLACK, 0))
    image.paste(_BLACK, (0, 0), around)
    image.paste(_GOLD, (0, 0), fist)
    image.putalpha(around)
    return _named("fist", image)


def _tile(fill: Colour) -> Image.Image:
    """Return a tile with round corners that fills the whole emoji."""
    size = (_SIDE, _SIDE)
    image = Image.new("RGBA", size, (*_GREY, 255))
    image.paste(fill, (0, 0), rounded_mask(size, _RADIUS, _EDGE))
    image.putalpha(rounded_mask(size, _RADIUS))
    return image


def _suit_mask(suit: Suit, side: int) -> Image.Image:
    """Return the coverage of a suit that fits into a square. Diamonds may be taller, because they are narrower."""
    large = side * 6 // 5 if suit is Suit.DIAMONDS else side
    return _cut(mask((large, large), large / 100, SUITS[suit]))


def _cut(coverage: Image.Image) -> Image.Image:
    return coverage.crop(coverage.getbbox())


def _colours(four: bool) -> str:
    return "4c" if four else "2c"


def _named(key: str, image: Image.Image) -> Emoji:
    # Hash the pixels and not the file, because another version of the compression library may write a different file.
    digest = sha256(image.tobytes()).hexdigest()
    out = BytesIO()
    image.save(out, "PNG")
    return Emoji(f"{key}_{digest[:_HASH]}", out.getvalue())
