"""Private files: the database, the token's file, and `.env`. Nobody but the user who runs the bot should read them."""

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
