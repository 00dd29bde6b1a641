"""Programs that create garbage and tidy it up. Each runs in its own process, so that no other garbage interferes.

    python -m tests.bot.tidied PROGRAM
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Final

from bot import memory
from bot.memory import MAX_BUSY, THOROUGH_EVERY, Tidying

MANY: Final = 2_000


class Node:
    """A self-referential object, which only the garbage collector can free."""

    alive = 0

    def __init__(self) -> None:
        self.itself = self
        self.content = [object() for _ in range(10)]
        Node.alive += 1

    def __del__(self) -> None:
        Node.alive -= 1


class Clock:
    """A clock that stands still."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def collected_each_time(tidying: Tidying, clock: Clock) -> None:
    """Little and much garbage is collected each time, while people play and while the bot is idle."""
    for idle in (True, False):
        for count in (1, MANY, 1):
            for _ in range(count):
                Node()
            tidying.tidy(idle=idle)
            assert Node.alive == 0


def visited_no_more(tidying: Tidying, clock: Clock) -> None:
    """Large numbers of long-lived objects, such as servers, are soon excluded from later collections."""
    for idle, times in ((True, 1), (False, MAX_BUSY + 1)):
        frozen = gc.get_freeze_count()
        kept = [Node() for _ in range(MANY)]
        for _ in range(times - 1):
            tidying.tidy(idle=idle)
        assert gc.get_freeze_count() < frozen + len(kept)
        tidying.tidy(idle=idle)
        assert gc.get_freeze_count() >= frozen + len(kept)
        visited = len(gc.get_objects())
        for _ in range(20):
            tidying.tidy(idle=True)
        assert len(gc.get_objects()) <= visited + 20


def rush_is_not_left_out(tidying: Tidying, clock: Clock) -> None:
    """Interactions in progress during a collection are collected by the next one."""
    rush = [Node() for _ in range(MANY)]
    tidying.tidy(idle=False)
    rush.clear()
    tidying.tidy(idle=True)
    assert Node.alive == 0


def collected_later(tidying: Tidying, clock: Clock) -> None:
    """Once an hour while idle, a full collection also frees objects that were excluded earlier, so they do not leak."""
    kept = [Node() for _ in range(MANY)]
    tidying.tidy(idle=True)
    kept.clear()
    tidying.tidy(idle=True)
    assert Node.alive == MANY
    clock.now += THOROUGH_EVERY
    tidying.tidy(idle=False)
    assert Node.alive == MANY
    tidying.tidy(idle=True)
    assert Node.alive == 0


PROGRAMS: Final[dict[str, Callable[[Tidying, Clock], None]]] = {
    one.__name__: one for one in (collected_each_time, visited_no_more, rush_is_not_left_out, collected_later)
}


if __name__ == "__main__":
    setattr(memory, "MAX_VISITED", 10_000)  # noqa: B010 - a constant
    gc.disable()
    clock = Clock()
    tidying = Tidying(clock)
    tidying.tidy(idle=True)
    PROGRAMS[sys.argv[1]](tidying, clock)
