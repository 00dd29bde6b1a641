"""The twelve court figures, from the crown to below the waist.

Each figure has its own age, hair, beard, headgear, gaze, attribute and robe pattern. All share one style: flat colours
within dark outlines, and robes in the suit's colour with gold, white, red and blue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from bot.engine.cards.cards import Card, Rank
from cardart.drawing.palette import (
    AZURE,
    BLACK,
    COPPER,
    COURT_BACKGROUND,
    GOLD,
    HAIR,
    MELD_COLOURS,
    RED,
    SILVER,
    SKIN,
    TAN,
    TEXT,
    Colour,
)
from cardart.drawing.shapes import circle, ellipse, moved_path, outlines, rounded_rectangle

BOX: Final = (88, 126)
_FACE_AXIS: Final = 37
"""The x coordinate of the middle of a face that looks straight ahead. `_centred` moves it to the middle of `BOX`."""
_SHOULDERS: Final = 62
"""The y coordinate of the shoulders, and of the upper ends of cuffs."""
_OUTLINE_WIDTH: Final = 1.1
"""Width of the outlines of court figures, in units of their paths."""
_MIN_TRIMMING: Final = 2.6
"""Minimum width of golden lines in small figures, where this is a little more than two pixels."""
_SEAM_WIDTH: Final = 1.5
_BLOCK: Final = 3.6
"""Width and height of jewels in small figures."""
LEAF: Final = MELD_COLOURS[2]
"""Stems and leaves. This is the only green that every theme has, and the palette has no room for another colour.

