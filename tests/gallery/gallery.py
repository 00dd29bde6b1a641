"""Write the gallery: every sample picture in every appearance, or the selection shown in the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from bot.model.appearance import Appearance, HandOrder
from cardart import Picture
from cardart.drawing.themes import THEMES
from tests.gallery.samples import kinds_of_hands, samples

APPEARANCES: Final = tuple(Appearance(theme, four) for theme, four in product(THEMES, (False, True)))

_SELECTION: Final = (
    (Appearance("classic"), ("deck", "hand-dealt", "hand-gin", "hand-laying-off", "table-offer", "table-laying-off")),
    (Appearance("classic"), ("showdown-undercut", "showdown-penalty", "showdown-void", "primer", "replay-knock")),
    (Appearance("classic"), ("scorecard-over", "scorecard-penalty-four", "profile-few")),
    (Appearance("classic"), ("activity-busy", "activity-second-week")),
    (Appearance("classic"), ("versus-some", "podium-three", "daily-podium-three", "themes")),
    (Appearance("classic"), ("daily-calendar-six-weeks",)),
    (Appearance("classic", True), ("hand-by-suit", "table-oklahoma")),
    (
        Appearance("dark"),
        ("deck", "hand-drawn", "showdown-gin", "scorecard-hollywood", "profile-many", "profile-champion"),
    ),
    (Appearance("dark", True), ("hand-may-knock", "table-hollywood", "showdown-many-lay-offs")),
    (Appearance("bold"), ("deck", "hand-may-knock", "table-four", "showdown-undercut")),
    (Appearance("bold", True), ("hand-laying-off", "hand-big-gin", "table-partners", "scorecard-partners-over")),
    (Appearance("midnight"), ("daily-calendar-today",)),
    *((Appearance(theme), ("deck",)) for theme in ("midnight", "burgundy", "deco", "parchment", "lagoon")),
)
"""The pictures shown in the documents. They cover each kind of picture, each appearance and each distinct state."""
_WIDTH: Final = 350
"""The width of a picture in Discord on a phone, in CSS pixels."""
_COLUMNS: Final = 4
GAP: Final = 12
"""Space around each picture of a contact sheet, in pixels."""
GROUND: Final = (49, 51, 56)
"""The colour of contact sheets: that of Discord's dark mode."""


def selection() -> Iterator[tuple[str, Picture]]:
    """Draw the pictures for the documents, and yield each with its file name."""
    draws = dict(samples())
    for appearance, names in _SELECTION:
        for name in names:
            yield f"{name}-{title(appearance)}", draws[name](appearance)


def write(directory: Path, appearances: Iterable[Appearance] = APPEARANCES) -> int:
    """Write all sample pictures and a contact sheet for each of these appearances. Return the number of pictures.

    Create the directory if it does not exist.
    """
    count = 0
    for appearance in appearances:
        folder = directory / title(appearance)
        folder.mkdir(parents=True, exist_ok=True)
        drawn = [(name, draw(appearance)) for name, draw in samples()]
        for name, picture in drawn:
            _write(folder / name, picture)
        _contact_sheet([picture for _, picture in drawn]).save(directory / f"{title(appearance)}.png")
        count += len(drawn)
    return count


def write_hands(directory: Path) -> None:
    """Write a contact sheet of all kinds of hands at a phone's width, with a column for each order and deck."""
    themes = {theme.deck: name for name, theme in reversed([*THEMES.items()])}
    drawn = [draw(Appearance(name)) for _, draw in kinds_of_hands() for name in themes.values()]
    _contact_sheet(drawn, len(HandOrder) * len(themes)).save(directory / "hands-350.png")


def write_selection(directory: Path) -> int:
    """Replace all files in a directory with the pictures for the documents. Return the number of pictures."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    chosen = list(selection())
    for name, picture in chosen:
        _write(directory / name, picture)
    return len(chosen)


def _write(place: Path, picture: Picture) -> None:
    place.with_name(f"{place.name}.{picture.suffix}").write_bytes(picture.content)


def title(appearance: Appearance) -> str:
    """Return an appearance's name in files, such as `dark-four` for the dark theme with suits in four colours."""
    return f"{appearance.theme}-four" if appearance.four_colours else appearance.theme


def thumbnail(image: Image.Image) -> Image.Image:
    """Return a picture at a phone's width. Of an animation, return a frame in the middle."""
    image.seek(getattr(image, "n_frames", 1) // 2)
    return ImageOps.contain(image.convert("RGB"), (_WIDTH, image.height), Image.Resampling.LANCZOS)


def _contact_sheet(pictures: Sequence[Picture], columns: int = _COLUMNS) -> Image.Image:
    """Return one image of all pictures, scaled to one width, in evenly filled columns. Animations show one frame."""
    thumbs: list[Image.Image] = []
    for picture in pictures:
        with Image.open(BytesIO(picture.content)) as image:
            thumbs.append(thumbnail(image))
    heights, places = [GAP] * columns, list[tuple[int, int]]()
    for thumb in thumbs:
        column = heights.index(min(heights))
        places.append((GAP + column * (_WIDTH + GAP), heights[column]))
        heights[column] += thumb.height + GAP
    sheet = Image.new("RGB", (columns * (_WIDTH + GAP) + GAP, max(heights)), GROUND)
    for thumb, place in zip(thumbs, places, strict=True):
        sheet.paste(thumb, place)
    return sheet
