"""The application's own emojis, for buttons and texts: cards, suits, the back of a card, and the fist of a knock.

Discord shows an emoji about 20 pixels high in a button, 22 in a line and 48 alone, on any ground. So a card is a white
tile that holds nothing but a large rank and, beside it, its suit.
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
"""The size from which Discord scales emojis down, in pixels."""
_RADIUS: Final = 22
_EDGE: Final = 4
"""Sets the tile off from a white ground."""
_HASH: Final = 4
"""The length of the hash in a name. It only tells the drawings of one card apart."""

_WHITE: Final[Colour] = (255, 255, 255)
_GREY: Final[Colour] = (120, 124, 134)
_BLACK: Final[Colour] = (28, 30, 38)
_GOLD: Final[Colour] = (255, 196, 60)
_NAVY: Final[Colour] = (30, 58, 120)
_SKY: Final[Colour] = (150, 190, 240)

_CAP: Final = 92
_FROM: Final = 6
"""From the left of a tile to its rank, and from its suit to its right."""
_RANK: Final = 60
_SUIT: Final = 54
"""The widest a rank and its suit may be."""
_ALONE: Final = 100
"""The height of a suit without a rank."""
_OUTLINE: Final = 7
"""The thickness of the line around the fist; an odd number."""
_DIAMONDS: Final = 3
"""The diamonds across a back: few enough to be seen at 20 pixels."""


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji: a name of 2 to 32 characters of a-z, 0-9 and `_`, and a PNG of 128 by 128 pixels.

    The name ends in a hash of the pixels, so another drawing has another name. `key_of` gives the part before it.
    """

    name: str
    content: bytes


def key_of(name: str) -> str:
    """Return what a name says without the hash of the drawing: `king_of_diamonds_4c`."""
    return name.rpartition("_")[0]


def card_emoji(card: Card, appearance: Appearance) -> Emoji:
    """Return a card with the letters of the appearance's language, in two or four colours. Themes are all alike."""
    return _card(card, names_of(appearance.language).rank_letters(card.rank), _sets_apart(card.suit, appearance))


def suit_emoji(suit: Suit, appearance: Appearance) -> Emoji:
    """Return a suit in two or four colours."""
    return _suit(suit, _sets_apart(suit, appearance))


def all_emojis() -> Iterator[Emoji]:
    """Yield every emoji once, those that most people need first."""
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
    """Return whether four colours give this suit another ink than two. Cards of the same ink are the same emoji."""
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
    """Return the back of a card."""
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
    """Return a fist, the sign of knocking, with an outline that sets it off from any ground."""
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
    """Return a tile with round corners that takes all the room there is."""
    size = (_SIDE, _SIDE)
    image = Image.new("RGBA", size, (*_GREY, 255))
    image.paste(fill, (0, 0), rounded_mask(size, _RADIUS, _EDGE))
    image.putalpha(rounded_mask(size, _RADIUS))
    return image


def _suit_mask(suit: Suit, side: int) -> Image.Image:
    """Return the coverage of a suit that fits a square, but a diamond may be taller, since it is the narrowest."""
    large = side * 6 // 5 if suit is Suit.DIAMONDS else side
    return _cut(mask((large, large), large / 100, SUITS[suit]))


def _cut(coverage: Image.Image) -> Image.Image:
    return coverage.crop(coverage.getbbox())


def _colours(four: bool) -> str:
    return "4c" if four else "2c"


def _named(key: str, image: Image.Image) -> Emoji:
    # The pixels are hashed and not the file, which another version of the packing library may write otherwise.
    digest = sha256(image.tobytes()).hexdigest()
    out = BytesIO()
    image.save(out, "PNG")
    return Emoji(f"{key}_{digest[:_HASH]}", out.getvalue())
