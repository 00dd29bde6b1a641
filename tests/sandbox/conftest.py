"""A sandbox with a real discord.py client on it."""

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot, addresses, playing


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """Run the default world, with discord.py led to it."""
    async with Sandbox() as running:
        for name, value in addresses(running):
            monkeypatch.setattr(name, value)
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
