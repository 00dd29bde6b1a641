"""`python -m cardart [DIR]`: every picture as a file of its own, and all of them on one sheet at a phone's width."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from cardart import Animation, Picture
from cardart.samples import samples

_WIDTH: Final = 350
"""The width of a picture in Discord on a phone, in CSS pixels."""
_COLUMNS: Final = 3
_GAP: Final = 12
_GROUND: Final = (49, 51, 56)
SHEET: Final = "sheet.png"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the samples into a directory, which is made if need be."""
    parser = argparse.ArgumentParser(prog="python -m cardart", description="Write sample pictures to look at.")
    parser.add_argument("directory", nargs="?", type=Path, default=Path("samples"))
    directory: Path = parser.parse_args(arguments).directory
    directory.mkdir(parents=True, exist_ok=True)
    pictures = dict(samples())
    for name, picture in pictures.items():
        if isinstance(picture, Animation):
            (directory / f"{name}.webp").write_bytes(picture.webp)
        else:
            (directory / f"{name}.png").write_bytes(picture.png)
    _sheet(list(pictures.values())).save(directory / SHEET)
    print(f"{len(pictures)} pictures and {SHEET} are in {directory}")


def _sheet(pictures: Sequence[Picture | Animation]) -> Image.Image:
    """The pictures scaled to one width, row by row; of an animation the middle."""
    thumbs: list[Image.Image] = []
    for picture in pictures:
        with Image.open(BytesIO(picture.webp if isinstance(picture, Animation) else picture.png)) as image:
            image.seek(picture.frames // 2 if isinstance(picture, Animation) else 0)
            thumbs.append(ImageOps.contain(image.convert("RGB"), (_WIDTH, image.height), Image.Resampling.LANCZOS))
    lines = [thumbs[start : start + _COLUMNS] for start in range(0, len(thumbs), _COLUMNS)]
    heights = [max(thumb.height for thumb in line) for line in lines]
    sheet = Image.new("RGB", (_COLUMNS * (_WIDTH + _GAP) + _GAP, sum(heights) + (len(lines) + 1) * _GAP), _GROUND)
    y = _GAP
    for line, height in zip(lines, heights, strict=True):
        for place, thumb in enumerate(line):
            sheet.paste(thumb, (_GAP + place * (_WIDTH + _GAP), y))
        y += height + _GAP
    return sheet


if __name__ == "__main__":
    main()
