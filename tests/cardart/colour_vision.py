"""Measure how people see colours: contrast and difference, with normal or deficient colour vision."""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]
Linear = tuple[float, float, float]
Matrix = tuple[Linear, Linear, Linear]

NORMAL_VISION: Final[Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
PROTANOPIA: Final[Matrix] = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
"""Matrix on linear RGB that simulates eyes without red cones.

Source: Machado, Oliveira, Fernandes: A Physiologically-based Model (2009), severity 1.
"""
DEUTERANOPIA: Final[Matrix] = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
"""Matrix on linear RGB that simulates eyes without green cones, from the same source as `PROTANOPIA`."""

_XYZ: Final[Matrix] = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE: Final[Linear] = (0.9505, 1.0, 1.089)


def contrast_ratio(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours as defined by WCAG 2.1: a number from 1 to 21."""
    low, high = sorted(_transformed(_XYZ, _linear(colour))[1] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def colour_distance(one: Colour, other: Colour, eyes: Matrix = NORMAL_VISION) -> float:
    """Return the distance between two colours in CIE L*a*b*. A distance of 2 is just noticeable.

    Args:
        eyes: the simulated colour vision, as a matrix on linear RGB.
    """
    a, b = (_lab(_transformed(eyes, _linear(colour))) for colour in (one, other))
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


def _linear(colour: Colour) -> Linear:
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in colour)
    )
    return red, green, blue


def _transformed(matrix: Matrix, colour: Linear) -> Linear:
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, colour, strict=True)))) for row in matrix)
    return red, green, blue


def _lab(linear: Linear) -> Linear:
    x, y, z = (_lab_curve(value / white) for value, white in zip(_transformed(_XYZ, linear), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_curve(share: float) -> float:
    return share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
