"""Text is drawn in the font package's font, at the right size, and fits into its space."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import fontpkg  # pyright: ignore[reportMissingTypeStubs]
import pytest
from PIL import ImageFont

from cardart.drawing.lettering import (
    baseline,
    common_cap,
    fitted_text,
    rank_mask,
    shown_name,
    text_mask,
    text_width,
    wrapped_text,
    writable_name,
)


def test_no_font_of_the_machine_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only font file that is opened comes from the font package, not from the machine."""
    opened: list[Path] = []
    truetype = ImageFont.truetype

    def noting(font: Path, *arguments: Any, **options: Any) -> ImageFont.FreeTypeFont:
        opened.append(font)
        return truetype(font, *arguments, **options)

    monkeypatch.setattr(ImageFont, "truetype", noting)
    text_mask("A", 117)
    assert opened == [fontpkg.path("Roboto")]


@pytest.mark.parametrize("cap", [15, 19, 30])
def test_capitals_stand_on_the_baseline_and_have_their_height(cap: int) -> None:
    """Capital letters are `cap` pixels high, and their lower edge is at `baseline(cap)`."""
    box = text_mask("H", cap).getbbox()
    assert box is not None
    assert (box[1], box[3]) == (baseline(cap) - cap, baseline(cap))


@pytest.mark.parametrize(("room", "begins", "cap"), [(400, "Maximilian", 24), (150, "Maximilian", 23), (100, "M", 20)])
def test_a_long_text_is_written_smaller_and_then_cut(room: int, begins: str, cap: int) -> None:
    """A text that is too long for its space is drawn smaller, and if necessary cut off with an ellipsis."""
    text, height = fitted_text("Maximilian", 24, 20, room)
    assert text_mask(text, height).width <= room
    assert text.startswith(begins)
    assert text.endswith("…") == (text != "Maximilian")
    assert height <= cap


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Østergård", "Østergård"),
        ("Ann 🃏", "Ann"),
        ("✨ Ann ✨ Lee ✨", "Ann Lee"),
        ("Ann \u2764\ufe0f", "Ann"),
        ("Иван", "Иван"),
        ("李明", ""),
        ("Ann 李", ""),
        ("שלום", ""),
        ("a\u0301nna", ""),
        ("🃏", ""),
        ("—", ""),
    ],
)
def test_a_name_loses_symbols_but_no_letters(name: str, written: str) -> None:
    """Emojis that the font lacks are left out. A name with other missing characters is not written at all."""
    assert writable_name(name) == written


def test_the_width_of_a_text_is_that_of_its_mask() -> None:
    """A text is as wide as its mask."""
    assert all(text_width(text, cap) == text_mask(text, cap).width for text in ("North", "", "W i") for cap in (15, 28))


def test_digits_are_all_of_one_width() -> None:
    """Numbers with equally many digits are equally wide."""
    widths = [text_mask(digit * 8, 21).width for digit in "0123456789"]
    assert all(one == other for one, other in pairwise(widths))


def test_every_rank_fits_into_its_column() -> None:
    """Wide ranks such as 10 are narrowed to fit into the column of an index."""
    assert all(rank_mask(rank, 34, 34).width <= 34 for rank in ("A", "4", "8", "10", "J", "Q", "K", "Kn"))


@pytest.mark.parametrize(("rank", "height", "strokes"), [("10", 0.5, 3), ("Kn", 0.8, 4)])
def test_ranks_of_two_letters_keep_their_counters_in_a_narrow_column(rank: str, height: float, strokes: int) -> None:
    """In the column of a card's index, a line across `10` or `Kn` crosses each stroke separately."""
    for cap, width in ((32, 22), (24, 16), (58, 43)):
        mask = rank_mask(rank, cap, width)
        y = round(mask.height * height)
        across = mask.crop((0, y, mask.width, y + 1)).tobytes()
        inked = bytes(cover >= 128 for cover in across)
        assert inked.strip(b"\0").count(b"\1\0") + 1 == strokes


def test_the_font_has_all_the_characters_that_names_and_numbers_need() -> None:
    """The font has accented Latin letters, Greek, Cyrillic, dashes and mathematical signs."""
    missing = text_mask("\uffff", 30).tobytes()
    assert all(text_mask(character, 30).tobytes() != missing for character in "éøœżłğőΔЖ–—−×…·’")


@pytest.mark.parametrize(
    ("name", "username", "shown"),
    [("Anna", "a.b", "Anna"), ("李明", "li.ming", "li.ming"), ("李明", None, "Player"), ("🃏", "", "Player")],
)
def test_the_account_stands_in_for_a_name(name: str, username: str | None, shown: str) -> None:
    """The name of the account replaces a name that the font cannot write. Without it, there is a stand-in."""
    assert shown_name(name, username, "Player") == shown


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("North", ["North"]),
        ("Maximilian-the-Great", ["Maximilian-", "the-Great"]),
        ("Anna Belle Kowalczyk", ["Anna Belle", "Kowalczyk"]),
    ],
)
def test_a_long_name_has_two_lines(text: str, lines: list[str]) -> None:
    """A text that is too wide for one line is parted after a space or a hyphen."""
    assert wrapped_text(text, 24, 190) == lines


@pytest.mark.parametrize("text", ["W" * 32, "A-" + "W" * 30, " " + "i" * 200])
def test_a_very_long_name_is_cut_off_in_its_second_line(text: str) -> None:
    """A text without a place to part it is parted anywhere. Both lines fit, and the second is cut off."""
    first, second = wrapped_text(text, 24, 180)
    assert max(text_width(line, 24) for line in (first, second)) <= 180
    assert text_width(first, 24) > 120
    assert second.endswith("…")


def test_texts_side_by_side_have_one_size() -> None:
    """The common cap height is the largest at which every text fits, within its limits."""
    texts, width = ("No", "Maximilian", "Ann"), text_width("Maximilian", 20)
    assert common_cap(texts, 27, 10, width) == 20
    assert common_cap(texts, 27, 22, width) == 22
    assert common_cap((), 27, 22, width) == 27
