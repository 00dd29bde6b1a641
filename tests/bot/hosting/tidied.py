"""Test programs that create garbage and check that `GarbageCollector` frees it.

Each runs in its own process, so that no other garbage interferes:

python -m tests.bot.hosting.tidied PROGRAM
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Final

from bot.hosting import memory
from bot.hosting.memory import FULL_COLLECTION_INTERVAL, MAX_POSTPONED_FREEZES, GarbageCollector

MANY: Final = 2_000


class Node:
    """A self-referential object, which only the garbage collector can free."""

    alive = 0

    def __init__(self) -> None:
        self.cycle = self
        self.content = [object() for _ in range(10)]
        Node.alive += 1

    def __del__(self) -> None:
        Node.alive -= 1


class Clock:
    """A clock that moves only when `now` is set."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def garbage_is_collected_each_time(tidying: GarbageCollector, clock: Clock) -> None:
    """Every call of `collect` frees all garbage, whether little or much, both during play and while the bot is idle."""
    for idle in (True, False):
        for count in (1, MANY, 1):
            for _ in range(count):
                Node()
            tidying.collect(idle=idle)
            assert Node.alive == 0


def long_lived_objects_are_excluded(tidying: GarbageCollector, clock: Clock) -> None:
    """Large numbers of long-lived objects, such as servers, are soon excluded from later garbage collections."""
    for idle, times in ((True, 1), (False, MAX_POSTPONED_FREEZES + 1)):
        frozen = gc.get_freeze_count()
        long_lived = [Node() for _ in range(MANY)]
        for _ in range(times - 1):
            tidying.collect(idle=idle)
        assert gc.get_freeze_count() < frozen + len(long_lived)
        tidying.collect(idle=idle)
        assert gc.get_freeze_count() >= frozen + len(long_lived)
        visited = len(gc.get_objects())
        for _ in range(20):
            tidying.collect(idle=True)
        assert len(gc.get_objects()) <= visited + 20


def pending_interactions_are_collected_later(tidying: GarbageCollector, clock: Clock) -> None:
    """Objects in use during one `collect`, such as pending interactions, are freed by the next one after their use."""
    rush = [Node() for _ in range(MANY)]
    tidying.collect(idle=False)
    rush.clear()
    tidying.collect(idle=True)
    assert Node.alive == 0


def full_collections_free_excluded_objects(tidying: GarbageCollector, clock: Clock) -> None:
    """Once an hour while idle, a full garbage collection also frees garbage that earlier collections excluded."""
    long_lived = [Node() for _ in range(MANY)]
    tidying.collect(idle=True)
    long_lived.clear()
    tidying.collect(idle=True)
    assert Node.alive == MANY
    clock.now += FULL_COLLECTION_INTERVAL
    tidying.collect(idle=False)
    assert Node.alive == MANY
    tidying.collect(idle=True)
    assert Node.alive == 0


PROGRAMS: Final[dict[str, Callable[[GarbageCollector, Clock], None]]] = {
    program.__name__: program
    for program in (
        garbage_is_collected_each_time,
        long_lived_objects_are_excluded,
        pending_interactions_are_collected_later,
        full_collections_free_excluded_objects,
    )
}


if __name__ == "__main__":
    setattr(memory, "MAX_VISITED", 10_000)  # noqa: B010 - a constant
    gc.disable()
    clock = Clock()
    tidying = GarbageCollector(clock)
    tidying.collect(idle=True)
    PROGRAMS[sys.argv[1]](tidying, clock)
