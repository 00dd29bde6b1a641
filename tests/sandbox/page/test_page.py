"""The page in a real browser, with a small discord.py bot."""

import aiohttp
import pytest
from discord import ui
from playwright.async_api import Locator, expect

from bot.sandbox import Sandbox, World
from tests.sandbox.bots import Count, Pick, TestBot, png, running_client, running_sandbox, text_channel
from tests.sandbox.page.screens import PHONE, WIDE, Tabs, command, page_marks, visit

pytestmark = page_marks


@pytest.mark.usefixtures("client")
async def test_two_panes(sandbox: Sandbox, tabs: Tabs) -> None:
    """On a wide screen, two people act side by side, and each sees only their own ephemeral messages."""
    page = await visit(tabs, sandbox, WIDE)
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    await command(page, 0, "/counter")
    await left.get_by_role("button", name="Send", exact=True).click()
    await expect(right.get_by_text("The count is 0")).to_be_visible()
    await expect(right.get_by_alt_text("picture 0")).to_be_visible()
    await right.get_by_role("button", name="Count 0").click()
    await expect(left.get_by_role("button", name="Count 1")).to_be_visible()
    await expect(left.get_by_alt_text("picture 1")).to_be_visible()
    await left.get_by_role("button", name="Pick a colour").click()
    await left.get_by_role("option", name="Green").click()
    await expect(left.get_by_text("You picked green")).to_be_visible()
    await expect(left.get_by_text("Only you can see this")).to_be_visible()
    await expect(right.get_by_text("You picked green")).to_have_count(0)
    await left.get_by_role("button", name="Dismiss message").click()
    await expect(left.get_by_text("You picked green")).to_have_count(0)
    assert not sandbox.unanswered


@pytest.mark.usefixtures("client")
async def test_the_page_remembers_the_person(sandbox: Sandbox, tabs: Tabs) -> None:
    """After a reload, each pane still shows the person chosen there."""
    page = await visit(tabs, sandbox, WIDE)
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    await left.get_by_role("radio", name="South").click()
    await page.reload()
    for pane in (left, right):
        await expect(pane.get_by_role("radio", name="South")).to_be_checked()


@pytest.mark.usefixtures("client")
async def test_options_by_keyboard(sandbox: Sandbox, tabs: Tabs) -> None:
    """A command with a user, a number, a choice and autocomplete can be entered with the keyboard alone."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/greet")
    await page.keyboard.type("sou")
    await page.keyboard.press("Enter")
    await left.get_by_role("button", name="+ times").press("Enter")
    await page.keyboard.type("4")
    await left.get_by_role("button", name="+ tone").press("Enter")
    await page.keyboard.type("co")
    await page.keyboard.press("Tab")
    await left.get_by_role("button", name="+ colour").press("Enter")
    # Type only "g". A second letter would load the same choices again and select the first one again.
    await page.keyboard.type("g")
    await expect(left.get_by_role("option")).to_have_count(2)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("@South 4 c grey")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_enter_leaves_a_field_before_it_sends(sandbox: Sandbox, tabs: Tabs) -> None:
    """Enter in a field picks the typed choice and moves the focus to the input line. Enter there sends the command."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    line = left.locator(".line")
    await command(page, 0, "/demo greet")
    await page.keyboard.type("South")
    await page.keyboard.press("Enter")
    await expect(line).to_be_focused()
    await page.keyboard.type("col")
    await page.keyboard.press("Tab")
    await expect(left.get_by_label("colour", exact=True)).to_be_focused()
    await page.keyboard.type("green")
    await page.keyboard.press("Enter")
    await expect(line).to_be_focused()
    await expect(left.get_by_label("colour", exact=True)).to_have_value("green")
    await expect(left.get_by_text("@South 1 k green")).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("@South 1 k green")).to_be_visible()


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("typed", ["South 3 green", "times:3 South colour:green", "colour: green who:South 3"])
async def test_typed_in_full(sandbox: Sandbox, tabs: Tabs, typed: str) -> None:
    """A value typed after a command fills the option that it names, as in `times:3`, or else one that accepts it."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, f"/demo greet {typed}")
    for name, value in {"who": "@South", "times": "3", "colour": "green"}.items():
        await expect(left.get_by_label(name, exact=True)).to_have_value(value)
    await expect(left.get_by_label("tone", exact=True)).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("@South 3 k green")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_number_options(sandbox: Sandbox, tabs: Tabs) -> None:
    """The field of a number option explains its limits if the value is invalid. An empty optional field is not sent."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/demo greet South")
    await left.get_by_role("button", name="+ times").click()
    for wrong in ("0", "1.5", "some"):
        await left.get_by_label("times", exact=True).fill(wrong)
        await page.keyboard.press("Enter")
        await expect(left.get_by_text("a whole number from 1 to 5")).to_be_visible()
    await left.get_by_label("times", exact=True).fill("")
    await expect(left.get_by_text("a whole number from 1 to 5")).to_be_hidden()
    await left.get_by_role("button", name="Send", exact=True).click()
    await expect(left.get_by_text("@South 1 k none")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_modal_and_thinking(sandbox: Sandbox, tabs: Tabs) -> None:
    """A modal can be filled in and submitted. The text of a deferred response appears once the bot sends it."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/demo form")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Ann")
    await dialog.get_by_role("option", name="large").click()
    await dialog.get_by_role("button", name="Submit").click()
    await expect(left.get_by_text("Ann is large")).to_be_visible()
    await command(page, 0, "/demo slow")
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("and more")).to_be_visible()


async def test_missing_responses(sandbox: Sandbox, client: TestBot, tabs: Tabs) -> None:
    """A command and a button without a response show an error."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/demo silent")
    await page.keyboard.press("Enter")
    await sandbox.until(sandbox.interactions.pending)
    sandbox.world.clock.advance(sandbox.interactions.response_timeout)
    await expect(left.get_by_text("did not respond")).to_be_visible()
    await page.keyboard.press("Escape")
    await command(page, 0, "/counter")
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("The count is 0")).to_be_visible()
    client.remove_dynamic_items(Count, Pick)
    await left.get_by_role("button", name="Count 0").click()
    await sandbox.until(sandbox.interactions.pending)
    sandbox.world.clock.advance(sandbox.interactions.response_timeout)
    await expect(left.get_by_text("This interaction failed")).to_be_visible()


