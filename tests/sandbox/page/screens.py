"""The page as somebody has it on their screen."""

from playwright.async_api import Browser, Page

from bot.sandbox import Sandbox

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


async def visit(browser: Browser, sandbox: Sandbox, size: dict[str, int]) -> Page:
    """Open the page; anything the browser complains about fails the test."""
    context = await browser.new_context(viewport={"width": size["width"], "height": size["height"]})
    page = await context.new_page()
    page.on("pageerror", _fail)
    await page.goto(sandbox.page)
    return page


def _fail(problem: Exception) -> None:
    raise problem


async def command(page: Page, pane: int, text: str) -> None:
    """Write into a seat's line and take the first suggestion."""
    line = page.locator(".pane").nth(pane).locator(".line")
    await line.fill(text)
    await page.locator(".pane").nth(pane).get_by_role("option").first.wait_for()
    await line.press("Enter")
