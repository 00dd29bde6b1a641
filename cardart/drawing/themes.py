"""Themes: the colours and card designs of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing import palette
from cardart.drawing.palette import Colour

DeckName = Literal["pips", "bold"]
"""Names of the designs of card faces, which `cardart.deck.faces` draws."""
BackName = Literal["lattice", "rings", "diamond"]
"""Names of the designs of card backs, which `cardart.deck.cards` draws."""
SuitColours = tuple[Colour, Colour, Colour, Colour]
"""Colours of clubs, diamonds, hearts and spades."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Card designs, suit colours for two-colour and four-colour decks, and replacements for further base colours.

    `colours` maps each base colour that the theme replaces to the new colour.
    """

    two_colours: SuitColours
    four_colours: SuitColours
    deck: DeckName
    back: BackName
    colours: Mapping[Colour, Colour] = field(default_factory=dict[Colour, Colour])


_INK: Final[Colour] = (28, 30, 38)
_CRIMSON: Final[Colour] = (203, 32, 45)
_JET: Final[Colour] = (8, 8, 12)
_SCARLET: Final[Colour] = (200, 0, 28)
_PALE: Final[Colour] = (232, 234, 242)
_CORAL: Final[Colour] = (255, 136, 132)

THEMES: Final[Mapping[str, Theme]] = {
    "classic": Theme(
        two_colours=(_INK, _CRIMSON, _CRIMSON, _INK),
        four_colours=((0, 144, 90), (24, 88, 204), _CRIMSON, _INK),
        deck="pips",
        back="lattice",
        colours={palette.TEXT: (253, 251, 244), palette.RED: _CRIMSON},
    ),
    "dark": Theme(
        two_colours=(_PALE, _CORAL, _CORAL, _PALE),
        four_colours=((150, 220, 100), (118, 172, 255), _CORAL, _PALE),
        deck="pips",
        back="rings",
        colours={
            palette.FELT: (28, 29, 33),
            palette.RECESS: (20, 21, 25),
            palette.SEAM: (74, 78, 88),
            palette.EDGE: (128, 135, 154),
            palette.FACE: (58, 62, 76),
            palette.COURT_BACKGROUND: (104, 112, 136),
            palette.SILVER: (170, 182, 208),
            palette.TEXT: (242, 243, 245),
            palette.MIST: (174, 178, 188),
            palette.MELD_COLOURS[0]: (88, 220, 196),
            palette.MELD_COLOURS[1]: (190, 150, 255),
            palette.MELD_COLOURS[2]: (170, 226, 90),
            palette.NAVY: (56, 62, 116),
            palette.SKY: (136, 148, 214),
            palette.GOLD: (240, 190, 72),
            palette.SKIN: (222, 190, 160),
            palette.HAIR: (112, 68, 44),
            palette.RED: (222, 62, 66),
            palette.BLACK: (22, 23, 28),
            palette.PAPER: (64, 61, 55),
            palette.RULE: (94, 94, 98),
            palette.PENCIL: (240, 236, 224),
            palette.FADED: (184, 179, 168),
            palette.WOOD: (30, 31, 35),
            palette.GRAIN: (60, 63, 72),
        },
    ),
    "bold": Theme(
        two_colours=(_JET, _SCARLET, _SCARLET, _JET),
        four_colours=((0, 140, 70), (0, 72, 214), _SCARLET, _JET),
        deck="bold",
        back="diamond",
        colours={
            palette.FELT: (18, 44, 84),
            palette.RECESS: (10, 27, 55),
            palette.SEAM: (72, 104, 160),
            palette.EDGE: (4, 12, 28),
            palette.FACE: (255, 255, 255),
            palette.MIST: (170, 190, 224),
            palette.NAVY: (140, 22, 52),
            palette.SKY: (242, 148, 168),
            palette.GOLD: (255, 204, 64),
            palette.WOOD: (6, 16, 36),
            palette.GRAIN: (58, 88, 140),
        },
    ),
}
"""Themes by name."""


def theme_of(appearance: Appearance) -> Theme:
    """Return the theme of an appearance. If the named theme does not exist (any more), return the default."""
    return THEMES.get(appearance.theme, THEMES[DEFAULT_APPEARANCE.theme])


@cache
def canonical_entries(appearance: Appearance) -> bytes:
    """Return a table from each of 256 palette entries to the first entry of the same colour.

    Pictures with fewer entries compress better.
    """
    entries = palette_of(appearance)
    colours = [entries[start : start + 3] for start in range(0, len(entries), 3)]
    return bytes(map(colours.index, colours)).ljust(256, b"\0")


@cache
def palette_of(appearance: Appearance) -> bytes:
    """Return the palette of an appearance, three bytes per entry."""
    theme = theme_of(appearance)
    inks = theme.four_colours if appearance.four_colours else theme.two_colours
    suits = dict(zip(palette.SUIT_INKS.values(), inks, strict=True))
    return palette.palette_bytes(lambda colour: suits.get(colour) or theme.colours.get(colour, colour))
