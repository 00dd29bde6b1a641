"""The pictures of the documents are what is drawn today, and the gallery has every picture in every look."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from cardart import draw_hand
from tests.cardart.golden import KEPT, difference
from tests.gallery.__main__ import main
from tests.gallery.gallery import LOOKS, selection
from tests.gallery.sample_views import hand
from tests.gallery.samples import samples

DIFFERENCES = Path("picture-differences")
"""Where the pictures of differences are written when tests fail."""


@pytest.mark.slow
def test_the_selection_is_drawn_as_it_is_kept() -> None:
    """Each picture is like its kept one; where it is not, a picture of the difference is written."""
    drawn = dict(selection())
    kept = {path.stem: path for path in KEPT.iterdir()}
    assert set(kept) == set(drawn)
    differing: list[str] = []
    for name, picture in drawn.items():
        found = difference(picture, kept[name])
        if found is not None:
            DIFFERENCES.mkdir(exist_ok=True)
            found.save(DIFFERENCES / f"{name}.png")
            differing.append(name)
    assert not differing, f"see {DIFFERENCES}; if all is well: python -m cardart gallery --selection {KEPT}"


def test_one_other_card_is_a_difference() -> None:
    """The comparison can fail: another rank or another suit is found, the same picture is not."""
    kept = KEPT / "hand-drawn-dark.png"
    cards = "10h Jh Qh Ac 2s 3s 4c 4h Js Qc"
    for last, same in (("Ks", True), ("Kc", False), ("9s", False)):
        picture = draw_hand(hand(f"{cards} {last}", "3s"), LOOKS[2])
        assert (difference(picture, kept) is None) == same


def test_the_page_shows_the_whole_selection() -> None:
    """Every kept picture stands on the page of the gallery once, and no other."""
    shown = re.findall(r"\(gallery/([\w.-]+)\)", (KEPT.parent / "gallery.md").read_text())
    assert sorted(shown) == sorted(path.name for path in KEPT.iterdir())


@pytest.mark.slow
def test_every_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The directory is made; each look of a theme has a folder with every picture, and a sheet of them all."""
    main(["gallery", str(tmp_path / "new"), "--theme", "bold"])
    written = list((tmp_path / "new").glob("*/*.*"))
    names = {name for name, _ in samples()}
    assert f"{len(written)} pictures" in capsys.readouterr().out
    for look in ("bold", "bold-four"):
        assert {path.stem for path in written if path.parent.name == look} == names
        with Image.open(tmp_path / "new" / f"{look}.png") as sheet:
            assert sheet.width > 1000
