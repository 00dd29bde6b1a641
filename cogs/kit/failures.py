"""Failures of requests to Discord."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

REQUEST_FAILURES: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Discord refuses, a rate limit lasts too long, or the connection breaks or hangs: a `TimeoutError` is an `OSError`."""


def code_of(error: Exception) -> int:
    """Return Discord's code of a failure; 0 if it has none."""
    return error.code if isinstance(error, discord.HTTPException) else 0
