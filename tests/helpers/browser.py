"""One browser for all tests of pages.

A Playwright instance belongs to one event loop, so these tests and their fixtures share the session's loop.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from tests.sandbox.page.screens import Tabs

CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_tabs() -> AsyncIterator[Tabs]:
    """Start the Chromium of this machine once for all tests, and return its tabs."""
    # Imported only here: importing Playwright takes longer than most tests.
    from playwright.async_api import async_playwright, expect

    from tests.sandbox.page.screens import TIMEOUT_MS, Tabs

    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        if "CI" in os.environ:
            pytest.fail("no Chromium on this machine")
        pytest.skip("no Chromium on this machine")
    expect.set_options(timeout=TIMEOUT_MS)
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=arguments)
        yield Tabs(browser)
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def tabs(shared_tabs: Tabs) -> AsyncIterator[Tabs]:
    """Give one test the shared browser's tabs, and close them after it."""
    yield shared_tabs
    await shared_tabs.clear()
