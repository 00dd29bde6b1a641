"""Classification of failed requests to Discord."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

from bot.model.discord_codes import Code

REQUEST_FAILURES: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Refused requests, long rate limits, connection errors and timeouts (`TimeoutError` is an `OSError`)."""


def is_outage(error: BaseException) -> bool:
    """Return True if Discord or the connection is in trouble, so that any other request would have failed too."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or error.status == HTTPStatus.TOO_MANY_REQUESTS
    return isinstance(error, REQUEST_FAILURES)


def code_of(error: BaseException | None) -> int:
    """Return Discord's error code, or 0 if the error has none."""
    if not isinstance(error, discord.HTTPException):
        return 0
    if error.code == 0 and error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        # Discord's proxy gives no code when it refuses a large request.
        return Code.REQUEST_TOO_LARGE
    return error.code
