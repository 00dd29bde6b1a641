"""`python -m cardart gallery DIR`: every picture in every look, and a sheet of each look at a phone's width."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cardart import THEMES
from tests.gallery.gallery import LOOKS, write, write_selection


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the gallery, or the selection of it that the documents show."""
    parser = argparse.ArgumentParser(prog="python -m cardart", description="Draw pictures to look at.")
    commands = parser.add_subparsers(dest="command", required=True)
    gallery = commands.add_parser("gallery", help="every picture in every look")
    gallery.add_argument("directory", type=Path)
    gallery.add_argument("--selection", action="store_true", help="only those that the documents show")
    gallery.add_argument("--theme", choices=list(THEMES), help="only this one")
    chosen = parser.parse_args(arguments)
    directory: Path = chosen.directory
    looks = [look for look in LOOKS if chosen.theme in (None, look.theme)]
    count = write_selection(directory) if chosen.selection else write(directory, looks)
    print(f"{count} pictures are in {directory}")


if __name__ == "__main__":
    main()
