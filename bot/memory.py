"""How the process gives memory back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD: Final = -3
"""`M_MMAP_THRESHOLD` of glibc's malloc.h."""
_LARGE: Final = 128 * 1024
"""glibc's own value when a process begins, in bytes."""


def return_large_blocks() -> None:
    """Have large blocks go back to the system as soon as they are free, where the C library is glibc.

    By itself it raises its threshold to the largest block that was ever freed. The pixels of pictures would then come
    from the heap and leave gaps there, and the process would grow for hours (see mallopt(3)).
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
