"""The application's emojis, for buttons and texts: cards, suits, the back of a card, and a fist for knocking.

Discord shows an emoji about 20 pixels high in a button, 22 in a line of text and 48 alone, on any background. So a card
is a white tile that a large rank and its suit fill, as on the upper left part of a playing card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Final

from PIL import Image, ImageFilter

from bot.engine.cards.cards import DECK, Card, Suit
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.lettering import rank_mask
from cardart.drawing.palette import Colour
from cardart.drawing.shapes import FIST_LAYERS, SUIT_PATHS, layered_mask, path_mask, rounded_mask
from cardart.drawing.themes import THEMES
from cardart.text.card_names import ENGLISH, NAMES, card_names

_EMOJI_SIZE: Final = 128
"""Size of an emoji in pixels. Discord scales it down."""
_RADIUS: Final = 22
_EDGE_WIDTH: Final = 5
"""Width of the edge that separates a tile from a white background."""
_HASH_LENGTH: Final = 4
"""Length of the hash in an emoji's name. It only needs to tell different drawings of the same card apart."""

_WHITE: Final[Colour] = (255, 255, 255)
_GREY: Final[Colour] = (88, 92, 102)
_BLACK: Final[Colour] = (28, 30, 38)
_GOLD: Final[Colour] = (255, 196, 60)
_NAVY: Final[Colour] = (30, 58, 120)
_SKY: Final[Colour] = (150, 190, 240)

_MARGIN: Final = 9
"""Space to the left of the rank and above it."""
_SUIT_MARGIN: Final = 10
"""Space to the right of the suit and below it."""
_RANK_CAP: Final = 90
_LOW_RANK_CAP: Final = 66
"""Cap height of a rank that ends in a small letter, such as `Kn`: at full height, the suit would hide that letter."""
_MAX_RANK_WIDTH: Final = 56
_MAX_SUIT_SIZE: Final = 56
"""Maximum widths of a rank (`_MAX_RANK_WIDTH`) and of its suit (`_MAX_SUIT_SIZE`)."""
_THICKENING: Final = 3
"""Width added to the strokes of ranks of two characters, which are thin because they are condensed."""
_HALO_WIDTH: Final = 4
"""Width of the white halo around a suit, which separates it from the rank."""
_LONE_SUIT_SIZE: Final = 100
"""Maximum size of a suit on a tile without a rank."""
_FIST_OUTLINE_WIDTH: Final = 7
"""Thickness of the outline of the fist."""
_DIAMONDS_PER_ROW: Final = 3
"""Number of diamonds across a back, few enough to be visible at 20 pixels."""


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji: a name of 2 to 32 characters of a-z, 0-9 and `_`, and a PNG of 128 by 128 pixels.

    The name ends in a hash of the pixels, so a new drawing gets a new name. `emoji_key` removes the hash.
    """

    name: str
    content: bytes


def emoji_key(name: str) -> str:
    """Return an emoji's name without the hash at its end: `king_of_diamonds_4c`, where `4c` means four colours."""
    return name.rpartition("_")[0]


def card_emoji(card: Card, appearance: Appearance) -> Emoji:
    """Return the emoji of a card, with the letters of the appearance's language.

    The appearance decides between two-colour and four-colour suits. The theme has no effect.
    """
    return _make_card_emoji(
        card, card_names(appearance.language).rank_letters(card.rank), _is_recoloured(card.suit, appearance)
    )


def suit_emoji(suit: Suit, appearance: Appearance) -> Emoji:
    """Return the emoji of a suit, coloured for a two-colour or four-colour deck, as the appearance says."""
    return _make_suit_emoji(suit, _is_recoloured(suit, appearance))


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


def _is_recoloured(suit: Suit, appearance: Appearance) -> bool:
    """Return True if the suit has a different colour in this appearance than in a two-colour deck.

    If the colours are the same, both decks share the emojis.
    """
    classic = THEMES[DEFAULT_APPEARANCE.theme]
    return appearance.four_colours and classic.four_colours[suit] != classic.two_colours[suit]


def _ink(suit: Suit, four_colours: bool) -> Colour:
    classic = THEMES[DEFAULT_APPEARANCE.theme]
    return (classic.four_colours if four_colours else classic.two_colours)[suit]


