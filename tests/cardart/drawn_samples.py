"""Draws all samples in every deck and prints their faults.

These are colours that meet without shades, shades that are never used, characters that the font lacks, and alt texts
that are too long. It needs a process of its own that has drawn nothing yet, since sprites are cached.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from PIL import Image, ImageChops

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing import canvas, lettering, painting
from cardart.drawing.animation import Frame
from cardart.drawing.palette import SHADES, STEPS, Colour, mixture, shade
from cardart.drawing.themes import THEMES
from cardart.pictures import replay
from tests.gallery.samples import samples

MAX_ALT = 1024
"""The characters that Discord takes as the description of a picture."""
_PARTLY = [0] * 52 + [255] * 153 + [0] * 51
"""Marks pixels that are covered by one fifth to four fifths, and so count as neither full nor empty."""
_WITH_OTHER_CARDS = ("deck", "hand-drawn", "hand-gin", "table-later", "showdown-knock", "replay-knock")
"""Samples with all that themes have of their own: faces, backs and labels."""


def drawn() -> tuple[set[frozenset[Colour]], set[str], set[str]]:
    """Draw everything. Return all pairs of colours that share a pixel, all drawn texts and all alt texts."""
    pairs, texts, alts = set[frozenset[Colour]](), set[str](), set[str]()
    lay, inked, text_mask = painting.Painting.lay, painting.inked, lettering.text_mask

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

    def noted_text(text: str, cap: int) -> Image.Image:
        texts.add(text)
        return text_mask(text, cap)

    painting.Painting.lay = noted
    for module in (canvas, painting):
        vars(module)["text_mask"] = noted_text
    for module in list(sys.modules.values()):
        if getattr(module, "inked", None) is inked:
            vars(module)["inked"] = noted_ink
    # Colours meet while sprites are made; the files are not needed.
    canvas.encode_picture = _not_encoded
    replay.encode_animation = _drawn_only
    for theme in THEMES:
        for name, draw in samples():
            if theme == DEFAULT_APPEARANCE.theme or name in _WITH_OTHER_CARDS:
                alts.add(draw(Appearance(theme)).alt)
    return {pair for pair in pairs if len(pair) > 1}, texts, alts


def _not_encoded(image: Image.Image, alt: str, merged: bytes, entries: Collection[int]) -> canvas.Picture:
    return canvas.Picture(b"", alt, image.size)


def _drawn_only(frames: Iterable[Frame], alt: str) -> canvas.Picture:
    return canvas.Picture(b"", alt, (len(list(frames)), 0))


def main() -> None:
    """Print one fault per line."""
    pairs, texts, alts = drawn()
    for one, other in pairs:
        if shade(one, other, 1) == shade(one, other, 0):
            print("without", one, other)
    for entry in range(SHADES):
        one, other, far = mixture(entry)
        if far == 1 and frozenset((one, other)) not in pairs:
            print("never", one, other)
    characters = {character for text in texts for character in text}
    missing = lettering.text_mask("\uffff", 30).tobytes()
    for character in sorted(characters):
        if lettering.text_mask(character, 30).tobytes() == missing:
            print("not in the font", ascii(character))
    for alt in alts:
        if not 0 < len(alt) <= MAX_ALT or not alt.endswith("."):
            print("alt text", alt)
    if len(characters) <= 40 or len(alts) <= 100:
        print("hardly anything was drawn")


if __name__ == "__main__":
    main()
