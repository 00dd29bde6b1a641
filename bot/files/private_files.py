"""Private files: the database, the token file, `.env`. Only the user who runs the bot should be able to read them."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)


class PrivateFileError(Exception):
    """A private file is world-readable, or a private folder is unusable. The one-line message says what to do."""


def require_private(path: Path) -> None:
    """Raise `PrivateFileError` if a file that this user can change is world-readable.

    For a file of another user, only log a warning: orchestrators mount secrets world-readable inside a container.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode) or not status.st_mode & stat.S_IROTH:
        return
    if status.st_uid == os.geteuid() and os.access(path, os.W_OK):
        raise PrivateFileError(f"everyone may read {path}; run: chmod o-rwx {shlex.quote(str(path))}")
    log.warning("a private file is readable by everyone", file=str(path))


def private_folder(path: Path) -> Path:
    """Return a folder that only this user can change, and create it if it is missing.

    Raise `PrivateFileError` if it cannot be used or others can change it. In a shared folder such as /tmp, another user
    may have created it.
    """
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
    except OSError as error:
        raise PrivateFileError(f"cannot use the folder {path}: {error.strerror}") from None
    if not stat.S_ISDIR(status.st_mode):
        raise PrivateFileError(f"cannot use {path}: it is not a folder; remove it")
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PrivateFileError(f"others may write to {path}; remove it, or set TMPDIR to another folder")
    return path
