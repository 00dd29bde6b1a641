"""A sandbox for tests of the page. They share the session's event loop with the browser."""

from collections.abc import AsyncIterator

import pytest_asyncio

from bot.sandbox import Sandbox
from tests.sandbox.bots import TestBot, playing, running_sandbox


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world, and make discord.py use it."""
    async with running_sandbox() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def client(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the test client."""
    async with playing(sandbox) as running:
        yield running
