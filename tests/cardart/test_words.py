"""What is drawn can be drawn, and what a sample shows is within Discord's bounds."""

from __future__ import annotations

import pytest

from cardart.drawing import canvas
from cardart.drawing.lettering import text_mask
from cardart.drawing.themes import DEFAULT
from tests.gallery.samples import samples


@pytest.mark.slow
def test_every_letter_that_is_drawn_is_in_the_font_and_every_alt_text_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sample draws a sign that the font lacks, which would come out as a box; alt texts have up to 1,024 signs."""
    drawn: set[str] = set()

    def noting(text: str, cap: int, *weight: float) -> object:
        drawn.update(text)
        return text_mask(text, cap, *weight)

    monkeypatch.setattr(canvas, "text_mask", noting)
    for kept in (canvas.tag, canvas._text):  # pyright: ignore[reportPrivateUsage]
        kept.cache_clear()
    for name, draw in samples():
        picture = draw(DEFAULT)
        assert 0 < len(picture.alt) <= 1024, name
        assert picture.alt.endswith("."), name
    lacking = text_mask("\uffff", 30).tobytes()
    assert text_mask("×", 30).tobytes() == lacking
    assert len(drawn) > 40
    assert [sign for sign in sorted(drawn) if text_mask(sign, 30).tobytes() == lacking] == []
