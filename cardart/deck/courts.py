"""The figures on jacks, queens and kings, in a box of 100 by 216 with a place for the suit on the robe.

Each rank has attributes of its own: a king a beard, a closed crown and a sword, a queen long hair, an open crown and a
flower, a jack a beret with a feather and a staff.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards import Rank
from cardart.drawing.palette import BLACK, FACE, GOLD, HAIR, RED, SKIN, SKY, Colour
from cardart.drawing.shapes import circle, ellipse

BOX: Final = (100, 216)
SUIT: Final = (50, 158, 44)
"""The centre of the medallion on the robe that holds the suit, and its width."""

Layers = Sequence[tuple[Colour, Sequence[str]]]

_ROBE: Final = "M -2 216 L -2 104 C -2 92 10 84 30 80 L 70 80 C 90 84 102 92 102 104 L 102 216 Z"
_NECK: Final = "M 42 66 L 58 66 L 60 84 C 56 90 44 90 40 84 Z"
_HEAD: Final = "M 32 44 C 32 32 68 32 68 44 L 67 58 C 66 70 57 78 50 78 C 43 78 34 70 33 58 Z"
_FEATURES: Final = (
    (BLACK, [ellipse(42, 55, 2.4, 3), ellipse(58, 55, 2.4, 3)]),
    (HAIR, [
        "M 37 49.5 C 39 47 44 47 46 49 L 45.5 50.8 C 43 49.6 40 49.6 38 51 Z",
        "M 63 49.5 C 61 47 56 47 54 49 L 54.5 50.8 C 57 49.6 60 49.6 62 51 Z",
        "M 49.2 54 L 51 54 L 52.6 63 C 51 64.4 49 64.4 47.6 63.4 L 48 62.2 C 49 62.6 50 62.6 50.4 62.2 Z",
    ]),
)  # fmt: skip


def _king(robe: Colour) -> Layers:
    ermine = "M 22 82 C 34 78 66 78 78 82 L 72 106 L 60 112 L 64 216 L 36 216 L 40 112 L 28 106 Z"
    return (
        (SKY, ["M 90 14 L 93 20 L 93 74 L 87 74 L 87 20 Z"]),
        (robe, [_ROBE]),
        (GOLD, ["M -2 216 L -2 104 C -2 95 5 89 16 85 L 24 106 L 10 216 Z",
                "M 102 216 L 102 104 C 102 95 95 89 84 85 L 76 106 L 90 216 Z"]),
        (GOLD, ["M 80 74 L 100 74 L 100 79 L 80 79 Z", circle(90, 96, 4.6)]),
        (HAIR, ["M 87.5 79 L 92.5 79 L 92.5 93 L 87.5 93 Z"]),
        (FACE, [ermine]),
        (BLACK, ["M 30 88 L 33 88 L 31.5 95 Z", "M 67 88 L 70 88 L 68.5 95 Z", "M 33 97 L 36 97 L 34.5 103 Z",
                 "M 64 97 L 67 97 L 65.5 103 Z", "M 48 112 L 52 112 L 50 121 Z", "M 48 194 L 52 194 L 50 203 Z"]),
        (HAIR, ["M 28 40 C 20 54 22 70 27 78 C 32 82 36 78 36 72 L 36 44 Z",
                "M 72 40 C 80 54 78 70 73 78 C 68 82 64 78 64 72 L 64 44 Z"]),
        (SKIN, [_HEAD]),
        (HAIR, ["M 32 58 C 36 64 42 66 50 64 C 58 66 64 64 68 58 C 70 76 63 96 50 100 C 37 96 30 76 32 58 Z"]),
        (SKIN, ["M 44 69.5 C 47 67.8 53 67.8 56 69.5 C 54 74.5 46 74.5 44 69.5 Z"]),
        (RED, ["M 45 69.8 C 48 68.8 52 68.8 55 69.8 C 53 73 47 73 45 69.8 Z"]),
        *_FEATURES,
        (GOLD, ["M 27 42 L 19 12 L 35 24 L 50 5 L 65 24 L 81 12 L 73 42 C 60 37 40 37 27 42 Z"]),
        (GOLD, [circle(19, 11, 4.4), circle(50, 5, 4.8), circle(81, 11, 4.4)]),
        (robe, ["M 29 36 C 40 31.5 60 31.5 71 36 L 72.2 39.5 C 60 35 40 35 27.8 39.5 Z"]),
        (robe, [circle(50, 24, 4.2), circle(34.5, 29, 2.8), circle(65.5, 29, 2.8)]),
    )  # fmt: skip


def _queen(robe: Colour) -> Layers:
    return (
        (HAIR, ["M 50 24 C 20 24 22 56 15 84 C 22 94 78 94 85 84 C 78 56 80 24 50 24 Z"]),
        (robe, [_ROBE]),
        (GOLD, ["M 26 81 C 34 79 66 79 74 81 C 70 96 60 104 50 104 C 40 104 30 96 26 81 Z",
                "M 46 102 L 54 102 L 80 216 L 20 216 Z"]),
        (robe, ["M 50 116 L 73 216 L 27 216 Z"]),
        (SKIN, ["M 30 81 C 36 79.5 64 79.5 70 81 C 66 93 58 99 50 99 C 42 99 34 93 30 81 Z", _NECK]),
        (SKIN, [_HEAD]),
        (HAIR, ["M 31 56 C 28 36 42 30 50 31 C 58 30 72 36 69 56 C 67 46 60 40 50 38.5 C 40 40 33 46 31 56 Z"]),
        (RED, ["M 44.5 69 C 47 66.6 49 67.4 50 68 C 51 67.4 53 66.6 55.5 69 C 53 72.8 47 72.8 44.5 69 Z"]),
        *_FEATURES,
        (RED, [circle(50, 90.5, 3.4)]),
        (GOLD, [circle(x, y, 2.4) for x, y in ((37, 85), (41, 88), (45.4, 90), (54.6, 90), (59, 88), (63, 85))]),
        (GOLD, ["M 28 36 C 26 28 24 22 21 14 L 34 21 L 41 7 L 50 18 L 59 7 L 66 21 L 79 14 C 76 22 74 28 72 36 "
                "C 58 29 42 29 28 36 Z"]),
        (SKY, [circle(21, 13, 4), circle(41, 7, 4), circle(59, 7, 4), circle(79, 13, 4)]),
        (robe, [circle(50, 24, 3.4), circle(38, 25.5, 2.4), circle(62, 25.5, 2.4)]),
        (robe, ["M 87.5 66 L 89.5 66 L 90 88 L 87 88 Z", "M 88 84 C 80 82 78 76 78 73 C 85 74 88 78 88 84 Z"]),
        (RED, [circle(88.5, 52, 4.6), circle(95, 57, 4.6), circle(92.5, 64.5, 4.6), circle(84.5, 64.5, 4.6),
               circle(82, 57, 4.6)]),
        (GOLD, [circle(88.5, 59, 4)]),
    )  # fmt: skip


def _jack(robe: Colour) -> Layers:
    return (
        (HAIR, ["M 10.5 6 L 14.5 6 L 14.5 104 L 10.5 104 Z"]),
        (SKY, ["M 12.5 -6 L 20 16 L 12.5 28 L 5 16 Z"]),
        (GOLD, ["M 6 27 L 19 27 L 19 32 L 6 32 Z"]),
        (HAIR, ["M 27 36 L 23 70 C 26 80 36 82 39 74 L 61 74 C 64 82 74 80 77 70 L 73 36 Z"]),
        (robe, [_ROBE]),
        (GOLD, ["M 46 84 L 54 84 L 56 216 L 44 216 Z", "M -2 152 L 102 152 L 102 164 L -2 164 Z"]),
        (SKIN, [_NECK]),
        (FACE, ["M 30 80 C 35 76 39 78 41 82 C 45 90 55 90 59 82 C 61 78 65 76 70 80 L 61 95 L 50 88 L 39 95 Z"]),
        (SKIN, [_HEAD]),
        (HAIR, ["M 31 50 C 36 54 44 50 50 42 C 56 50 64 54 69 50 L 71 36 L 29 36 Z"]),
        (RED, ["M 45 69.4 C 48 68 52 68 55 69.4 C 53 72.4 47 72.4 45 69.4 Z"]),
        *_FEATURES,
        (robe, ["M 24 40 C 12 26 26 8 52 10 C 74 10 84 24 77 40 C 60 33 40 33 24 40 Z"]),
        (GOLD, ["M 23 34.5 C 40 28.5 60 28.5 78 34.5 L 76.6 41.5 C 60 35.5 40 35.5 24.4 41.5 Z"]),
        (SKY, ["M 66 33 C 64 16 80 3 97 3 C 97 20 88 32 73 37 Z"]),
        (GOLD, ["M 67.5 35 C 73 22 82 13 94 5.5 C 86 16 78 26 70.5 36 Z"]),
    )  # fmt: skip


_COURTS: Final = {Rank.JACK: _jack, Rank.QUEEN: _queen, Rank.KING: _king}


def court_layers(rank: Rank, robe: Colour) -> Layers:
    """Return the layers of a figure, the lowest first, in a robe of its suit's colour.

    Raise `LookupError` if the rank is not a court card's.
    """
    return _COURTS[rank](robe)
