"""Letters come from Pillow itself."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import ImageFont, features

from cardart.drawing.lettering import rank_mask, text_mask


def test_a_pillow_without_freetype_is_named_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the scalable font cannot be had, the error says what is missing."""

    def lacking(feature: str) -> bool:
        return False

    monkeypatch.setattr(features, "check", lacking)
    with pytest.raises(RuntimeError, match="FreeType"):
        text_mask("A", 123)


def test_no_font_of_the_machine_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters come from the bytes that Pillow carries, never from a file that may or may not be installed."""
    opened: list[object] = []
    plain = ImageFont.truetype

    def noted(font: BytesIO, size: float, *more: Any, **named: Any) -> ImageFont.FreeTypeFont:
        opened.append(font)
        return plain(font, size, *more, **named)

    monkeypatch.setattr(ImageFont, "truetype", noted)
    text_mask("A", 117)
    assert [type(font) for font in opened] == [BytesIO]


def test_ten_is_no_wider_than_its_height_allows() -> None:
    """Every rank fits into the column of an index."""
    assert all(rank_mask(rank, 34, 34).width <= 34 for rank in ("A", "4", "8", "10", "J", "Q", "K"))
