"""The heartbeat: a file beside the database that says when the bot was last connected, and what troubled it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

INTERVAL: Final = 10.0
"""Seconds between two beats, while the gateway is ready."""
FRESH: Final = 3 * INTERVAL
"""Seconds after which a heartbeat counts no more."""
NO_HEARTBEAT: Final = "no heartbeat: the bot is not running, or not connected"


class Heartbeat:
    """The heartbeat of the bot on one database."""

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(database.name + ".heartbeat")

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
