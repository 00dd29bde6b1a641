"""Vector paths, and their smooth rasters.

A path is a string as in SVG: `M x y` starts an outline, `L x y` draws a line, `C x1 y1 x2 y2 x y` draws a cubic Bézier
curve, and `Z` closes the outline. All coordinates are absolute, in units of the shape's box. An outline that is not
closed is a line for a pen, and is not filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Final

from PIL import Image, ImageDraw

from bot.engine.cards.cards import Suit

Point = tuple[float, float]

_OVERSAMPLING: Final = 6
_CURVE_STEPS: Final = 16
_KAPPA: Final = 0.5523
"""For a quarter circle as a Bézier curve: distance from each end to its control point, as a fraction of the radius."""


def circle(x: float, y: float, r: float) -> str:
    """Return the path of a circle."""
    return ellipse(x, y, r, r)


def ellipse(x: float, y: float, rx: float, ry: float) -> str:
    """Return the path of an ellipse with horizontal and vertical axes."""
    kx, ky = rx * _KAPPA, ry * _KAPPA
    return (
        f"M {x} {y - ry} C {x + kx} {y - ry} {x + rx} {y - ky} {x + rx} {y} "
        f"C {x + rx} {y + ky} {x + kx} {y + ry} {x} {y + ry} "
        f"C {x - kx} {y + ry} {x - rx} {y + ky} {x - rx} {y} C {x - rx} {y - ky} {x - kx} {y - ry} {x} {y - ry} Z"
    )


def rounded_rectangle(left: float, top: float, right: float, bottom: float, r: float) -> str:
    """Return the path of a rectangle with corners of radius `r`."""
    k = r * (1 - _KAPPA)
    return (
        f"M {left + r} {top} L {right - r} {top} C {right - k} {top} {right} {top + k} {right} {top + r} "
        f"L {right} {bottom - r} C {right} {bottom - k} {right - k} {bottom} {right - r} {bottom} "
        f"L {left + r} {bottom} C {left + k} {bottom} {left} {bottom - k} {left} {bottom - r} "
        f"L {left} {top + r} C {left} {top + k} {left + k} {top} {left + r} {top} Z"
    )


def rounded_polygon(corners: Sequence[tuple[float, float, float]]) -> str:
    """Return the path of a polygon with horizontal and vertical sides. `corners` have the radius after x and y.

    A corner that occurs twice, or is on a straight side, makes no difference.
    """
    path, k = list[str](), 1 - _KAPPA
    for (x0, y0, _), (x, y, r), (x2, y2, _) in zip(
        (corners[-1], *corners[:-1]), corners, (*corners[1:], corners[0]), strict=True
    ):
        (left, up), (right, down) = (
            (r * ((to_x > x) - (to_x < x)), r * ((to_y > y) - (to_y < y))) for to_x, to_y in ((x0, y0), (x2, y2))
        )
        path += [f"L {x + left} {y + up} C {x + k * left} {y + k * up}"]
        path += [f"{x + k * right} {y + k * down} {x + right} {y + down}"]
    return f"M{' '.join(path)[1:]} Z"


def lozenge(x: float, y: float, r: float) -> str:
    """Return the path of a square on its corner, with a distance of `r` from its centre to each corner."""
    return f"M {x} {y - r} L {x + r} {y} L {x} {y + r} L {x - r} {y} Z"


def star(x: float, y: float, r: float) -> str:
    """Return the path of a star with four points, and a distance of `r` from its centre to each point."""
    near = 0.24 * r
    return (
        f"M {x} {y - r} L {x + near} {y - near} L {x + r} {y} L {x + near} {y + near} "
        f"L {x} {y + r} L {x - near} {y + near} L {x - r} {y} L {x - near} {y - near} Z"
    )


SUIT_PATHS: Final[dict[Suit, tuple[str, ...]]] = {
    Suit.CLUBS: (
        circle(50, 23, 20.5),
        circle(23, 61, 20.5),
        circle(77, 61, 20.5),
        "M 46 36 L 54 36 L 60 60 L 60 64 L 40 64 L 40 60 Z",
        "M 46 52 L 54 52 C 54 76 57 90 68 96 L 32 96 C 43 90 46 76 46 52 Z",
    ),
    Suit.DIAMONDS: ("M 50 2 C 58 20 71 38 86 50 C 71 62 58 80 50 98 C 42 80 29 62 14 50 C 29 38 42 20 50 2 Z",),
    Suit.HEARTS: (
        "M 50 96 C 40 78 5 58 5 32 C 5 15 16 6 28 6 C 39 6 47 13 50 24 "
        "C 53 13 61 6 72 6 C 84 6 95 15 95 32 C 95 58 60 78 50 96 Z",
    ),
    Suit.SPADES: (
        "M 50 1 C 47 19 7 40 7 63 C 7 76 17 84 28 84 C 37 84 44 80 47 72 L 53 72 "
        "C 56 80 63 84 72 84 C 83 84 93 76 93 63 C 93 40 53 19 50 1 Z",
        "M 46.5 70 L 53.5 70 C 53.5 82 57 91 67 96 L 33 96 C 43 91 46.5 82 46.5 70 Z",
    ),
}
"""The four suits in boxes of 100 by 100."""


FIST_LAYERS: Final[tuple[tuple[bool, list[str]], ...]] = (
    (True, [rounded_rectangle(6, 26, 94, 80, 16), rounded_rectangle(20, 60, 84, 100, 8)]),
    (False, [rounded_rectangle(0, 0, 100, 22, 2)]),
    (True, [rounded_rectangle(*box, 10) for box in ((5, 8, 25, 52), (28, 4, 49, 52), (52, 4, 73, 52))]),
    (True, [rounded_rectangle(76, 9, 95, 52, 10)]),
    (False, [f"M {x} 10 L {x + 3} 10 L {x + 3} 50 L {x} 50 Z" for x in (25, 49, 73)]),
    (False, [rounded_rectangle(2, 46, 70, 76, 14)]),
    (True, [rounded_rectangle(6, 51, 66, 72, 10)]),
)
"""A fist from the front in a box of 100 by 100, as layers for `layered_mask`: the hand, four fingers, and the thumb."""


def outlines(path: str) -> Iterator[tuple[list[Point], bool]]:
    """Yield the outlines of a path: their points, and True if the outline is closed. Curves become short lines."""
    points: list[Point] = []
    tokens = iter(path.split())
    for token in tokens:
        if token == "Z":
            yield points, True
            points = []
        elif token == "C":
            ends = [(float(next(tokens)), float(next(tokens))) for _ in range(3)]
            points += _curve(points[-1], *ends)
        else:
            if token == "M" and points:
                yield points, False
                points = []
            points.append((float(next(tokens)), float(next(tokens))))
    if points:
        yield points, False


def _curve(start: Point, control_1: Point, control_2: Point, end: Point) -> Iterator[Point]:
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x = a * start[0] + b * control_1[0] + c * control_2[0] + d * end[0]
        y = a * start[1] + b * control_1[1] + c * control_2[1] + d * end[1]
        yield x, y


def path_mask(size: tuple[int, int], unit: float, paths: Sequence[str], pen: float = 0) -> Image.Image:
    """Return the coverage of paths, 0 to 255 per pixel. One unit of the paths is `unit` pixels.

    With a `pen`, lines along the paths are drawn too: they are `pen` units wide, with round ends and corners.
    """
    return layered_mask(size, unit, [(True, paths)], pen)


def layered_mask(
    size: tuple[int, int], unit: float, layers: Sequence[tuple[bool, Sequence[str]]], pen: float = 0
) -> Image.Image:
    """Return the combined coverage of layers of paths, lowest first, 0 to 255 per pixel.

    A layer is a pair: True and paths that are added to the layers below, or False and paths that are cut out of them.
    `unit` and `pen` are as in `path_mask`.
    """
    outlines_drawn = [
        (covers, outline, closed) for covers, paths in layers for path in paths for outline, closed in outlines(path)
    ]
    # Draw only the part of the image that these paths cover: most layers of a figure are small.
    box = _bounding_box(chain.from_iterable(outline for _, outline, _ in outlines_drawn), unit, pen / 2, size)
    (left, top, right, bottom), scale = box, unit * _OVERSAMPLING
    oversampled = Image.new("L", ((right - left) * _OVERSAMPLING, (bottom - top) * _OVERSAMPLING))
    drawing = ImageDraw.Draw(oversampled)
    for covers, outline, closed in outlines_drawn:
        points = [(x * scale - left * _OVERSAMPLING, y * scale - top * _OVERSAMPLING) for x, y in outline]
        fill = 255 if covers else 0
        if closed:
            drawing.polygon(points, fill=fill)
        if pen:
            _draw_along(drawing, [*points, points[0]] if closed else points, pen * scale, fill)
    coverage = Image.new("L", size)
    coverage.paste(oversampled.reduce(_OVERSAMPLING), (left, top))
    return coverage


def _bounding_box(
    points: Iterable[Point], unit: float, margin: float, size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Return the bounding box of points, extended by `margin` and clipped to an image of the given size, in pixels.

    The points and `margin` are in units of `unit` pixels.
    """
    across, down = zip(*points, strict=True)
    width, height = size
    left, top = (max(0, int((min(along) - margin) * unit) - 1) for along in (across, down))
    right, bottom = (
        min(side, int((max(along) + margin) * unit) + 2) for along, side in ((across, width), (down, height))
    )
    return left, top, max(left + 1, right), max(top + 1, bottom)


