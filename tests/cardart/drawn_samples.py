"""Draw all samples, some of them in every theme, and print their faults.

Faults are pairs of colours that meet in a pixel but have no shades between them in the palette, unused shades,
characters that the font lacks, and alt texts that are empty, too long or without a full stop. Run this in a new
process: sprites are cached, and only newly drawn ones are checked.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from PIL import Image, ImageChops

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing import canvas, lettering, painting
from cardart.drawing.animation import Frame
from cardart.drawing.palette import PALETTE_SIZE, STEPS, Colour, mixture, shade_index
from cardart.drawing.themes import THEMES
from cardart.pictures import replay
from tests.gallery.samples import samples

MAX_ALT_LENGTH = 1024
"""Discord's limit for alt texts, in characters."""
_PARTLY_COVERED = [0] * 52 + [255] * 153 + [0] * 51
"""Lookup table for `Image.point`: 255 for coverages from one fifth to four fifths, 0 for all others."""
_THEME_SAMPLES = ("deck", "hand-drawn", "hand-gin", "table-later", "showdown-knock", "replay-knock")
"""Samples that are drawn in every theme. They show all that differs between themes: faces, backs and labels."""


def draw_all() -> tuple[set[frozenset[Colour]], set[str], set[str]]:
    """Draw all samples. Return all pairs of colours that mix at their edges, all drawn texts and all alt texts."""
    pairs, texts, alts = set[frozenset[Colour]](), set[str](), set[str]()
    lay, inked, text_mask = painting.Painting.paint_layer, painting.inked, lettering.text_mask

    def record_layer(
        self: painting.Painting, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)
    ) -> painting.Painting:
        left, top = at
        box = (left, top, left + coverage.width, top + coverage.height)
        partly = coverage.point(_PARTLY_COVERED)  # pyright: ignore[reportUnknownMemberType]
        inside = Image.new("L", self.image.size, 255).crop(box)
        for entry, pixels in enumerate(self.image.crop(box).histogram(ImageChops.multiply(partly, inside))):
            if pixels:
                start, end, far = mixture(entry)
                pairs.add(frozenset((start if 2 * far < STEPS else end, colour)))
        return lay(self, colour, coverage, at)

    def record_ink(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
        pairs.add(frozenset((ink, ground)))
        return inked(coverage, ink, ground)

    def record_text(text: str, cap: int) -> Image.Image:
        texts.add(text)
        return text_mask(text, cap)

    painting.Painting.paint_layer = record_layer
    for module in (canvas, painting):
        vars(module)["text_mask"] = record_text
    for module in list(sys.modules.values()):
        if getattr(module, "inked", None) is inked:
            vars(module)["inked"] = record_ink
    # Skip the encoding of files. It is slow, and all colours are painted and recorded before it starts.
    canvas.encode_picture = _skip_encoding
    replay.encode_animation = _count_frames
    for theme in THEMES:
        for name, draw in samples():
            if theme == DEFAULT_APPEARANCE.theme or name in _THEME_SAMPLES:
                alts.add(draw(Appearance(theme)).alt)
    return {pair for pair in pairs if len(pair) > 1}, texts, alts


def _skip_encoding(image: Image.Image, alt: str, merged: bytes, entries: Collection[int]) -> canvas.Picture:
    return canvas.Picture(b"", alt, image.size)


def _count_frames(frames: Iterable[Frame], alt: str) -> canvas.Picture:
    return canvas.Picture(b"", alt, (len(list(frames)), 0))


def main() -> None:
    pairs, texts, alts = draw_all()
    for one, other in pairs:
        if shade_index(one, other, 1) == shade_index(one, other, 0):
            print("no shades between", one, other)
    for entry in range(PALETTE_SIZE):
        one, other, far = mixture(entry)
        if far == 1 and frozenset((one, other)) not in pairs:
            print("unused shades between", one, other)
    characters = {character for text in texts for character in text}
    missing = lettering.text_mask("\uffff", 30).tobytes()
    for character in sorted(characters):
        if lettering.text_mask(character, 30).tobytes() == missing:
            print("missing in the font", ascii(character))
    for alt in alts:
        if not 0 < len(alt) <= MAX_ALT_LENGTH or not alt.endswith("."):
            print("bad alt text", alt)
    if len(characters) <= 40 or len(alts) <= 100:
        print("too few samples were drawn")


if __name__ == "__main__":
    main()
