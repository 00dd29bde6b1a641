"""The documents' pictures are up to date, and the gallery has every picture in every appearance."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from bot.model.appearance import HandOrder
from cardart import draw_hand
from cardart.deck.faces import DECKS
from tests.gallery import gallery
from tests.gallery.__main__ import main
from tests.gallery.comparison import write_comparison
from tests.gallery.gallery import APPEARANCES, GAP, GROUND, selection, write_hands
from tests.gallery.golden import STORED, difference
from tests.gallery.sample_views import hand
from tests.gallery.samples import kinds_of_hands, samples

DIFFERENCES = Path("picture-differences")
"""Folder for pictures that show the differences if a test fails."""


@pytest.mark.thorough
def test_the_selection_is_up_to_date() -> None:
    """Each picture of the selection for the documents matches the stored one.

    If not, the test saves a picture of the differences.
    """
    drawn = dict(selection())
    kept = {path.stem: path for path in STORED.iterdir()}
    assert set(kept) == set(drawn)
    differing: list[str] = []
    for name, picture in drawn.items():
        found = difference(picture, kept[name])
        if found is not None:
            DIFFERENCES.mkdir(exist_ok=True)
            found.save(DIFFERENCES / f"{name}.png")
            differing.append(name)
    assert not differing, f"see {DIFFERENCES}; if all is well: python -m tests.gallery --selection {STORED}"


def test_a_single_other_card_is_a_difference() -> None:
    """A card with another rank or suit counts as a difference; an identical picture has none."""
    kept = STORED / "hand-drawn-dark.png"
    cards = "10h Jh Qh Ac 2s 3s 4c 4h Js Qc"
    for last, same in (("Ks", True), ("Kc", False), ("9s", False)):
        picture = draw_hand(hand(f"{cards} {last}", "3s"), APPEARANCES[2])
        assert (difference(picture, kept) is None) == same


def test_the_page_shows_the_whole_selection() -> None:
    """The gallery's page shows every stored picture exactly once."""
    shown = re.findall(r"\(gallery/([\w.-]+)\)", (STORED.parent / "gallery.md").read_text())
    assert sorted(shown) == sorted(path.name for path in STORED.iterdir())


@pytest.mark.nightly
def test_every_picture_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`main` creates the directory, with a folder of pictures and a contact sheet for each appearance."""
    some = list(samples())[::20]
    monkeypatch.setattr(gallery, "samples", lambda: some)
    main([str(tmp_path / "new"), "--theme", "bold"])
    written = list((tmp_path / "new").glob("*/*.*"))
    assert f"{len(written)} pictures" in capsys.readouterr().out
    for name in ("bold", "bold-four"):
        assert {path.stem for path in written if path.parent.name == name} == {sample for sample, _ in some}
        with Image.open(tmp_path / "new" / f"{name}.png") as sheet:
            assert sheet.width > 1000


@pytest.mark.thorough
def test_hands_are_on_one_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contact sheet shows hands of 7 to 11 cards with zero to three melds, in each order and deck."""
    kinds = list(kinds_of_hands())
    names = " ".join(name for name, _ in kinds)
    assert all(f"{number} with" in names for number in (7, 8, 10, 11))
    assert all(f"{melds} meld" in names for melds in ("without a", "with a", "with two", "with three"))
    monkeypatch.setattr(gallery, "kinds_of_hands", lambda: kinds[:3])
    write_hands(tmp_path)
    with Image.open(tmp_path / "hands-350.png") as sheet:
        assert sheet.width == len(HandOrder) * len(DECKS) * (350 + 12) + 12


def test_a_comparison_has_a_sheet_for_each_kind(tmp_path: Path) -> None:
    """Two folders are compared by kind, one picture beside the other; a picture may be missing in one of them."""
    before, after = tmp_path / "before", tmp_path / "after"
    colours = {"hand-one": ("red", "blue"), "hand-two": (None, "blue"), "primer": ("red", "blue")}
    for folder, side in ((before, 0), (after, 1)):
        folder.mkdir()
        for name, pair in colours.items():
            colour = pair[side]
            if colour is not None:
                Image.new("RGB", (700, 100), colour).save(folder / f"{name}.png")
    assert write_comparison(before, after, tmp_path) == ["hand.webp", "other.webp"]
    with Image.open(tmp_path / "hand.webp") as sheet:
        left, right = GAP + 5, sheet.width - GAP - 5
        first, second = GAP + 5, sheet.height - GAP - 5
        seen = [sheet.convert("RGB").getpixel((x, y)) for y in (first, second) for x in (left, right)]
    assert [_nearest(colour) for colour in seen] == ["red", "blue", "ground", "blue"]


def _nearest(colour: float | tuple[int, ...] | None) -> str:
    """Return the name of the colour of a comparison that is nearest to a pixel's."""
    assert isinstance(colour, tuple)
    named = {"red": (255, 0, 0), "blue": (0, 0, 255), "ground": GROUND}
    return min(named, key=lambda name: sum(abs(a - b) for a, b in zip(named[name], colour, strict=True)))
