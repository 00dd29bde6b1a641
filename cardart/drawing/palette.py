"""The base colours of pictures, and the palette of at most 256 entries that all pictures share.

Everything is painted once, as a small sprite of palette indices. Copying sprites into a picture is cheap. For smooth
edges, the palette also has the shades between every two colours that are adjacent in a picture. A theme replaces the
base colours (`cardart.drawing.themes`), and the shades between them are derived from its colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from bot.engine.cards.cards import Suit

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

FELT: Final[Colour] = (35, 88, 75)
RECESS: Final[Colour] = (25, 68, 58)
SEAM: Final[Colour] = (66, 122, 107)
EDGE: Final[Colour] = (14, 40, 34)
FACE: Final[Colour] = (253, 251, 244)
"""The background of card faces."""
TEXT: Final[Colour] = (255, 255, 255)
"""Text on the felt."""
BLACK: Final[Colour] = (28, 30, 38)
RED: Final[Colour] = (196, 44, 52)
GOLD: Final[Colour] = (240, 190, 72)
MIST: Final[Colour] = (176, 208, 196)
MELD_COLOURS: Final[tuple[Colour, ...]] = ((66, 162, 250), (207, 132, 197), (88, 176, 112))
"""Colours that mark the melds of a hand. They contrast with the felt and with cards."""
NAVY: Final[Colour] = (38, 58, 112)
SKY: Final[Colour] = (146, 170, 222)
SKIN: Final[Colour] = (246, 214, 182)
HAIR: Final[Colour] = (122, 72, 44)
TAN: Final[Colour] = (176, 118, 78)
SILVER: Final[Colour] = (192, 205, 222)
"""Steel, white hair and veils of court figures."""
COURT_BACKGROUND: Final[Colour] = (247, 239, 220)
"""The background of court figures, which contrasts with dark hair and white clothes."""
COPPER: Final[Colour] = (190, 92, 40)
AZURE: Final[Colour] = (64, 108, 176)
"""Blue parts of court figures. Other parts are gold, red, white, or in the suit's colour."""
PAPER: Final[Colour] = (250, 245, 228)
"""The paper of the scorecard."""
RULE: Final[Colour] = (186, 206, 216)
"""The ruled lines of the scorecard."""
PENCIL: Final[Colour] = (40, 42, 54)
"""Writing on the scorecard. `FADED` is for less important writing."""
FADED: Final[Colour] = (104, 102, 100)
WOOD: Final[Colour] = (110, 72, 44)
GRAIN: Final[Colour] = (146, 100, 62)
"""`WOOD` is the rail around the felt, and `GRAIN` the highlight on it."""
SEAT_COLOURS: Final[tuple[Colour, ...]] = ((90, 180, 240), (255, 140, 80), (190, 110, 190), (214, 240, 140))
"""Badge colours by seat. They also differ in lightness."""
SUIT_INKS: Final[dict[Suit, Colour]] = {
    Suit.CLUBS: (0, 144, 90),
    Suit.DIAMONDS: (0, 72, 255),
    Suit.HEARTS: (255, 0, 150),
    Suit.SPADES: (110, 0, 160),
}
"""Base colours of the suits. They are never shown, because every theme replaces them with its own suit colours."""
ROBES: Final[dict[Suit, Colour]] = {
    Suit.CLUBS: (0, 145, 91),
    Suit.DIAMONDS: (1, 73, 254),
    Suit.HEARTS: (254, 1, 151),
    Suit.SPADES: (111, 1, 161),
}
"""Base colours of the robes of court figures. They too are replaced, usually with the colours of the suits."""

DAYS: Final = tuple(ROBES.values())
DAYS_BEHIND_TEXT: Final = tuple(SUIT_INKS.values())
"""Colours of results in a calendar: a loss, and small, middle and large wins. A calendar shows no cards, so it uses
their entries: there is no room for more. `DAYS` have shades with `DAY_PANEL`, and the same colours in
`DAYS_BEHIND_TEXT` with the inks of text on them."""
DAY_DARK_INK: Final = PAPER
DAY_LIGHT_INK: Final = FACE
DAY_PANEL: Final = BLACK
"""The panel behind days."""
DAY_RING: Final = AZURE
"""The ring around today, and stars. It has shades with `DAY_PANEL` and `GOLD`."""
DAY_FAINT: Final = HAIR
DAY_DIM: Final = COPPER
"""Colours of less important signs on the panel: hatching (`DAY_FAINT`), and borders and coming dates (`DAY_DIM`)."""


