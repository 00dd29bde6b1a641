"""A sandbox with a real discord.py client on it, and a browser for its page."""

import os
import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

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


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Start the machine's own Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        if "CI" in os.environ:
            pytest.fail("no Chromium on this machine")
        pytest.skip("no Chromium on this machine")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=path, args=arguments)
        yield running
        await running.close()
