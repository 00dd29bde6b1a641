"""The felt that sprites, panels and text are put on, and the picture it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.values.appearance import Appearance
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked, mapped
from cardart.drawing.palette import EDGE, FELT, GRAIN, TEXT, WOOD, Colour, index
from cardart.drawing.png import encode_png
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.sprites import Sprite
from cardart.drawing.themes import canonical_entries, palette_of

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are the first pixels outside."""

MARGIN: Final = 20
_RAIL: Final = 9
"""The width of the wooden rail."""
_CORNER: Final = 24
"""The radius of the rail's corners."""
_CACHED_TEXTS: Final = 512
_CACHED_SIZES: Final = 32


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture: PNG bytes, the same facts as an alt text of at most 1,024 characters, and its size in pixels."""

    png: bytes
    alt: str
    size: tuple[int, int]

    @property
    def file(self) -> tuple[bytes, str]:
        """The bytes of a file and the suffix of its name."""
        return self.png, "png"


@dataclass(frozen=True, slots=True)
class PanelStyle:
    """The colours of a panel, and in pixels the thickness of its outline and the radius of its corners."""

    fill: Colour
    outline: Colour
    thickness: int = 2
    radius: int = 14


class Canvas:
    """A piece of felt to draw one picture on, in one appearance."""

    def __init__(self, width: int, height: int, appearance: Appearance) -> None:
        self.appearance = appearance
        self._image = _bare_table((width, height)).copy()
        self._pen = ImageDraw.Draw(self._image)

    def put(self, sprite: Sprite, x: int, y: int) -> None:
        """Paste a sprite by its top left corner."""
        self._image.paste(sprite.image, (x, y), sprite.mask)

    def fill(self, box: Box, colour: Colour) -> None:
        """Fill a plain rectangle."""
        self._image.paste(index(colour), box)

    def panel(self, box: Box, style: PanelStyle) -> None:
        """Draw a rectangle with round corners on the felt."""
        left, top, right, bottom = box
        self._pen.rectangle(
            (left, top, right - 1, bottom - 1), index(style.fill), index(style.outline), style.thickness
        )
        corners, radius = _corners(style), style.radius
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
        ground: Colour = FELT,
        align: Literal["left", "centre", "right"] = "left",
    ) -> int:
        """Write on a plain ground, with the baseline at `y` and capitals of `cap` pixels. Return the width taken."""
        written = _text(text, cap, ink, ground)
        before = {"left": 0, "centre": written.width // 2, "right": written.width}[align]
        self.put(written, x - before, y - baseline(cap))
        return written.width

    def picture(self, alt: str) -> Picture:
        """Return the finished picture."""
        return Picture(encode_png(self.frame()), alt, self._image.size)

    def frame(self) -> Image.Image:
        """Return what was drawn as a palette image in the colours of the appearance."""
        image = mapped(self._image, "P", canonical_entries(self.appearance))
        image.putpalette(palette_of(self.appearance))
        return image


@lru_cache(_CACHED_SIZES)
def _bare_table(size: tuple[int, int]) -> Image.Image:
    """Return felt within its wooden rail."""
    table = Painting(size, WOOD)
    for inset, colour in ((_RAIL - 3, GRAIN), (_RAIL, EDGE), (_RAIL + 2, FELT)):
        table.lay(colour, rounded_mask(size, _CORNER, inset))
    return table.image


@lru_cache(_CACHED_TEXTS)
def _text(text: str, cap: int, ink: Colour, ground: Colour) -> Sprite:
    return Sprite(inked(text_mask(text, cap), ink, ground))


@cache
def _corners(style: PanelStyle) -> Image.Image:
    """Return a panel that consists of nothing but its four corners."""
    size = (2 * style.radius, 2 * style.radius)
    outside, inside = (rounded_mask(size, style.radius, inset) for inset in (0, style.thickness))
    return Painting(size, FELT).lay(style.outline, outside).lay(style.fill, inside).image
