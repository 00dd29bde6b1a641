"""The pace of work that is done in many batches beside those who play."""

from __future__ import annotations

import asyncio
import time
from typing import Final

PAUSE: Final = 0.01
"""The fewest seconds between two batches."""


async def pause_after(began: float) -> None:
    """Leave the time to those who play for as long as a batch took, which began at a moment of `time.monotonic`."""
    await asyncio.sleep(max(PAUSE, time.monotonic() - began))
