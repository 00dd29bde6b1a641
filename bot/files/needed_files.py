"""Files that the bot only reads when it starts: the token file, `.env` and PostgreSQL's password file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)


class NeededFiles:
    """Checks that the files read at the start are still readable, so that a restart will work."""

    def __init__(self, paths: Iterable[Path]) -> None:
        # A relative path would lead elsewhere if the working directory were renamed.
        self._paths = [Path(os.path.abspath(path)) for path in paths if os.access(path, os.R_OK)]
        self._missing = set[Path]()

    def trouble(self) -> str | None:
        """Return a sentence that names a file that is no longer readable; None if all are.

        Log when a file becomes unreadable, and when it is readable again.
        """
        missing = {path for path in self._paths if not os.access(path, os.R_OK)}
        for path in sorted(missing - self._missing):
            log.error("a file that the next start needs cannot be read", file=str(path))
        for path in sorted(self._missing - missing):
            log.info("the file can be read again", file=str(path))
        self._missing = missing
        return f"the next start would fail: {min(missing)} cannot be read" if missing else None
