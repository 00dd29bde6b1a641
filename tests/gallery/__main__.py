"""`python -m tests.gallery DIR`: draw all samples in every appearance, and contact sheets at a phone's width."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cardart import THEMES
from tests.gallery.gallery import APPEARANCES, write, write_hands, write_selection


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the whole gallery, or with `--selection` only the pictures shown in the documents."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description="Draw pictures to look at.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--selection", action="store_true", help="only those that the documents show")
    parser.add_argument("--theme", choices=list(THEMES), help="only this theme")
    chosen = parser.parse_args(arguments)
    directory: Path = chosen.directory
    appearances = [appearance for appearance in APPEARANCES if chosen.theme in (None, appearance.theme)]
    count = write_selection(directory) if chosen.selection else write(directory, appearances)
    if not chosen.selection and chosen.theme is None:
        write_hands(directory)
    print(f"{count} pictures are in {directory}")


if __name__ == "__main__":
    main()
