"""Read cards from the pixels of pictures. Every visible index is found, in any layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO

from PIL import Image

from bot.engine.cards import DECK, Card, Suit
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import Picture
from cardart.deck.cards import COMPACT, Size, face
from cardart.deck.faces import DECKS
from cardart.drawing.painting import Sprite
from cardart.drawing.themes import canonical_entries, palette_of, theme_of
from cardart.pictures.replay import SIZES

_WITHIN = 6
"""Maximum overlap of a frame and the left side of its card, in pixels."""
_FOOT = 40
"""Height of labels at the bottom of a card, in pixels."""

_SUITS = {suit: [card for card in DECK if card.suit is suit] for suit in Suit}
"""The cards of each suit from ace to king, so that court cards, whose figures are slow to draw, come last."""

Patch = tuple[bytes, ...]
"""Rows of pixels, as palette indices."""


def looked_at(sprite: Sprite, appearance: Appearance) -> Image.Image:
    """Return a sprite in the colours of an appearance."""
    image = sprite.image.copy()
    image.putpalette(palette_of(appearance))
    return image.convert("RGB")


@dataclass(frozen=True, slots=True)
class Seen:
    """A card and the position of its top left corner."""

    card: Card
    x: int
    y: int


def read(picture: Picture, appearance: Appearance = DEFAULT_APPEARANCE) -> list[Seen]:
    """Return every card whose whole index is visible, row by row."""
    width, pixels = _decoded(picture, appearance)
    seen: list[Seen] = []
    for size in (size for size in SIZES if size.width >= COMPACT.width):
        for suit, (pip, below) in _pips(size, appearance).items():
            for x, y in _find(width, pixels, pip):
                place = x + (y - below) * width
                there = (one for one in _SUITS[suit] if _is_at(width, pixels, place, _index_of(one, size, appearance)))
                card = next(there, None)
                if card is not None:
                    seen.append(Seen(card, x - _WITHIN, y - below - _top(size)))
    return sorted(seen, key=lambda one: (one.y, one.x))


def cards(picture: Picture, appearance: Appearance = DEFAULT_APPEARANCE) -> list[Card]:
    """Return every visible card, sorted by rank, then suit. A card that appears twice is in the list twice."""
    return sorted(one.card for one in read(picture, appearance))


def count(picture: Picture, patch: Image.Image) -> int:
    """Return the number of exact occurrences of a small image of palette indices in a picture."""
    return len(places(picture, patch))


@lru_cache(8)
def _decoded(picture: Picture, appearance: Appearance) -> tuple[int, bytes]:
    """Return a picture's width and its pixels, as indices into the palette of its appearance."""
    shades = _colours(palette_of(appearance))
    with Image.open(BytesIO(picture.content)) as image:
        shown = _colours(bytes(image.getpalette() or ()))
        places = bytes(shades.index(colour) for colour in shown).ljust(256)
        return image.width, image.tobytes().translate(places)


def _colours(palette: bytes) -> list[bytes]:
    return [palette[start : start + 3] for start in range(0, len(palette), 3)]


def _find(width: int, pixels: bytes, patch: Patch) -> list[tuple[int, int]]:
    """Return the left and top of each occurrence of rows of pixels."""
    at = _telling(patch)
    places = (start - at * width for start in _starts(pixels, patch[at]))
    return [(place % width, place // width) for place in places if _is_at(width, pixels, place, patch)]


def _telling(rows: Sequence[bytes]) -> int:
    """Return the index of the most distinctive row."""
    return max(range(len(rows)), key=lambda row: len(set(rows[row])))


def _starts(pixels: bytes, row: bytes) -> Iterator[int]:
    """Yield the start of each occurrence of a row of pixels."""
    start = pixels.find(row)
    while start >= 0:
        yield start
        start = pixels.find(row, start + 1)


def _is_at(width: int, pixels: bytes, place: int, patch: Patch) -> bool:
    """Return True if rows of pixels occur at this position."""
    return place >= 0 and all(pixels.startswith(line, place + row * width) for row, line in enumerate(patch))


def _rows(image: Image.Image, appearance: Appearance = DEFAULT_APPEARANCE) -> Patch:
    """Return the rows of a small image, as palette indices of pictures in this appearance."""
    data = image.point(canonical_entries(appearance)).tobytes()  # pyright: ignore[reportUnknownMemberType]
    return tuple(data[start : start + image.width] for start in range(0, len(data), image.width))


def _top(size: Size) -> int:
    """Return the maximum overlap of a frame, with its round corners, and the top of its card, in pixels."""
    return round(9 * size.scale)


@cache
def _pips(size: Size, appearance: Appearance) -> dict[Suit, tuple[Patch, int]]:
    """Return the lowest part of each suit's index, which all ranks share, and its offset from the top."""
    indices = {suit: _index_of(ace, size, appearance) for suit, (ace, *_) in _SUITS.items()}
    return {suit: (index[len(index) * 4 // 5 :], len(index) * 4 // 5) for suit, index in indices.items()}


@cache
def _index_of(card: Card, size: Size, appearance: Appearance) -> Patch:
    """Return the part of a card's index that is always visible."""
    deck = DECKS[theme_of(appearance).deck]
    top, right = _top(size), round(deck.readable * size.scale) - 2
    bottom = round((deck.corner[1] + deck.cap + deck.gap + deck.pip) * size.scale)
    shown = face(card, appearance, size).image.crop((_WITHIN, top, right, min(bottom, size.height - _FOOT)))
    return _rows(shown, appearance)


def places(picture: Picture, patch: Image.Image) -> list[tuple[int, int]]:
    """Return the left and top of each exact occurrence of a small image of palette indices in a picture."""
    return _find(*_decoded(picture, DEFAULT_APPEARANCE), _rows(patch))


def colour(picture: Picture, x: int, y: int) -> tuple[int, int, int]:
    pixel = whole(picture).getpixel((x, y))
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    return int(red), int(green), int(blue)


@lru_cache(8)
def whole(picture: Picture) -> Image.Image:
    """Return the decoded picture in RGB."""
    with Image.open(BytesIO(picture.content)) as image:
        return image.convert("RGB")
