"""The figures on jacks, queens and kings: busts in a box of 100 by 128, the lowest layer first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import Rank
from cardart.palette import BLACK, FACE, GOLD, HAIR, RED, SKIN, Colour
from cardart.shapes import circle, ellipse

BOX: Final = (100, 128)
EMBLEM: Final = (37, 97, 26)
"""Where the suit is embroidered on the robe: left, top and side of a square."""

COLOURS: Final = (BLACK, FACE, GOLD, HAIR, RED, SKIN)
"""What figures are drawn in, beside the colour of the robe."""

Layers = Sequence[tuple[Colour, Sequence[str]]]

_EYES: Final = (circle(42.5, 60, 2.6), circle(57.5, 60, 2.6))
_ROBE: Final = "M 2 128 C 2 104 16 94 34 90 L 66 90 C 84 94 98 104 98 128 Z"
_COLLAR: Final = "M 28 91 C 38 88 62 88 72 91 L 62 100 C 58 94 42 94 38 100 Z"


def _king(robe: Colour) -> Layers:
    return (
        (robe, [_ROBE]),
        (GOLD, ["M 2 128 C 2 112 9 103 20 97 L 30 128 Z", "M 98 128 C 98 112 91 103 80 97 L 70 128 Z"]),
        (HAIR, ["M 24 46 C 20 70 24 84 32 88 L 68 88 C 76 84 80 70 76 46 Z"]),
        (SKIN, [ellipse(50, 60, 20, 24)]),
        (HAIR, ["M 28 62 C 34 69 40 69 50 67 C 60 69 66 69 72 62 C 74 84 62 104 50 104 C 38 104 26 84 28 62 Z"]),
        (RED, [ellipse(50, 76, 6.5, 2.8)]),
        (BLACK, _EYES),
        (GOLD, ["M 24 46 L 15 14 L 35 28 L 50 6 L 65 28 L 85 14 L 76 46 C 60 40 40 40 24 46 Z"]),
        (GOLD, [circle(15, 13, 5), circle(50, 6, 5.5), circle(85, 13, 5)]),
        (robe, [circle(50, 31, 5), circle(34, 35, 3.4), circle(66, 35, 3.4)]),
    )


def _queen(robe: Colour) -> Layers:
    return (
        (HAIR, ["M 50 24 C 18 24 20 62 14 92 C 22 102 78 102 86 92 C 80 62 82 24 50 24 Z"]),
        (robe, [_ROBE]),
        (SKIN, ["M 43 76 L 57 76 L 60 92 C 56 99 44 99 40 92 Z", ellipse(50, 59, 19, 23)]),
        (HAIR, ["M 30 58 C 30 38 44 36 50 34 C 56 36 70 38 70 58 C 66 46 56 44 50 42 C 44 44 34 46 30 58 Z"]),
        (RED, [ellipse(50, 72.5, 5.5, 2.8)]),
        (BLACK, _EYES),
        (GOLD, ["M 24 37 C 22 28 20 24 18 17 L 33 24 L 40 9 L 50 20 L 60 9 L 67 24 L 82 17 C 80 24 78 28 76 37 "
                "C 60 29 40 29 24 37 Z"]),
        (FACE, [circle(18, 16, 4.4), circle(40, 9, 4.4), circle(60, 9, 4.4), circle(82, 16, 4.4)]),
        (robe, [circle(50, 25.5, 3.6)]),
        (GOLD, [circle(x, y, 3.4) for x, y in ((33, 92), (39, 97), (46, 99.5), (54, 99.5), (61, 97), (67, 92))]),
    )  # fmt: skip


def _jack(robe: Colour) -> Layers:
    return (
        (HAIR, ["M 24 40 L 22 78 C 26 88 38 88 40 80 L 60 80 C 62 88 74 88 78 78 L 76 40 Z"]),
        (robe, [_ROBE]),
        (SKIN, ["M 43 78 L 57 78 L 60 92 L 40 92 Z", ellipse(50, 60, 19, 23)]),
        (GOLD, [_COLLAR]),
        (HAIR, ["M 29 52 C 34 58 44 54 50 44 C 56 54 66 58 71 52 L 72 40 L 28 40 Z"]),
        (RED, [ellipse(50, 74, 5, 2.4)]),
        (BLACK, _EYES),
        (robe, ["M 20 42 C 10 26 26 10 52 12 C 76 12 90 26 80 42 Z"]),
        (GOLD, ["M 19 36 C 38 43 62 43 81 36 L 80 46 C 62 51 38 51 20 46 Z"]),
        (FACE, ["M 66 36 C 68 18 82 4 98 6 C 94 22 84 34 70 40 Z"]),
        (GOLD, ["M 68 38 C 74 26 82 16 93 9 C 86 18 78 28 70 39 Z"]),
    )  # fmt: skip


_FIGURES: Final = {Rank.JACK: _jack, Rank.QUEEN: _queen, Rank.KING: _king}


def figure(rank: Rank, robe: Colour) -> Layers:
    """The layers of a court card's figure in a robe of its suit's colour.

    Raises:
        LookupError: it is no court card.
    """
    return _FIGURES[rank](robe)
