"""Card backs: a pattern for each theme, drawn in three base colours that the theme replaces. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import cos, pi, sin
from typing import Final

from PIL import Image

from cardart.deck.faces import Size, card_shape
from cardart.drawing.painting import Painting, Sprite, half_covered_mask
from cardart.drawing.palette import EDGE, FACE, NAVY, SKY, TEXT
from cardart.drawing.shapes import circle, ellipse, lozenge, path_mask, rounded_mask, rounded_rectangle, star
from cardart.drawing.themes import BackName

_BORDER_RATIO: Final = 1 / 16
"""Width of the white border, as a fraction of the card's width."""
_CURVE_POINTS: Final = 96
"""Number of points of a curve that is approximated by short lines."""


@cache
def draw_back(design: BackName, size: Size) -> Sprite:
    """Return a card back with its dark edge, in base colours that a theme replaces later."""
    image = Painting(size.box, EDGE).paint_layer(FACE, rounded_mask(size.box, size.radius, 1.5)).image
    margin = round(size.width * _BORDER_RATIO)
    inner = (size.width - 2 * margin, size.height - 2 * margin)
    within = half_covered_mask(rounded_mask(inner, max(2, size.radius - margin)))
    image.paste(_DESIGNS[design](inner), (margin, margin), within)
    return Sprite(image, card_shape(size))


