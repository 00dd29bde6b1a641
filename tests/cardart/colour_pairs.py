"""Draws all samples in every deck and prints colours that meet without shades, and shades that are never used.

It needs a process of its own that has drawn nothing yet, since sprites are cached.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from PIL import Image, ImageChops

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing import canvas, painting
from cardart.drawing.animation import Frame
from cardart.drawing.palette import SHADES, STEPS, Colour, mixture, shade
from cardart.drawing.themes import THEMES
from cardart.pictures import replay
from tests.gallery.samples import samples

_PARTLY = [0] * 52 + [255] * 153 + [0] * 51
"""Marks pixels that are covered by one fifth to four fifths, and so count as neither full nor empty."""
_WITH_OTHER_CARDS = ("deck", "hand-drawn", "hand-gin", "table-later", "showdown-knock", "replay-knock")
"""Samples with all that themes have of their own: faces, backs and labels."""


def met() -> set[frozenset[Colour]]:
    """Draw everything. Return each two colours of which one partly covers a pixel of the other."""
    pairs: set[frozenset[Colour]] = set()
    lay, inked = painting.Painting.lay, painting.inked

    def noted(
        self: painting.Painting, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)
    ) -> painting.Painting:
        left, top = at
        box = (left, top, left + coverage.width, top + coverage.height)
        partly = coverage.point(_PARTLY)  # pyright: ignore[reportUnknownMemberType]
        inside = Image.new("L", self.image.size, 255).crop(box)
        for entry, pixels in enumerate(self.image.crop(box).histogram(ImageChops.multiply(partly, inside))):
            if pixels:
                start, end, far = mixture(entry)
                pairs.add(frozenset((start if 2 * far < STEPS else end, colour)))
        return lay(self, colour, coverage, at)

    def noted_ink(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
        pairs.add(frozenset((ink, ground)))
        return inked(coverage, ink, ground)

    painting.Painting.lay = noted
    for module in list(sys.modules.values()):
        if getattr(module, "inked", None) is inked:
            vars(module)["inked"] = noted_ink
    # Colours meet while sprites are made; the files are not needed.
    canvas.encode_picture = _not_encoded
    replay.encode_animation = _drawn_only
    for theme in THEMES:
        for name, draw in samples():
            if theme == DEFAULT_APPEARANCE.theme or name in _WITH_OTHER_CARDS:
                draw(Appearance(theme))
    return {pair for pair in pairs if len(pair) > 1}


def _not_encoded(image: Image.Image, alt: str, merged: bytes, entries: Collection[int]) -> canvas.Picture:
    return canvas.Picture(b"", alt, image.size)


def _drawn_only(frames: Iterable[Frame], alt: str) -> canvas.Picture:
    return canvas.Picture(b"", alt, (len(list(frames)), 0))


def main() -> None:
    """Print one pair per line."""
    pairs = met()
    for one, other in pairs:
        if shade(one, other, 1) == shade(one, other, 0):
            print("without", one, other)
    for entry in range(SHADES):
        one, other, far = mixture(entry)
        if far == 1 and frozenset((one, other)) not in pairs:
            print("never", one, other)


if __name__ == "__main__":
    main()
