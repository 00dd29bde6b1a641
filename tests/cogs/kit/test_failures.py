"""Error codes of failed requests."""

from __future__ import annotations

import discord
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from bot.values.discord_codes import Code
from cogs.kit.failures import code_of


async def _refused(status: int, body: str) -> discord.HTTPException:
    """Return discord.py's error for a response."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=body)

    app = web.Application()
    app.router.add_get("/", answer)
    async with TestServer(app) as server, ClientSession() as session, session.get(server.make_url("/")) as response:
        return discord.HTTPException(response, await response.text())


async def test_a_request_that_the_proxy_finds_too_large_has_a_code() -> None:
    """Discord's proxy answers 413 with a page instead of JSON; that counts as code 40005."""
    assert code_of(await _refused(413, "<html>")) == Code.REQUEST_TOO_LARGE


async def test_other_failures_without_a_code() -> None:
    """A page with another status, and an error that Discord did not send, have code 0."""
    assert code_of(await _refused(502, "<html>")) == 0
    assert code_of(TimeoutError()) == 0