def _lattice(size: tuple[int, int]) -> Image.Image:
    """Return crossing diagonals with a dot in each diamond, symmetric within a rim."""
    pitch, rim = 14, max(2, size[0] // 40)
    dots = [(7, 0), (7, 14), (0, 7), (14, 7)]
    lines = ["M -1 0 L 0 -1 L 15 14 L 14 15 Z", "M 14 -1 L 15 0 L 0 15 L -1 14 Z"]
    diamonds = [f"M {x} {y - 2} L {x + 2} {y} L {x} {y + 2} L {x - 2} {y} Z" for x, y in dots]
    tile = Painting((pitch, pitch), NAVY).paint_paths(1, [(SKY, lines), (TEXT, diamonds)]).image
    # A tile's corner, where two diagonals cross, lies in the middle of the back.
    pattern = Image.new("P", (size[0] - 2 * rim, size[1] - 2 * rim))
    for x in range(pattern.width // 2 % pitch - pitch, pattern.width, pitch):
        for y in range(pattern.height // 2 % pitch - pitch, pattern.height, pitch):
            pattern.paste(tile, (x, y))
    image = Painting(size, NAVY).image
    image.paste(pattern, (rim, rim))
    return image


def _rings(size: tuple[int, int]) -> Image.Image:
    """Return the rings of a tree."""
    width, height = size
    x, y, step = width / 2, height / 2, width / 14
    painting = Painting(size, NAVY)
    for number in range(round(height / step), 0, -1):
        radius = number * step
        for colour, thick in ((SKY, 0), (NAVY, max(1.4, step * 0.34))):
            painting.paint_paths(1, [(colour, [circle(x, y, radius - thick)])])
    return painting.paint_paths(1, [(SKY, [circle(x, y, step * 0.4)])]).image


def _diamond(size: tuple[int, int]) -> Image.Image:
    """Return a diamond within a frame, on a plain background."""
    width, height = size
    edges = (width / 9, width / 9 + width / 14)
    outer, inner = (rounded_rectangle(edge, edge, width - edge, height - edge, 0) for edge in edges)
    x, y, across, along = width / 2, height / 2, width * 0.2, width * 0.28
    diamond = f"M {x} {y - along} L {x + across} {y} L {x} {y + along} L {x - across} {y} Z"
    return Painting(size, NAVY).paint_paths(1, [(SKY, [outer]), (NAVY, [inner]), (SKY, [diamond])]).image


def _moon(size: tuple[int, int]) -> Image.Image:
    """Return two crescents around a star, within a ring among other stars."""
    width, height = size
    x, y, unit = width / 2, height / 2, width / 100
    painting = Painting(size, NAVY)
    for radius, colour in ((35, SKY), (32.5, NAVY), (24, SKY)):
        painting.paint_paths(1, [(colour, [circle(x, y, radius * unit)])])
    painting.paint_paths(1, [(NAVY, [ellipse(x, y, 12 * unit, 28 * unit)])])
    painting.paint_paths(1, [(SKY, [star(x, y, 11 * unit)])])
    sky = ((12, 13, 7), (37, 21, 5), (62, 10, 6), (86, 24, 8), (18, 36, 4), (84, 45, 4), (50, 6, 2), (72, 31, 2))
    stars = [
        star(x + sign * (across - 50) * unit, y + sign * (down * unit - y), max(1.5, radius * unit))
        for across, down, radius in (*sky, (30, 8, 2), (6, 26, 2), (94, 8, 3), (8, 50, 5))
        for sign in (1, -1)
    ]
    return painting.paint_paths(1, [(SKY, stars)]).image


def _quatrefoils(size: tuple[int, int]) -> Image.Image:
    """Return rows of quatrefoils, as on damask."""
    width, height = size
    pitch = width / 4
    centres = [
        (width / 2 + (column - 2 + row % 2 / 2) * pitch, height / 2 + (row - round(height / pitch)) * pitch / 2)
        for row in range(-1, round(2 * height / pitch) + 2)
        for column in range(-1, 6)
    ]
    lobes = [
        (x + across * 0.16 * pitch, y + down * 0.16 * pitch)
        for x, y in centres
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    layers = [
        (SKY, [circle(*lobe, 0.2 * pitch) for lobe in lobes]),
        (NAVY, [circle(*lobe, 0.13 * pitch) for lobe in lobes]),
        (TEXT, [lozenge(x, y, 0.13 * pitch) for x, y in centres]),
        (SKY, [lozenge(x + pitch / 2, y, 0.1 * pitch) for x, y in centres]),
    ]
    return Painting(size, NAVY).paint_paths(1, layers).image


def _sunbursts(size: tuple[int, int]) -> Image.Image:
    """Return two suns that rise from opposite edges, and a band of diamonds between them."""
    width, height = size
    x, reach, rays = width / 2, height * 0.43, 9
    painting = Painting(size, NAVY)
    for base, sign in ((height, -1), (0, 1)):
        wedges = list[str]()
        for ray in range(rays):
            first, last = ((ray + 0.5 + edge) * pi / rays for edge in (-0.24, 0.24))
            ends = [(x + reach * cos(angle), base + sign * reach * sin(angle)) for angle in (first, last)]
            wedges.append(f"M {x} {base} L {ends[0][0]} {ends[0][1]} L {ends[1][0]} {ends[1][1]} Z")
        painting.paint_paths(1, [(SKY, wedges)])
        for radius, colour in ((0.3, NAVY), (0.25, SKY), (0.19, NAVY), (0.13, SKY)):
            painting.paint_paths(1, [(colour, [circle(x, base, radius * width)])])
    side = width / 7
    for number in range(-3, 4):
        for radius, colour in ((0.56, SKY), (0.3, NAVY)):
            painting.paint_paths(1, [(colour, [lozenge(x + number * side, height / 2, radius * side)])])
    return painting.image


def _guilloche(size: tuple[int, int]) -> Image.Image:
    """Return a rosette of woven lines, as engraved on banknotes, within a frame."""
    width, height = size
    x, y, pen = width / 2, height / 2, max(1, width / 80)
    painting = Painting(size, NAVY)
    curves = [_rosette(x, y, width * radius, width * depth, turn) for radius, depth, turn in _weave()]
    painting.paint_layer(SKY, path_mask(size, 1, curves, pen))
    painting.paint_paths(1, [(SKY, [circle(x, y, width * 0.055)])])
    corners = [
        _rosette(x + across * (x - width * 0.17), y + down * (y - width * 0.17), width * 0.09, width * depth, 0, 4)
        for across in (-1, 1)
        for down in (-1, 1)
        for depth in (0.04, -0.04)
    ]
    return painting.paint_layer(SKY, path_mask(size, 1, corners, pen)).image


def _weave() -> Iterator[tuple[float, float, float]]:
    """Yield the radius, the depth of the waves and the turn of each curve of a rosette."""
    for turn in (0, 1 / 3, 2 / 3):
        yield 0.32, 0.1, turn
        yield 0.16, 0.06, turn


def _rosette(x: float, y: float, radius: float, depth: float, turn: float, petals: int = 8) -> str:
    """Return a closed wavy circle. `turn` shifts its petals, by a fraction of one petal."""
    points: list[str] = []
    for step in range(_CURVE_POINTS):
        angle = 2 * pi * step / _CURVE_POINTS
        along = radius + depth * cos(petals * angle + 2 * pi * turn)
        points.append(f"{x + along * cos(angle)} {y + along * sin(angle)}")
    # The path starts and ends at the same point, but is not closed: a closed path would be filled.
    return f"M {points[0]} " + " ".join(f"L {point}" for point in (*points[1:], points[0]))


def _waves(size: tuple[int, int]) -> Image.Image:
    """Return waves of concentric arcs that run towards the middle from both ends, and a row of pearls between them."""
    width, height = size
    radius = width / 5
    painting = Painting(size, NAVY)
    rows = round(height / radius) + 1
    for row in range(rows, 0, -1):
        y = height / 2 - (row - 0.6) * radius / 2
        crests = [width / 2 + (column + row % 2 / 2) * 2 * radius for column in range(-2, 3)]
        for share, colour in ((1, SKY), (0.82, NAVY), (0.6, SKY), (0.42, NAVY), (0.2, SKY)):
            painting.paint_paths(1, [(colour, [circle(x, y, share * radius) for x in crests])])
    lower = painting.image.transpose(Image.Transpose.ROTATE_180).crop((0, height // 2, width, height))
    painting.image.paste(lower, (0, height // 2))
    band, pearl = radius * 0.42, radius * 0.2
    strips = [
        (colour, [rounded_rectangle(-1, height / 2 - half, width + 1, height / 2 + half, 0)])
        for colour, half in ((SKY, band), (NAVY, band - max(1.2, width / 60)))
    ]
    pearls = [circle(width / 2 + number * radius / 1.5, height / 2, pearl) for number in range(-3, 4)]
    return painting.paint_paths(1, [*strips, (SKY, pearls)]).image


_DESIGNS: Final[dict[BackName, Callable[[tuple[int, int]], Image.Image]]] = {
    "lattice": _lattice,
    "rings": _rings,
    "diamond": _diamond,
    "moon": _moon,
    "quatrefoils": _quatrefoils,
    "sunbursts": _sunbursts,
    "guilloche": _guilloche,
    "waves": _waves,
}
