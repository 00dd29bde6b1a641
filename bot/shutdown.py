"""A shutdown that ends in time, whatever hangs."""

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
"""Seconds from the wish to stop to the end of the process: what `docker stop` waits by default."""
SAY_WITHIN: Final = 0.5
"""Those of them that are for the last line of the log."""


async def within(seconds: float, what: str, step: Awaitable[object]) -> None:
    """Take a step of a shutdown, and abandon it after so many seconds, or if it fails, with a line in the log."""
    try:
        async with asyncio.timeout(seconds):
            await step
    except TimeoutError:
        log.warning("abandoned at the stop", what=what)
    except Exception:
        log.exception("failed at the stop", what=what)


class LastResort:
    """Ends the process some seconds after it was told to, even if the event loop, a thread or the log is stuck."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._timer: threading.Timer | None = None
        self._disarmed = False

    def arm(self, exit_code: int) -> None:
        """Start the countdown, unless it runs or was stopped."""
        if self._timer is None and not self._disarmed:
            self._timer = threading.Timer(self._limit - SAY_WITHIN, self._exit, [exit_code])
            self._timer.daemon = True
            self._timer.start()

    def disarm(self) -> None:
        """Stop the countdown for good."""
        self._disarmed = True
        if self._timer is not None:
            self._timer.cancel()

    def _exit(self, exit_code: int) -> None:
        # The log may be what hangs, if nobody reads it.
        saying = threading.Thread(target=self._say, daemon=True)
        saying.start()
        saying.join(SAY_WITHIN)
        os._exit(exit_code)

    def _say(self) -> None:
        log.error("abandoned at the stop", what="the process, which did not end by itself")
        logging.shutdown()
