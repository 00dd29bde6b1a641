"""A sandbox with a real discord.py client on it, and a browser for its page."""

import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser, async_playwright

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot, addresses, playing

_LISTENS = re.compile(r"DevTools listening on (\S+)")


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


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the machine's own Chromium once; gives where it may be led from."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        if "CI" in os.environ:
            pytest.fail("no Chromium on this machine")
        pytest.skip("no Chromium on this machine")
    profile = tmp_path_factory.mktemp("chromium")
    arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with subprocess.Popen(
        [path, *arguments, f"--user-data-dir={profile}", "--remote-debugging-port=0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        told = (_LISTENS.search(line) for line in running.stderr)
        yield next(found[1] for found in told if found)
        running.terminate()


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """Lead the browser, in windows that know nothing of those before."""
    async with async_playwright() as playwright:
        led = await playwright.chromium.connect_over_cdp(chromium)
        usual = set(led.contexts)
        yield led
        for window in set(led.contexts) - usual:
            await window.close()
