"""The gallery: every picture in every look, and a selection of them for the documents, which tests hold fast to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from cardart import Animation, Picture
from cardart.drawing.themes import THEMES, Look
from tests.gallery.samples import samples

LOOKS: Final = tuple(Look(theme, four) for theme, four in product(THEMES, (False, True)))

_SELECTION: Final = (
    (Look("classic"), ("deck", "hand-dealt", "hand-gin", "hand-laying-off", "table-offer", "table-laying-off")),
    (Look("classic"), ("showdown-undercut", "showdown-penalty", "showdown-void", "primer", "replay-knock")),
    (Look("classic"), ("pad-over", "pad-penalty-four", "profile-few", "activity-busy")),
    (Look("classic", True), ("hand-by-suit", "table-oklahoma")),
    (Look("dark"), ("deck", "hand-drawn", "showdown-gin", "pad-hollywood", "profile-many")),
    (Look("dark", True), ("hand-may-knock", "table-hollywood", "showdown-many-lay-offs")),
    (Look("bold"), ("deck", "hand-may-knock", "table-four", "showdown-undercut")),
    (Look("bold", True), ("hand-laying-off", "hand-big-gin", "table-partners", "pad-partners-over")),
)
"""What the documents show: every kind of picture and every look, each state that looks unlike the others once."""
_WIDTH: Final = 350
"""The width of a picture in Discord on a phone, in CSS pixels."""
_COLUMNS: Final = 4
_GAP: Final = 12
_GROUND: Final = (49, 51, 56)


def selection() -> Iterator[tuple[str, Picture | Animation]]:
    """The selected pictures, each with a name for its file."""
    draws = dict(samples())
    for look, names in _SELECTION:
        for name in names:
            yield f"{name}-{title(look)}", draws[name](look)


def write(directory: Path, looks: Iterable[Look] = LOOKS) -> int:
    """Write every picture in these looks, and for each look a sheet of them all at a phone's width; count the pictures.

    The directory is made if need be.
    """
    count = 0
    for look in looks:
        folder = directory / title(look)
        folder.mkdir(parents=True, exist_ok=True)
        drawn = [(name, draw(look)) for name, draw in samples()]
        for name, picture in drawn:
            _write(folder / name, picture)
        _sheet([picture for _, picture in drawn]).save(directory / f"{title(look)}.png")
        count += len(drawn)
    return count


def write_selection(directory: Path) -> int:
    """Write the selected pictures in place of those that are there; count them."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    chosen = list(selection())
    for name, picture in chosen:
        _write(directory / name, picture)
    return len(chosen)


def _write(place: Path, picture: Picture | Animation) -> None:
    content, suffix = picture.file
    place.with_name(f"{place.name}.{suffix}").write_bytes(content)


def title(look: Look) -> str:
    """A look's name in files: `dark-four` for the dark theme with suits in four colours."""
    return f"{look.theme}-four" if look.four_colours else look.theme


def _sheet(pictures: Sequence[Picture | Animation]) -> Image.Image:
    """The pictures scaled to one width, in columns that are filled evenly; of an animation the middle."""
    thumbs: list[Image.Image] = []
    for picture in pictures:
        with Image.open(BytesIO(picture.file[0])) as image:
            image.seek(picture.frames // 2 if isinstance(picture, Animation) else 0)
            thumbs.append(ImageOps.contain(image.convert("RGB"), (_WIDTH, image.height), Image.Resampling.LANCZOS))
    heights, places = [_GAP] * _COLUMNS, list[tuple[int, int]]()
    for thumb in thumbs:
        column = heights.index(min(heights))
        places.append((_GAP + column * (_WIDTH + _GAP), heights[column]))
        heights[column] += thumb.height + _GAP
    sheet = Image.new("RGB", (_COLUMNS * (_WIDTH + _GAP) + _GAP, max(heights)), _GROUND)
    for thumb, place in zip(thumbs, places, strict=True):
        sheet.paste(thumb, place)
    return sheet