def _draw_along(drawing: ImageDraw.ImageDraw, points: Sequence[Point], width: float, fill: int) -> None:
    drawing.line(points, fill=fill, width=round(width))
    for x, y in points:
        drawing.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=fill)


def scaled_path(path: str, factor: float, x: float, y: float) -> str:
    """Return a path scaled by `factor` around the point (`x`, `y`)."""
    centre, across, tokens = (x, y), 0, list[str]()
    for token in path.split():
        if token.isalpha():
            tokens.append(token)
            continue
        tokens.append(str(centre[across] + factor * (float(token) - centre[across])))
        across = 1 - across
    return " ".join(tokens)


def moved_path(path: str, right: float, down: float) -> str:
    tokens, across = list[str](), True
    for token in path.split():
        if token.isalpha():
            tokens.append(token)
            continue
        tokens.append(str(float(token) + (right if across else down)))
        across = not across
    return " ".join(tokens)


@cache
def suit_mask(suit: Suit, size: int) -> Image.Image:
    """Return the coverage of a suit in a square of `size` pixels."""
    return path_mask((size, size), size / 100, SUIT_PATHS[suit])


def rounded_mask(size: tuple[int, int], radius: float, inset: float = 0) -> Image.Image:
    """Return the coverage of a rectangle with round corners, `inset` pixels smaller on each side than the image."""
    width, height = (side * _OVERSAMPLING for side in size)
    large = Image.new("L", (width, height))
    scaled_inset = round(inset * _OVERSAMPLING)
    ImageDraw.Draw(large).rounded_rectangle(
        (scaled_inset, scaled_inset, width - 1 - scaled_inset, height - 1 - scaled_inset),
        max(0, radius - inset) * _OVERSAMPLING,
        fill=255,
    )
    return large.reduce(_OVERSAMPLING)
