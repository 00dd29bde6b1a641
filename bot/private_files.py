"""Private files: the database, the token's file, `.env`. Nobody but the user who runs the bot should read them."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)


class PrivateFileError(Exception):
    """A private file that everyone may read. The message names it and the command that helps, in one line."""


def require_private(path: Path) -> None:
    """Raise `PrivateFileError` if everyone may read a file that is ours to change.

    Of one that is not ours this is only logged: orchestrators mount secrets that way, into a place of their own.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode) or not status.st_mode & stat.S_IROTH:
        return
    if status.st_uid == os.geteuid() and os.access(path, os.W_OK):
        raise PrivateFileError(f"everyone may read {path}; run: chmod o-rwx {shlex.quote(str(path))}")
    log.warning("everyone may read a private file", file=str(path))


def private_folder(path: Path) -> Path:
    """Return a folder that only this user may change, and make it if there is none. Raise `PrivateFileError`.

    In a folder that is everybody's, such as /tmp, somebody else may have made one of that name.
    """
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
    except OSError as error:
        raise PrivateFileError(f"cannot use the folder {path}: {error.strerror}") from None
    if not stat.S_ISDIR(status.st_mode):
        raise PrivateFileError(f"cannot use {path}: it is not a folder; remove it")
    # Windows keeps the folders of its users apart.
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        raise PrivateFileError(f"others may write to {path}; remove it, or name another folder in TMPDIR")
    return path
