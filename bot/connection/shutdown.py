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

SHUTDOWN_LIMIT: Final = 10.0
"""Maximum time from a stop signal to the end of the process, in seconds: the default of `docker stop`."""
LAST_LOG_TIMEOUT: Final = 0.5
"""The part of `SHUTDOWN_LIMIT` that is reserved for the last log line, in seconds."""


async def run_shutdown_step(seconds: float, what: str, step: Awaitable[object]) -> None:
    """Run a step of the shutdown. Log a line if it fails or exceeds the given number of seconds."""
    try:
        async with asyncio.timeout(seconds):
            await step
    except TimeoutError:
        log.warning("abandoned at shutdown", what=what)
    except Exception:
        log.exception("failed at shutdown", what=what)


class LastResort:
    """Ends the process some seconds after a stop signal, even if the event loop, a thread or the log is stuck."""

    def __init__(self, limit: float = SHUTDOWN_LIMIT) -> None:
        self._limit = limit
        self._timer: threading.Timer | None = None
        self._disarmed = False

    def arm(self, exit_code: int) -> None:
        """Start the countdown, unless it was started or disarmed before."""
        if self._timer is None and not self._disarmed:
            self._timer = threading.Timer(self._limit - LAST_LOG_TIMEOUT, self._exit, [exit_code])
            self._timer.daemon = True
            self._timer.start()

    def disarm(self) -> None:
        """Cancel the countdown permanently."""
        self._disarmed = True
        if self._timer is not None:
            self._timer.cancel()

    def _exit(self, exit_code: int) -> None:
        # Log in a separate thread: logging blocks if nothing reads the output.
        log_thread = threading.Thread(target=self._log, daemon=True)
        log_thread.start()
        log_thread.join(LAST_LOG_TIMEOUT)
        os._exit(exit_code)

    def _log(self) -> None:
        log.error("abandoned at shutdown", what="the process, which did not end in time")
        logging.shutdown()
