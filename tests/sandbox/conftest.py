"""A sandbox with a real discord.py client on it.

Its clock is stopped: no deadline passes because the machine is busy, only when a test advances the clock.
"""

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot, playing, running_sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world, with discord.py pointed at it."""
    async with running_sandbox() as running:
        yield running


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the test client."""
    async with playing(sandbox) as running:
        yield running


@pytest.fixture
def north(sandbox: Sandbox) -> Person:
    """The first person."""
    return sandbox.person("North")


@pytest.fixture
def south(sandbox: Sandbox) -> Person:
    """The second person."""
    return sandbox.person("South")


@pytest.fixture
def general(sandbox: Sandbox) -> Channel:
    """The first channel."""
    return sandbox.channel("general")
