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
OrnamentName = Literal["rings", "stars", "lozenges", "rays", "rosettes", "shells"]
"""Names of the ornaments of aces and court cards, which `cardart.deck.ornaments` draws. `rings` has none on courts."""
BackName = Literal["lattice", "rings", "diamond", "moon", "quatrefoils", "sunbursts", "guilloche", "waves"]
"""Names of the designs of card backs, which `cardart.deck.backs` draws."""
SuitColours = tuple[Colour, Colour, Colour, Colour]
"""Colours of clubs, diamonds, hearts and spades."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Card designs, suit colours for two-colour and four-colour decks, and replacements for further base colours.

    `colours` maps each base colour that the theme replaces to the new colour. Robes of court figures have the colours
    of their suits, unless these are too light for cloth and the theme has `two_robes` and `four_robes`.
    """

    two_colours: SuitColours
    four_colours: SuitColours
    deck: DeckName
    ornament: OrnamentName
    back: BackName
    colours: Mapping[Colour, Colour] = field(default_factory=dict[Colour, Colour])
    two_robes: SuitColours | None = None
    four_robes: SuitColours | None = None


_INK: Final[Colour] = (28, 30, 38)
_CRIMSON: Final[Colour] = (203, 32, 45)
_JET: Final[Colour] = (8, 8, 12)
_SCARLET: Final[Colour] = (200, 0, 28)
_PALE: Final[Colour] = (232, 234, 242)
_CORAL: Final[Colour] = (255, 136, 132)
_SLATE: Final[Colour] = (54, 66, 106)
_WINE: Final[Colour] = (146, 48, 62)
_INDIGO: Final[Colour] = (28, 24, 72)
_RASPBERRY: Final[Colour] = (204, 24, 84)
_UMBER: Final[Colour] = (42, 22, 28)
_RUBY: Final[Colour] = (190, 14, 46)
_ONYX: Final[Colour] = (18, 18, 20)
_CARMINE: Final[Colour] = (182, 26, 40)
_SEPIA: Final[Colour] = (52, 32, 22)
_OXBLOOD: Final[Colour] = (164, 32, 28)
_PETROL: Final[Colour] = (8, 44, 62)
_CHERRY: Final[Colour] = (218, 24, 52)

LOST_DAY: Final[Colour] = (168, 80, 54)
WON_DAYS: Final[tuple[Colour, ...]] = ((84, 158, 100), (136, 214, 126), (228, 252, 180))
"""Colours of lost days, and of days with small, middle and large wins, which are the same in all themes."""
_DIM: Final = 0.62
_FAINT: Final = 0.3
"""Shares of the colour of pale text in the colours of less important signs on a panel."""

