"""All themes in one picture, to choose from. Lengths are in pixels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import ceil, dist
from typing import Final

from PIL import Image

from bot.engine.cards.cards import Card
from bot.model.appearance import Appearance
from cardart.deck.cards import MEDIUM, back, face, narrow_step
from cardart.drawing.canvas import RAIL_RADIUS, RAIL_WIDTH, WIDTH, Canvas, Picture, encode_picture
from cardart.drawing.painting import Painting, Sprite, cut_out, tag, translated, used_entries
from cardart.drawing.palette import BLACK, EDGE, FELT, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import THEMES, theme_of
from cardart.text import alt_text, phrases

_COLUMNS: Final = 2
_GAP: Final = 10
"""Space between tiles. `_GROUND` is its colour, that of a dark page, so that no theme runs into the next."""
_GROUND: Final[Colour] = (24, 25, 28)
_TILE_SIZE: Final = ((WIDTH - (_COLUMNS - 1) * _GAP) // _COLUMNS, 194)
_MARGIN: Final = 23
"""Distance from the edges of a tile to its cards."""
_CARDS_TOP: Final = 57
_COURT_LEFT: Final = _TILE_SIZE[0] - _MARGIN - MEDIUM.width
_NAME_CAP: Final = 22
_NAME_BASELINE: Final = 46
_MARK_CAP: Final = 14
_RING_INSET: Final = RAIL_WIDTH + 2
_RING_WIDTH: Final = 5
"""The ring around the chosen theme lies `_RING_INSET` from the edges of its tile, just inside the rail."""
_FAN: Final = (Card.parse("7c"), Card.parse("Td"), Card.parse("As"))
_COURT: Final = Card.parse("Kh")
_MAX_COLOURS: Final = 256


def draw_themes(chosen: Appearance) -> Picture:
    """Draw a small table for each theme with its name, its back and some cards, and mark the chosen theme.

    Suits have two or four colours and ranks have letters as in `chosen`.
    """
    tiles = [_tile(name, chosen) for name in THEMES]
    current = next(name for name, theme in THEMES.items() if theme is theme_of(chosen))
    alt = alt_text.themes(current, (*_FAN, _COURT), chosen)
    return encode_picture(_joined(tiles), alt)


def _tile(name: str, chosen: Appearance) -> Image.Image:
    """Return a table in a theme, as an image in the theme's palette."""
    appearance = replace(chosen, theme=name)
    canvas = Canvas(*_TILE_SIZE, appearance)
    width, height = _TILE_SIZE
    if theme_of(chosen) is THEMES[name]:
        canvas.put(_ring((width - 2 * _RING_INSET, height - 2 * _RING_INSET)), _RING_INSET, _RING_INSET)
        mark = tag(phrases.CURRENT_THEME, _MARK_CAP, TEXT, BLACK)
        canvas.put(mark, width - _MARGIN - mark.width, _NAME_BASELINE - (_NAME_CAP + mark.height) // 2)
    canvas.text(_MARGIN, _NAME_BASELINE, name.capitalize(), _NAME_CAP)
    canvas.put(back(appearance, MEDIUM), _MARGIN, _CARDS_TOP)
    # All themes have the widest step, so that their cards are aligned.
    step = max(narrow_step(Appearance(theme), MEDIUM) for theme in THEMES)
    fan_left = (_MARGIN + _COURT_LEFT - (len(_FAN) - 1) * step) // 2
    for position, card in enumerate(_FAN):
        sprite = face(card, appearance, MEDIUM, covered=card is not _FAN[-1])
        canvas.put(sprite, fan_left + position * step, _CARDS_TOP)
    canvas.put(face(_COURT, appearance, MEDIUM), _COURT_LEFT, _CARDS_TOP)
    return canvas.frame()


@cache
def _ring(size: tuple[int, int]) -> Sprite:
    """Return a white ring on felt, which fits into the corners of a rail."""
    radius = RAIL_RADIUS - _RING_INSET
    painting = Painting(size, EDGE).paint_layer(TEXT, rounded_mask(size, radius))
    painting.paint_layer(FELT, rounded_mask(size, radius, _RING_WIDTH))
    return cut_out(painting.image, rounded_mask(size, radius))


def _joined(tiles: Sequence[Image.Image]) -> Image.Image:
    """Return the tiles in columns, in one palette of their most frequent colours.

    Together, the palettes of all themes have more colours than a palette image can have. The rare ones, which are
    shades at edges, are replaced by the nearest frequent ones.
    """
    counts = Counter[Colour]()
    for tile in tiles:
        for entry, colour in _colours(tile).items():
            counts[colour] += tile.histogram()[entry]
    palette = [_GROUND, *(colour for colour, _ in counts.most_common(_MAX_COLOURS) if colour != _GROUND)][:_MAX_COLOURS]
    across, down = (side + _GAP for side in _TILE_SIZE)
    sheet = Image.new("P", (_COLUMNS * across - _GAP, ceil(len(tiles) / _COLUMNS) * down - _GAP))
    sheet.putpalette([channel for colour in palette for channel in colour])
    for position, tile in enumerate(tiles):
        table = bytearray(256)
        for entry, colour in _colours(tile).items():
            table[entry] = min(range(len(palette)), key=lambda index: dist(palette[index], colour))
        row, column = divmod(position, _COLUMNS)
        sheet.paste(translated(tile, "P", bytes(table)), (column * across, row * down))
    return sheet


def _colours(image: Image.Image) -> dict[int, Colour]:
    """Return the colours of the palette entries that occur in an image."""
    palette = image.getpalette() or []
    return {
        entry: (palette[3 * entry], palette[3 * entry + 1], palette[3 * entry + 2]) for entry in used_entries(image)
    }
