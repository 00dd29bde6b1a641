"""The program as a host runs it, but in this process: its settings, its signals and its exit code."""

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
"""The answer to whatever a database that cannot be used did not save."""


def tell_to_stop() -> None:
    """Send the signal of a supervisor that stops the program."""
    os.kill(os.getpid(), signal.SIGTERM)


def settings_on(sandbox: Sandbox, place: Path | str) -> Settings:
    """Return the settings of a bot in a sandbox, on a database: a file, or an address."""
    url = f"sqlite:///{place}" if isinstance(place, Path) else place
    return Settings(database_url=url, discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)


@asynccontextmanager
async def serving(sandbox: Sandbox, place: Path | str, *, connects: bool = True) -> AsyncGenerator[asyncio.Task[int]]:
    """Run the bot on a database as `deadwood run` does; yield its exit code once it is connected, if it should be.

    It ends with the block, if not before.
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
    """Return the exit code of a bot that ends."""
    return await asyncio.wait_for(asyncio.shield(running), MAX_WAIT)


def run_while(meanwhile: Coroutine[Any, Any, None], *arguments: str) -> int:
    """Run a command of the program, with something going on in another thread, and return its exit code.

    A failure of that other thing ends the command, and is raised.
    """

    def begin() -> None:
        try:
            asyncio.run(meanwhile)
        except BaseException:
            tell_to_stop()
            raise

    # The command has ended if this hears a signal.
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
    """Wait until the sandbox says where its page is, which it does once the bot in it is ready."""
    said = ""
    async with asyncio.timeout(MAX_WAIT):
        while not (found := re.findall(r"http://127\.0\.0\.1:\d+/", said)):
            await asyncio.sleep(0.01)
            said += printed.readouterr().out
    return found[0]
