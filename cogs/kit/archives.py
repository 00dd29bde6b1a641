"""ZIP archives of files, split to fit Discord's size limit."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_ENTRY_OVERHEAD: Final = 512
"""Maximum archive overhead for each file, in bytes: its name, stored twice, and its metadata."""


def archives(files: Iterable[tuple[str, bytes]], limit: int) -> list[bytes]:
    """Return ZIP archives of at most `limit` bytes each. `files` are pairs of name and content.

    An archive exceeds the limit only if it holds a single file that is larger than the limit when compressed.
    """
    buffers: list[BytesIO] = []
    archive, size = None, 0
    for name, content in files:
        needed = len(zlib.compress(content)) + _ENTRY_OVERHEAD
        if archive is None or size + needed > limit:
            if archive is not None:
                archive.close()
            buffers.append(BytesIO())
            archive, size = ZipFile(buffers[-1], "w", ZIP_DEFLATED), 0
        # ZipInfo has a fixed time, so that equal files make equal archives.
        archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
        size += needed
    if archive is not None:
        archive.close()
    return [buffer.getvalue() for buffer in buffers]
