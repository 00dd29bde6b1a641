"""Opening the page and typing commands on it."""

import pytest
from playwright.async_api import Browser, Page

from bot.sandbox import Sandbox

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

PATIENCE_MS = 30_000
"""How long to wait for what must appear: long, so that a test fails because of a fault and not of a busy machine."""

on_the_page = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
"""The marks of a module with tests of the page: they share a browser and its event loop."""


async def visit(browser: Browser, sandbox: Sandbox, size: dict[str, int]) -> Page:
    """Open the page. Any error in its scripts fails the test."""
    context = await browser.new_context(viewport={"width": size["width"], "height": size["height"]})
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    page.on("pageerror", _fail)
    await page.goto(sandbox.page)
    return page


def _fail(problem: Exception) -> None:
    raise problem


async def command(page: Page, pane: int, text: str) -> None:
    """Type into a pane's line and take the first suggestion."""
    line = page.locator(".pane").nth(pane).locator(".line")
    await line.fill(text)
    await page.locator(".pane").nth(pane).get_by_role("option").first.wait_for()
    await line.press("Enter")
