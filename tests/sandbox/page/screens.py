"""Functions that open the sandbox's page in a browser and type commands in it."""

import pytest
from playwright.async_api import Browser, Error, Page, expect

from bot.sandbox import Sandbox

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

TIMEOUT_MS = 60_000
"""Timeout of waits on the page. It is long, so that a wait times out only
because of a bug, not because the machine is busy."""

_ENABLE_PRESSES_SCRIPT = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".message.changed :is(.button, .menu) { animation: none !important }");
    document.adoptedStyleSheets = [sheet];
}"""

page_marks = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="session")]
"""The pytest marks of all modules that test the page. Their tests share a browser and its event loop."""


class Tabs:
    """The browser's tabs, each with its own profile. Keeping them open for the next test halves the time of a test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._open: list[Page] = []
        self._used_count = 0
        self._errors: list[Error] = []

    async def take(self, size: dict[str, int]) -> Page:
        """Return an empty tab of this size in pixels."""
        if self._used_count == len(self._open):
            context = await self._browser.new_context()
            context.set_default_timeout(TIMEOUT_MS)
            page = await context.new_page()
            page.on("pageerror", self._record_error)
            self._open.append(page)
        page = self._open[self._used_count]
        self._used_count += 1
        await page.set_viewport_size({"width": size["width"], "height": size["height"]})
        return page

    async def clear(self) -> None:
        """Empty all used tabs and clear their storage. Fail if a script raised an error."""
        for page in self._open[: self._used_count]:
            await page.evaluate("localStorage.clear()")
            await page.goto("about:blank")
        self._used_count = 0
        errors, self._errors[:] = list(self._errors), []
        assert [str(error) for error in errors] == []

    def _record_error(self, error: Error) -> None:
        self._errors.append(error)


async def visit(tabs: Tabs, sandbox: Sandbox, size: dict[str, int]) -> Page:
    """Open the sandbox's page in a tab of this size, and wait until it has loaded."""
    page = await tabs.take(size)
    await page.goto(sandbox.page)
    await page.locator(".log[aria-busy=false]").first.wait_for()
    await expect(page.locator(".log[aria-busy=true]")).to_have_count(0)
    return page


async def enable_presses(page: Page) -> None:
    """Let new components accept presses immediately.

    Normally, new components ignore presses for a moment. A person hardly notices this, but Playwright then waits much
    longer than necessary.
    """
    await page.evaluate(_ENABLE_PRESSES_SCRIPT)


async def command(page: Page, pane: int, text: str) -> None:
    """Type into the input line of a pane and take the first suggestion."""
    line = page.locator(".pane").nth(pane).locator(".line")
    await line.fill(text)
    await page.locator(".pane").nth(pane).get_by_role("option").first.wait_for()
    await line.press("Enter")
