"""Reads cards from pictures by their pixels alone: wherever a card's index is to be seen, in whatever layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from io import BytesIO

from PIL import Image

from bot.engine.cards import DECK, Card
from bot.values.appearance import Appearance
from cardart import Picture
from cardart.deck.cards import COMPACT, LARGE, MEDIUM, MIDDLE, Size, face, strike_height
from cardart.deck.faces import DECKS
from cardart.drawing.sprites import Sprite
from cardart.drawing.themes import DEFAULT, canonical_entries, palette_of, theme_of

_SIZES = (LARGE, MIDDLE, MEDIUM, COMPACT)
_WITHIN = 6
"""From a card's left to what no frame that marks it reaches."""
_FOOT = 40
"""So high are the labels at its foot."""
_STRUCK = 4
"""So many rows above and below the middle of the line through a card that counts against its owner."""


def looked_at(sprite: Sprite, appearance: Appearance) -> Image.Image:
    """A sprite in the colours of a look."""
    image = sprite.image.copy()
    image.putpalette(palette_of(appearance))
    return image.convert("RGB")


@dataclass(frozen=True, slots=True)
class Seen:
    """A card and where its top left corner lies."""

    card: Card
    x: int
    y: int


def read(picture: Picture, appearance: Appearance = DEFAULT) -> list[Seen]:
    """Every card of which a whole index is to be seen, row by row."""
    width, pixels = _decoded(picture, appearance)
    seen = [
        Seen(card, x - _WITHIN, y - _top(size))
        for size in _SIZES
        for card in DECK
        for x, y in _find(width, pixels, _index_of(card, size, appearance))
    ]
    return sorted(seen, key=lambda one: (one.y, one.x))


def cards(picture: Picture, appearance: Appearance = DEFAULT) -> list[Card]:
    """Every card to be seen, by rank, then suit; a card twice if it is there twice."""
    return sorted(one.card for one in read(picture, appearance))


def count(picture: Picture, patch: Image.Image) -> int:
    """How often a small image, of palette indices, occurs in a picture, exactly."""
    return len(places(picture, patch))


def _decoded(picture: Picture, appearance: Appearance) -> tuple[int, bytes]:
    """A picture's width and its pixels as indices into the palette of its look."""
    shades = _colours(palette_of(appearance))
    with Image.open(BytesIO(picture.png)) as image:
        shown = _colours(bytes(image.getpalette() or ()))
        places = bytes(shades.index(colour) for colour in shown).ljust(256)
        return image.width, image.tobytes().translate(places)


def _colours(palette: bytes) -> list[bytes]:
    return [palette[start : start + 3] for start in range(0, len(palette), 3)]


def _find(width: int, pixels: bytes, patch: tuple[bytes, ...]) -> list[tuple[int, int]]:
    """The left and top of each place where rows of pixels occur: one telling row is looked for, then all compared.

    An empty row is like any other.
    """
    telling = max(range(len(patch)), key=lambda row: len(set(patch[row])))
    found: list[tuple[int, int]] = []
    at = pixels.find(patch[telling])
    while at >= 0:
        start = at - telling * width
        if start >= 0 and all(
            pixels[start + row * width : start + row * width + len(line)] == line for row, line in enumerate(patch)
        ):
            found.append((start % width, start // width))
        at = pixels.find(patch[telling], at + 1)
    return found


def _rows(image: Image.Image, appearance: Appearance = DEFAULT) -> tuple[bytes, ...]:
    """A small image as rows of palette indices, as pictures of a look have them."""
    data = image.point(canonical_entries(appearance)).tobytes()  # pyright: ignore[reportUnknownMemberType]
    return tuple(data[start : start + image.width] for start in range(0, len(data), image.width))


def _top(size: Size) -> int:
    """From a card's top to what no frame that marks it, with its round corners, reaches."""
    return round(9 * size.scale)


@cache
def _index_of(card: Card, size: Size, appearance: Appearance) -> tuple[bytes, ...]:
    """The part of a card that shows its index, as far as that is always to be seen."""
    deck = DECKS[theme_of(appearance).deck]
    top, right = _top(size), round(deck.readable * size.scale) - 2
    bottom = round((deck.corner[1] + deck.cap + deck.gap + deck.pip) * size.scale)
    shown = face(card, appearance, size).image.crop((_WITHIN, top, right, min(bottom, size.height - _FOOT)))
    struck = strike_height(appearance, size) - top
    rows = _rows(shown, appearance)
    return tuple(b"" if abs(row - struck) <= _STRUCK else line for row, line in enumerate(rows))


def places(picture: Picture, patch: Image.Image) -> list[tuple[int, int]]:
    """The left and top of each place where a small image, of palette indices, occurs in a picture, exactly."""
    return _find(*_decoded(picture, DEFAULT), _rows(patch))


def colour(picture: Picture, x: int, y: int) -> tuple[int, int, int]:
    """The colour of a pixel."""
    with Image.open(BytesIO(picture.png)) as image:
        pixel = image.convert("RGB").getpixel((x, y))
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    return int(red), int(green), int(blue)