It has no shades with the outline either, so no other shape may overlap it.
"""

Version = Literal["large", "small"]
"""For which figures a layer is: small ones have fewer details, because these would merge."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Paths in one colour. Closed paths are filled. If `pen` is not 0, lines of this width follow all paths.

    If a layer has a version, it is `only` in figures of that version. It tints what is below
    it if its `opacity` is less than 1.
    """

    colour: Colour
    paths: Sequence[str]
    pen: float = 0
    only: Version | None = None
    opacity: float = 1


def _shape(colour: Colour, *paths: str) -> Iterator[Layer]:
    """Yield filled paths in one colour, with a dark outline around all of them together."""
    yield Layer(BLACK, paths, 2 * _OUTLINE_WIDTH)
    yield Layer(colour, paths)


def _lines(colour: Colour, pen: float, *paths: str) -> Iterator[Layer]:
    """Yield lines. In small figures, thin trimmings are wider, because they would look broken."""
    if colour == GOLD and pen < _MIN_TRIMMING:
        yield Layer(colour, paths, pen, only="large")
        yield Layer(colour, paths, _MIN_TRIMMING, only="small")
    else:
        yield Layer(colour, paths, pen)


def _seam(*paths: str) -> Iterator[Layer]:
    """Yield the seams of a garment as dark as outlines, in which an arm would otherwise not show."""
    yield Layer(BLACK, paths, _SEAM_WIDTH)
    yield Layer(SILVER, paths, _SEAM_WIDTH, opacity=0.5)


def _fill(colour: Colour, *paths: str) -> Iterator[Layer]:
    yield Layer(colour, paths)


def _dots(r: float, *places: tuple[float, float]) -> list[str]:
    return [circle(x, y, r) for x, y in places]


def _diamonds(r: float, *places: tuple[float, float]) -> list[str]:
    return [f"M {x} {y - r * 1.35} L {x + r} {y} L {x} {y + r * 1.35} L {x - r} {y} Z" for x, y in places]


def _stones(colour: Colour, shape: Callable[..., list[str]], r: float, *places: tuple[float, float]) -> Iterator[Layer]:
    """Yield jewels of one shape. In small figures they are plain blocks, because any other shape would look broken."""
    yield Layer(colour, shape(r, *places), only="large")
    half = _BLOCK / 2
    yield Layer(
        colour, [rounded_rectangle(x - half, y - half, x + half, y + half, 0.3) for x, y in places], only="small"
    )


def _mirrored(layers: Iterable[Layer]) -> Iterator[Layer]:
    """Yield the mirror images of layers."""
    for layer in layers:
        yield replace(layer, paths=[_flipped(path) for path in layer.paths])


def _with_mirror_images(*paths: str) -> list[str]:
    """Return paths and their mirror images."""
    return [*paths, *map(_flipped, paths)]


@cache
def _flipped(path: str) -> str:
    tokens, across = list[str](), True
    for token in path.split():
        if token.isalpha():
            tokens.append(token)
            continue
        tokens.append(str(2 * _FACE_AXIS - float(token)) if across else token)
        across = not across
    return " ".join(tokens)


@cache
def _centred(path: str) -> str:
    return moved_path(path, BOX[0] / 2 - _FACE_AXIS, 0)


_ROBE: Final = "M -10 126 L -10 72 C -4 62 16 58 27 55 L 47 55 C 58 58 78 62 84 72 L 84 126 Z"
_NECK: Final = "M 31.5 44 L 42.5 44 L 43 56 C 41 60 33 60 31 56 Z"
_HEAD: Final = "M 24.4 28 C 24 15 50 15 49.6 28 L 49 38 C 48.6 46 43 52 37 52 C 31 52 25.4 46 25 38 Z"
_PROFILE: Final = (
    "M 27.5 21 C 26.6 25 26.8 28 26 30.4 C 25.6 31.8 26 33 25.2 34.6 L 21.4 40.4 C 21 41.8 22 42.5 24.4 42.7 "
    "L 24 44.6 L 22.9 45.9 L 24.3 46.9 L 24 48.8 C 24.2 50.8 25.4 52 28 52.2 C 32 52.4 36 51 39 48.5 L 48 44 "
    "L 49 24 C 44 15 31 15 27.5 21 Z"
)
_PROFILE_NECK: Final = "M 33 46 L 46 40 L 48 57 C 44 60 34 60 31 56 Z"


def _eyes(lids: Sequence[str], pupils: Sequence[tuple[float, float]]) -> Iterator[Layer]:
    """Yield eyes. In small figures they are larger and have no lids, which would make crosses of them."""
    yield Layer(BLACK, lids, 1.0, only="large")
    yield Layer(BLACK, [ellipse(x, y, 1.5, 1.75) for x, y in pupils], only="large")
    yield Layer(BLACK, [ellipse(x, y, 2.0, 2.5) for x, y in pupils], only="small")


def _features(
    brows: Colour, look: float = 0, *, lips: bool = True, brow_pen: float = 1.4, frown: float = 0, smile: float = 1.2
) -> Iterator[Layer]:
    """Yield the eyes, brows, nose and lips of a frontal face. `look` turns it a little to one side."""
    eyes = (31.2 + look, 42.8 + look)
    lids = [f"M {x - 2.9} 34.6 C {x - 1.5} 32.6 {x + 1.5} 32.6 {x + 2.9} 34.6" for x in eyes]
    yield from _eyes(lids, [(x + look * 0.2, 35) for x in eyes])
    yield from _lines(
        brows,
        brow_pen,
        f"M {eyes[0] - 3.4} {30.6} C {eyes[0] - 1} {28.8} {eyes[0] + 1.6} {29 + frown} {eyes[0] + 3} {30 + frown}",
        f"M {eyes[1] + 3.4} {30.6} C {eyes[1] + 1} {28.8} {eyes[1] - 1.6} {29 + frown} {eyes[1] - 3} {30 + frown}",
    )
    nose = _FACE_AXIS + look * 1.5
    side = -1 if look <= 0 else 1
    yield from _lines(
        BLACK, 0.8, f"M {nose - side * 0.6} 34.5 L {nose + side * 1.8} 41 C {nose + side} 42 {nose - side} 42 "
        f"{nose - side * 1.4} 41.4"
    )  # fmt: skip
    if lips:
        x = _FACE_AXIS + look
        yield from _lines(RED, 1.8, f"M {x - 3.2} 46 C {x - 1.4} {46 + smile} {x + 1.4} {46 + smile} {x + 3.2} 46")


def _profile_features(brows: Colour, *, lips: bool = True) -> Iterator[Layer]:
    """Yield the features of a face in profile, looking left."""
    yield from _eyes(["M 26.8 34.8 C 28 32.8 30.4 32.6 32.4 34.4"], [(28.9, 35)])
    yield from _lines(brows, 1.4, "M 26.6 30.8 C 28.4 28.8 31 28.8 33.2 30.4")
    yield from _lines(BLACK, 0.8, "M 24.6 42.4 C 25.6 41.8 25.8 40.8 25.4 40")
    if lips:
        yield from _lines(RED, 1.6, "M 24.4 46.5 L 28 46.2")


def _hand(skin: Colour, x: float, y: float) -> Iterator[Layer]:
    """Yield a fist around a shaft."""
    yield from _shape(skin, rounded_rectangle(x - 5, y - 4.5, x + 5, y + 4.5, 3.4))
    yield from _lines(BLACK, 0.7, *(f"M {x - 2.5} {y + d} L {x + 4.4} {y + d}" for d in (-1.6, 1.4)))


def _sleeve(robe: Colour, cuff: Colour, x: float, y: float) -> Iterator[Layer]:
    """Yield a sleeve that rises to a hand on the right, from an elbow outside the frame."""
    yield from _shape(
        robe,
        f"M {x - 8} 126 L {x - 6} {y + 8} L {x + 5.5} {y + 8} C {x + 8} {y + 13} {x + 12} {y + 17} {x + 24} {y + 22} "
        f"L {x + 24} 126 Z",
    )
    yield from _shape(cuff, rounded_rectangle(x - 6, y + 4, x + 6, y + 9.5, 1.5))


def _left_arm(robe: Colour, cuff: Colour, skin: Colour, x: float) -> Iterator[Layer]:
    """Yield an arm that rises to a fist around a shaft on the left, from an elbow outside the frame."""
    yield from _shape(
        robe,
        f"M {x - 24} 126 L {x - 24} 79 C {x - 12} 74 {x - 8.5} 70 {x - 6} 66 L {x + 6.5} 66 L {x + 14} 126 Z",
    )
    yield from _shape(cuff, rounded_rectangle(x - 6.4, 61.5, x + 6.4, 67, 1.5))
    yield from _hand(skin, x, 57)


# Kings


def _king_of_clubs(robe: Colour) -> Iterator[Layer]:
    """A dark man in his prime with a full black beard, a closed crown, and an orb."""
    yield from _shape(BLACK, "M 24 24 C 20 34 21 42 23 48 L 51 48 C 53 42 54 34 50 24 Z")
    yield from _shape(robe, _ROBE)
    yield from _shape(TEXT, *_with_mirror_images("M -10 126 L -10 72 C -4 62 16 58 24 55 L 33 64 L 27 126 Z"))
    yield Layer(AZURE, _with_mirror_images("M -9 126 L -9 73 C -2.6 64.4 14.6 60.2 24 57.6"), 3, opacity=0.3)
    yield from _fill(BLACK, *_diamonds(1.6, (8, 69), (14, 63), (13, 73), (23, 69), (51, 69), (47, 79)))
    yield from _fill(BLACK, *_diamonds(1.6, (22, 80), (12, 84), (20, 91), (48, 90), (9, 96), (19, 103), (50, 102)))
    yield from _lines(GOLD, 2.4, "M 37 64 L 37 126")
    yield from _shape(TAN, _HEAD)
    yield from _shape(
        BLACK,
        "M 24.6 33 C 26.5 41 31 43 37 43 C 43 43 47.5 41 49.4 33 C 52 44 52 56 46 62 "
        "C 42 66 32 66 28 62 C 22 56 22 44 24.6 33 Z",
    )
    yield from _lines(
        SILVER, 0.8, *_with_mirror_images("M 32.6 53 C 32 57 33 60 34.6 62.6", "M 27 46 C 26.4 51 27 55 28.6 58")
    )
    yield from _lines(RED, 2.2, "M 33.6 48 C 35.6 49 38.4 49 40.4 48")
    yield from _features(BLACK, lips=False, brow_pen=1.8)
    yield from _shape(RED, "M 25 19 C 22 4 52 4 49 19 Z")
    yield from _shape(
        GOLD, "M 34.4 20 L 34.8 6 L 39.2 6 L 39.6 20 Z", *_with_mirror_images("M 22.5 20 L 17 6 L 23 9 L 30 20 Z")
    )
    yield from _shape(GOLD, "M 22.6 23 L 22 16.6 C 31 13.6 43 13.6 52 16.6 L 51.4 23 C 43 20 31 20 22.6 23 Z")
    yield from _stones(AZURE, _dots, 1.7, (28.6, 18.2), (45.4, 18.2))
    yield from _stones(RED, _diamonds, 1.9, (37, 17.6))
    yield from _shape(GOLD, circle(37, 4.4, 2.6))
    yield from _shape(AZURE, "M 45.6 126 L 55.6 74 L 71.6 74 C 74 77 79 79 89.6 80 L 89.6 126 Z")
    yield from _lines(GOLD, 1.8, "M 57.2 80 C 61.6 82 66.6 82 71 80")
    yield from _shape(
        GOLD,
        "M 62.6 44 L 62.6 41.4 L 60 41.4 L 60 38.8 L 62.6 38.8 L 62.6 36 L 65.2 36 L 65.2 38.8 "
        "L 67.8 38.8 L 67.8 41.4 L 65.2 41.4 L 65.2 44 Z",
    )
    yield from _shape(AZURE, circle(63.9, 52.5, 8.5))
    yield from _shape(
        GOLD,
        "M 55.6 50 C 60.6 52 67.2 52 72.2 50 L 72.4 54 C 67.2 56 60.6 56 55.4 54 Z",
        "M 62.2 44.2 L 65.6 44.2 L 65.6 50 L 62.2 50 Z",
    )
    yield from _shape(
        TAN, "M 54 54 C 53.2 62 55.6 66 58.6 68.6 L 69.2 68.6 C 71.8 66 73.8 62 73 54 C 70.4 63 57.2 63 54 54 Z"
    )
    yield from _lines(BLACK, 0.7, "M 61.2 61.4 L 61.4 65.4", "M 65.2 61.4 L 65.2 65.4")
    yield from _shape(GOLD, rounded_rectangle(55.6, 68.6, 72.2, 74.6, 1.5))


def _king_of_diamonds(robe: Colour) -> Iterator[Layer]:
    """A lean man in profile with a pointed brown beard and an axe."""
    yield from _shape(HAIR, "M 5 8 L 8.2 8 L 8.2 126 L 5 126 Z")
    yield from _shape(
        SILVER,
        "M 3.4 12 L 10.6 12 C 12.6 10 14.4 7 15.2 4 C 18.8 12 18.8 24 15.2 32 C 14.4 29 12.6 26 10.6 24 L 3.4 24 Z",
    )
    yield from _lines(BLACK, 0.8, "M 13 13 C 13.8 16 13.8 20 13 23")
    yield from _shape(HAIR, "M 33 20 L 50 20 C 56 30 54 44 58 56 C 52 62 42 60 40 54 Z")
    yield from _shape(robe, _ROBE)
    stripes = ((30, 66), (42, 61), (54, 65))
    yield from _shape(GOLD, *(f"M {x} 126 L {x + 14} {y} L {x + 19} {y + 2} L {x + 6} 126 Z" for x, y in stripes))
    yield from _shape(SKIN, _PROFILE_NECK)
    yield from _shape(AZURE, "M 27 50 C 34 50 44 50 52 44 L 56 57 C 48 67 33 68 25 59 Z")
    yield from _fill(GOLD, *_dots(1.3, (30.5, 59), (36, 61), (42, 60.6), (48, 57.6)))
    yield from _shape(SKIN, _PROFILE)
    yield from _shape(
        HAIR,
        "M 40 24 C 37 32 38 37 36.5 40 C 33 42 30 42.4 28.6 47.6 C 26.6 47.4 25 48 23.6 49 "
        "L 17.6 57.5 C 25 59.5 34 57 39 50 C 44 48 50 48 52.6 46 C 55 38 53 27 49 21 Z",
    )
    yield from _shape(HAIR, "M 23.6 43 C 26 42 29.6 42.6 32.6 46 C 29 45.8 26 45.4 23.6 45 Z")
    yield from _profile_features(HAIR, lips=False)
    yield from _lines(BLACK, 0.8, "M 43 28 C 42 34 44 38 43 44", "M 47.6 26 C 47.6 32 49.6 36 49 43")
    yield from _shape(GOLD, "M 25 22.6 L 22 6 L 29.6 12 L 34 2 L 40 11 L 50 3 L 52.6 22.6 C 44 18 33 18.4 25 22.6 Z")
    yield from _stones(RED, _dots, 1.7, (31, 16.4), (46.6, 16.2))
    yield from _stones(AZURE, _diamonds, 1.9, (38.6, 15.6))
    yield from _left_arm(robe, GOLD, SKIN, 6.6)


def _king_of_hearts(robe: Colour) -> Iterator[Layer]:
    """A red-haired man with a chin beard, ermine down his front, and a broad sword."""
    yield from _shape(
        COPPER,
        *_dots(5.6, (24, 28), (22, 36), (22.6, 44), (26, 51)),
        *_dots(5.6, (50, 28), (52, 36), (51.4, 44), (48, 51)),
    )
    yield from _shape(robe, _ROBE)
    yield from _shape(TEXT, "M 24 54 L 50 54 L 54 60 L 47 126 L 27 126 L 20 60 Z")
    yield from _fill(BLACK, *_diamonds(1.7, (29, 66), (45, 66), (37, 73), (30, 80), (44, 82), (37, 90)))
    yield from _lines(GOLD, 2.4, "M 59 62 L 59 126", "M 67.4 63 L 67.4 126")
    yield from _shape(SKIN, _NECK)
    yield from _shape(SKIN, _HEAD)
    yield from _shape(
        COPPER,
        "M 25 38 C 27 44.6 30 48.6 33 48.4 C 35 50 39 50 41 48.4 C 44 48.6 47 44.6 49 38 "
        "C 49.6 50 44 58.6 37 58.6 C 30 58.6 24.4 50 25 38 Z",
    )
    yield from _features(COPPER)
    yield from _shape(
        GOLD,
        "M 23 22.6 L 20 8 C 24 5 27 8 28.4 11 C 30 6 33 2.4 37 2.4 C 41 2.4 44 6 45.6 11 "
        "C 47 8 50 5 54 8 L 51 22.6 C 43 19 31 19 23 22.6 Z",
    )
    yield from _stones(AZURE, _diamonds, 2.2, (37, 14))
    yield from _stones(RED, _dots, 1.7, (28.4, 16.6), (45.6, 16.6))
    yield from _shape(SILVER, "M 6.6 3 L 10.6 9 L 10.6 48 L 2.6 48 L 2.6 9 Z")
    yield from _lines(BLACK, 0.8, "M 6.6 11 L 6.6 45")
    yield from _shape(GOLD, rounded_rectangle(0.2, 46.5, 13, 51, 2))
    yield from _left_arm(robe, GOLD, SKIN, 6.6)


def _king_of_spades(robe: Colour) -> Iterator[Layer]:
    """An old man with long white hair and beard, a tall crown, and a sword held upright."""
    yield from _shape(SILVER, *_with_mirror_images("M 26 22 C 17 34 21 46 13 60 C 20 66 32 62 34 54 Z"))
    yield from _shape(robe, _ROBE)
    yield from _lines(GOLD, 2.4, "M 12.6 62 L 12.6 126", "M 50.4 60 L 50.4 126", "M 23.6 60 L 23.6 126")
    yield from _shape(AZURE, "M 17 57 C 24 68 50 68 57 57 L 61 60 C 54 76 20 76 13 60 Z")
    yield from _shape(SKIN, _HEAD)
    yield from _shape(
        SILVER,
        "M 24.6 36 C 27 42 32 43 37 43 C 42 43 47 42 49.4 36 C 52 50 49 60 45 66 C 42 72 39 76 37 80 "
        "C 35 76 32 72 29 66 C 25 60 22 50 24.6 36 Z",
    )
    yield from _lines(
        BLACK,
        0.7,
        *_with_mirror_images("M 31 50 C 31 58 33 64 35 70", "M 37 43.4 C 33.6 43.2 30.6 45 28.6 49"),
        "M 37 52 L 37 66",
    )
    yield from _lines(BLACK, 1.2, "M 34.6 47 C 36.4 47.8 37.6 47.8 39.4 47")
    yield from _features(BLACK, lips=False, brow_pen=1.2, frown=0.6)
    yield from _shape(robe, "M 26 18 C 26 6 48 6 48 18 Z")
    yield from _shape(
        GOLD,
        "M 23.4 23 L 19 4 L 27.6 12 L 32 1.4 L 37 11 L 42 1.4 L 46.4 12 L 55 4 L 50.6 23 C 43 19.4 31 19.4 23.4 23 Z",
    )
    yield from _stones(RED, _diamonds, 2, (37, 16.4))
    yield from _stones(AZURE, _dots, 1.6, (29.6, 17.6), (44.4, 17.6))
    yield from _shape(SILVER, "M 67.6 4 L 70.8 9 L 70.8 50 L 64.4 50 L 64.4 9 Z")
    yield from _lines(BLACK, 0.7, "M 67.6 10 L 67.6 48")
    yield from _shape(GOLD, "M 61.4 48.4 L 73.8 48.4 L 73.8 52.6 L 61.4 52.6 Z")
    yield from _sleeve(AZURE, GOLD, 67.6, 59)
    yield from _hand(SKIN, 67.6, 58)


# Queens


def _queen_of_clubs(robe: Colour) -> Iterator[Layer]:
    """A young dark woman with long black hair, pearls, and a tulip."""
    yield from _shape(BLACK, *_with_mirror_images("M 37 16 C 20 16 21 34 18 48 C 17 58 20 66 26 66 L 37 50 Z"))
    yield from _shape(robe, _ROBE)
    yield from _shape(AZURE, *_with_mirror_images("M -10 126 L -10 72 C -4 62 10 59 19 57 C 22 74 18 100 16 126 Z"))
    yield from _shape(TAN, "M 24 56 L 50 56 C 48 68 44 74 37 76 C 30 74 26 68 24 56 Z", _NECK)
    yield from _fill(TAN, _NECK)
    yield from _lines(GOLD, 2.2, "M 21 57 C 22.2 71.6 29 78.8 37 81.2 C 45 78.8 51.8 71.6 53 57")
    yield from _fill(GOLD, *_dots(1.5, (37, 84), (29, 80), (45, 82), (45, 89)))
    yield from _fill(TEXT, *_dots(1.3, (29.6, 61), (32.6, 63.4), (37, 64.4), (41.4, 63.4), (44.4, 61)))
    yield from _shape(BLACK, *_with_mirror_images("M 24 30 C 20 44 24 54 19 68 C 25 72 30 62 27 44 Z"))
    yield from _shape(TAN, _HEAD)
    yield from _shape(BLACK, "M 24.2 32 C 22 14 52 14 49.8 32 C 48 26 44 23.4 37 23.4 C 30 23.4 26 26 24.2 32 Z")
    yield from _features(BLACK)
    yield from _shape(GOLD, *_dots(1.6, (24, 42.4), (50, 42.4)))
    yield from _shape(
        GOLD, "M 23.6 21 L 22 10 L 29 14 L 32 6 L 37 12 L 42 6 L 45 14 L 52 10 L 50.4 21 C 43 17 31 17 23.6 21 Z"
    )
    yield from _stones(RED, _dots, 1.5, (37, 15.6), (29.8, 16.8), (44.2, 16.8))
    yield from _shape(TEXT, *_dots(1.5, (22, 9.4), (32, 5.2), (42, 5.2), (52, 9.4)))
    yield from _shape(
        RED,
        "M 60 14.5 L 63.4 18.6 L 66.5 11.4 L 69.6 18.6 L 73 14.5 C 74 25 72.5 33.5 66.5 33.5 "
        "C 60.5 33.5 59 25 60 14.5 Z",
    )
    yield from _lines(BLACK, 0.8, "M 63.4 19 C 63 24 63.4 28 64.6 30.4", "M 69.6 19 C 70 24 69.6 28 68.4 30.4")
    yield from _shape(
        LEAF,
        "M 65.4 34.8 L 67.6 34.8 L 67.6 51 L 65.4 51 Z",
        "M 66.5 51 C 61.4 51 59 47.6 58.9 41.6 C 61.4 43 64.2 46 66.5 51 Z",
        "M 66.5 51 C 71 51 73 47.6 73 41.6 C 71.2 43 68.8 46 66.5 51 Z",
    )
    yield from _sleeve(AZURE, TEXT, 66.5, 60)
    yield from _hand(TAN, 66.5, 58)


def _queen_of_diamonds(robe: Colour) -> Iterator[Layer]:
    """A red-haired woman who looks aside, with rolled braids, a veil, and a mirror."""
    yield from _shape(
        SILVER, "M 37 10 C 16 10 14 36 10 62 C 16 68 26 64 30 58 L 46 58 C 52 66 58 66 64 62 C 60 36 58 10 37 10 Z"
    )
    yield from _shape(robe, _ROBE)
    yield from _lines(GOLD, 2.4, *_with_mirror_images("M 58.6 60 L 58.6 126", "M 69 63 L 69 126"))
    yield from _shape(AZURE, "M 28 56 L 46 56 L 54 126 L 20 126 Z")
    yield from _lines(GOLD, 1.6, "M 22 84 L 40 62", "M 28 126 L 46 68", "M 52 84 L 34 62", "M 46 126 L 28 68")
    yield from _shape(SKIN, "M 27 55 L 47 55 C 46 64 42 68 37 68 C 32 68 28 64 27 55 Z", _NECK)
    yield from _fill(SKIN, _NECK)
    yield from _shape(GOLD, *_dots(1.3, (30, 60), (34, 62.4), (38.6, 62.6), (43, 60.6)))
    yield from _shape(SKIN, _HEAD)
    yield from _shape(COPPER, circle(21.2, 38.4, 5.9), circle(52.8, 38.4, 5.9))
    yield from _lines(
        BLACK, 0.8, *_with_mirror_images("M 17.8 40 C 17.8 35.6 23 34.8 23.8 38.4 C 24 41 20.4 41.4 20.8 39")
    )
    yield from _shape(COPPER, "M 24.2 33 C 22 14 52 14 49.8 33 C 47 29 40 27 35 21.6 C 32 26 27 28 24.2 33 Z")
    yield from _features(COPPER, -1.2)
    yield from _shape(GOLD, "M 24 20.6 L 26 4 L 31.6 11 L 37 2 L 42.4 11 L 48 4 L 50 20.6 C 42 16.4 32 16.4 24 20.6 Z")
    yield from _stones(AZURE, _dots, 1.6, (31, 15.6), (43, 15.6))
    yield from _stones(RED, _diamonds, 2, (37, 13.4))
    yield from _shape(GOLD, "M 5 42 L 8.2 42 L 8.2 70 L 5 70 Z")
    yield from _shape(GOLD, ellipse(6.6, 32.6, 6.3, 9.4))
    yield from _shape(TEXT, ellipse(6.6, 32.6, 3.5, 6.4))
    yield from _lines(BLACK, 0.8, "M 5 35.6 L 8.2 29.8")
    yield from _left_arm(robe, TEXT, SKIN, 6.6)


def _queen_of_hearts(robe: Colour) -> Iterator[Layer]:
    """A young fair woman with long loose hair, a low crown, and a rose."""
    yield from _shape(
        GOLD, *_with_mirror_images("M 37 14 C 16 14 22 34 17 44 C 13 54 16 62 12 70 C 20 78 32 72 31 58 L 37 40 Z")
    )
    yield from _shape(robe, "M -10 126 L -10 72 C -4 64 12 60 20 59 L 54 59 C 62 60 78 64 84 72 L 84 126 Z")
    yield from _shape(SKIN, "M 21 58 L 53 58 C 52 68 46 73 37 74 C 28 73 22 68 21 58 Z", _NECK)
    yield from _fill(SKIN, _NECK)
    yield from _shape(
        TEXT,
        "M 18 60 L 22 58 C 24 68 30 72 37 73 C 44 72 50 68 52 58 L 56 60 C 54 72 46 78 37 79 C 28 78 20 72 18 60 Z",
    )
    yield from _lines(GOLD, 1.8, "M 37 82 L 37 126")
    yield from _fill(GOLD, *_diamonds(1.8, (27, 85), (47, 85), (17, 80)))
    yield from _fill(
        RED,
        "M 37 68 C 35 65.6 33 64.6 33 62.6 C 33 60.4 36 60.2 37 62.4 C 38 60.2 41 60.4 41 62.6 "
        "C 41 64.6 39 65.6 37 68 Z",
    )
    yield from _shape(GOLD, *_with_mirror_images("M 25 28 C 18 42 25 50 18 66 C 24 72 31 62 28 46 Z"))
    yield from _lines(BLACK, 0.7, *_with_mirror_images("M 22 46 C 24 54 21 60 20 66"))
    yield from _shape(SKIN, _HEAD)
    yield from _shape(GOLD, "M 24.2 35 C 20 14 54 14 49.8 35 C 49 28 44 24 37 21.4 C 30 24 25 28 24.2 35 Z")
    yield from _lines(BLACK, 0.7, "M 37 21.6 L 37 17")
    yield from _features(HAIR)
    yield from _shape(RED, "M 24.6 15 C 28 9 46 9 49.4 15 Z")
    yield from _shape(
        SILVER,
        "M 23.4 20 L 20.6 9.6 L 27 12.4 L 28.6 5 L 33.4 10.4 L 37 3 L 40.6 10.4 L 45.4 5 L 47 12.4 "
        "L 53.4 9.6 L 50.6 20 C 43 16 31 16 23.4 20 Z",
    )
    yield from _shape(RED, *_dots(1.2, (30, 15), (37, 13.4), (44, 15)))
    yield from _shape(
        RED, circle(66.2, 26, 3.9), *_dots(3.5, (62, 24), (63.7, 29.9), (68.5, 29.9), (69.8, 24), (66.2, 20.6))
    )
    yield from _lines(
        BLACK,
        0.8,
        "M 63.6 25.2 C 64.4 22.6 68.4 22.6 68.8 25.4 C 68.8 28.2 65 28.2 65.2 26",
        "M 62 27.2 C 63.2 29.8 69.2 29.8 70.4 27.2",
    )
    yield from _shape(
        LEAF,
        "M 65.1 34.4 L 67.3 34.4 L 67.3 52 L 65.1 52 Z",
        "M 66.2 51 C 71.2 51 73.4 47.4 73 40.6 C 72.2 42.4 68.6 45.6 66.2 51 Z",
    )
    yield from _sleeve(robe, GOLD, 66.2, 61)
    yield from _hand(SKIN, 66.2, 59)


def _queen_of_spades(robe: Colour) -> Iterator[Layer]:
    """An older woman in profile with white hair under a grey wimple, and a sceptre."""
    yield from _mirrored(_older_queen(robe))


def _older_queen(robe: Colour) -> Iterator[Layer]:
    yield from _shape(SILVER, "M 32 14 C 52 8 62 24 59 40 C 58 52 63 58 65 66 L 30 66 Z")
    yield from _shape(robe, _ROBE)
    yield from _shape(RED, *_with_mirror_images("M -10 126 L -10 72 C -4 62 4 60.6 11 59 C 16 74 17 100 16 126 Z"))
    yield from _shape(TEXT, "M 26 50 L 50 44 L 58 66 C 46 74 32 72 25 62 Z")
    yield from _lines(BLACK, 0.7, "M 33 54 C 38 58 46 56 52 50", "M 31 60 C 38 65 48 62 55 57")
    yield from _lines(GOLD, 2.2, "M 20 65 C 30 82 47 81 56.4 71")
    yield from _shape(RED, circle(38, 76, 2.9))
    yield from _fill(GOLD, *_dots(1.5, (29, 84), (38, 86), (47, 84)))
    yield from _shape(SKIN, _PROFILE)
    yield from _shape(TEXT, "M 27 24 C 30 16 44 16 46 26 C 42 34 40 34 38 38 C 37 30 33 25 27 24 Z")
    yield from _shape(
        SILVER,
        "M 30 16 C 46 8 60 22 57 40 C 57 50 60 56 62 62 C 52 62 40 56 35.6 51.6 C 42 46 42 40 40 36 "
        "C 43 28 40 20 30 16 Z",
    )
    yield from _lines(BLACK, 0.7, "M 50 24 C 53 34 50 46 54 56", "M 45.6 22 C 48 34 44 44 46 53")
    yield from _profile_features(BLACK)
    yield Layer(BLACK, ["M 32.6 38.6 L 34.6 39.6", "M 30 43.6 L 31 46"], 0.6, only="large")
    yield from _shape(GOLD, "M 26 21 L 22.6 5 L 31 11 L 36 2 L 41 10 L 49.6 4 L 50.6 22 C 42 16.6 33 17 26 21 Z")
    yield from _stones(RED, _dots, 1.6, (31.6, 15), (44.6, 15.4))
    yield from _stones(AZURE, _diamonds, 2, (38, 13.6))
    yield from _shape(GOLD, "M 7.4 24 L 10.6 24 L 10.6 80 L 7.4 80 Z")
    yield from _shape(GOLD, *_dots(3.4, (9, 10), (4.6, 15.6), (13.4, 15.6)), "M 4 19.4 L 14 19.4 L 12 25.4 L 6 25.4 Z")
    yield from _stones(RED, _dots, 1.7, (9, 15.6))
    yield from _left_arm(robe, AZURE, SKIN, 9)
    yield from _seam("M 15.5 69 L 23 126")


# Jacks


def _jack_of_clubs(robe: Colour) -> Iterator[Layer]:
    """A dark smiling youth with short curls, a cap with a feather, and an arrow."""
    yield from _shape(BLACK, *_dots(4.4, (25, 27), (23.6, 33), (24.6, 39), (49, 27), (50.4, 33), (49.4, 39)))
    yield from _shape(robe, _ROBE)
    yield from _shape(GOLD, "M 33.5 62 L 40.5 62 L 40.5 126 L 33.5 126 Z")
    yield from _fill(BLACK, *_dots(1.2, (37, 72), (37, 79), (37, 86)))
    yield Layer(GOLD, _with_mirror_images("M 51.5 60 L 51.5 126"), 2.4, only="large")
    yield from _lines(GOLD, 2.4, *_with_mirror_images("M 63.6 61 L 63.6 126"), "M 74.6 65 L 74.6 126")
    yield from _seam("M 57 62 L 57 126")
    yield from _shape(TEXT, *_with_mirror_images("M 37 59 L 27 53 C 22 55 19 58 18 62 L 30 70 Z"))
    yield from _shape(TAN, _NECK)
    yield from _shape(TAN, _HEAD)
    yield from _features(BLACK, 1.2, lips=False, brow_pen=1.6)
    yield from _shape(TEXT, "M 33.6 44.6 C 36 45.6 41 45.6 43.4 44.6 C 42.6 49 34.4 49 33.6 44.6 Z")
    yield from _shape(robe, "M 21 22 C 14 12 26 3 40 4 C 56 4 60 14 53 22 Z")
    yield from _shape(
        GOLD,
        "M 21.4 25 C 20 21 20.6 18.6 22 17.6 C 32 14.6 42 14.6 52 17.6 C 53.6 19 54 22 52.6 25 "
        "C 42 21.4 32 21.4 21.4 25 Z",
    )
    yield from _shape(TEXT, "M 47 18 C 46 8 53 1 65.6 1.4 C 67.6 10 61 18 51 20 Z")
    yield from _lines(BLACK, 0.7, "M 49 18.6 C 53.4 11 57.6 6.8 63.8 3.4")
    yield from _shape(HAIR, "M 6.8 16 L 9.2 16 L 9.2 90 L 6.8 90 Z")
    yield from _shape(SILVER, "M 8 5 L 13 18 L 8 15.4 L 3 18 Z")
    yield from _left_arm(robe, TEXT, TAN, 8)
    yield from _seam("M 14.5 69 L 22 126")


def _jack_of_diamonds(robe: Colour) -> Iterator[Layer]:
    """A red-haired man who looks aside, with a moustache, a broad hat with a plume, and a spear."""
    yield from _shape(
        COPPER, "M 23 20 C 19 30 20 38 20 44 C 24 47 28 46 30 42 L 44 42 C 46 46 50 47 54 44 C 54 38 55 30 51 20 Z"
    )
    yield from _shape(robe, _ROBE)
    yield from _shape(
        AZURE,
        *(f"M {x} 60 L {x + 6} 58.6 L {x + 5} 126 L {x - 1} 126 Z" for x in (10, 22)),
        *(f"M {x} 58.6 L {x + 6} 60 L {x + 7} 126 L {x + 1} 126 Z" for x in (46,)),
    )
    yield from _shape(
        TEXT, *(ellipse(x, y, 5.6, 4.4) for x, y in ((23.4, 57), (30, 60.6), (37, 61.8), (44, 60.6), (50.6, 57)))
    )
    yield from _shape(SKIN, _NECK)
    yield from _shape(SKIN, _HEAD)
    yield from _shape(
        COPPER,
        "M 24.6 34 C 25 28 30 27 34 24 L 46 24 C 49 28 49.6 30 49.4 34 C 52 22 46 16 37 16 C 28 16 22 22 24.6 34 Z",
    )
    yield from _features(COPPER, 1.8, lips=False, brow_pen=1.8)
    yield from _fill(
        COPPER,
        "M 39 42.6 C 36 42 33 43.6 30.4 47 C 34 47 37 46.6 39 45.4 C 41 46.6 44 47 47.4 47 C 45 43.6 42 42 39 42.6 Z",
        "M 37 48 L 41 48 L 39 54 Z",
    )
    yield from _shape(robe, "M 26 19 C 25 4 51 2 51 19 Z")
    yield from _shape(GOLD, "M 26 19.6 L 26 15 C 33 12.6 44 12.6 51 15 L 51 19.6 Z")
    yield from _shape(robe, "M 14 24 C 20 14 52 14 59.4 20 C 61 24 56 25 49 24 C 40 22.6 26 22 14 24 Z")
    yield from _shape(AZURE, "M 27 15 C 18.6 16 11.6 13 9.6 5 C 16 0 26 3 30 13 Z")
    yield from _lines(TEXT, 0.9, "M 27.4 14 C 22.6 9 18 7 13 6.4")
    yield from _shape(HAIR, "M 65.9 18 L 68.5 18 L 68.5 126 L 65.9 126 Z")
    yield from _shape(SILVER, "M 67.2 4 C 70.8 10 72.4 14 71.4 18 L 68.5 23 L 65.9 23 L 63 18 C 62 14 63.6 10 67.2 4 Z")
    yield from _shape(RED, "M 63.4 23 L 71 23 L 71 27 L 63.4 27 Z")
    yield from _sleeve(robe, TEXT, 67.2, 62)
    yield from _hand(SKIN, 67.2, 60)


def _jack_of_hearts(robe: Colour) -> Iterator[Layer]:
    """A brown-haired youth in profile with a pageboy haircut, a flat cap, and a lyre."""
    yield from _mirrored(_page(robe))


_LYRE: Final = (
    "M 61.8 17.6 C 65.4 19.4 64.2 24 63 28 C 61.4 33 61.4 38 63.4 42 L 71 42 C 73 38 73 33 71.4 28 "
    "C 70.2 24 69 19.4 72.6 17.6",
    "M 63 23.6 L 71.4 23.6",
    "M 63.4 42 C 64.2 45.6 65.4 47.4 67.2 47.4 C 69 47.4 70.2 45.6 71 42 Z",
)
_LYRE_OPENING: Final = "M 64 24 L 70.4 24 C 72.4 33 72 38 70.8 41 L 63.6 41 C 62.4 38 62 33 64 24 Z"
_LYRE_STRINGS: Final[dict[Version, tuple[float, ...]]] = {"large": (66, 68.4), "small": (65.6, 68.53)}
"""The lyre, the gap within it, and its strings. Small lyres have no outline around the gap, where strings would merge.
"""


def _page(robe: Colour) -> Iterator[Layer]:
    yield from _shape(robe, _ROBE)
    yield from _shape(AZURE, "M -10 72 C -4 62 14 58 22 57 L 26 126 L -10 126 Z")
    yield from _lines(GOLD, 2.4, "M 6.4 64 L 6.4 126", "M 16 60 L 16 126")
    yield from _shape(SKIN, _PROFILE_NECK)
    yield from _shape(TEXT, "M 27 54 C 34 60 44 58 51 52 L 55 58 C 47 68 33 68 24 60 Z")
    yield from _shape(SKIN, _PROFILE)
    yield from _shape(
        HAIR,
        "M 28 21 C 30 28 34 29 37 30 C 35 38 36 44 34 48 C 40 54 49.6 54 56 49 C 53 40 57 28 50.6 18 "
        "C 44 13 32 14 28 21 Z",
    )
    yield from _lines(BLACK, 0.7, "M 42 29 C 41 38 43 44 41 50.6", "M 48 27 C 47 38 50 44 49 51")
    yield from _profile_features(HAIR)
    yield from _shape(robe, "M 24 20 C 20 8 34 3 45 6 C 56 8 59.6 16 54.6 24 C 46 18 34 18 24 20 Z")
    yield from _shape(
        GOLD, "M 23.6 22.6 C 23 20 23.6 18.4 25 17.6 C 36 13.6 47 16 55.6 21.6 L 54.2 27 C 46 21.4 34 19.4 23.6 22.6 Z"
    )
    yield Layer(BLACK, _LYRE, 2.2 + 2 * _OUTLINE_WIDTH)
    yield Layer(COURT_BACKGROUND, [_LYRE_OPENING], 0.4, only="small")
    yield Layer(GOLD, _LYRE, 2.2)
    for only, strings in _LYRE_STRINGS.items():
        yield Layer(BLACK, [f"M {x} 24.6 L {x} 39" for x in strings], 1.2, only)
    yield from _sleeve(robe, GOLD, 67.6, 58)
    yield from _hand(SKIN, 67.6, 54)


def _jack_of_spades(robe: Colour) -> Iterator[Layer]:
    """A man in profile with black curls, a thin moustache, a striped cap, and a halberd."""
    yield from _shape(HAIR, "M 5.4 6 L 8 6 L 8 126 L 5.4 126 Z")
    yield from _shape(
        SILVER,
        "M 6.7 1 L 9.4 12 L 9 14 C 13.4 14 16.4 12 18.4 9 C 19.4 16 18.4 24 15.4 29 C 13.4 26 11.4 24.6 8 24.6 "
        "L 5.4 24.6 L 0.4 18 L 4 14 L 4 12 Z",
    )
    yield from _shape(robe, _ROBE)
    yield from _shape(TEXT, "M 24 57 C 30 72 44 72 54 57 L 60 60 C 52 82 28 82 19 60 Z")
    yield from _stones(RED, _diamonds, 2.2, (27, 63.4), (33, 69.4), (40.4, 70.4), (47.4, 66.4), (52.6, 61.4))
    yield from _fill(GOLD, *_diamonds(2.2, (28, 88), (38, 92), (48, 90), (58, 84), (66, 76), (66, 92)))
    yield from _shape(SKIN, _PROFILE_NECK)
    yield from _shape(BLACK, *_dots(4.6, (44, 26), (50, 29), (52.6, 36), (52, 43), (47, 48), (46, 40), (45, 33)))
    yield from _shape(SKIN, _PROFILE)
    yield from _shape(BLACK, *_dots(4.2, (42, 24), (43.6, 30), (44.4, 37), (46, 43), (50, 36), (49, 28)))
    yield from _profile_features(BLACK)
    yield from _lines(BLACK, 1.5, "M 24.4 44 C 27 43.6 29 45 31.6 44 C 32.8 43.4 33 42.4 32.6 41.6")
    yield from _shape(GOLD, "M 24 21 C 20 12 30 3 44 5 C 56 6 62 16 57 25 C 46 18 34 18 24 21 Z")
    yield from _fill(
        robe,
        "M 30 18 C 27 12 30 8 34 5.6 L 39 4.6 C 35 9 34 13 36 17.4 Z",
        "M 43 17.6 C 41 12 43 8 46 5.2 L 51 6.6 C 48 11 48 15 50 20 Z",
    )
    yield from _shape(
        RED, "M 23.4 24 C 22.6 21 23.4 19 25 18 C 36 14.4 48 17 58 23 L 56.4 28.6 C 47 22.6 34 20.6 23.4 24 Z"
    )
    yield from _seam("M 62 63.5 L 62 126")
    yield from _left_arm(robe, GOLD, SKIN, 6.7)
    yield from _seam("M 13.2 69 L 20.7 126")


_JACKS: Final = (_jack_of_clubs, _jack_of_diamonds, _jack_of_hearts, _jack_of_spades)
_QUEENS: Final = (_queen_of_clubs, _queen_of_diamonds, _queen_of_hearts, _queen_of_spades)
_KINGS: Final = (_king_of_clubs, _king_of_diamonds, _king_of_hearts, _king_of_spades)
_COURTS: Final = {Rank.JACK: _JACKS, Rank.QUEEN: _QUEENS, Rank.KING: _KINGS}


def court_layers(card: Card, robe: Colour, version: Version = "large") -> Sequence[Layer]:
    """Return the layers of a court figure in `BOX`, lowest first, with a robe of the given colour.

    Raise `LookupError` if the card is not a court card.
    """
    return tuple(
        replace(layer, paths=[_centred(path) for path in layer.paths])
        for layer in _COURTS[card.rank][card.suit](robe)
        if layer.only in (None, version)
    )


@cache
def court_ends(card: Card) -> tuple[float, float]:
    """Return the left and right end of a court figure in `BOX`: of its head, its hands and all that it carries.

    Parts that begin below the shoulders or reach below the waist belong to robes, which a frame may cut.
    """
    ends = list[float]()
    for layer in court_layers(card, BLACK):
        for path in layer.paths:
            for points, _ in outlines(path):
                heights = [y for _, y in points]
                if min(heights) < _SHOULDERS and max(heights) < BOX[1]:
                    ends += (x + side * layer.pen / 2 for x, _ in points for side in (-1, 1))
    return min(ends), max(ends)
