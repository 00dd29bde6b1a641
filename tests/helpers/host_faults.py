"""Faults of a bot's host: another program's database lock, a full disk, a suspended process."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
from asyncio.subprocess import Process
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.helpers.waiting import MAX_WAIT


@contextmanager
def locked(database: Path) -> Generator[None]:
    """Lock a database during the block, as another program would."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=MAX_WAIT)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def small_disk(directory: Path) -> Generator[bool]:
    """Mount a 32 MB disk at a directory during the block. Yield False if mounting is not allowed here."""
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "deadwood", str(directory)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(directory)], check=True)


@contextmanager
def full_disk(database: Path) -> Generator[None]:
    """During the block, keep the disk of a database full."""
    filler = database.with_name("filler")
    try:
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        yield
    finally:
        filler.unlink()


@contextmanager
def suspended(process: Process) -> Generator[None]:
    """Suspend a process until the end of the block."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)
