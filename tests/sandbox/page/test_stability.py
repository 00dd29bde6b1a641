"""The page does not move content that is being clicked or read, and it tracks unread messages."""

from playwright.async_api import expect

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.bots import TestBot, panel, picture_file, text_channel
from tests.sandbox.page.screens import PHONE, WIDE, Tabs, command, page_marks, visit

pytestmark = page_marks

UNDER_NEW_BUTTON = """
() => new Promise((done) => {
  const button = document.querySelector(".button.primary, .button.secondary");
  const { x, y } = button.getBoundingClientRect();
  const look = () => done(document.elementFromPoint(x + 5, y + 5).tagName);
  new MutationObserver(look).observe(button.closest(".log"), { childList: true });
  button.click();
})
"""
UNDER_NEW_LIST = """
() => new Promise((done) => {
  const menu = document.querySelector(".menu");
  const list = menu.popoverTargetElement;
  list.addEventListener("toggle", () => {
    const { x, y } = list.querySelector("li").getBoundingClientRect();
    done(document.elementFromPoint(x + 5, y + 5).tagName);
  }, { once: true });
  menu.click();
})
"""
EXTRA_WIDTH = """
(time) => {
  time.textContent = "now";
  const words = document.createRange();
  words.selectNodeContents(time);
  return time.offsetWidth - words.getBoundingClientRect().width;
}
"""
SCROLL_TOP = "document.querySelector('.log').scrollTop"


async def test_new_components_ignore_presses_briefly(
    sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs
) -> None:
    """The second half of a double click does not hit a button or option that has just appeared."""
    page = await visit(tabs, sandbox, WIDE)
    await text_channel(client, general).send(view=panel(0), file=picture_file())
    left = page.locator(".pane").first
    await expect(left.get_by_role("button", name="Count 0")).to_be_visible()
    assert await page.evaluate(UNDER_NEW_BUTTON) != "BUTTON"
    await left.get_by_role("button", name="Count 1").click()
    await expect(left.get_by_role("button", name="Count 2")).to_be_visible()
    before = await page.evaluate(SCROLL_TOP)
    assert await page.evaluate(UNDER_NEW_LIST) not in ("LI", "SPAN")
    assert await page.evaluate(SCROLL_TOP) == before
    await page.keyboard.press("Escape")
    await left.get_by_role("button", name="Pick a colour").dblclick()
    await left.get_by_role("option", name="Green").click()
    await expect(left.get_by_text("You picked green")).to_be_visible()


async def test_long_messages_begin_at_their_top(
    sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs
) -> None:
    """The page scrolls to the top of a new message that is taller than the pane, and to the end of a shorter one."""
    page = await visit(tabs, sandbox, WIDE)
    log, channel = page.locator(".log").first, text_channel(client, general)
    await expect(page.locator(".pane").first.get_by_role("heading", name="#general")).to_be_visible()
    for number in range(30):
        await channel.send(f"short {number}")
    await expect(log.get_by_text("short 29", exact=True)).to_be_in_viewport()
    await channel.send("\n".join(f"line {number}" for number in range(90)))
    await expect(log.locator("article", has_text="line 89").locator("header")).to_be_in_viewport()


async def test_new_messages_below_are_announced(
    sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs
) -> None:
    """While a person reads older messages, new messages do not scroll the page. A button appears that shows them."""
    page = await visit(tabs, sandbox, PHONE)
    log, channel = page.locator(".log").first, text_channel(client, general)
    newest_button = page.get_by_role("button", name="New messages")
    for number in range(40):
        await channel.send(f"short {number}")
    await expect(log.get_by_text("short 39", exact=True)).to_be_in_viewport()
    await expect(newest_button).to_be_hidden()
    await log.evaluate("(log) => { log.scrollTop = 0; }")
    await expect(log.get_by_text("short 0", exact=True)).to_be_in_viewport()
    before = await log.bounding_box()
    await channel.send("news")
    await expect(newest_button).to_be_in_viewport()
    await expect(log.get_by_text("short 0", exact=True)).to_be_in_viewport()
    assert await log.bounding_box() == before
    await newest_button.click()
    await expect(log.get_by_text("news", exact=True)).to_be_in_viewport()
    await expect(newest_button).to_be_hidden()


async def test_unread(sandbox: Sandbox, client: TestBot, north: Person, tabs: Tabs) -> None:
    """Badges leave out deleted messages, fit next to the channel's name, and survive a reload until all is read."""
    page = await visit(tabs, sandbox, WIDE)
    entry = page.locator(".pane").first.locator(".channel", has_text="quiet-corner")
    await expect(entry).to_be_visible()
    channel = text_channel(client, sandbox.channel("quiet-corner"))
    messages = [await channel.send(f"<@{north.id}> {number}") for number in range(12)]
    await expect(entry.get_by_label("12 new")).to_have_text("9+")
    assert await entry.locator(".name").evaluate("(name) => name.scrollWidth <= name.clientWidth")
    for message in messages[:10]:
        await message.delete()
    await expect(entry.get_by_label("2 new")).to_have_text("2")
    await page.reload()
    await expect(entry.get_by_label("2 new")).to_have_text("2")
    await entry.click()
    await expect(entry.locator(".badge")).to_have_count(0)
    await sandbox.until(lambda: north.newest_read.get(channel.id) == messages[-1].id)
    await page.reload()
    await expect(entry).to_be_visible()
    await expect(page.locator(".log").first.get_by_text("This is the beginning")).to_be_visible()
    await expect(entry.locator(".badge")).to_have_count(0)


async def test_phone_layout_is_stable(sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs) -> None:
    """On a phone, new badges do not move or resize the channel bar.

    A relative time takes hardly more space than its text needs.
    """
    page = await visit(tabs, sandbox, PHONE)
    await expect(page.get_by_role("radio", name="North")).to_be_visible()
    before = await page.locator(".channel-bar").bounding_box()
    people = "".join(f"<@{sandbox.person(name).id}>" for name in ("South", "East"))
    for _ in range(10):
        await text_channel(client, general).send(f"{people} <t:0:R>")
    await expect(page.get_by_role("radio", name="East, 10 new")).to_be_visible()
    assert await page.locator(".channel-bar").bounding_box() == before
    time = page.locator("time[data-since]").first
    assert await time.evaluate(EXTRA_WIDTH) <= 8


async def test_commands_written_as_code(sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs) -> None:
    """Inline code that is exactly a command's name can be clicked to start the command. Other code cannot."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await text_channel(client, general).send("`/demo greet` `/demo nothing` `/demo greet South`")
    await expect(left.locator("article code")).to_have_count(3)
    await expect(left.locator("article button code")).to_have_count(1)
    await left.get_by_role("button", name="/demo greet").click()
    await expect(left.get_by_label("who", exact=True)).to_be_focused()
    await command(page, 1, "/demo ping")
    await expect(page.locator(".pane").nth(1).locator(".line")).to_be_focused()
