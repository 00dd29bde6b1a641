"""Running the program in this process as a host does, with its settings, signals and exit codes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncGenerator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from bot.__main__ import main
from bot.play.refusals import Unavailable
from bot.running import serve
from bot.sandbox import Sandbox
from bot.settings import Settings
from bot.values.ids import PersonId
from cogs.text import refusals
from tests.helpers.waiting import MAX_WAIT

DID_NOT_COUNT: Final = refusals.text(Unavailable(), PersonId(0))
"""The reply when a database failure prevented the bot from saving a move."""


def tell_to_stop() -> None:
    """Send this process SIGTERM, as a supervisor does."""
    os.kill(os.getpid(), signal.SIGTERM)


def settings_on(sandbox: Sandbox, place: Path | str) -> Settings:
    """Return the settings of a bot that uses a sandbox and a database: the path of a file, or a URL."""
    url = f"sqlite:///{place}" if isinstance(place, Path) else place
    return Settings(database_url=url, discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)


@asynccontextmanager
async def serving(sandbox: Sandbox, place: Path | str, *, connects: bool = True) -> AsyncGenerator[asyncio.Task[int]]:
    """Run the bot as `deadwood run` does. Yield a task that returns its exit code, after the bot connected if expected.

    The bot is stopped at the end of the block at the latest.
    """
    running = asyncio.create_task(serve(settings_on(sandbox, place), sandbox.token))
    try:
        if connects:
            await sandbox.ready(MAX_WAIT)
        yield running
    finally:
        running.cancel()
        await asyncio.wait((running,), timeout=MAX_WAIT)


async def code_of(running: asyncio.Task[int]) -> int:
    """Wait for the bot to exit, and return its exit code."""
    return await asyncio.wait_for(asyncio.shield(running), MAX_WAIT)


def run_while(meanwhile: Coroutine[Any, Any, None], *arguments: str) -> int:
    """Run a command of the program while a coroutine runs in another thread. Return the exit code.

    If the coroutine fails, the command is stopped and the error is raised.
    """

    def begin() -> None:
        try:
            asyncio.run(meanwhile)
        except BaseException:
            tell_to_stop()
            raise

    # Ignore a signal that arrives after the command has ended.
    before = signal.signal(signal.SIGTERM, _ignore)
    try:
        with ThreadPoolExecutor(1) as thread:
            going_on = thread.submit(begin)
            code = main(list(arguments))
            going_on.result()
    finally:
        signal.signal(signal.SIGTERM, before)
    return code


def _ignore(*_: object) -> None:
    pass


async def page_of(printed: pytest.CaptureFixture[str]) -> str:
    """Wait until the sandbox prints the URL of its page, which it does once its bot is ready."""
    said = ""
    async with asyncio.timeout(MAX_WAIT):
        while not (found := re.findall(r"http://127\.0\.0\.1:\d+/", said)):
            await asyncio.sleep(0.01)
            said += printed.readouterr().out
    return found[0]
