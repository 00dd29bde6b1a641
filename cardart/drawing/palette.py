"""The colours that pictures are drawn in, and the one palette of at most 256 shades that all of them share.

Everything is painted once, as a small sprite of indices into this palette; a picture is then put together by copying
them, which is what makes it cheap. The palette holds each colour, and for each pair of colours that meet in a picture
the shades between them, which smooth edges need. What a colour looks like in the end is a matter of the theme:
`cardart.themes` gives each its own, and the shades between follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

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
MELDS: Final[tuple[Colour, ...]] = ((70, 180, 250), (226, 120, 250), (150, 214, 70))
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
"""What each suit is drawn in: four colours that no theme shows, which looks make the suits' real ones of."""

_LINES: Final[tuple[tuple[Colour, ...], ...]] = (
    (RECESS, TEXT, FELT, EDGE, FACE),
    (FELT, RECESS, EDGE),
    (EDGE, TEXT, BLACK),
    (FELT, SEAM, RECESS),
    (RECESS, MIST, FELT, GOLD, RECESS),
    (WOOD, GRAIN, EDGE),
    (EDGE, RED, TEXT),
    (TEXT, NAVY, SKY),
    (EDGE, GOLD, FACE),
    *((EDGE, meld) for meld in MELDS),
    (GOLD, BLACK, SKIN, HAIR),
    (BLACK, FACE),
    (RED, SKIN, FACE, HAIR, GOLD, SKIN),
    (FACE, SKY, GOLD, RED, HAIR, SKY),
    (FACE, RED),
    *((FACE, ink, GOLD) for ink in INK.values()),
    *((SKIN, ink, HAIR) for ink in INK.values()),
    *((BLACK, seat, EDGE) for seat in SEATS),
    (SEATS[0], RECESS),
    (PENCIL, PAPER, FADED),
    (RULE,),
    *((PAPER, colour) for colour in (*INK.values(), *SEATS)),
)
"""Colours that meet, as lines from one to the next; one by itself is always whole.

There is no room for the red and blue of court cards where they meet a robe.
"""

# The felt is shade 0, as is the byte that begins each row of a PNG: stretches of bare felt pack best that way.
_COLOURS: Final[tuple[Colour, ...]] = tuple(dict.fromkeys((FELT, *(colour for line in _LINES for colour in line))))
_PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(
    {frozenset(pair): pair for line in _LINES for pair in pairwise(line)}.values()
)

STEPS: Final = 4
"""In so many steps one colour becomes another that it meets."""

SHADES: Final = len(_COLOURS) + len(_PAIRS) * (STEPS - 1)
"""How many entries the palette has: each colour, and the shades between each two that meet."""


def palette_bytes(look: Callable[[Colour], Colour]) -> bytes:
    """The palette as the bytes of a PNG's, with each colour as it looks in the end."""
    entries = [*map(look, _COLOURS), *(shade for pair in _PAIRS for shade in _between(*map(look, pair)))]
    return bytes(channel for entry in entries for channel in entry)


def index(colour: Colour) -> int:
    """A colour's place in the palette."""
    return _COLOURS.index(colour)


def shade(start: Colour, end: Colour, far: int) -> int:
    """The place of what lies so many of `STEPS` between two colours; of the nearer one if they never meet."""
    place = _PLACES.get((start, end))
    if far in (0, STEPS) or place is None:
        return index(end if 2 * far > STEPS else start)
    first, forward = place
    return first + (far if forward else STEPS - far) - 1


def mixture(entry: int) -> tuple[Colour, Colour, int]:
    """What a place of the palette holds: two colours, and how many of `STEPS` it lies from the first to the second."""
    if entry < len(_COLOURS):
        return _COLOURS[entry], _COLOURS[entry], 0
    pair, far = divmod(entry - len(_COLOURS), STEPS - 1)
    return *_PAIRS[pair], far + 1


_PLACES: Final = {
    pair if forward else pair[::-1]: (len(_COLOURS) + number * (STEPS - 1), forward)
    for number, pair in enumerate(_PAIRS)
    for forward in (True, False)
}
"""Of two colours that meet: the place of the first shade between them, and whether it is the nearest to the first."""


def _between(start: Colour, end: Colour) -> Iterator[Colour]:
    """The shades from one to the other, without these two."""
    for step in range(1, STEPS):
        red, green, blue = ((a * (STEPS - step) + b * step) // STEPS for a, b in zip(start, end, strict=True))
        yield red, green, blue
