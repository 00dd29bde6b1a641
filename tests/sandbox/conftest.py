"""A sandbox with a real discord.py client on it.

The sandbox's clock is stopped, so that no deadline passes just because the machine is busy.
"""

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot, running_client, running_sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world, and make discord.py use it."""
    async with running_sandbox() as running:
        yield running


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the test client."""
    async with running_client(sandbox) as running:
        yield running


@pytest.fixture
def north(sandbox: Sandbox) -> Person:
    """The first person of the default world."""
    return sandbox.person("North")


@pytest.fixture
def south(sandbox: Sandbox) -> Person:
    """The second person of the default world."""
    return sandbox.person("South")


@pytest.fixture
def general(sandbox: Sandbox) -> Channel:
    """The first channel of the default world."""
    return sandbox.channel("general")
