"""Failures of requests to Discord."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

from bot.values.discord_codes import Code

REQUEST_FAILURES: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Discord refuses, a rate limit lasts too long, or the connection breaks or hangs: a `TimeoutError` is an `OSError`."""


def is_outage(error: BaseException) -> bool:
    """Return True for a failure that no other request would have avoided: Discord or the connection has trouble."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or error.status == HTTPStatus.TOO_MANY_REQUESTS
    return isinstance(error, REQUEST_FAILURES)


def code_of(error: BaseException | None) -> int:
    """Return Discord's code of a failure; 0 if it has none."""
    if not isinstance(error, discord.HTTPException):
        return 0
    if error.code == 0 and error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        # Discord's proxy refuses large requests without a code.
        return Code.REQUEST_TOO_LARGE
    return error.code
