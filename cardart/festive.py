"""Rays and confetti, for what is worth a celebration: gin, big gin and an undercut."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from random import Random
from typing import Final

from cardart.canvas import Sprite, cut_out
from cardart.painting import Painting
from cardart.palette import FELT, GOLD, RECESS, SEATS, Colour
from cardart.shapes import mask, rounded_mask

_RAYS: Final = 20
_PIECES: Final = 50
"""Pieces of confetti on a hundred thousand pixels."""
_RADIUS: Final = 14
_CLEAR: Final = 14
_AROUND: Final = 170
"""So near the edges, and to the words where the rays begin, nothing falls."""
_SEED: Final = 10
"""Any will do; the same piece must always fall on the same spot."""


@cache
def festive(width: int, height: int, x: int, until: int) -> Sprite:
    """A field of rays on felt that begin at x, at half its height, with confetti up to `until` and not about x."""
    y, far = height / 2, float(width + height)
    wedges = [(2 * pi * number / _RAYS, 2 * pi * (number + 0.5) / _RAYS) for number in range(_RAYS)]
    rays = [
        f"M {x} {y} L {x + far * cos(one)} {y + far * sin(one)} L {x + far * cos(two)} {y + far * sin(two)} Z"
        for one, two in wedges
    ]
    field = Painting((width, height), FELT).paint(1, [(RECESS, rays)]).image
    chance = Random(_SEED)
    for number in range(width * height * _PIECES // 100_000):
        place = chance.randrange(_CLEAR, width - _CLEAR), chance.randrange(_CLEAR, height - _CLEAR)
        if abs(place[0] - x) < _AROUND or place[0] > until:
            continue
        piece = _piece((GOLD, *SEATS)[number % (1 + len(SEATS))], chance.randrange(6), chance.choice((9, 11, 13)))
        field.paste(piece.image, place, piece.mask)
    return cut_out(field, rounded_mask((width, height), _RADIUS))


@cache
def _piece(colour: Colour, turn: int, side: int) -> Sprite:
    """A scrap of paper, turned by sixths of a half turn."""
    angle = pi * turn / 6
    across, along = (50 * cos(angle), 50 * sin(angle)), (-22 * sin(angle), 22 * cos(angle))
    corners = [
        (50 + one * across[0] + two * along[0], 50 + one * across[1] + two * along[1])
        for one, two in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    path = f"M {' L '.join(f'{x} {y}' for x, y in corners)} Z"
    return cut_out(Painting((side, side), colour).image, mask((side, side), side / 100, [path]))