_COLOUR_CHAINS: Final[tuple[tuple[Colour, ...], ...]] = (
    (RECESS, TEXT, FELT, EDGE, FACE),
    (FELT, RECESS, EDGE),
    (EDGE, TEXT, BLACK),
    (FELT, SEAM, RECESS),
    (RECESS, MIST, FELT, GOLD, RECESS),
    (WOOD, GRAIN, EDGE),
    (EDGE, RED, TEXT),
    (TEXT, NAVY, SKY),
    (EDGE, GOLD, COURT_BACKGROUND),
    *((EDGE, meld) for meld in MELD_COLOURS),
    *((colour, BLACK) for colour in (COURT_BACKGROUND, GOLD, SKIN, TAN, HAIR, COPPER, RED, MIST, SILVER, AZURE)),
    *((robe, BLACK) for robe in ROBES.values()),
    (GOLD, AZURE, TEXT, TAN),
    (HAIR, SKIN, COPPER),
    *((FACE, ink) for ink in SUIT_INKS.values()),
    *((robe, GOLD) for robe in ROBES.values()),
    *((BLACK, seat, EDGE) for seat in SEAT_COLOURS),
    (EDGE, MIST),
    (PENCIL, PAPER, FADED),
    (RULE,),
    *((PAPER, colour) for colour in (*SUIT_INKS.values(), *SEAT_COLOURS)),
)
"""Chains of colours, in which consecutive colours are adjacent in a picture. A colour alone in its chain is adjacent to
no other."""

# The felt is palette entry 0. The filter byte at the start of each PNG row is also 0, so rows of bare felt are all
# zeros, which compress best.
_COLOURS: Final[tuple[Colour, ...]] = tuple(
    dict.fromkeys((FELT, *(colour for line in _COLOUR_CHAINS for colour in line)))
)
_ADJACENT_PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(
    {frozenset(pair): pair for line in _COLOUR_CHAINS for pair in pairwise(line)}.values()
)

STEPS: Final = 4
"""Number of equal steps between two colours that are adjacent in a picture. The palette has the `STEPS - 1` shades
between them, for smooth edges."""

PALETTE_SIZE: Final = len(_COLOURS) + len(_ADJACENT_PAIRS) * (STEPS - 1)
"""Number of all palette entries: the base colours, and the shades between adjacent colours."""
PHOTO_ENTRY: Final = 255
"""The palette index that marks the pixels of photos until a picture is encoded."""
assert PALETTE_SIZE <= PHOTO_ENTRY


def palette_bytes(replacement: Callable[[Colour], Colour]) -> bytes:
    """Return the palette as a PNG stores it, with each colour replaced by `replacement(colour)`."""
    entries = [
        *map(replacement, _COLOURS),
        *(shade for pair in _ADJACENT_PAIRS for shade in _shades_between(*map(replacement, pair))),
    ]
    return bytes(channel for entry in entries for channel in entry)


def palette_index(colour: Colour) -> int:
    """Return the palette index of a colour."""
    return _COLOURS.index(colour)


def shade_index(start: Colour, end: Colour, steps: int) -> int:
    """Return the palette index of the shade that is `steps` of `STEPS` steps from `start` to `end`.

    If the two colours are never adjacent, return the index of the nearer one.
    """
    start_and_order = _SHADE_STARTS.get((start, end))
    if steps in (0, STEPS) or start_and_order is None:
        return palette_index(end if 2 * steps > STEPS else start)
    first_shade, is_forward = start_and_order
    return first_shade + (steps if is_forward else STEPS - steps) - 1


def mixture(entry: int) -> tuple[Colour, Colour, int]:
    """Return the two colours that a palette entry mixes, and the number of steps from the first.

    This is the inverse of `shade_index`.
    """
    if entry < len(_COLOURS):
        return _COLOURS[entry], _COLOURS[entry], 0
    pair, steps = divmod(entry - len(_COLOURS), STEPS - 1)
    return *_ADJACENT_PAIRS[pair], steps + 1


_SHADE_STARTS: Final = {
    pair if forward else pair[::-1]: (len(_COLOURS) + number * (STEPS - 1), forward)
    for number, pair in enumerate(_ADJACENT_PAIRS)
    for forward in (True, False)
}
"""For each pair of adjacent colours, in both orders: the palette index of the pair's first shade, and a flag.

The flag is True if the palette lists the shades from the first colour to the second.
"""


def _shades_between(start: Colour, end: Colour) -> Iterator[Colour]:
    """Yield the shades between two colours, without the two colours."""
    for step in range(1, STEPS):
        red, green, blue = ((a * (STEPS - step) + b * step) // STEPS for a, b in zip(start, end, strict=True))
        yield red, green, blue
