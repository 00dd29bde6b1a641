"""Files to download, compressed and split so that Discord takes them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_ENTRY_OVERHEAD: Final = 512
"""Bytes of an archive for each file besides its content, at most: its name twice, and what is said of it."""


def archives(files: Iterable[tuple[str, bytes]], limit: int) -> list[bytes]:
    """Return ZIP archives of files, given by name and content, of at most `limit` bytes each.

    Only a file that is larger by itself, even compressed, makes an archive that is.
    """
    made: list[BytesIO] = []
    archive, size = None, 0
    for name, content in files:
        needed = len(zlib.compress(content)) + _ENTRY_OVERHEAD
        if archive is None or size + needed > limit:
            if archive is not None:
                archive.close()
            made.append(BytesIO())
            archive, size = ZipFile(made[-1], "w", ZIP_DEFLATED), 0
        # The time is always the same: equal files make equal archives.
        archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
        size += needed
    if archive is not None:
        archive.close()
    return [one.getvalue() for one in made]