async def test_phone(sandbox: Sandbox, client: TestBot, tabs: Tabs) -> None:
    """On a phone, there is one pane, nothing is wider than the screen, badges show unread messages, and emojis fit."""
    page = await visit(tabs, sandbox, PHONE)
    pane = page.locator(".pane")
    await expect(pane).to_have_count(1)
    await command(page, 0, "/demo greet")
    await page.keyboard.type("south")
    await page.keyboard.press("Enter")
    await pane.get_by_role("button", name="Send", exact=True).click()
    await pane.get_by_role("radio", name="South, 1 new").click()
    await expect(pane.get_by_text("@South 1 k none")).to_be_visible()
    await pane.get_by_role("button", name="Channels").click()
    await pane.get_by_role("button", name="games").click()
    await expect(pane.get_by_role("heading", name="#games")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    buttons = pane.locator("button:visible")
    heights = [box["height"] for button in await buttons.all() if (box := await button.bounding_box())]
    assert min(heights) >= 40
    await _check_emojis(pane, sandbox, client)


async def _check_emojis(pane: Locator, sandbox: Sandbox, client: TestBot) -> None:
    """Check the sizes of emojis in texts, buttons and menus, and that a deleted emoji is shown by its name."""
    king, deleted = [await client.create_application_emoji(name=name, image=png(64, 64)) for name in ("king", "gone")]
    channel = text_channel(client, sandbox.channel("games"))
    view: ui.LayoutView = ui.LayoutView(timeout=None)
    hand: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    for number in range(5):
        hand.add_item(ui.Button(custom_id=f"card:{number}", emoji=king, disabled=number == 4))
    menu: ui.Select[ui.LayoutView] = ui.Select(custom_id="menu")
    menu.add_option(label="King", emoji=king, default=True)
    box: ui.Container[ui.LayoutView] = ui.Container(ui.TextDisplay(f"A {king} and {deleted}"), hand, ui.ActionRow(menu))
    view.add_item(box)
    await channel.send(view=view)
    await deleted.delete()
    await channel.send(f"{king}\n🃏")
    await channel.send(f"{deleted}")
    await expect(pane.locator("article").last).to_contain_text(":gone:")
    # The emoji was deleted after the page had shown it, so only a reloaded page notices.
    await pane.page.reload()
    await pane.get_by_role("button", name="Channels").click()
    await pane.get_by_role("button", name="games").click()
    await expect(pane.locator(".container .text")).to_have_text("A  and :gone:")
    sizes = {".container .text": 22, ".text.large": 48, ".button >> nth=0": 20, ".menu": 20}
    for place, size in sizes.items():
        image = pane.locator(place).get_by_alt_text(":king:")
        await expect(image).to_have_js_property("naturalWidth", 64)
        box_of = await image.bounding_box()
        assert box_of is not None
        assert (round(box_of["width"]), round(box_of["height"])) == (size, size)
    cards = pane.locator(".button", has=pane.page.get_by_alt_text(":king:"))
    await expect(cards).to_have_count(5)
    rows = [place["y"] for card in await cards.all() if (place := await card.bounding_box())]
    assert len(set(rows)) == 1
    await expect(cards.last).to_have_css("opacity", "0.5")


@pytest.mark.usefixtures("client")
async def test_markup_is_text(sandbox: Sandbox, tabs: Tabs) -> None:
    """Text from people and bots is never parsed as HTML, and the Content-Security-Policy forbids inline scripts."""
    page = await visit(tabs, sandbox, WIDE)
    north, general = sandbox.person("North"), sandbox.channel("general")
    words = "<img src=x onerror=alert(1)> **bold** ||hidden|| [click](javascript:alert(1)) `<b>` <t:0:R>"
    await north.say(general, words)
    log = page.locator(".log").first
    await expect(log.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    await expect(log.locator("strong")).to_have_text("bold")
    await expect(log.locator("time[data-since]")).to_contain_text("years ago")
    assert await log.locator("article img, article a, article script").count() == 0
    async with aiohttp.ClientSession() as session, session.get(sandbox.page) as response:
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.usefixtures("client")
async def test_several_tabs(sandbox: Sandbox, tabs: Tabs) -> None:
    """Two windows that show the same person show the same new messages."""
    first, second = await visit(tabs, sandbox, WIDE), await visit(tabs, sandbox, PHONE)
    await command(first, 0, "/demo secret")
    await first.keyboard.press("Enter")
    for page in (first, second):
        await expect(page.locator(".pane").first.get_by_text("for your eyes")).to_be_visible()
    assert await first.locator(".pane").nth(1).get_by_text("for your eyes").count() == 0


async def test_greeting(tabs: Tabs) -> None:
    """The greeting stays until it is dismissed. Its commands, channels and message links are clickable."""
    world = World.default("Helper")
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    greeting = f"# Welcome\n1. Use </demo greet:0>\n2. Look into <#{games.id}>"
    async with running_sandbox(world, greeting=greeting) as sandbox, running_client(sandbox):
        page = await visit(tabs, sandbox, WIDE)
        left = page.locator(".pane").first
        panel = page.get_by_role("complementary", name="First steps")
        await panel.get_by_role("button", name="/demo greet").click()
        await expect(left.get_by_label("who", exact=True)).to_be_focused()
        await panel.get_by_role("button", name="#games").click()
        await expect(left.get_by_role("heading", name="#games")).to_be_visible()
        message = await sandbox.person("South").say(sandbox.channel("general"), "over here")
        await sandbox.person("South").say(
            games, f"see https://discord.com/channels/1/{message.channel.id}/{message.id}"
        )
        await left.get_by_role("button", name="#general").click()
        await expect(left.locator("article", has_text="over here")).to_be_focused()
        await page.get_by_role("button", name="Got it").click()
        await expect(panel).to_be_hidden()
        await page.reload()
        await expect(left.get_by_text("over here")).to_be_visible()
        await expect(panel).to_be_hidden()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_greeting_makes_room(tabs: Tabs, size: dict[str, int]) -> None:
    """The greeting is shortened on phones and after the first command. *Help* shows the whole greeting or hides it."""
    async with running_sandbox(greeting="First words. " * 20 + "\n\nLast words.") as sandbox, running_client(sandbox):
        page = await visit(tabs, sandbox, size)
        panel = page.get_by_role("complementary", name="First steps")
        last_words, help_ = panel.get_by_text("Last words."), page.get_by_role("button", name="Help")
        await expect(panel.get_by_text("First words.")).to_be_visible()
        await expect(last_words).to_be_visible(visible=size is WIDE)
        await command(page, 0, "/demo ping")
        await page.keyboard.press("Enter")
        await expect(last_words).to_be_hidden()
        short_box = await panel.bounding_box()
        await help_.click()
        await expect(last_words).to_be_in_viewport(ratio=1)
        full_box = await panel.bounding_box()
        assert short_box is not None
        assert full_box is not None
        assert short_box["height"] < full_box["height"] / 2 or size is WIDE
        assert await panel.evaluate("(panel) => panel.scrollHeight <= panel.clientHeight")
        await help_.click()
        await expect(panel).to_be_hidden()
        await help_.click()
        await expect(last_words).to_be_in_viewport(ratio=1)


async def test_restart(tabs: Tabs) -> None:
    """An open page reconnects when the sandbox restarts."""
    async with Sandbox() as first:
        page = await visit(tabs, first, WIDE)
        left = page.locator(".pane").first
        await first.person("South").say(first.channel("general"), "before")
        await expect(left.get_by_text("before")).to_be_visible()
        port = int(first.page.rstrip("/").rpartition(":")[2])
    await expect(left.get_by_text("No connection to the sandbox. Start it again with the same command")).to_be_visible()
    async with Sandbox(port=port) as second:
        await second.person("South").say(second.channel("general"), "after")
        await expect(left.get_by_text("after")).to_be_visible()
        await expect(left.get_by_text("before")).to_have_count(0)
