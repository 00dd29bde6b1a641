"""The felt that sprites, panels and words are put on, and the picture it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw

from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked, mapped
from cardart.drawing.palette import EDGE, FELT, GRAIN, TEXT, WOOD, Colour, index
from cardart.drawing.png import encode_png
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import Look, canonical_entries, palette_of

MARGIN: Final = 20
_TEXTS: Final = 512
_SIZES: Final = 32
_RAIL: Final = 9
_CORNER: Final = 24
"""The width of the rail, and the radius of the corners around it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture: PNG bytes, its facts in words (at most 1,024 characters), and its size in pixels."""

    png: bytes
    alt: str
    size: tuple[int, int]

    @property
    def file(self) -> tuple[bytes, str]:
        """What to write into a file, and how its name ends."""
        return self.png, "png"


@dataclass(frozen=True, slots=True)
class Sprite:
    """Palette indices, and which of its pixels count (all, where the mask is None). Never changed once made."""

    image: Image.Image
    mask: Image.Image | None = None

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.image.height


def cut_out(image: Image.Image, coverage: Image.Image) -> Sprite:
    """A sprite of palette indices whose pixels count where they are covered by half."""
    return Sprite(image, coverage.convert("1", dither=Image.Dither.NONE))


@dataclass(frozen=True, slots=True)
class PanelStyle:
    """How a panel looks: its fill, its outline and how thick that is, and the radius of its corners, in pixels."""

    fill: Colour
    outline: Colour
    thickness: int = 2
    radius: int = 14


class Canvas:
    """A piece of felt to draw on, made anew for each picture; what is put on it should be of its look."""

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.look = look
        self._image = _table((width, height)).copy()
        self._pen = ImageDraw.Draw(self._image)

    def put(self, sprite: Sprite, x: int, y: int) -> None:
        """Lay a sprite down by its top left corner."""
        self._image.paste(sprite.image, (x, y), sprite.mask)

    def panel(self, box: tuple[int, int, int, int], style: PanelStyle) -> None:
        """Draw a rectangle with round corners on the felt; the box is left, top, right, bottom."""
        left, top, right, bottom = box
        inside = (left, top, right - 1, bottom - 1)
        self._pen.rectangle(inside, index(style.fill), index(style.outline), style.thickness)
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
        """Write on a plain ground; y is the baseline, `cap` the height of a capital. Gives the width it took."""
        written = _text(text, cap, ink, ground)
        before = {"left": 0, "centre": written.width // 2, "right": written.width}[align]
        self.put(written, x - before, y - baseline(cap))
        return written.width

    def picture(self, alt: str) -> Picture:
        """The finished picture, in the colours of its look."""
        return Picture(encode_png(self.frame()), alt, self._image.size)

    def frame(self) -> Image.Image:
        """What is drawn, in the colours of its look: palette indices, as a frame of an animation."""
        image = mapped(self._image, "P", canonical_entries(self.look))
        image.putpalette(palette_of(self.look))
        return image


@lru_cache(_SIZES)
def _table(size: tuple[int, int]) -> Image.Image:
    """Bare felt within its wooden rail."""
    table = Painting(size, WOOD)
    for inset, colour in ((_RAIL - 3, GRAIN), (_RAIL, EDGE), (_RAIL + 2, FELT)):
        table.lay(colour, rounded_mask(size, _CORNER, inset))
    return table.image


@lru_cache(_TEXTS)
def _text(text: str, cap: int, ink: Colour, ground: Colour) -> Sprite:
    return Sprite(inked(text_mask(text, cap), ink, ground))


@cache
def _corners(style: PanelStyle) -> Image.Image:
    """A panel that is nothing but its four corners."""
    size = (2 * style.radius, 2 * style.radius)
    outside, inside = (rounded_mask(size, style.radius, inset) for inset in (0, style.thickness))
    return Painting(size, FELT).lay(style.outline, outside).lay(style.fill, inside).image


@lru_cache(_TEXTS)
def tag(text: str, cap: int, fill: Colour, ink: Colour) -> Sprite:
    """A small label with round ends, which may lie on anything."""
    coverage = text_mask(text, cap)
    high = 2 * cap
    size = (high if len(text) == 1 else coverage.width + cap, high)
    at = ((size[0] - coverage.width) // 2, (high + cap) // 2 - baseline(cap))
    drawn = Painting(size, EDGE).lay(fill, rounded_mask(size, high / 2, 2)).lay(ink, coverage, at)
    return cut_out(drawn.image, rounded_mask(size, high / 2))


@cache
def bar(width: int, height: int, fill: Colour) -> Sprite:
    """A line with round ends, which may lie on anything."""
    size = (width, height)
    drawn = Painting(size, EDGE).lay(fill, rounded_mask(size, height / 2, 1))
    return cut_out(drawn.image, rounded_mask(size, height / 2))
