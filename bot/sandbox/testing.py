"""A pytest fixture that runs a discord.py bot on a sandbox. `bot/sandbox/README.md` shows how to use it.

This module needs discord.py, pytest and pytest-asyncio. No other module of this project imports it.
"""

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Protocol

import pytest
import pytest_asyncio
import yarl

from bot.sandbox.sandbox import Sandbox
from bot.sandbox.server.changes import DEFAULT_TIMEOUT
from bot.sandbox.server.interactions import Interaction, InteractionRegistry
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.world import World

GUILD_READY_TIMEOUT = 0.05
"""Time that discord.py waits for another server before `on_ready`, in real seconds. Its default of two is too slow."""


class Client(Protocol):
    """The part of `discord.Client` that this module uses."""

    async def __aenter__(self) -> Any: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    async def start(self, token: str, /) -> None: ...
    async def wait_until_ready(self) -> None: ...
    async def close(self) -> None: ...


@pytest_asyncio.fixture
async def sandbox(bot: Client, request: pytest.FixtureRequest) -> AsyncIterator[Sandbox]:
    """Run the bot returned by the fixture `bot` on a sandbox until the end of the test.

    If there is a fixture `world`, the sandbox uses its `World`. Otherwise, it uses the default world with a stopped
    clock, so that no deadline passes because the machine is busy.

    The test fails if the bot cannot start, stops with an exception, or requests a route that the sandbox does not have.
    If your bot can cope without that route, end the test with `sandbox.journal.unknown_routes.clear()`.
    """
    async with Sandbox(_world(request)) as sandbox, running(bot, sandbox):
        await sandbox.idle()
        yield sandbox
    if sandbox.journal.unknown_routes:
        pytest.fail(f"the sandbox has no route for {', '.join(sandbox.journal.unknown_routes)}", pytrace=False)


@asynccontextmanager
async def running(bot: Client, sandbox: Sandbox, *, timeout: float = DEFAULT_TIMEOUT) -> AsyncGenerator[None]:
    """Make discord.py use the sandbox, and run a bot on it until the end of the block.

    The block begins when the bot is ready. Until then, an exception that stops the bot is raised here, and
    `TimeoutError` after `timeout` real seconds. If an exception stops the bot later, it is raised at the end of the
    block.

    When discord.py logs an exception that a command, a component or a modal raised, the interaction gets it as its
    `error` and its waits end. With a stopped clock, they would otherwise last until they time out.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discord.http.Route.BASE", sandbox.api)
        patch.setattr("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", yarl.URL(sandbox.gateway_url))
        connection: Any = getattr(bot, "_connection", None)
        if getattr(connection, "guild_ready_timeout", 0.0) > GUILD_READY_TIMEOUT:
            patch.setattr(connection, "guild_ready_timeout", GUILD_READY_TIMEOUT)
        logger, watch = logging.getLogger("discord"), _ErrorWatch(sandbox.interactions)
        logger.addHandler(watch)
        try:
            async with bot:
                task = asyncio.create_task(bot.start(sandbox.token))
                try:
                    await _until_ready(bot, task, timeout)
                    yield
                finally:
                    await _stop(bot, task, timeout)
                task.result()
        finally:
            logger.removeHandler(watch)


def _world(request: pytest.FixtureRequest) -> World:
    try:
        return request.getfixturevalue("world")
    except pytest.FixtureLookupError as error:
        if error.argname != "world":
            raise
        return World.default(clock=Clock(running=False))


async def _until_ready(bot: Client, task: asyncio.Task[None], timeout: float) -> None:
    ready = asyncio.create_task(bot.wait_until_ready())
    await asyncio.wait({task, ready}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    if ready.done():
        ready.result()
        return
    ready.cancel()
    if task.done():
        task.result()
        words = "the bot stopped before it was ready"
        raise RuntimeError(words)
    task.cancel()
    await asyncio.wait({task})
    words = f"the bot was not ready after {timeout} seconds"
    raise TimeoutError(words)


async def _stop(bot: Client, task: asyncio.Task[None], timeout: float) -> None:
    """Close the bot and wait until its task ends. Raise `TimeoutError` if it does not."""
    await bot.close()
    await asyncio.wait({task}, timeout=timeout)
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        words = f"the bot still ran {timeout} seconds after it was closed"
        raise TimeoutError(words)


class _ErrorWatch(logging.Handler):
    """Passes the exceptions that discord.py logs to the interactions whose handling raised them."""

    def __init__(self, interactions: InteractionRegistry) -> None:
        super().__init__(logging.ERROR)
        self._interactions = interactions

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        interaction = self._interaction_of(error) if error else None
        if error is None or interaction is None:
            return
        cause = getattr(error, "original", error)
        # discord.py handles each interaction in a task. The bot's error handler can still respond until the task ends.
        task = asyncio.current_task()
        if task is not None:
            task.add_done_callback(lambda _: self._interactions.crash(interaction, cause))

    def _interaction_of(self, error: BaseException) -> Interaction | None:
        """Find the interaction by its token: discord.py handles it in a function with an argument `interaction`."""
        for frame, _ in traceback.walk_tb(error.__traceback__):
            token = getattr(frame.f_locals.get("interaction"), "token", None)
            if isinstance(token, str) and token in self._interactions.by_token:
                return self._interactions.by_token[token]
        return None
