"""The heartbeat: a file that says when the bot was last connected, and what troubled it."""

from __future__ import annotations

import getpass
import os
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.private_files import PrivateFileError, private_folder
from bot.values.shards import Shards

INTERVAL: Final = 10.0
"""Seconds between two beats, while the gateway is ready."""
FRESH: Final = 3 * INTERVAL
"""Seconds after which a heartbeat counts no more."""
CHECKING: Final = "checking the database, which was not closed as it should be"
"""What a beat says before the bot connects. Nothing is wrong with a bot that does this, however long it takes."""
_ENDED: Final = "ended"
"""Replaces the time once the bot has ended for a reason that somebody must look into."""
NO_HEARTBEAT: Final = "no heartbeat: the bot is not running, or not connected"


class Heartbeat:
    """The heartbeat of the bot on one database."""

    def __init__(self, place: Path | str, shards: Shards | None = None) -> None:
        """Use the file beside a database that is a file, and for one by its address a file in a folder of this user.

        Several processes with different shards may use a database by its address; `shards` are those of one of them.
        Raise `PrivateFileError` if others may write to the folder.
        """
        self._has_own_folder = not isinstance(place, Path)
        if isinstance(place, Path):
            # A relative path leads elsewhere once the working directory was renamed.
            self._file = Path(os.path.abspath(place.with_name(place.name + ".heartbeat")))
        else:
            self._file = _file_of(place, shards)

    def beat(self, trouble: str | None = None) -> None:
        """Say that the bot is connected, and what troubles it; whoever reads meanwhile finds the beat before."""
        self._write(f"{time.time()} {trouble or ''}".rstrip())

    def stop(self) -> None:
        """Say that the bot stops."""
        with suppress(OSError):  # A beat that cannot be taken back is soon too old.
            self._file.unlink()

    def end(self, reason: str) -> None:
        """Save why the bot ended. `trouble` returns it until the next start."""
        self._write(f"{_ENDED} {reason}")

    def forget_end(self) -> None:
        """Remove what `end` saved."""
        with suppress(OSError, UnicodeDecodeError):
            if self._file.read_text().startswith(_ENDED):
                self._file.unlink()

    def trouble(self) -> str | None:
        """Return why the bot is not well, as far as its last beat tells; None if it is."""
        try:
            at, _, trouble = self._file.read_text().partition(" ")
            if at == _ENDED:
                return trouble
            age = abs(time.time() - float(at))
        except (OSError, ValueError):
            return NO_HEARTBEAT
        return f"the last heartbeat was {age:.0f} seconds ago" if age > FRESH else trouble or None

    def _write(self, text: str) -> None:
        part = self._file.with_name(self._file.name + ".part")
        with suppress(OSError, PrivateFileError):  # The disk may be full. A beat that is missing says enough.
            if self._has_own_folder:
                # It is among temporary files, which other programs clean up.
                private_folder(self._file.parent)
            part.write_text(text)
            part.replace(self._file)


def _file_of(address: str, shards: Shards | None) -> Path:
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    folder = private_folder(Path(tempfile.gettempdir()) / f"deadwood-{user}")
    name = sha256(f"{address} {shards or ''}".encode()).hexdigest()
    return folder / f"{name}.heartbeat"
