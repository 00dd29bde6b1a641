"""The themes: the colours and the card designs of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from bot.engine.cards import Suit
from bot.values.appearance import Appearance
from cardart.drawing.palette import (
    BLACK,
    EDGE,
    FACE,
    FADED,
    FELT,
    GOLD,
    GRAIN,
    HAIR,
    MELD_COLOURS,
    MIST,
    NAVY,
    PAPER,
    PENCIL,
    RECESS,
    RED,
    RULE,
    SEAM,
    SKIN,
    SKY,
    SUIT_INKS,
    TEXT,
    WOOD,
    Colour,
    palette_bytes,
)

DeckName = Literal["pips", "bold"]
"""The designs of faces, which `cardart.deck.faces` draws."""
BackName = Literal["lattice", "rings", "stripes"]
"""The designs of backs, which `cardart.deck.backs` draws."""
Suits = tuple[Colour, Colour, Colour, Colour]
"""The colours of clubs, diamonds, hearts and spades."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Card designs, the suits in `two` or in `four` colours, and replacements of other colours."""

    two: Suits
    four: Suits
    deck: DeckName
    back: BackName
    colours: Mapping[Colour, Colour] = field(default_factory=dict[Colour, Colour])


DEFAULT: Final = Appearance()

_INK: Final[Colour] = (28, 30, 38)
_CRIMSON: Final[Colour] = (203, 32, 45)
_JET: Final[Colour] = (8, 8, 12)
_SCARLET: Final[Colour] = (200, 0, 28)
_PALE: Final[Colour] = (232, 234, 242)
_CORAL: Final[Colour] = (255, 116, 112)

THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {
        "classic": Theme(
            two=(_INK, _CRIMSON, _CRIMSON, _INK),
            four=((0, 144, 90), (24, 88, 204), _CRIMSON, _INK),
            deck="pips",
            back="lattice",
            colours={TEXT: (253, 251, 244), RED: _CRIMSON},
        ),
        "dark": Theme(
            two=(_PALE, _CORAL, _CORAL, _PALE),
            four=((140, 240, 90), (110, 170, 255), _CORAL, _PALE),
            deck="pips",
            back="rings",
            colours={
                FELT: (43, 45, 49),
                RECESS: (33, 34, 38),
                SEAM: (84, 88, 98),
                EDGE: (128, 135, 154),
                FACE: (64, 68, 82),
                TEXT: (242, 243, 245),
                MIST: (174, 178, 188),
                MELD_COLOURS[0]: (88, 220, 196),
                MELD_COLOURS[1]: (190, 150, 255),
                MELD_COLOURS[2]: (170, 226, 90),
                NAVY: (56, 62, 116),
                SKY: (136, 148, 214),
                GOLD: (240, 190, 72),
                SKIN: (222, 190, 160),
                HAIR: (112, 68, 44),
                RED: (222, 62, 66),
                BLACK: (22, 23, 28),
                PAPER: (64, 61, 55),
                RULE: (94, 94, 98),
                PENCIL: (240, 236, 224),
                FADED: (184, 179, 168),
                WOOD: (30, 31, 35),
                GRAIN: (60, 63, 72),
            },
        ),
        "bold": Theme(
            two=(_JET, _SCARLET, _SCARLET, _JET),
            four=((0, 140, 70), (0, 72, 214), _SCARLET, _JET),
            deck="bold",
            back="stripes",
            colours={
                FELT: (18, 44, 84),
                RECESS: (10, 27, 55),
                SEAM: (72, 104, 160),
                EDGE: (4, 12, 28),
                FACE: (255, 255, 255),
                MIST: (170, 190, 224),
                NAVY: (140, 22, 52),
                SKY: (242, 148, 168),
                GOLD: (255, 204, 64),
                WOOD: (6, 16, 36),
                GRAIN: (58, 88, 140),
            },
        ),
    }
)
"""The themes by name."""


def theme_of(appearance: Appearance) -> Theme:
    """Return the theme of an appearance; the default one if its name is not, or no longer, a theme's."""
    return THEMES.get(appearance.theme, THEMES[DEFAULT.theme])


@cache
def canonical_entries(appearance: Appearance) -> bytes:
    """Return, for each of 256 palette entries, the first entry of the same colour: fewer entries pack better."""
    palette = palette_of(appearance)
    colours = [palette[start : start + 3] for start in range(0, len(palette), 3)]
    return bytes(map(colours.index, colours)).ljust(256, b"\0")


@cache
def palette_of(appearance: Appearance) -> bytes:
    """Return the palette in the colours of an appearance, three bytes for each entry."""
    theme = theme_of(appearance)
    suits = dict(
        zip((SUIT_INKS[suit] for suit in Suit), theme.four if appearance.four_colours else theme.two, strict=True)
    )
    return palette_bytes(lambda colour: suits.get(colour) or theme.colours.get(colour, colour))
