"""Memory goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.memory import MAX_BUSY, THOROUGH_EVERY, Tidying
from tests.helpers.clock import Clock
from tests.helpers.processes import ROOT

PROGRAM = """
import ctypes
from bot.memory import set_up_allocator

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd".split()] + [
        ("others", ctypes.c_size_t * 5)
    ]


def mapped():
    # Whether a block comes from the system by itself, and so goes back by itself.
    before = libc.mallinfo2().hblks
    libc.malloc(1_000_000)
    return libc.mallinfo2().hblks > before


libc.mallinfo2.restype = Counts
if {returned}:
    set_up_allocator()
libc.free(libc.malloc(8_000_000))
print(mapped())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="the C library is not glibc")
@pytest.mark.parametrize("returned", [True, False])
def test_large_blocks_go_back_by_themselves(returned: bool) -> None:
    """They do whatever was freed before; without that, a larger block that was freed changes it."""
    program = PROGRAM.replace("{returned}", str(returned))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(returned)


RUSH = """
import ctypes
from pathlib import Path
from bot.memory import Tidying

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]


def used():
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


before = used()
blocks = [libc.malloc(100_000) for _ in range(1000)]
for block in blocks:
    ctypes.memset(block, 1, 100_000)
for block in blocks[:-1]:
    libc.free(block)
if {tidied}:
    Tidying().tidy(idle=True)
print(used() - before > 50_000)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not glibc")
@pytest.mark.parametrize("tidied", [True, False])
def test_what_a_rush_leaves_goes_back(tidied: bool) -> None:
    """One block that is left at the end of the heap keeps the pages before it only until they are tidied up."""
    program = RUSH.replace("{tidied}", str(tidied))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(not tidied)


class _Node:
    """Garbage that only a collection finds: it refers to itself."""

    alive = 0

    def __init__(self) -> None:
        self.itself = self
        self.content = [object() for _ in range(10)]
        _Node.alive += 1

    def __del__(self) -> None:
        _Node.alive -= 1


@pytest.fixture
def tidying() -> Iterator[tuple[Tidying, Clock]]:
    """Return a tidying that has left out everything there is, and its clock. Python itself collects nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    clock = Clock()
    tidying = Tidying(lambda: clock.now.timestamp())
    tidying.tidy(idle=True)
    _Node.alive = 0
    yield tidying, clock
    gc.unfreeze()
    if was_enabled:
        gc.enable()


@pytest.mark.parametrize("idle", [True, False])
def test_new_garbage_is_collected_each_time(tidying: tuple[Tidying, Clock], idle: bool) -> None:
    """A little as much as what a rush leaves, while people play and while nobody does."""
    for count in (1, 20_000, 1):
        for _ in range(count):
            _Node()
        tidying[0].tidy(idle=idle)
        assert _Node.alive == 0


@pytest.mark.parametrize(("idle", "times"), [(True, 1), (False, MAX_BUSY + 1)])
def test_objects_that_stay_are_visited_no_more(tidying: tuple[Tidying, Clock], idle: bool, times: int) -> None:
    """Many objects that are there for good, such as servers, make later collections no longer."""
    frozen = gc.get_freeze_count()
    kept = [_Node() for _ in range(20_000)]
    for _ in range(times):
        tidying[0].tidy(idle=idle)
    assert gc.get_freeze_count() >= frozen + len(kept)
    visited = len(gc.get_objects())
    for _ in range(20):
        tidying[0].tidy(idle=True)
    assert len(gc.get_objects()) <= visited + 20


def test_a_rush_is_not_left_out(tidying: tuple[Tidying, Clock]) -> None:
    """Interactions that are under way during a collection are collected by the next one."""
    rush = [_Node() for _ in range(20_000)]
    tidying[0].tidy(idle=False)
    rush.clear()
    tidying[0].tidy(idle=True)
    assert _Node.alive == 0


def test_objects_that_were_left_out_are_collected_later(tidying: tuple[Tidying, Clock]) -> None:
    """Once an hour, when nobody waits for an answer, everything is visited: a server that was left is no leak."""
    kept = [_Node() for _ in range(20_000)]
    tidying[0].tidy(idle=True)
    kept.clear()
    tidying[0].tidy(idle=True)
    assert _Node.alive == 20_000
    tidying[1].pass_by(timedelta(seconds=THOROUGH_EVERY))
    tidying[0].tidy(idle=False)
    assert _Node.alive == 20_000
    tidying[0].tidy(idle=True)
    assert _Node.alive == 0
