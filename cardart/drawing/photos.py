"""Photos in pictures: round, and reduced to the palette entries that the rest of the picture does not use.

A picture marks the pixels of its photos while it is drawn, and `develop` replaces these marks when it is encoded. So
the rest of the picture keeps its exact colours, and the file is still a palette image.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageChops

from cardart.drawing.painting import translated
from cardart.drawing.palette import PHOTO_ENTRY, Colour, palette_index
from cardart.drawing.shapes import rounded_mask

_MAX_COLOURS: Final = 96
"""Maximum number of colours of a photo. More are hardly visible at the size of a face, and make files larger."""
_REFINEMENT_STEPS: Final = 2
"""Rounds in which the colours of a photo are moved to the middle of the pixels that they stand for.

They keep small features such as the red of lips, which median cut alone would mix with their surroundings.
"""
_COVERED_TABLE: Final = bytes(255 * (coverage > 0) for coverage in range(256))
_MARKED_TABLE: Final = bytes(255 * (entry == PHOTO_ENTRY) for entry in range(256))


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A square photo in RGB. Two photos are equal only if they are the same object."""

    image: Image.Image


@dataclass(frozen=True, slots=True)
class PlacedPhoto:
    """A round photo in a picture.

    `x` and `y` are its top left corner and `side` its diameter, in pixels. It lies on a disc of the colour `rim`.
    """

    photo: Photo
    x: int
    y: int
    side: int
    rim: Colour


@cache
def circle_mask(side: int) -> Image.Image:
    """Return a mask of the pixels that a circle with a diameter of `side` pixels touches."""
    return translated(_circle_coverage(side), "L", _COVERED_TABLE)


@cache
def _circle_coverage(side: int) -> Image.Image:
    return rounded_mask((side, side), side / 2)


def develop(
    image: Image.Image, drawn: Collection[int], photos: Sequence[PlacedPhoto]
) -> tuple[Image.Image, frozenset[int]]:
    """Return a palette image in which photos replace the pixels marked with `PHOTO_ENTRY`, and the entries it uses.

    `drawn` are the palette entries of the rest of the image, without the marker. The photos share all other entries.
    """
    palette = bytearray(image.getpalette() or ()).ljust(3 * 256, b"\0")
    rims = {placed.rim: _colour_at(palette, palette_index(placed.rim)) for placed in photos}
    # The same photo can occur in several sizes, which share their colours.
    looks = list(dict.fromkeys((placed.photo, rims[placed.rim]) for placed in photos))
    free = [entry for entry in range(256) if entry not in drawn]
    count = min(_MAX_COLOURS, len(free) // len(looks))
    tables: dict[tuple[Photo, Colour], bytes] = {}
    for index, (photo, rim) in enumerate(looks):
        colours, entries = _photo_colours(photo, rim, count), free[index * count : (index + 1) * count]
        for place, entry in enumerate(entries):
            palette[3 * entry : 3 * entry + 3] = colours[3 * place : 3 * place + 3]
        tables[photo, rim] = bytes(entries).ljust(256, bytes(entries[:1]))
    developed = image.copy()
    for placed in photos:
        photo, rim, box = (
            placed.photo,
            rims[placed.rim],
            (placed.x, placed.y, placed.x + placed.side, placed.y + placed.side),
        )
        reduced = translated(_reduced_photo(photo, placed.side, rim, count), "P", tables[photo, rim])
        # Anything drawn over the photo has replaced its marks.
        marked = translated(image.crop(box), "L", _MARKED_TABLE)
        developed.paste(reduced, box, ImageChops.multiply(marked, circle_mask(placed.side)))
    developed.putpalette(palette)
    return developed, frozenset((*drawn, *free[: count * len(looks)]))


def _colour_at(palette: bytearray, entry: int) -> Colour:
    red, green, blue = palette[3 * entry : 3 * entry + 3]
    return red, green, blue


def _round_photo(photo: Photo, side: int, rim: Colour) -> Image.Image:
    """Return a photo of `side` pixels that is round, with smooth edges, on a background in the colour of its rim."""
    scaled = photo.image.resize((side, side), Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]
    return Image.composite(scaled, Image.new("RGB", scaled.size, rim), _circle_coverage(side))


@lru_cache(128)
def _photo_colours(photo: Photo, rim: Colour, count: int) -> bytes:
    """Return `count` colours for a photo, three bytes each. If fewer suffice, the first one is repeated."""
    scaled = _round_photo(photo, photo.image.width, rim)
    reduced = scaled.quantize(count, Image.Quantize.MEDIANCUT, kmeans=_REFINEMENT_STEPS)
    colours = bytes(reduced.getpalette() or ())[: 3 * (max(reduced.tobytes()) + 1)]
    return colours + colours[:3] * (count - len(colours) // 3)


@lru_cache(128)
def _reduced_photo(photo: Photo, side: int, rim: Colour, count: int) -> Image.Image:
    """Return a round photo as indices into its `_photo_colours`.

    It is not dithered. Dithering would speckle flat areas and fray thin lines, of which most avatars consist.
    """
    colours = _photo_colours(photo, rim, count)
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours + colours[:3] * (256 - count))
    return _round_photo(photo, side, rim).quantize(palette=palette, dither=Image.Dither.NONE)
