"""How the process gives memory back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD: Final = -3
"""`M_MMAP_THRESHOLD` of glibc's malloc.h."""
_LARGE: Final = 128 * 1024
"""glibc's own value when a process begins, in bytes."""
_ARENA_MAX: Final = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""
_ARENAS: Final = 2
"""Heaps of the C library. By itself it makes one for nearly every thread, and each keeps gaps of its own."""


MIN_GROWTH: Final = 100_000
"""Growth that is worth a collection, in blocks of memory since the last one: about 10 MB."""


def set_up_allocator() -> None:
    """Have large blocks go back to the system as soon as they are free, and few heaps, where the C library is glibc.

    By itself it raises its threshold to the largest block that was ever freed. The pixels of pictures would then come
    from the heap and leave gaps there, and the process would grow for hours (see mallopt(3)).
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, _LARGE)
        libc.mallopt(_ARENA_MAX, _ARENAS)


class Tidying:
    """Collects garbage after a rush, and returns free pages to the system.

    A rush leaves thousands of interactions as garbage. Python would collect them only after many more. The C library
    returns only the free pages at the end of the heap, unless it is asked (see malloc_trim(3)).
    """

    def __init__(self) -> None:
        self._blocks = 0
        """Blocks of memory in use after the last collection."""

    def tidy(self) -> None:
        """Collect garbage if memory has grown by enough since the last time.

        A collection visits every object and blocks the event loop: for 0.2 seconds with 1,000 servers.
        """
        blocks = sys.getallocatedblocks()
        # Python may have collected garbage since.
        self._blocks = min(self._blocks, blocks)
        if blocks - self._blocks > max(MIN_GROWTH, blocks // 10):
            gc.collect()
            self._blocks = sys.getallocatedblocks()
        _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
