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

from bot.private_files import private_folder
from bot.values.shards import Shards

INTERVAL: Final = 10.0
"""Seconds between two beats, while the gateway is ready."""
FRESH: Final = 3 * INTERVAL
"""Seconds after which a heartbeat counts no more."""
CHECKING: Final = "checking the database, which was not closed as it should be"
"""What a beat says before the bot connects. Nothing is wrong with a bot that does this, however long it takes."""
NO_HEARTBEAT: Final = "no heartbeat: the bot is not running, or not connected"


class Heartbeat:
    """The heartbeat of the bot on one database."""

    def __init__(self, place: Path | str, shards: Shards | None = None) -> None:
        """Use the file beside a database that is a file, and for one by its address a file in a folder of this user.

        Several processes with different shards may use a database by its address; `shards` are those of one of them.
        Raise `PrivateFileError` if others may write to the folder.
        """
        self._file = place.with_name(place.name + ".heartbeat") if isinstance(place, Path) else _file_of(place, shards)

    def beat(self, trouble: str | None = None) -> None:
        """Say that the bot is connected, and what troubles it; whoever reads meanwhile finds the beat before."""
        part = self._file.with_name(self._file.name + ".part")
        with suppress(OSError):  # The disk may be full. A beat that is missing says enough.
            part.write_text(f"{time.time()} {trouble or ''}".rstrip())
            part.replace(self._file)

    def stop(self) -> None:
        """Say that the bot stops."""
        with suppress(OSError):  # A beat that cannot be taken back is soon too old.
            self._file.unlink()

    def trouble(self) -> str | None:
        """Return why the bot is not well, as far as its last beat tells; None if it is."""
        try:
            at, _, trouble = self._file.read_text().partition(" ")
            age = abs(time.time() - float(at))
        except (OSError, ValueError):
            return NO_HEARTBEAT
        return f"the last heartbeat was {age:.0f} seconds ago" if age > FRESH else trouble or None


def _file_of(address: str, shards: Shards | None) -> Path:
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    folder = private_folder(Path(tempfile.gettempdir()) / f"deadwood-{user}")
    name = sha256(f"{address} {shards or ''}".encode()).hexdigest()
    return folder / f"{name}.heartbeat"
