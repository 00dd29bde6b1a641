"""Failures of requests to Discord."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

REQUEST_FAILURES: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Discord refuses, a rate limit lasts too long, or the connection breaks or hangs: a `TimeoutError` is an `OSError`."""
