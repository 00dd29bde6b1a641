"""Letters come from Pillow itself."""

from __future__ import annotations

import pytest
from PIL import features

from cardart.lettering import rank_mask, text_mask


def test_a_pillow_without_freetype_is_named_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the scalable font cannot be had, the error says what is missing."""

    def lacking(feature: str) -> bool:
        return False

    monkeypatch.setattr(features, "check", lacking)
    with pytest.raises(RuntimeError, match="FreeType"):
        text_mask("A", 123)


def test_ten_is_no_wider_than_its_height_allows() -> None:
    """Every rank fits into the column of an index."""
    assert all(rank_mask(rank, 34, 34).width <= 34 for rank in ("A", "4", "8", "10", "J", "Q", "K"))
