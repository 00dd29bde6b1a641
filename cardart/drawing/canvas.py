"""A canvas of felt for sprites, panels and text, and its encoding as a PNG file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal
from zlib import crc32

from PIL import Image, ImageDraw
from zlib_ng import zlib_ng

from bot.model.appearance import Appearance
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, Sprite, inked, translated, used_entries
from cardart.drawing.palette import EDGE, FELT, GRAIN, PHOTO_ENTRY, RECESS, SEAM, TEXT, WOOD, Colour, palette_index
from cardart.drawing.photos import Photo, PlacedPhoto, circle_mask, develop
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import canonical_entries, palette_of

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle, in pixels. Right and bottom are the first pixels outside."""

Align = Literal["left", "centre", "right"]

WIDTH: Final = 800
"""Width of most pictures, in pixels."""
MARGIN: Final = 20
LABEL_CAP: Final = 19
"""Cap height of labels and small text, in pixels."""
RAIL_WIDTH: Final = 9
"""Width of the wooden rail, in pixels."""
RAIL_RADIUS: Final = 24
"""Radius of the rail's corners, in pixels."""
_IHDR_TAIL: Final = bytes((8, 3, 0, 0, 0))
"""End of the PNG header: eight bits per pixel, palette indices, standard compression and filters, not interlaced."""
_NO_FILTER: Final = 0
"""The filter byte at the start of each row. Filters do not help with palette indices."""
_COMPRESSION_LEVEL: Final = 5


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture, or an animation that loops forever.

    `alt` describes it in at most 1,024 characters. `size` is its width and height in pixels, `suffix` its file
    extension.
    """

    content: bytes
    alt: str
    size: tuple[int, int]
    suffix: str = "png"


@dataclass(frozen=True, slots=True)
class PanelStyle:
    """The colours of a panel, and the thickness of its outline and the radius of its corners in pixels."""

    fill: Colour = RECESS
    outline: Colour = SEAM
    thickness: int = 2
    radius: int = 14
    ground: Colour = FELT


PANEL: Final = PanelStyle()


class Canvas:
    """A canvas for one picture in one appearance. It starts as bare felt within a wooden rail."""

    def __init__(
        self, width: int, height: int, appearance: Appearance, colours: Callable[[Appearance], bytes] = palette_of
    ) -> None:
        """Begin a picture. `colours` returns its palette."""
        self.appearance = appearance
        self._palette = colours(appearance)
        table = _bare_table((width, height))
        self._image = table.image.copy()
        self._entries = set(table.entries)
        self._pen = ImageDraw.Draw(self._image)
        self._photos: list[PlacedPhoto] = []

    def put(self, sprite: Sprite, x: int, y: int) -> None:
        """Paste a sprite with its top left corner at (`x`, `y`)."""
        self._entries |= sprite.entries
        self._image.paste(sprite.image, (x, y), sprite.mask)

    def fill(self, box: Box, colour: Colour) -> None:
        """Fill a rectangle with one colour."""
        self._entries.add(palette_index(colour))
        self._image.paste(palette_index(colour), box)

    def panel(self, box: Box, style: PanelStyle = PANEL) -> None:
        """Draw a rectangle with round corners on the ground of its style."""
        left, top, right, bottom = box
        outline_box = (left, top, right - 1, bottom - 1)
        self._pen.rectangle(outline_box, palette_index(style.fill), palette_index(style.outline), style.thickness)
        corners, radius = _corners(style).image, style.radius
        self._entries |= _corners(style).entries
        for x, from_x in ((left, 0), (right - radius, radius)):
            for y, from_y in ((top, 0), (bottom - radius, radius)):
                self._image.paste(corners.crop((from_x, from_y, from_x + radius, from_y + radius)), (x, y))

    def text(
        self,
        x: int,
        y: int,
        text: str,
        cap: int,
        *,
        ink: Colour = TEXT,
        background: Colour = FELT,
        align: Align = "left",
    ) -> int:
        """Write on a background of one colour. Return the width of the text in pixels.

        `y` is the baseline, and `cap` the cap height in pixels. `align` is the point of the text that is placed at `x`.
        """
        sprite = _text(text, cap, ink, background)
        offset = {"left": 0, "centre": sprite.width // 2, "right": sprite.width}[align]
        self.put(sprite, x - offset, y - baseline(cap))
        return sprite.width

    def put_photo(self, photo: Photo, x: int, y: int, side: int, rim: Colour) -> None:
        """Paste a photo, cut to a circle with a diameter of `side` pixels, with its top left corner at (`x`, `y`).

        `rim` is the colour of the disc that the photo lies on.
        """
        self._image.paste(PHOTO_ENTRY, (x, y, x + side, y + side), circle_mask(side))
        self._photos.append(PlacedPhoto(photo, x, y, side, rim))

    def picture(self, alt: str) -> Picture:
        """Encode the drawing with its alt text."""
        canonical = canonical_entries(self._palette)
        if not self._photos:
            self._image.putpalette(self._palette)
            return encode_picture(self._image, alt, canonical, self._entries)
        image = translated(self._image, "P", canonical[:PHOTO_ENTRY] + bytes((PHOTO_ENTRY,)))
        image.putpalette(self._palette)
        developed, entries = develop(image, {canonical[entry] for entry in self._entries}, self._photos)
        return encode_picture(developed, alt, bytes(range(256)), entries)

    def frame(self) -> Image.Image:
        """Return the drawing as a palette image in the colours of the appearance. It must not have photos."""
        image = translated(self._image, "P", canonical_entries(self._palette))
        image.putpalette(self._palette)
        return image


@lru_cache(8)
def _bare_table(size: tuple[int, int]) -> Sprite:
    """Return bare felt within a wooden rail. The cache is small, because each entry takes 400 KB."""
    return Sprite(_stretched_image(_smallest_table(), size))


@cache
def _smallest_table() -> Image.Image:
    """Return the smallest picture of a card table: its four rounded corners. Larger tables are stretched from it."""
    size = (2 * RAIL_RADIUS + 2, 2 * RAIL_RADIUS + 2)
    table = Painting(size, WOOD)
    for inset, colour in ((RAIL_WIDTH - 3, GRAIN), (RAIL_WIDTH, EDGE), (RAIL_WIDTH + 2, FELT)):
        table.paint_layer(colour, rounded_mask(size, RAIL_RADIUS, inset))
    return table.image


def _stretched_image(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return an image stretched to a larger size: the row and the column in its middle are repeated."""
    (left, top), (width, height) = (image.width // 2, image.height // 2), size
    widened = _repeated_line(image.crop((left, 0, left + 1, image.height)), (width, image.height))
    widened.paste(image.crop((0, 0, left, image.height)), (0, 0))
    widened.paste(image.crop((left, 0, image.width, image.height)), (width - (image.width - left), 0))
    stretched = _repeated_line(widened.crop((0, top, width, top + 1)), size)
    stretched.paste(widened.crop((0, 0, width, top)), (0, 0))
    stretched.paste(widened.crop((0, top, width, image.height)), (0, height - (image.height - top)))
    return stretched


def _repeated_line(line: Image.Image, size: tuple[int, int]) -> Image.Image:
    return line.resize(size, Image.Resampling.NEAREST)  # pyright: ignore[reportUnknownMemberType]


@lru_cache(256)
def _text(text: str, cap: int, ink: Colour, background: Colour) -> Sprite:
    return Sprite(inked(text_mask(text, cap), ink, background))


@cache
def _corners(style: PanelStyle) -> Sprite:
    """Return the smallest panel in a style: it consists of its four corners."""
    size = (2 * style.radius, 2 * style.radius)
    outside, inside = (rounded_mask(size, style.radius, inset) for inset in (0, style.thickness))
    return Sprite(
        Painting(size, style.ground).paint_layer(style.outline, outside).paint_layer(style.fill, inside).image
    )


def encode_picture(
    image: Image.Image, alt: str, canonical: bytes = bytes(range(256)), entries: Collection[int] | None = None
) -> Picture:
    """Encode a palette image as a PNG whose palette contains only the colours that the image uses.

    `canonical` maps each of the 256 palette entries to the entry that replaces it, so that entries of the same colour
    become one. `entries` are the entries that can occur in the image. By default, the image is searched for them:
    for the picture of a hand, this takes a tenth of the total time.

    The format follows the W3C's PNG specification, third edition. zlib-ng compresses the picture in one call (see
    decision 0006 for the figures).
    """
    width, height = image.size
    sorted_entries = sorted({canonical[entry] for entry in (used_entries(image) if entries is None else entries)})
    new_indices = {entry: place for place, entry in enumerate(sorted_entries)}
    palette = image.getpalette() or []
    rows = Image.new("P", (width + 1, height), _NO_FILTER)
    rows.paste(image, (1, 0))
    # The filter bytes at the start of the rows are also translated, but stay 0: entry 0 always becomes 0.
    entries = rows.tobytes().translate(bytes(new_indices.get(entry, 0) for entry in canonical))
    chunks = (
        (b"IHDR", width.to_bytes(4) + height.to_bytes(4) + _IHDR_TAIL),
        (b"PLTE", bytes(channel for entry in sorted_entries for channel in palette[3 * entry : 3 * entry + 3])),
        (b"IDAT", zlib_ng.compress(entries, _COMPRESSION_LEVEL)),  # pyright: ignore[reportUnknownMemberType]
        (b"IEND", b""),
    )
    png = b"".join(
        len(content).to_bytes(4) + name + content + crc32(name + content).to_bytes(4) for name, content in chunks
    )
    return Picture(b"\x89PNG\r\n\x1a\n" + png, alt, image.size)
