"""`python -m tests.gallery.comparison BEFORE AFTER DIR`: compare two folders of pictures, such as `gallery/classic`.

Draw the pictures first with `python -m tests.gallery`, at two commits.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from PIL import Image

from tests.gallery.gallery import GAP, GROUND, thumbnail

_QUALITY: Final = 85
_KINDS_IN_ONE: Final = "other"
"""The name of the contact sheet for kinds with a single picture."""


def write_comparison(before: Path, after: Path, directory: Path) -> list[str]:
    """Write a contact sheet for each kind of picture: on the left as it was before, on the right as it is after.

    A picture that is missing in a folder leaves its place empty. Return the names of the files.
    """
    directory.mkdir(parents=True, exist_ok=True)
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    kinds = {kind: [*group] for kind, group in groupby(names, key=lambda name: Path(name).stem.split("-")[0])}
    sheets = {kind: group for kind, group in kinds.items() if len(group) > 1}
    sheets[_KINDS_IN_ONE] = [name for group in kinds.values() if len(group) == 1 for name in group]
    for kind, group in sheets.items():
        pairs = [(_opened(before / name), _opened(after / name)) for name in group]
        _sheet(pairs).save(directory / f"{kind}.webp", quality=_QUALITY, method=6)
    return [f"{kind}.webp" for kind in sheets]


def _opened(file: Path) -> Image.Image | None:
    """Return a picture at a phone's width; None if there is none."""
    if not file.exists():
        return None
    with Image.open(file) as image:
        return thumbnail(image)


def _sheet(pairs: Sequence[tuple[Image.Image | None, Image.Image | None]]) -> Image.Image:
    heights = [max(picture.height for picture in pair if picture is not None) for pair in pairs]
    width = max(picture.width for pair in pairs for picture in pair if picture is not None)
    sheet = Image.new("RGB", (2 * width + 3 * GAP, sum(heights) + (len(heights) + 1) * GAP), GROUND)
    top = GAP
    for pair, height in zip(pairs, heights, strict=True):
        for column, picture in enumerate(pair):
            if picture is not None:
                sheet.paste(picture, (GAP + column * (width + GAP), top))
        top += height + GAP
    return sheet


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery.comparison", description="Compare two folders.")
    for name in ("before", "after", "directory"):
        parser.add_argument(name, type=Path)
    chosen = parser.parse_args(arguments)
    print(*write_comparison(chosen.before, chosen.after, chosen.directory), sep="\n")


if __name__ == "__main__":
    main()
