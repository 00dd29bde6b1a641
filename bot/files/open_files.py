"""Files that this process has open: detects that they were removed or replaced, and saves their contents.

A process can still use such a file as if nothing had happened, but the next process will not find the data.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

import structlog

log = structlog.get_logger(__name__)

CHECK_INTERVAL: Final = 1.0
"""Interval between checks of the files while nothing is written, in seconds."""
FIRST_PAUSE: Final = 5.0
MAX_PAUSE: Final = 60.0
"""Maximum pause between attempts to save a copy, in seconds. The pauses grow because each attempt may fill the disk."""

LOST_INFIX: Final = ".lost-"
"""Text in the name of a copy, between the name of the lost file and the time."""
PART_SUFFIX: Final = ".part"
"""Suffix of an incomplete copy."""

_NOT_FOUND_ERRORS: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""The errors that mean that a file does not exist. Others, such as a permission error, prove nothing."""


class FilesLostError(Exception):
    """An open file was removed or replaced. The one-line message names it and, if saved, the copy of its contents."""


class OpenFiles:
    """A file and its companion files, identified by inode."""

    def __init__(self, main: Path, *others: Path) -> None:
        """Record the inodes of the files. Skip missing companion files. Raise `OSError` if the main file is missing."""
        # Use absolute paths: if the working directory is renamed, a relative path follows it.
        paths = [os.path.abspath(path) for path in (main, *others)]
        self.main = Path(paths[0])
        self._identities = {path: _identity(path) for path in paths if path == paths[0] or os.path.exists(path)}
        self._folder = os.open(self.main.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def has(self, path: Path) -> bool:
        """Return True if the file is still at its absolute path, or if that cannot be determined."""
        return self._has(str(path))

    def find_loss(self) -> str | None:
        """Return a sentence that names the first file that is no longer at its path; None if all are there."""
        for path in self._identities:
            if not self._has(path):
                now = "another file is there" if os.path.lexists(path) else "it was removed or moved"
                return f"the file that the bot has open is no longer the one at {path}: {now}"
        return None

    def folder(self) -> Path:
        """Return the folder for copies: the main file's folder, even if renamed, or a new one if it was removed.

        Raise `OSError` if it cannot be created.
        """
        folder = self.main.parent
        if not folder.is_dir():
            # Only Linux can find a renamed folder. On other systems, it counts as removed.
            renamed = Path(os.path.realpath(f"/proc/self/fd/{self._folder}"))
            with suppress(OSError):
                if os.path.samestat(renamed.stat(), os.fstat(self._folder)):
                    return renamed
            folder.mkdir(mode=0o700, parents=True)
        return folder

    def close(self) -> None:
        """Close the folder's descriptor."""
        os.close(self._folder)

    def _has(self, path: str) -> bool:
        try:
            return _identity(path) == self._identities.get(path)
        except OSError as error:
            return error.errno not in _NOT_FOUND_ERRORS


def _identity(path: str) -> tuple[int, int]:
    # Device and inode number identify a file: while it is open, no other file gets the same inode number.
    status = os.stat(path)
    return status.st_dev, status.st_ino


class Guard:
    """Watches open files from `start` to `stop`, and saves a copy when one of them is lost."""

    def __init__(self, files: OpenFiles, copy: Callable[[Path], Awaitable[None]]) -> None:
        """Watch `files`. `copy` writes the contents of the open files to an empty file, or raises an error."""
        self.files = files
        self.copy: Path | None = None
        """Path of the copy of the lost file, once the copy is complete."""
        self._loss: str | None = None
        self._write_copy = copy
        self._stopping = False
        self._wake = asyncio.Event()
        """Event that ends a pause of the watching task early."""
        self._watch_task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._watch_task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Check the files a last time, and if one is lost, make a last attempt to save a copy. Then stop watching."""
        self._stopping = True
        self._wake.set()
        if self._watch_task is not None:
            await asyncio.shield(self._watch_task)
            self.files.close()
            self._watch_task = None

    async def wait(self) -> None:
        """Wait until a file is lost and a copy is saved. If `stop` is called first, do not wait for the copy."""
        if self._watch_task is not None:
            await asyncio.shield(self._watch_task)
        if self._loss is None:
            await asyncio.Event().wait()

    def check(self) -> str | None:
        """Check the files. Return a sentence that names a lost file; None if all are in place.

        A check takes a few microseconds. Once a file was lost, the result stays the same.
        """
        if self._loss is None and self._watch_task is not None and (loss := self.files.find_loss()) is not None:
            self._loss = loss
            self._wake.set()
            log.error("an open file is gone: saving nothing more, and stopping", problem=loss)
        return self._loss

    @property
    def loss(self) -> str | None:
        """A sentence that names the lost file and, if saved, the copy of its contents; None if no file is lost."""
        if self._loss is None or self.copy is None:
            return self._loss
        return f"{self._loss}; all that was saved is in {self.copy}"

    async def _watch(self) -> None:
        while self.check() is None:
            if self._stopping:
                return
            await self._pause(CHECK_INTERVAL)
        logged_problem, pause = None, FIRST_PAUSE
        while self.copy is None:
            is_last_try = self._stopping
            try:
                self.copy = await save_copy(self.files, self._write_copy)
                log.error("saved a copy of the lost file", file=str(self.copy))
            except Exception as error:
                # Do not give up: moves that were confirmed to players would be lost.
                if str(error) != logged_problem:
                    logged_problem = str(error)
                    log.error("cannot save a copy of the lost file: trying again", problem=logged_problem)
                if is_last_try:
                    return
                await self._pause(pause)
                pause = min(2 * pause, MAX_PAUSE)

    async def _pause(self, seconds: float) -> None:
        if not self._stopping:
            self._wake.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()


async def save_copy(files: OpenFiles, copy: Callable[[Path], Awaitable[None]]) -> Path:
    """Save a copy as `NAME.lost-TIME`, readable by its owner only, and return its path. Never replace a file.

    The copy gets that name once it is complete and flushed to disk. Raise `OSError`, or any error of `copy`.
    """
    part, target = _reserve(files.folder(), files.main.name)
    try:
        await copy(part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    with suppress(OSError):  # Not every file system can sync folders.
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return target


def _reserve(folder: Path, name: str) -> tuple[Path, Path]:
    """Create an empty file for an unfinished copy. Return its path and an unused path for the finished copy."""
    stem = f"{name}{LOST_INFIX}{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    for number in count(1):
        target = folder / (stem if number == 1 else f"{stem}-{number}")
        part = target.with_name(target.name + PART_SUFFIX)
        if os.path.lexists(target):
            continue
        with suppress(FileExistsError):
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            return part, target
    raise AssertionError


def find_lost_copy(path: Path) -> str | None:
    """Return an error message if a file is missing but a copy of it was saved; None if the file may be created."""
    folder = path.parent
    if os.path.lexists(path) or not folder.is_dir():
        return None
    copies = sorted(
        file for file in folder.iterdir() if file.name.startswith(path.name + LOST_INFIX) and file.suffix != PART_SUFFIX
    )
    if not copies:
        return None
    return (
        f"{path} is missing, but there is a copy, {copies[-1]}: rename it to {path.name}, "
        "or move it to another folder to start with an empty one"
    )
