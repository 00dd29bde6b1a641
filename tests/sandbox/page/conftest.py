"""One browser for all tests of the page.

Playwright belongs to one event loop, so these tests and their fixtures share the loop of the whole session.
"""

import os
import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from bot.sandbox import Sandbox
from tests.sandbox.bots import TestBot, playing, running_sandbox
from tests.sandbox.page.screens import PATIENCE_MS, Tabs

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world, with discord.py pointed at it."""
    async with running_sandbox() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def client(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the test client."""
    async with playing(sandbox) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_tabs() -> AsyncIterator[Tabs]:
    """Start the machine's own Chromium."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        if "CI" in os.environ:
            pytest.fail("no Chromium on this machine")
        pytest.skip("no Chromium on this machine")
    expect.set_options(timeout=PATIENCE_MS)
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=arguments)
        yield Tabs(browser)
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def tabs(shared_tabs: Tabs) -> AsyncIterator[Tabs]:
    """Lend the browser's tabs to one test."""
    yield shared_tabs
    await shared_tabs.clear()
