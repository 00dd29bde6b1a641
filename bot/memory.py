"""How the process gives memory back to the system."""

from __future__ import annotations

import ctypes
import gc
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


def set_up_allocator() -> None:
    """Have large blocks go back to the system as soon as they are free, and few heaps, where the C library is glibc.

    By itself it raises its threshold to the largest block that was ever freed. The pixels of pictures would then come
    from the heap and leave gaps there, and the process would grow for hours (see mallopt(3)).
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, _LARGE)
        libc.mallopt(_ARENA_MAX, _ARENAS)


def tidy() -> None:
    """Collect garbage, and give the pages back that it leaves free in the heap, where the C library is glibc.

    After a rush thousands of interactions are garbage, which Python looks for only once much more is made. The C
    library by itself gives back only what is free at the end of the heap (see malloc_trim(3)).
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
