"""Ornaments of a theme's deck: the engraving in its aces, and the pattern behind its court figures.

An engraving is designed for the box of 100 by 100 of a suit. A pattern is designed in units of a card that is 112 wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import ceil, cos, pi, sin
from typing import Final

from bot.engine.cards.cards import Suit
from cardart.drawing.shapes import SUIT_PATHS, circle, lozenge, scaled_path, star
from cardart.drawing.themes import OrnamentName

_SPADE_RINGS: Final = (0.87, 0.81, 0.64, 0.58, 0.41, 0.35)
_RINGS: Final = (0.78, 0.71)
_RINGS_CENTRE: Final = (50, 55)
"""The lines engraved in the ace of spades (`_SPADE_RINGS`) and in other aces (`_RINGS`).

They are copies of the suit's shape, scaled by these factors around the point `_RINGS_CENTRE` of its box.
"""
_CENTRES: Final = {
    Suit.CLUBS: ((50, 23), (23, 61), (77, 61)),
    Suit.DIAMONDS: ((50, 50),),
    Suit.HEARTS: ((50, 44),),
    Suit.SPADES: ((50, 54),),
}
_RADII: Final = {Suit.CLUBS: 13, Suit.DIAMONDS: 18, Suit.HEARTS: 26, Suit.SPADES: 22}
"""The centres and the radius of the largest engravings in the shape of each suit.

A club has one in each lobe: in its middle, an engraving would open the notches between the lobes.
"""
_RIB_ANGLE: Final = 0.56
"""Angle between two ribs of a shell, in radians."""

Engraving = Iterator[tuple[bool, Sequence[str]]]
"""Layers for `layered_mask`: False and paths that are cut out of the suit, or True and paths that remain in it."""


def ace_layers(suit: Suit, ornament: OrnamentName) -> list[tuple[bool, Sequence[str]]]:
    """Return an engraved suit as layers for `layered_mask`, in a box of 100 by 100."""
    shape = SUIT_PATHS[suit]
    if ornament == "rings":
        engraving = _rings(suit)
    else:
        engraving = chain.from_iterable(_ENGRAVINGS[ornament](*centre, _RADII[suit]) for centre in _CENTRES[suit])
    # The stem of a spade or a club is painted again, because an engraving may reach it.
    return [(True, shape), *engraving, (True, shape[1:][-1:])]


def ground_paths(ornament: OrnamentName, width: float, height: float) -> Sequence[str]:
    """Return the pattern behind a court figure in a frame of the given size. It has closed paths only."""
    pattern = _GROUNDS.get(ornament)
    return () if pattern is None else list(pattern(width, height))


def _rings(suit: Suit) -> Engraving:
    """Yield lines along the edge. The ace of spades has the rings of a felled tree: deadwood."""
    shape, rings = SUIT_PATHS[suit], _SPADE_RINGS if suit is Suit.SPADES else _RINGS
    for number, ring in enumerate(rings):
        if suit is Suit.CLUBS:
            lobes = zip(shape, _CENTRES[suit], strict=False)
            yield number % 2 == 1, [scaled_path(lobe, ring, *centre) for lobe, centre in lobes]
        else:
            yield number % 2 == 1, [scaled_path(path, ring, *_RINGS_CENTRE) for path in shape[:-1] or shape]


def _star_engraving(x: float, y: float, r: float) -> Engraving:
    yield False, [star(x, y, r)]
    yield True, [star(x, y, r * 0.45)]
    yield False, [star(x + across * r * 0.62, y + down * r * 0.62, r * 0.26) for across in (-1, 1) for down in (-1, 1)]


def _lozenge_engraving(x: float, y: float, r: float) -> Engraving:
    for number, share in enumerate((1, 0.8, 0.6)):
        yield number % 2 == 1, [lozenge(x, y, r * share)]
    yield True, [lozenge(x, y, r * 0.3)]


def _ray_engraving(x: float, y: float, r: float) -> Engraving:
    base, reach = y + r * 0.75, 1.45 * r
    yield False, list(_rays(x, base, reach, 5, 0.3))
    yield True, [circle(x, base, r * 0.62)]
    yield False, [circle(x, base, r * 0.44)]
    yield True, [circle(x, base, r * 0.2)]


def _rosette_engraving(x: float, y: float, r: float) -> Engraving:
    places = [(x + r * 0.64 * cos(turn * pi / 4), y + r * 0.64 * sin(turn * pi / 4)) for turn in range(8)]
    yield False, [circle(*place, r * 0.36) for place in places]
    yield True, [circle(*place, r * 0.15) for place in places]
    yield True, [circle(x, y, r * 0.42)]
    yield False, [circle(x, y, r * 0.24)]


def _shell_engraving(x: float, y: float, r: float) -> Engraving:
    """Yield a scallop: five ribs that spread from a hinge."""
    hinge, reach, ribs = y + r * 0.62, 1.1 * r, list[str]()
    for rib in range(-2, 3):
        left, right, middle = (pi / 2 - (rib + edge) * _RIB_ANGLE for edge in (-0.4, 0.4, 0))
        ends = " ".join(f"L {x + reach * cos(angle)} {hinge - reach * sin(angle)}" for angle in (left, right))
        ribs += [f"M {x} {hinge} {ends} Z"]
        ribs += [circle(x + reach * cos(middle), hinge - reach * sin(middle), reach * 0.4 * _RIB_ANGLE)]
    yield False, [*ribs, circle(x, hinge, r * 0.2)]


_ENGRAVINGS: Final[dict[OrnamentName, Callable[[float, float, float], Engraving]]] = {
    "stars": _star_engraving,
    "lozenges": _lozenge_engraving,
    "rays": _ray_engraving,
    "rosettes": _rosette_engraving,
    "shells": _shell_engraving,
}


def _star_ground(width: float, height: float) -> Iterator[str]:
    for x, y, row in _grid(width, height, 13):
        yield star(x, y, 4.2 if row % 2 else 2.6)


def _lozenge_ground(width: float, height: float) -> Iterator[str]:
    for x, y, _ in _grid(width, height, 12):
        yield lozenge(x, y, 3)


def _ray_ground(width: float, height: float) -> Iterator[str]:
    """Yield rays that surround a figure's head."""
    for path in _rays(width / 2, height * 0.3, height, 12, 0.5):
        yield path
    for path in _rays(width / 2, height * 0.3, -height, 12, 0.5):
        yield path


