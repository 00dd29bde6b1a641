"""A sandbox for tests of the page. These fixtures use the session's event loop, because the browser does too."""

from collections.abc import AsyncIterator

import pytest_asyncio

from bot.sandbox import Sandbox
from tests.sandbox.bots import TestBot, running_client, running_sandbox


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world, and make discord.py use it."""
    async with running_sandbox() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def client(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the test client."""
    async with running_client(sandbox) as running:
        yield running
