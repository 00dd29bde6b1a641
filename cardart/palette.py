"""The colours that pictures are drawn in, and the one palette of at most 256 shades that all of them share.

Everything is drawn in full colour once, as a small sprite, and kept as indices into this palette; a picture is then
put together by copying indices, which is what makes it cheap. The palette holds each colour, and for each pair of
colours that meet in a picture the shades between them, which smooth edges need. What a colour looks like in the end is
a matter of the theme: `cardart.themes` gives each its own, and the shades between follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from PIL import Image

from bot.engine.cards import Suit

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

FELT: Final[Colour] = (35, 88, 75)
RECESS: Final[Colour] = (25, 68, 58)
SEAM: Final[Colour] = (66, 122, 107)
EDGE: Final[Colour] = (14, 40, 34)
FACE: Final[Colour] = (253, 251, 244)
"""What cards are printed on."""
TEXT: Final[Colour] = (255, 255, 255)
"""What is written on the felt."""
BLACK: Final[Colour] = (28, 30, 38)
RED: Final[Colour] = (196, 44, 52)
GOLD: Final[Colour] = (240, 190, 72)
MIST: Final[Colour] = (176, 208, 196)
MELDS: Final[tuple[Colour, ...]] = ((0, 132, 120), (122, 66, 196), (196, 96, 0))
"""What marks the cards of each meld in a hand that is sorted otherwise."""
NAVY: Final[Colour] = (38, 58, 112)
SKY: Final[Colour] = (146, 170, 222)
SKIN: Final[Colour] = (246, 214, 182)
HAIR: Final[Colour] = (122, 72, 44)
PAPER: Final[Colour] = (250, 245, 228)
"""What scores are written on."""
RULE: Final[Colour] = (186, 206, 216)
"""The lines of the paper."""
PENCIL: Final[Colour] = (40, 42, 54)
"""What is written on paper, and `FADED` what matters less."""
FADED: Final[Colour] = (104, 102, 100)
WOOD: Final[Colour] = (110, 72, 44)
GRAIN: Final[Colour] = (146, 100, 62)
"""The rail around the felt, and the light on it."""
SEATS: Final[tuple[Colour, ...]] = ((90, 180, 240), (255, 140, 80), (190, 110, 190), (214, 240, 140))
"""The colour of each seat's mark: told apart by their lightness too."""
INK: Final[dict[Suit, Colour]] = {
    Suit.CLUBS: (0, 144, 90),
    Suit.DIAMONDS: (0, 72, 255),
    Suit.HEARTS: (255, 0, 150),
    Suit.SPADES: (110, 0, 160),
}
"""What each suit is drawn in: four colours far from all others, which looks make the suits' real ones of."""

_LINES: Final[tuple[tuple[Colour, ...], ...]] = (
    (RECESS, TEXT, FELT, EDGE, FACE),
    (EDGE, TEXT, BLACK),
    (FELT, SEAM, RECESS),
    (EDGE, SEAM, TEXT),
    (RECESS, MIST, FELT, GOLD, RECESS),
    (GOLD, BLACK, SKIN, HAIR, BLACK),
    (FACE, GOLD, HAIR, FACE, SKIN, RED, HAIR),
    (FACE, SKY, HAIR),
    (SKIN, GOLD, SKY, SKIN),
    (EDGE, WOOD, GRAIN),
    (WOOD, FELT),
    (FELT, RED, EDGE),
    (RED, TEXT),
    (EDGE, NAVY, FACE, SKY, NAVY),
    (NAVY, TEXT, SKY),
    (EDGE, GOLD, FACE),
    *((EDGE, meld, FACE) for meld in MELDS),
    *((FACE, ink, GOLD) for ink in INK.values()),
    *((SKIN, ink, HAIR) for ink in INK.values()),
    *((RED, ink, SKY) for ink in INK.values()),
    *((BLACK, ink) for ink in INK.values()),
    *((FELT, seat, RECESS) for seat in SEATS),
    *((BLACK, seat, EDGE) for seat in SEATS),
    *((FACE, seat) for seat in SEATS),
    (PENCIL, PAPER, FADED),
    (RULE, PAPER, EDGE),
    *((PAPER, colour) for colour in (*INK.values(), *SEATS)),
)
"""Colours that meet, as lines from one to the next."""

# The felt is shade 0, as is the byte that begins each row of a PNG: stretches of bare felt pack best that way.
_COLOURS: Final[tuple[Colour, ...]] = tuple(dict.fromkeys((FELT, *(colour for line in _LINES for colour in line))))
_PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(
    {frozenset(pair): pair for line in _LINES for pair in pairwise(line)}.values()
)

_STEPS: Final = 3
"""In so many steps one colour becomes another that it meets."""

SHADES: Final = len(_COLOURS) + len(_PAIRS) * (_STEPS - 1)
"""How many entries the palette has: each colour, and the shades between each two that meet."""


def shown(look: Callable[[Colour], Colour]) -> bytes:
    """The palette as the bytes of a PNG's, with each colour as it looks in the end."""
    entries = [*map(look, _COLOURS), *(shade for pair in _PAIRS for shade in _between(*map(look, pair)))]
    return bytes(channel for entry in entries for channel in entry)


def quantised(image: Image.Image, *colours: Colour) -> Image.Image:
    """An RGB image, drawn in these colours, as indices into the palette: each pixel the nearest of their shades.

    Of other colours' shades it may be none: in another look they are something else altogether.
    """
    palette, entries = _drawn_in(frozenset(colours))
    return image.quantize(palette=palette, dither=Image.Dither.NONE).point(entries)  # pyright: ignore[reportUnknownMemberType]


@cache
def _drawn_in(colours: frozenset[Colour]) -> tuple[Image.Image, list[int]]:
    """The palette of some colours and the shades between them, and which entries of the whole one those are."""
    shades = [*((colour, {colour}) for colour in _COLOURS)]
    shades += [(shade, {*pair}) for pair in _PAIRS for shade in _between(*pair)]
    chosen = [(shade, entry) for entry, (shade, of) in enumerate(shades) if of <= colours]
    carrier = Image.new("P", (1, 1))
    carrier.putpalette([channel for shade, _ in chosen for channel in shade])
    entries = [entry for _, entry in chosen]
    return carrier, entries + [0] * (256 - len(entries))


def index(colour: Colour) -> int:
    """A colour's place in the palette."""
    return _COLOURS.index(colour)


def _between(start: Colour, end: Colour) -> Iterator[Colour]:
    """The shades from one to the other, without these two."""
    for step in range(1, _STEPS):
        red, green, blue = ((a * (_STEPS - step) + b * step) // _STEPS for a, b in zip(start, end, strict=True))
        yield red, green, blue
