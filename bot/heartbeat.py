"""The heartbeat: a file beside the database that says when the bot was last well."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

INTERVAL: Final = 10.0
"""Seconds between two beats, while the gateway is ready and the database answers."""
FRESH: Final = 3 * INTERVAL
"""Seconds after which a heartbeat counts no more."""


class Heartbeat:
    """The heartbeat of the bot on one database."""

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(database.name + ".heartbeat")

    def beat(self) -> None:
        """Say that all is well now; whoever reads meanwhile finds the beat before."""
        part = self._file.with_name(self._file.name + ".part")
        part.write_text(str(time.time()))
        part.replace(self._file)

    def stop(self) -> None:
        """Say that the bot stops."""
        self._file.unlink(missing_ok=True)

    def age(self) -> float | None:
        """Return the seconds since the last beat; None if there is none."""
        try:
            return abs(time.time() - float(self._file.read_text()))
        except (OSError, ValueError):
            return None
