"""Garbage collection, and giving free memory back to the system."""

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
_LARGE_BLOCK_BYTES: Final = 128 * 1024
"""Size of blocks that glibc allocates outside of its heaps, in bytes: the initial value of `M_MMAP_THRESHOLD`."""
_ARENA_MAX: Final = -8
"""`M_ARENA_MAX` in glibc's malloc.h."""
_MAX_ARENAS: Final = 2
"""Maximum number of glibc heaps. By default, glibc makes one for nearly every thread, and each has unused gaps."""


MAX_VISITED: Final = 100_000
"""Maximum number of memory blocks that a garbage collection visits, in about 10 ms. Beyond it, a freeze is due (see
`gc.freeze`)."""
MAX_POSTPONED_FREEZES: Final = 6
"""Maximum number of times in a row that a freeze is postponed because the bot is busy."""
FULL_COLLECTION_INTERVAL: Final = 3600.0
"""Interval between collections that visit everything, in seconds."""


def set_up_allocator() -> None:
    """Make glibc return large free blocks to the system immediately, and use few heaps. Do nothing without glibc.

    By default, glibc raises `M_MMAP_THRESHOLD` to the largest block ever freed. The pixels of pictures would then come
    from the heap and leave gaps there, and the process would grow for hours (see mallopt(3)).
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK_BYTES)
        libc.mallopt(_ARENA_MAX, _MAX_ARENAS)


class GarbageCollector:
    """Collects garbage, and gives free memory pages back to the system.

    A burst of traffic leaves thousands of interactions as garbage, which Python does not collect until many more
    objects exist. Without malloc_trim(3), the C library returns only the free pages at the end of the heap.

    A collection visits every object and blocks the event loop: for 0.2 seconds with 1,000 servers. So once many objects
    have survived, such as the servers, they are excluded from later collections (see `gc.freeze`). During a burst that
    would exclude its interactions, too, so a freeze waits a while for the bot to become idle.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._frozen_blocks = 0
        """Number of memory blocks in use at the last freeze."""
        self._postponed_freezes = 0
        """Number of collections in a row in which a freeze was due but the bot was not idle."""
        self._full_collection_at = clock() + FULL_COLLECTION_INTERVAL

    def collect(self, *, idle: bool) -> None:
        """Collect garbage, and give free memory pages back to the system.

        Every hour, once the bot is `idle`, also collect frozen objects.
        """
        if idle and self._clock() >= self._full_collection_at:
            gc.unfreeze()
            self._frozen_blocks, self._full_collection_at = 0, self._clock() + FULL_COLLECTION_INTERVAL
        gc.collect()
        blocks = sys.getallocatedblocks()
        self._frozen_blocks = min(self._frozen_blocks, blocks)
        if blocks - self._frozen_blocks <= MAX_VISITED:
            self._postponed_freezes = 0
        elif idle or self._postponed_freezes >= MAX_POSTPONED_FREEZES:
            gc.freeze()
            self._frozen_blocks, self._postponed_freezes = blocks, 0
        else:
            self._postponed_freezes += 1
        _trim()


def _trim() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
