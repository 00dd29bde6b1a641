"""Failures of requests to Discord."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

REQUEST_FAILURES: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Discord refuses, a rate limit lasts too long, or the connection breaks or hangs: a `TimeoutError` is an `OSError`."""


def is_outage(error: BaseException) -> bool:
    """Return True for a failure that no other request would have avoided: Discord or the connection has trouble."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or error.status == HTTPStatus.TOO_MANY_REQUESTS
    return isinstance(error, REQUEST_FAILURES)


def code_of(error: Exception) -> int:
    """Return Discord's code of a failure; 0 if it has none."""
    return error.code if isinstance(error, discord.HTTPException) else 0