THEMES: Final[Mapping[str, Theme]] = {
    "classic": Theme(
        two_colours=(_INK, _CRIMSON, _CRIMSON, _INK),
        four_colours=((0, 144, 90), (24, 88, 204), _CRIMSON, _INK),
        deck="pips",
        ornament="rings",
        back="lattice",
        colours={palette.TEXT: (253, 251, 244), palette.RED: _CRIMSON},
    ),
    "dark": Theme(
        two_colours=(_PALE, _CORAL, _CORAL, _PALE),
        four_colours=((150, 220, 100), (118, 172, 255), _CORAL, _PALE),
        deck="pips",
        ornament="rings",
        back="rings",
        two_robes=(_SLATE, _WINE, _WINE, _SLATE),
        four_robes=((44, 100, 62), (44, 84, 158), _WINE, _SLATE),
        colours={
            palette.FELT: (28, 29, 33),
            palette.RECESS: (20, 21, 25),
            palette.SEAM: (74, 78, 88),
            palette.EDGE: (128, 135, 154),
            palette.FACE: (58, 62, 76),
            palette.COURT_BACKGROUND: (96, 104, 128),
            palette.SILVER: (202, 212, 230),
            palette.TEXT: (242, 243, 245),
            palette.MIST: (174, 178, 188),
            palette.MELD_COLOURS[0]: (104, 190, 182),
            palette.MELD_COLOURS[1]: (190, 164, 236),
            palette.MELD_COLOURS[2]: (206, 214, 140),
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
        ornament="rings",
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
    "midnight": Theme(
        two_colours=(_INDIGO, _RASPBERRY, _RASPBERRY, _INDIGO),
        four_colours=((0, 142, 120), (34, 98, 226), _RASPBERRY, _INDIGO),
        deck="pips",
        ornament="stars",
        back="moon",
        colours={
            palette.FELT: (46, 32, 96),
            palette.RECESS: (34, 22, 74),
            palette.SEAM: (104, 88, 172),
            palette.EDGE: (14, 8, 36),
            palette.FACE: (247, 247, 254),
            palette.COURT_BACKGROUND: (224, 224, 246),
            palette.MIST: (196, 188, 236),
            palette.BLACK: (24, 22, 44),
            palette.GOLD: (248, 208, 112),
            palette.SILVER: (158, 170, 210),
            palette.AZURE: (84, 84, 190),
            palette.RED: (206, 42, 96),
            palette.NAVY: (36, 26, 92),
            palette.SKY: (214, 208, 246),
            palette.WOOD: (72, 70, 104),
            palette.GRAIN: (164, 164, 204),
            palette.PAPER: (242, 241, 250),
            palette.RULE: (196, 196, 226),
            palette.PENCIL: (38, 34, 66),
            palette.FADED: (100, 96, 122),
        },
    ),
    "burgundy": Theme(
        two_colours=(_UMBER, _RUBY, _RUBY, _UMBER),
        four_colours=((0, 142, 90), (30, 88, 200), _RUBY, _UMBER),
        deck="pips",
        ornament="lozenges",
        back="quatrefoils",
        colours={
            palette.FELT: (98, 20, 40),
            palette.RECESS: (74, 13, 29),
            palette.SEAM: (164, 76, 84),
            palette.EDGE: (38, 6, 15),
            palette.FACE: (255, 250, 238),
            palette.COURT_BACKGROUND: (248, 234, 210),
            palette.TEXT: (255, 250, 238),
            palette.MIST: (240, 196, 188),
            palette.BLACK: (38, 22, 26),
            palette.GOLD: (242, 194, 98),
            palette.AZURE: (52, 92, 140),
            palette.RED: (198, 24, 52),
            palette.NAVY: (112, 18, 44),
            palette.SKY: (244, 208, 156),
            palette.WOOD: (58, 26, 20),
            palette.GRAIN: (190, 138, 70),
            palette.RULE: (226, 204, 190),
            palette.PENCIL: (56, 30, 34),
            palette.FADED: (112, 92, 88),
        },
    ),
    "deco": Theme(
        two_colours=(_ONYX, _CARMINE, _CARMINE, _ONYX),
        four_colours=((0, 126, 96), (18, 96, 178), _CARMINE, _ONYX),
        deck="pips",
        ornament="rays",
        back="sunbursts",
        colours={
            palette.FELT: (24, 21, 20),
            palette.RECESS: (12, 11, 11),
            palette.SEAM: (156, 124, 62),
            palette.EDGE: (0, 0, 0),
            palette.FACE: (253, 248, 236),
            palette.COURT_BACKGROUND: (242, 228, 192),
            palette.TEXT: (255, 250, 238),
            palette.MIST: (218, 202, 164),
            palette.BLACK: (20, 18, 18),
            palette.GOLD: (230, 186, 88),
            palette.AZURE: (20, 116, 116),
            palette.RED: (178, 36, 46),
            palette.NAVY: (20, 18, 18),
            palette.SKY: (226, 188, 102),
            palette.WOOD: (48, 38, 24),
            palette.GRAIN: (222, 180, 92),
            palette.RULE: (216, 200, 164),
        },
    ),
    "parchment": Theme(
        two_colours=(_SEPIA, _OXBLOOD, _OXBLOOD, _SEPIA),
        four_colours=((42, 122, 84), (34, 92, 172), _OXBLOOD, _SEPIA),
        deck="pips",
        ornament="rosettes",
        back="guilloche",
        colours={
            palette.FELT: (92, 62, 40),
            palette.RECESS: (70, 46, 29),
            palette.SEAM: (150, 112, 76),
            palette.EDGE: (36, 22, 12),
            palette.FACE: (245, 232, 202),
            palette.COURT_BACKGROUND: (234, 214, 172),
            palette.TEXT: (252, 243, 222),
            palette.MIST: (226, 202, 164),
            palette.BLACK: (46, 30, 22),
            palette.GOLD: (226, 176, 84),
            palette.SKIN: (242, 208, 168),
            palette.SILVER: (206, 204, 192),
            palette.AZURE: (70, 106, 142),
            palette.MELD_COLOURS[0]: (59, 147, 226),
            palette.MELD_COLOURS[1]: (186, 120, 177),
            palette.MELD_COLOURS[2]: (80, 158, 98),
            palette.RED: (172, 46, 36),
            palette.NAVY: (44, 78, 62),
            palette.SKY: (220, 208, 164),
            palette.WOOD: (48, 31, 19),
            palette.GRAIN: (172, 130, 82),
            palette.PAPER: (245, 232, 202),
            palette.RULE: (214, 192, 154),
            palette.PENCIL: (58, 40, 28),
            palette.FADED: (110, 88, 68),
        },
    ),
    "lagoon": Theme(
        two_colours=(_PETROL, _CHERRY, _CHERRY, _PETROL),
        four_colours=((0, 142, 74), (20, 92, 216), _CHERRY, _PETROL),
        deck="pips",
        ornament="shells",
        back="waves",
        colours={
            palette.FELT: (0, 94, 112),
            palette.RECESS: (0, 72, 88),
            palette.SEAM: (64, 156, 170),
            palette.EDGE: (0, 34, 44),
            palette.FACE: (255, 255, 255),
            palette.COURT_BACKGROUND: (226, 244, 242),
            palette.MIST: (180, 230, 230),
            palette.BLACK: (14, 34, 46),
            palette.GOLD: (255, 208, 92),
            palette.AZURE: (0, 118, 168),
            palette.RED: (226, 48, 66),
            palette.NAVY: (0, 104, 132),
            palette.SKY: (166, 230, 226),
            palette.WOOD: (206, 172, 124),
            palette.GRAIN: (244, 224, 182),
            palette.PAPER: (250, 250, 244),
            palette.RULE: (180, 216, 222),
        },
    ),
}
"""Themes by name."""


def theme_of(appearance: Appearance) -> Theme:
    """Return the theme of an appearance. If the named theme does not exist (any more), return the default."""
    return THEMES.get(appearance.theme, THEMES[DEFAULT_APPEARANCE.theme])


@cache
def canonical_entries(entries: bytes) -> bytes:
    """Return a table from each of 256 entries of a palette to the first entry of the same colour.

    Pictures with fewer entries compress better.
    """
    colours = [entries[start : start + 3] for start in range(0, len(entries), 3)]
    return bytes(map(colours.index, colours)).ljust(256, b"\0")


@cache
def palette_of(appearance: Appearance) -> bytes:
    """Return the palette of an appearance, three bytes per entry."""
    theme = theme_of(appearance)
    inks, robes = (
        (theme.four_colours, theme.four_robes) if appearance.four_colours else (theme.two_colours, theme.two_robes)
    )
    suits = dict(zip((*palette.SUIT_INKS.values(), *palette.ROBES.values()), (*inks, *(robes or inks)), strict=True))
    return palette.palette_bytes(lambda colour: suits.get(colour) or theme.colours.get(colour, colour))


def blend(ground: Colour, colour: Colour, share: float) -> Colour:
    """Return a mixture of two colours, with this share of the second one."""
    red, green, blue = (round(below + (above - below) * share) for below, above in zip(ground, colour, strict=True))
    return red, green, blue


@cache
def calendar_palette_of(appearance: Appearance) -> bytes:
    """Return the palette of an appearance for calendars, in which results replace the colours of cards."""
    themed = theme_of(appearance).colours
    panel, mist, text = (themed.get(colour, colour) for colour in (palette.RECESS, palette.MIST, palette.TEXT))
    results = {
        **dict(zip((*palette.DAYS, *palette.DAYS_BEHIND_TEXT), (LOST_DAY, *WON_DAYS) * 2, strict=True)),
        palette.DAY_DARK_INK: blend(panel, (0, 0, 0), 0.5),
        palette.DAY_LIGHT_INK: text,
        palette.DAY_PANEL: panel,
        palette.DAY_RING: text,
        palette.DAY_FAINT: blend(panel, mist, _FAINT),
        palette.DAY_DIM: blend(panel, mist, _DIM),
    }
    return palette.palette_bytes(lambda colour: results.get(colour) or themed.get(colour, colour))
