"""The heartbeat: a file with the time at which the bot was last connected, and any trouble it had."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.files.private_files import PrivateFileError, private_folder
from bot.model.shards import Shards

INTERVAL: Final = 10.0
"""Interval between beats while the gateway is ready, in seconds."""
MAX_AGE: Final = 3 * INTERVAL
"""Maximum age of a valid heartbeat, in seconds."""
CHECKING: Final = "checking the database, which was not closed as it should be"
"""The trouble that the bot reports while it checks its database, before it connects. Unlike with other trouble, the bot
counts as healthy, however long the check takes."""
_ENDED: Final = "ended"
"""Text that replaces the time in the file once the bot has ended for a reason that an operator must look into."""
NO_HEARTBEAT: Final = "no heartbeat: the bot is not running, or not connected"


class Heartbeat:
    """The heartbeat of the bot for one database."""

    def __init__(self, place: Path | str, shards: Shards | None = None) -> None:
        """Use a file next to a database file; for a database server, use a file in a private temporary folder.

        Several processes with different shards can use a database server: `shards` are this heartbeat's shards. Raise
        `PrivateFileError` if other users can write to the folder.
        """
        self._has_own_folder = not isinstance(place, Path)
        if isinstance(place, Path):
            # Use an absolute path: if the working directory is renamed, a relative path follows it.
            self._file = Path(os.path.abspath(place.with_name(place.name + ".heartbeat")))
        else:
            self._file = _file_of(place, shards)

    def beat(self, trouble: str | None = None) -> None:
        """Write that the bot is connected, and any trouble. A simultaneous reader gets the previous heartbeat."""
        self._write(f"{time.time()} {trouble or ''}".rstrip())

    def stop(self) -> None:
        """Remove the heartbeat because the bot is stopping."""
        with suppress(OSError):  # A heartbeat that cannot be removed expires soon.
            self._file.unlink()

    def end(self, reason: str) -> None:
        """Save the reason why the bot ended. `trouble()` returns the reason until the next start."""
        self._write(f"{_ENDED} {reason}")

    def forget_end(self) -> None:
        """Remove the reason that `end` saved."""
        with suppress(OSError, UnicodeDecodeError):
            if self._file.read_text().startswith(_ENDED):
                self._file.unlink()

    def trouble(self) -> str | None:
        """Return the trouble in the last heartbeat; None if the bot is well.

        If the heartbeat is missing or too old, return a message that says so.
        """
        try:
            at, _, trouble = self._file.read_text().partition(" ")
            if at == _ENDED:
                return trouble
            age = abs(time.time() - float(at))
        except (OSError, ValueError):
            return NO_HEARTBEAT
        return f"the last heartbeat was {age:.0f} seconds ago" if age > MAX_AGE else trouble or None

    def _write(self, text: str) -> None:
        part = self._file.with_name(self._file.name + ".part")
        with suppress(OSError, PrivateFileError):  # The disk may be full: the missing heartbeat shows this.
            if self._has_own_folder:
                # Create the folder again: other programs may clean up temporary files.
                private_folder(self._file.parent)
            part.write_text(text)
            part.replace(self._file)


def _file_of(address: str, shards: Shards | None) -> Path:
    folder = private_folder(Path(tempfile.gettempdir()) / f"deadwood-{os.getuid()}")
    name = sha256(f"{address} {shards or ''}".encode()).hexdigest()
    return folder / f"{name}.heartbeat"
