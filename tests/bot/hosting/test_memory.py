"""Freed memory is returned to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from tests.bot.hosting.tidied import PROGRAMS
from tests.helpers.processes import ROOT

ALLOCATOR_PROGRAM = """
import ctypes
from bot.hosting.memory import set_up_allocator

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd".split()] + [
        ("others", ctypes.c_size_t * 5)
    ]


def mapped():
    # Return True if a block is mapped separately, so that freeing it returns it to the system.
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
@pytest.mark.parametrize("is_set_up", [True, False])
def test_large_blocks_are_returned_when_freed(is_set_up: bool) -> None:
    """After a very large block is freed, glibc keeps smaller freed blocks, unless `set_up_allocator` was called."""
    program = ALLOCATOR_PROGRAM.replace("{returned}", str(is_set_up))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(is_set_up)


RUSH_PROGRAM = """
import ctypes
from pathlib import Path
from bot.hosting.memory import GarbageCollector

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
    GarbageCollector().collect(idle=True)
print(used() - before > 50_000)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not glibc")
@pytest.mark.parametrize("is_tidied", [True, False])
def test_memory_is_returned_after_a_rush(is_tidied: bool) -> None:
    """Freed memory below a block that is still in use returns to the system only after `GarbageCollector.collect`."""
    program = RUSH_PROGRAM.replace("{tidied}", str(is_tidied))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(not is_tidied)


@pytest.mark.parametrize("program", PROGRAMS)
def test_garbage_collection_programs_pass(program: str) -> None:
    """Each program in `tests.bot.hosting.tidied` passes its own checks."""
    command = [sys.executable, "-m", "tests.bot.hosting.tidied", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
