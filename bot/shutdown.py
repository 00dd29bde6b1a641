"""A shutdown with a time limit."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Awaitable
from typing import Final

import structlog

log = structlog.get_logger(__name__)

LIMIT: Final = 10.0
"""Maximum time from a stop signal to the end of the process, in seconds: the default of `docker stop`."""
SAY_WITHIN: Final = 0.5
"""The part of `LIMIT` that is reserved for the last log line, in seconds."""


async def within(seconds: float, what: str, step: Awaitable[object]) -> None:
    """Run a step of the shutdown. Log a line if it fails or exceeds the given number of seconds."""
    try:
        async with asyncio.timeout(seconds):
            await step
    except TimeoutError:
        log.warning("abandoned at the stop", what=what)
    except Exception:
        log.exception("failed at the stop", what=what)


class LastResort:
    """Ends the process some seconds after a stop signal, even if the event loop, a thread or the log is stuck."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._timer: threading.Timer | None = None
        self._disarmed = False

    def arm(self, exit_code: int) -> None:
        """Start the countdown, unless it was started or disarmed before."""
        if self._timer is None and not self._disarmed:
            self._timer = threading.Timer(self._limit - SAY_WITHIN, self._exit, [exit_code])
            self._timer.daemon = True
            self._timer.start()

    def disarm(self) -> None:
        """Cancel the countdown permanently."""
        self._disarmed = True
        if self._timer is not None:
            self._timer.cancel()

    def _exit(self, exit_code: int) -> None:
        # Logging blocks if nothing reads the output.
        saying = threading.Thread(target=self._say, daemon=True)
        saying.start()
        saying.join(SAY_WITHIN)
        os._exit(exit_code)

    def _say(self) -> None:
        log.error("abandoned at the stop", what="the process, which did not end in time")
        logging.shutdown()