def _rosette_ground(width: float, height: float) -> Iterator[str]:
    for x, y, _ in _grid(width, height, 12):
        for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            yield lozenge(x + across * 1.9, y + down * 1.9, 1.7)


def _shell_ground(width: float, height: float) -> Iterator[str]:
    for x, y, _ in _grid(width, height, 12):
        yield (
            f"M {x - 6} {y} C {x - 6} {y - 8} {x + 6} {y - 8} {x + 6} {y} "
            f"L {x + 4.4} {y} C {x + 4.4} {y - 5.8} {x - 4.4} {y - 5.8} {x - 4.4} {y} Z"
        )


_GROUNDS: Final[dict[OrnamentName, Callable[[float, float], Iterator[str]]]] = {
    "stars": _star_ground,
    "lozenges": _lozenge_ground,
    "rays": _ray_ground,
    "rosettes": _rosette_ground,
    "shells": _shell_ground,
}


def _grid(width: float, height: float, pitch: float) -> Iterator[tuple[float, float, int]]:
    """Yield the points of a diagonal grid as x, y and the number of the row, with a point in the middle of each row."""
    columns = ceil(width / pitch / 2) + 1
    for row in range(ceil(2 * height / pitch) + 1):
        for column in range(-columns, columns + 1):
            yield width / 2 + (column + row % 2 / 2) * pitch, row * pitch / 2, row


def _rays(x: float, y: float, reach: float, rays: int, share: float) -> Iterator[str]:
    """Yield rays in the half circle above a point, or below it if `reach` is negative.

    Rays fill the given share of the half circle.
    """
    for ray in range(rays):
        first, last = ((ray + 0.5 + edge) * pi / rays for edge in (-share / 2, share / 2))
        ends = " ".join(f"L {x + reach * cos(angle)} {y - reach * sin(angle)}" for angle in (first, last))
        yield f"M {x} {y} {ends} Z"
