"""How the process gives memory back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
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


MAX_VISITED: Final = 100_000
"""Blocks of memory that a collection may visit each time: it takes about 10 ms."""
MAX_BUSY: Final = 6
"""Collections in a row that may visit more because the bot is not idle."""
THOROUGH_EVERY: Final = 3600.0
"""Seconds between two collections that visit everything."""


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
    """Collects garbage, and returns free pages to the system.

    A rush leaves thousands of interactions as garbage. Python would collect them only after many more. The C library
    returns only the free pages at the end of the heap, unless it is asked (see malloc_trim(3)).

    A collection visits every object and blocks the event loop: for 0.2 seconds with 1,000 servers. So once many objects
    have survived, such as the servers, later collections leave them out (see `gc.freeze`). During a rush that would
    leave out its interactions, too, so it waits a little until the bot is idle.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._blocks = 0
        """Blocks of memory in use when objects were left out last."""
        self._busy = 0
        """Collections in a row that should have left out more."""
        self._thorough_at = clock() + THOROUGH_EVERY

    def tidy(self, *, idle: bool) -> None:
        """Collect garbage. Now and then, and only if the bot is `idle`, visit the objects that were left out too."""
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
