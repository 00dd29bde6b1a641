"""The colours that pictures are drawn in, and the palette of at most 256 entries that all of them share.

Everything is painted once, as a small sprite of palette indices. Copying such sprites into a picture is cheap. Beside
each colour the palette has the shades between each two colours that meet in a picture, for smooth edges. A theme
replaces the colours (`cardart.drawing.themes`), and the shades between them follow.
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
"""The paper of cards."""
TEXT: Final[Colour] = (255, 255, 255)
"""Text on the felt."""
BLACK: Final[Colour] = (28, 30, 38)
RED: Final[Colour] = (196, 44, 52)
GOLD: Final[Colour] = (240, 190, 72)
MIST: Final[Colour] = (176, 208, 196)
MELD_COLOURS: Final[tuple[Colour, ...]] = ((76, 176, 244), (188, 140, 250), (160, 206, 76))
"""Marks for the cards of each meld in a hand that is not sorted by melds."""
NAVY: Final[Colour] = (38, 58, 112)
SKY: Final[Colour] = (146, 170, 222)
SKIN: Final[Colour] = (246, 214, 182)
HAIR: Final[Colour] = (122, 72, 44)
TAN: Final[Colour] = (176, 118, 78)
SILVER: Final[Colour] = (192, 205, 222)
"""Steel, white hair and veils of court figures."""
GROUND: Final[Colour] = (247, 239, 220)
"""What court figures stand before: dark hair and white clothes differ from it."""
COPPER: Final[Colour] = (190, 92, 40)
AZURE: Final[Colour] = (64, 108, 176)
"""With gold, red and white, the clothes of court figures that are not in their suit's colour."""
PAPER: Final[Colour] = (250, 245, 228)
"""The paper of the scorecard."""
RULE: Final[Colour] = (186, 206, 216)
"""The ruled lines of the scorecard."""
PENCIL: Final[Colour] = (40, 42, 54)
"""Writing on the scorecard; `FADED` is for what matters less."""
FADED: Final[Colour] = (104, 102, 100)
WOOD: Final[Colour] = (110, 72, 44)
GRAIN: Final[Colour] = (146, 100, 62)
"""The rail around the felt, and the light on it."""
SEAT_COLOURS: Final[tuple[Colour, ...]] = ((90, 180, 240), (255, 140, 80), (190, 110, 190), (214, 240, 140))
"""The colour of each seat's badge. They differ in lightness too."""
SUIT_INKS: Final[dict[Suit, Colour]] = {
    Suit.CLUBS: (0, 144, 90),
    Suit.DIAMONDS: (0, 72, 255),
    Suit.HEARTS: (255, 0, 150),
    Suit.SPADES: (110, 0, 160),
}
"""The colours that suits are drawn in. No theme shows these: each replaces them by its suits' own colours."""

_LINES: Final[tuple[tuple[Colour, ...], ...]] = (
    (RECESS, TEXT, FELT, EDGE, FACE),
    (FELT, RECESS, EDGE),
    (EDGE, TEXT, BLACK),
    (FELT, SEAM, RECESS),
    (RECESS, MIST, FELT, GOLD, RECESS),
    (WOOD, GRAIN, EDGE),
    (EDGE, RED, TEXT),
    (TEXT, NAVY, SKY),
    (EDGE, GOLD, GROUND),
    *((EDGE, meld) for meld in MELD_COLOURS),
    *((colour, BLACK) for colour in (GROUND, GOLD, SKIN, TAN, HAIR, COPPER, RED, MIST, SILVER, AZURE)),
    *((ink, BLACK) for ink in SUIT_INKS.values()),
    (SKIN, RED, TAN),
    (GOLD, AZURE, TEXT, TAN),
    (HAIR, SKIN, COPPER),
    *((FACE, ink, GOLD) for ink in SUIT_INKS.values()),
    *((BLACK, seat, EDGE) for seat in SEAT_COLOURS),
    (SEAT_COLOURS[0], RECESS),
    (PENCIL, PAPER, FADED),
    (RULE,),
    *((PAPER, colour) for colour in (*SUIT_INKS.values(), *SEAT_COLOURS)),
)
"""Colours that meet, as chains in which each meets the next. A chain of one is a colour that meets no other."""

# The felt is entry 0, like the byte that begins each row of a PNG, because bare felt then packs best.
_COLOURS: Final[tuple[Colour, ...]] = tuple(dict.fromkeys((FELT, *(colour for line in _LINES for colour in line))))
_PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(
    {frozenset(pair): pair for line in _LINES for pair in pairwise(line)}.values()
)

STEPS: Final = 4
"""The number of steps from one colour to another that it meets."""

SHADES: Final = len(_COLOURS) + len(_PAIRS) * (STEPS - 1)
"""The number of palette entries: the colours, and the shades between each two that meet."""


def palette_bytes(replaced: Callable[[Colour], Colour]) -> bytes:
    """Return the palette as a PNG stores it, with each colour replaced as `replaced` says."""
    entries = [*map(replaced, _COLOURS), *(shade for pair in _PAIRS for shade in _between(*map(replaced, pair)))]
    return bytes(channel for entry in entries for channel in entry)


def index(colour: Colour) -> int:
    """Return a colour's place in the palette."""
    return _COLOURS.index(colour)


def shade(start: Colour, end: Colour, far: int) -> int:
    """Return the place of a shade `far` of `STEPS` from `start` to `end`; of the nearer one if they never meet."""
    place = _PLACES.get((start, end))
    if far in (0, STEPS) or place is None:
        return index(end if 2 * far > STEPS else start)
    first, forward = place
    return first + (far if forward else STEPS - far) - 1


def mixture(entry: int) -> tuple[Colour, Colour, int]:
    """Return what a palette entry shows: two colours, and how many of `STEPS` it lies from the first to the second."""
    if entry < len(_COLOURS):
        return _COLOURS[entry], _COLOURS[entry], 0
    pair, far = divmod(entry - len(_COLOURS), STEPS - 1)
    return *_PAIRS[pair], far + 1


_PLACES: Final = {
    pair if forward else pair[::-1]: (len(_COLOURS) + number * (STEPS - 1), forward)
    for number, pair in enumerate(_PAIRS)
    for forward in (True, False)
}
"""For two colours that meet: the place of the first shade between them, and whether it is next to the first one."""


def _between(start: Colour, end: Colour) -> Iterator[Colour]:
    """Yield the shades between two colours, without those two."""
    for step in range(1, STEPS):
        red, green, blue = ((a * (STEPS - step) + b * step) // STEPS for a, b in zip(start, end, strict=True))
        yield red, green, blue
