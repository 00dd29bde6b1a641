"""Find the cards in a picture by the pixels of their corner indices, in any layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO

from PIL import Image

from bot.engine.cards.cards import DECK, Card, Suit
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import Picture
from cardart.deck.cards import COMPACT, Size, face, index_height
from cardart.deck.faces import DECKS
from cardart.drawing.painting import Sprite
from cardart.drawing.palette import PHOTO_ENTRY
from cardart.drawing.themes import canonical_entries, palette_of, theme_of
from cardart.pictures import replay, showdown

_FRAME_OVERLAP_LEFT = 6
"""Maximum width of the strip at a card's left edge that a frame covers, in pixels."""
_LABEL_HEIGHT = 40
"""Maximum height of the strip at a card's bottom edge that a label covers, in pixels."""
_SIZES = (*(size for size in replay.CARD_SIZES if size.width >= COMPACT.width), *showdown.CARD_SIZES)
_CARD_SIZES = tuple(dict.fromkeys(_SIZES))

_CARDS_BY_SUIT = {suit: [card for card in DECK if card.suit is suit] for suit in Suit}
"""The cards of each suit from ace to king, so that court cards, whose figures are slow to draw, come last."""

Patch = tuple[bytes, ...]
"""A small image to search for: its rows of pixels, as palette indices."""


def rendered(sprite: Sprite, appearance: Appearance) -> Image.Image:
    """Return a sprite in the colours of an appearance."""
    image = sprite.image.copy()
    image.putpalette(palette_of(appearance))
    return image.convert("RGB")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card found in a picture, and the position of its top left corner in pixels."""

    card: Card
    x: int
    y: int


def read_cards(picture: Picture, appearance: Appearance = DEFAULT_APPEARANCE) -> list[SeenCard]:
    """Return every card whose whole index is visible, row by row."""
    width, pixels = _decoded(picture, appearance)
    seen: list[SeenCard] = []
    for size in _CARD_SIZES:
        for suit, (pip, pip_offset) in _pips(size, appearance).items():
            for x, y in _patch_positions(width, pixels, pip):
                offset = x + (y - pip_offset) * width
                matching_cards = (
                    card
                    for card in _CARDS_BY_SUIT[suit]
                    if _is_patch_at(width, pixels, offset, _index_of(card, size, appearance))
                )
                card = next(matching_cards, None)
                if card is not None:
                    seen.append(SeenCard(card, x - _FRAME_OVERLAP_LEFT, y - pip_offset - _frame_overlap_top(size)))
    return sorted(seen, key=lambda card: (card.y, card.x))


def visible_cards(picture: Picture, appearance: Appearance = DEFAULT_APPEARANCE) -> list[Card]:
    """Return every visible card, sorted by rank, then suit. A card that appears twice is in the list twice."""
    return sorted(card.card for card in read_cards(picture, appearance))


def count_patch(picture: Picture, patch: Image.Image) -> int:
    """Return the number of exact occurrences of a small palette image in a picture."""
    return len(find_patch(picture, patch))


@lru_cache(8)
def _decoded(picture: Picture, appearance: Appearance) -> tuple[int, bytes]:
    """Return a picture's width and its pixels, as indices into the palette of this appearance.

    Colours of photos become `PHOTO_ENTRY`.
    """
    shades = _colours(palette_of(appearance))
    with Image.open(BytesIO(picture.content)) as image:
        shown = _colours(bytes(image.getpalette() or ()))
        places = bytes(shades.index(colour) if colour in shades else PHOTO_ENTRY for colour in shown).ljust(256)
        return image.width, image.tobytes().translate(places)


def _colours(palette: bytes) -> list[bytes]:
    return [palette[start : start + 3] for start in range(0, len(palette), 3)]


def _patch_positions(width: int, pixels: bytes, patch: Patch) -> list[tuple[int, int]]:
    """Return the left and top of each occurrence of the patch in these pixels."""
    row_number = _most_distinctive_row(patch)
    places = (start - row_number * width for start in _row_starts(pixels, patch[row_number]))
    return [(place % width, place // width) for place in places if _is_patch_at(width, pixels, place, patch)]


def _most_distinctive_row(rows: Sequence[bytes]) -> int:
    """Return the index of the row with the most different colours, which is the best one to search for."""
    return max(range(len(rows)), key=lambda row: len(set(rows[row])))


def _row_starts(pixels: bytes, row: bytes) -> Iterator[int]:
    """Yield the offset of each occurrence of a row in these pixels."""
    start = pixels.find(row)
    while start >= 0:
        yield start
        start = pixels.find(row, start + 1)


def _is_patch_at(width: int, pixels: bytes, offset: int, patch: Patch) -> bool:
    """Return True if the patch occurs in these pixels with its top left corner at this offset."""
    return offset >= 0 and all(pixels.startswith(line, offset + row * width) for row, line in enumerate(patch))


def _rows(image: Image.Image, appearance: Appearance = DEFAULT_APPEARANCE) -> Patch:
    """Return the rows of a small palette image as a patch: it can be searched for in pictures of this appearance."""
    data = image.point(canonical_entries(palette_of(appearance))).tobytes()  # pyright: ignore[reportUnknownMemberType]
    return tuple(data[start : start + image.width] for start in range(0, len(data), image.width))


def _frame_overlap_top(size: Size) -> int:
    """Return the maximum height of the strip at a card's top edge that a frame covers, in pixels."""
    return round(9 * size.scale)


@cache
def _pips(size: Size, appearance: Appearance) -> dict[Suit, tuple[Patch, int]]:
    """Return for each suit the lowest fifth of a card's index, and the offset of that fifth from the top of the index.

    The lowest fifth shows only a part of the suit's pip, so it is the same for all ranks.
    """
    indices = {suit: _index_of(ace, size, appearance) for suit, (ace, *_) in _CARDS_BY_SUIT.items()}
    return {suit: (index[len(index) * 4 // 5 :], len(index) * 4 // 5) for suit, index in indices.items()}


@cache
def _index_of(card: Card, size: Size, appearance: Appearance) -> Patch:
    """Return the part of a card's index that no frame, label or other card covers."""
    deck = DECKS[theme_of(appearance).deck]
    top, right = _frame_overlap_top(size), round(deck.readable * size.scale) - 2
    bottom = index_height(appearance, size)
    visible_part = face(card, appearance, size).image.crop(
        (
            _FRAME_OVERLAP_LEFT,
            top,
            right,
            bottom if size.width < COMPACT.width else min(bottom, size.height - _LABEL_HEIGHT),
        )
    )
    return _rows(visible_part, appearance)


def find_patch(picture: Picture, patch: Image.Image) -> list[tuple[int, int]]:
    """Return the left and top of each exact occurrence of a small palette image in a picture."""
    return _patch_positions(*_decoded(picture, DEFAULT_APPEARANCE), _rows(patch))


def pixel_colour(picture: Picture, x: int, y: int) -> tuple[int, int, int]:
    pixel = decoded_rgb(picture).getpixel((x, y))
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    return int(red), int(green), int(blue)


@lru_cache(8)
def decoded_rgb(picture: Picture) -> Image.Image:
    """Return the picture, decoded to RGB."""
    with Image.open(BytesIO(picture.content)) as image:
        return image.convert("RGB")
