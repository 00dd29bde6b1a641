"""Garbage collection, and returning free memory to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD: Final = -3
"""`M_MMAP_THRESHOLD` in glibc's malloc.h."""
_LARGE: Final = 128 * 1024
"""glibc's initial threshold, in bytes."""
_ARENA_MAX: Final = -8
"""`M_ARENA_MAX` in glibc's malloc.h."""
_ARENAS: Final = 2
"""Number of glibc heaps. By default it makes one for nearly every thread, and each has gaps of its own."""


MAX_VISITED: Final = 100_000
"""Maximum number of memory blocks that a collection usually visits: that many take about 10 ms."""
MAX_BUSY: Final = 6
"""Maximum number of collections in a row that exceed `MAX_VISITED` because the bot is busy."""
THOROUGH_EVERY: Final = 3600.0
"""Interval between collections that visit everything, in seconds."""


def set_up_allocator() -> None:
    """Make glibc return large free blocks to the system immediately, and use few heaps. Do nothing without glibc.

    By default, glibc raises its threshold to the largest block ever freed. The pixels of pictures would then come from
    the heap and leave gaps there, and the process would grow for hours (see mallopt(3)).
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, _LARGE)
        libc.mallopt(_ARENA_MAX, _ARENAS)


class Tidying:
    """Collects garbage, and returns free pages to the system.

    A burst of traffic leaves thousands of interactions as garbage, which Python collects only after many more. Without
    malloc_trim(3), the C library returns only the free pages at the end of the heap.

    A collection visits every object and blocks the event loop: for 0.2 seconds with 1,000 servers. So once many objects
    have survived, such as the servers, they are excluded from later collections (see `gc.freeze`). During a burst that
    would exclude its interactions, too, so a freeze waits a while for the bot to become idle.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._blocks = 0
        """Number of memory blocks in use at the last freeze."""
        self._busy = 0
        """Number of collections in a row in which a freeze was due but the bot was not idle."""
        self._thorough_at = clock() + THOROUGH_EVERY

    def tidy(self, *, idle: bool) -> None:
        """Collect garbage. Occasionally, and only if the bot is `idle`, visit the frozen objects, too."""
        if idle and self._clock() >= self._thorough_at:
            gc.unfreeze()
            self._blocks, self._thorough_at = 0, self._clock() + THOROUGH_EVERY
        gc.collect()
        blocks = sys.getallocatedblocks()
        self._blocks = min(self._blocks, blocks)
        if blocks - self._blocks <= MAX_VISITED:
            self._busy = 0
        elif idle or self._busy >= MAX_BUSY:
            gc.freeze()
            self._blocks, self._busy = blocks, 0
        else:
            self._busy += 1
        _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