@cache
def _make_card_emoji(card: Card, letters: str, four_colours: bool) -> Emoji:
    cap = _LOW_RANK_CAP if letters[-1].islower() else _RANK_CAP
    rank, suit = _rank_mask(letters, cap), _suit_mask(card.suit, _MAX_SUIT_SIZE)
    image, ink = _tile(_WHITE), _ink(card.suit, four_colours)
    image.paste(ink, (_MARGIN + (_MAX_RANK_WIDTH - rank.width) // 2, _MARGIN), rank)
    placed = Image.new("L", image.size)
    right = _EMOJI_SIZE - _SUIT_MARGIN - (_MAX_SUIT_SIZE - suit.width) // 2
    placed.paste(suit, (right - suit.width, _EMOJI_SIZE - _SUIT_MARGIN - suit.height))
    image.paste(_WHITE, mask=placed.filter(ImageFilter.MaxFilter(2 * _HALO_WIDTH + 1)))
    image.paste(ink, mask=placed)
    letters_suffix = "" if letters == ENGLISH.rank_letters(card.rank) else f"_{letters.lower()}"
    return _make_emoji(
        f"{card.rank.name.lower()}{letters_suffix}_of_{card.suit.name.lower()}_{_colours_suffix(four_colours)}", image
    )


@cache
def _make_suit_emoji(suit: Suit, four_colours: bool) -> Emoji:
    image, pip = _tile(_WHITE), _suit_mask(suit, _LONE_SUIT_SIZE)
    image.paste(_ink(suit, four_colours), ((_EMOJI_SIZE - pip.width) // 2, (_EMOJI_SIZE - pip.height) // 2), pip)
    return _make_emoji(f"{suit.name.lower()}_{_colours_suffix(four_colours)}", image)


@cache
def back_emoji() -> Emoji:
    """Return the emoji of a face-down card."""
    image, inset = _tile(_WHITE), 13
    inner = _EMOJI_SIZE - 2 * inset
    image.paste(_NAVY, (inset, inset), rounded_mask((inner, inner), _RADIUS - inset))
    pitch = inner / _DIAMONDS_PER_ROW
    half = pitch * 0.36
    middles = [
        ((column + 0.5) * pitch, (row + 0.5) * pitch)
        for row in range(_DIAMONDS_PER_ROW)
        for column in range(_DIAMONDS_PER_ROW)
    ]
    paths = [f"M {x} {y - half} L {x + half} {y} L {x} {y + half} L {x - half} {y} Z" for x, y in middles]
    image.paste(_SKY, (inset, inset), path_mask((inner, inner), 1, paths))
    return _make_emoji("back", image)


@cache
def fist_emoji() -> Emoji:
    """Return the emoji of a fist, the sign for knocking. Its outline makes it visible on any background."""
    inner = _EMOJI_SIZE - 2 * _FIST_OUTLINE_WIDTH
    fist, shape = (Image.new("L", (_EMOJI_SIZE, _EMOJI_SIZE)) for _ in range(2))
    fist.paste(layered_mask((inner, inner), inner / 100, FIST_LAYERS), (_FIST_OUTLINE_WIDTH, _FIST_OUTLINE_WIDTH))
    paths = [path for covers, layer in FIST_LAYERS if covers for path in layer]
    shape.paste(path_mask((inner, inner), inner / 100, paths), (_FIST_OUTLINE_WIDTH, _FIST_OUTLINE_WIDTH))
    outline = shape.filter(ImageFilter.MaxFilter(2 * _FIST_OUTLINE_WIDTH - 1))
    image = Image.new("RGBA", (_EMOJI_SIZE, _EMOJI_SIZE), (*_BLACK, 0))
    image.paste(_BLACK, (0, 0), outline)
    image.paste(_GOLD, (0, 0), fist)
    image.putalpha(outline)
    return _make_emoji("fist", image)


def _tile(fill: Colour) -> Image.Image:
    """Return a tile with round corners that fills the whole emoji."""
    size = (_EMOJI_SIZE, _EMOJI_SIZE)
    image = Image.new("RGBA", size, (*_GREY, 255))
    image.paste(fill, (0, 0), rounded_mask(size, _RADIUS, _EDGE_WIDTH))
    image.putalpha(rounded_mask(size, _RADIUS))
    return image


def _rank_mask(letters: str, cap: int) -> Image.Image:
    """Return the coverage of a rank, with thicker strokes if it has two characters."""
    if len(letters) == 1:
        return _cropped(rank_mask(letters, cap, _MAX_RANK_WIDTH))
    rank = _cropped(rank_mask(letters, cap - _THICKENING + 1, _MAX_RANK_WIDTH - _THICKENING + 1))
    thickened = Image.new("L", (rank.width + _THICKENING - 1, rank.height + _THICKENING - 1))
    thickened.paste(rank, (_THICKENING // 2, _THICKENING // 2))
    return thickened.filter(ImageFilter.MaxFilter(_THICKENING))


def _suit_mask(suit: Suit, side: int) -> Image.Image:
    """Return the coverage of a suit that fits into a square. Diamonds are allowed to be taller: they are narrower."""
    large = side * 5 // 4 if suit is Suit.DIAMONDS else side
    return _cropped(path_mask((large, large), large / 100, SUIT_PATHS[suit]))


def _cropped(coverage: Image.Image) -> Image.Image:
    return coverage.crop(coverage.getbbox())


def _colours_suffix(four: bool) -> str:
    return "4c" if four else "2c"


def _make_emoji(key: str, image: Image.Image) -> Emoji:
    # Hash the pixels and not the file, because another version of the compression library can write a different file.
    digest = sha256(image.tobytes()).hexdigest()
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return Emoji(f"{key}_{digest[:_HASH_LENGTH]}", buffer.getvalue())
