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
"""How many blocks of memory more than after the last collection are worth another one: about 10 MB."""


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
    """Collects garbage after a rush, and gives the pages back that it leaves free in the heap.

    After a rush thousands of interactions are garbage, which Python looks for only once much more is made. The C
    library by itself gives back only what is free at the end of the heap (see malloc_trim(3)).
    """

    def __init__(self) -> None:
        self._blocks = 0
        """How many blocks of memory were in use after the last collection."""

    def tidy(self) -> None:
        """Collect garbage if so much was made that it is worth while.

        A collection looks at every object, and everything else waits meanwhile: 0.2 seconds with 1,000 servers.
        """
        blocks = sys.getallocatedblocks()
        # What others collected meanwhile need not be collected again.
        self._blocks = min(self._blocks, blocks)
        if blocks - self._blocks > max(MIN_GROWTH, blocks // 10):
            gc.collect()
            self._blocks = sys.getallocatedblocks()
        _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
