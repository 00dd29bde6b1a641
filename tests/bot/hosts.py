"""Functions that run the program in the test's own process, as an operator would start and stop it."""

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
from bot.hosting.running import serve
from bot.hosting.settings import Settings
from bot.model.ids import PersonId
from bot.play.refusals import Unavailable
from bot.sandbox import Sandbox
from cogs import refusals
from tests.helpers.waiting import MAX_WAIT

DID_NOT_COUNT: Final = refusals.text(Unavailable(), PersonId(0))
"""The reply when a database failure prevented the bot from saving a move."""


def send_sigterm() -> None:
    """Send this process SIGTERM, as a supervisor does."""
    os.kill(os.getpid(), signal.SIGTERM)


def settings_for_sandbox(sandbox: Sandbox, database: Path | str) -> Settings:
    """Return the settings of a bot that uses a sandbox, and a database given as a file path or a URL."""
    url = f"sqlite:///{database}" if isinstance(database, Path) else database
    return Settings(database_url=url, discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)


@asynccontextmanager
async def serving(
    sandbox: Sandbox, database: Path | str, *, wait_for_connection: bool = True
) -> AsyncGenerator[asyncio.Task[int]]:
    """Run the bot as `deadwood run` does. Yield a task that returns its exit code.

    With `wait_for_connection`, connect the bot before the block begins. Stop the bot at the end of the block.
    """
    running = asyncio.create_task(serve(settings_for_sandbox(sandbox, database), sandbox.token))
    try:
        if wait_for_connection:
            await sandbox.ready(MAX_WAIT)
        yield running
    finally:
        running.cancel()
        await asyncio.wait((running,), timeout=MAX_WAIT)


async def exit_code_of(running: asyncio.Task[int]) -> int:
    """Wait for the bot to exit, and return its exit code."""
    return await asyncio.wait_for(asyncio.shield(running), MAX_WAIT)


def run_while(background: Coroutine[Any, Any, None], *arguments: str) -> int:
    """Run a command of the program while a coroutine runs in another thread. Return the exit code.

    If the coroutine fails, the command is stopped and the error is raised.
    """

    def run_background() -> None:
        try:
            asyncio.run(background)
        except BaseException:
            send_sigterm()
            raise

    # Ignore a signal that arrives after the command has ended.
    previous_handler = signal.signal(signal.SIGTERM, _ignore)
    try:
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(run_background)
            code = main(list(arguments))
            future.result()
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
    return code


def _ignore(*_: object) -> None:
    pass


async def page_url(capture: pytest.CaptureFixture[str]) -> str:
    """Wait until the sandbox prints the URL of its page, which it does once its bot is ready."""
    output = ""
    async with asyncio.timeout(MAX_WAIT):
        while not (found := re.findall(r"http://127\.0\.0\.1:\d+/", output)):
            await asyncio.sleep(0.01)
            output += capture.readouterr().out
    return found[0]
