"""Error codes of failed requests."""

from __future__ import annotations

import discord
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from bot.model.discord_codes import Code
from cogs.kit.failures import code_of


async def _http_error(status: int, body: str) -> discord.HTTPException:
    """Return the error that discord.py raises for a response with this status and body."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=body)

    app = web.Application()
    app.router.add_get("/", answer)
    async with TestServer(app) as server, ClientSession() as session, session.get(server.make_url("/")) as response:
        return discord.HTTPException(response, await response.text())


async def test_a_413_from_the_proxy_has_a_code() -> None:
    """A 413 from Discord's proxy, which has an HTML page instead of JSON, counts as code 40005."""
    assert code_of(await _http_error(413, "<html>")) == Code.REQUEST_TOO_LARGE


async def test_other_failures_have_code_zero() -> None:
    """An HTML page with another status, and an error that is not from Discord, have code 0."""
    assert code_of(await _http_error(502, "<html>")) == 0
    assert code_of(TimeoutError()) == 0
