"""Confetti is scattered where nothing else is."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot.model.appearance import DEFAULT_APPEARANCE
from cardart.drawing.canvas import Box, Canvas
from cardart.drawing.painting import Sprite
from cardart.parts.celebration import draw_confetti


def test_pieces_of_confetti_touch_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of confetti touch neither each other nor a clear box, and are within their box."""
    clear, drawn = (100, 0, 200, 60), list[Box]()

    def record(self: Canvas, sprite: Sprite, x: int, y: int) -> None:
        drawn.append((x, y, x + sprite.width, y + sprite.height))

    monkeypatch.setattr(Canvas, "put", record)
    draw_confetti(Canvas(400, 200, DEFAULT_APPEARANCE), (10, 10, 390, 190), [clear], 150)
    assert len(drawn) > 50
    for one, other in combinations([*drawn, clear], 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    assert all(left >= 10 and top >= 10 and right <= 390 and bottom <= 190 for left, top, right, bottom in drawn)


def test_confetti_can_thin_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """If confetti thins out, few pieces are in the lowest quarter of its box, but many in the highest."""
    tops = list[int]()

    def record(self: Canvas, sprite: Sprite, x: int, y: int) -> None:
        tops.append(y)

    monkeypatch.setattr(Canvas, "put", record)
    draw_confetti(Canvas(800, 400, DEFAULT_APPEARANCE), (0, 0, 800, 400), [], 100, thins_out=True)
    assert sum(top > 300 for top in tops) * 4 < sum(top < 100 for top in tops)
