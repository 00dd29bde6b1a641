"""The person and the channel of each pane, with two and with four people."""

from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.sandbox import Channel, Person, Sandbox, World
from tests.sandbox.bots import ShardedBot, TestBot, panel, picture_file, running_client, running_sandbox, text_channel
from tests.sandbox.page.screens import PHONE, WIDE, Tabs, command, page_marks, visit

pytestmark = page_marks


@pytest_asyncio.fixture(loop_scope="session")
async def four_people() -> AsyncIterator[tuple[Sandbox, TestBot]]:
    """Run a world of four people with the test client."""
    world = World("Helper")
    people = [world.add_user(name) for name in ("North", "South", "East", "West")]
    world.add_channel(world.add_guild("The Clubhouse", people), "general")
    async with running_sandbox(world) as sandbox, running_client(sandbox) as client:
        yield sandbox, client


async def test_one_person_in_two_panes(
    sandbox: Sandbox, client: TestBot, south: Person, general: Channel, tabs: Tabs
) -> None:
    """Two panes that show the same person can show different channels, and each handles its own clicks."""
    page = await visit(tabs, sandbox, WIDE)
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    user = await client.fetch_user(south.id)
    await user.send("a letter")
    await text_channel(client, general).send("`/demo ping`")
    await left.get_by_role("radio", name="South").click()
    await left.locator(".channel", has_text="Bot").click()
    await expect(left.get_by_role("heading", name="@Bot")).to_be_visible()
    await expect(left.get_by_text("a letter")).to_be_visible()
    await user.send("another letter")
    await expect(left.get_by_text("another letter")).to_be_visible()
    await expect(right.get_by_role("heading", name="#general")).to_be_visible()
    await expect(right.locator(".line")).to_have_attribute("placeholder", "Message #general")
    await expect(right.get_by_text("letter")).to_have_count(0)
    await right.get_by_role("button", name="/demo ping").click()
    await expect(right.locator(".chip")).to_be_visible()
    await expect(left.locator(".chip")).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(right.get_by_text("pong")).to_be_visible()
    await expect(left.get_by_text("pong")).to_have_count(0)


async def test_widened_phone(sandbox: Sandbox, client: TestBot, south: Person, general: Channel, tabs: Tabs) -> None:
    """A second pane that appears when the window is widened shows its own channel, not the first pane's."""
    page = await visit(tabs, sandbox, PHONE)
    await (await client.fetch_user(south.id)).send("a letter")
    await page.get_by_role("radio", name="South, 1 new").click()
    await page.get_by_role("button", name="Channels, 1 new").click()
    await page.locator(".channel", has_text="Bot").click()
    await (await client.fetch_user(south.id)).send("another letter")
    await expect(page.get_by_text("another letter")).to_be_visible()
    await page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    await expect(left.get_by_role("heading", name="@Bot")).to_be_visible()
    await expect(right.get_by_role("heading", name="#general")).to_be_visible()
    await expect(right.get_by_text("letter")).to_have_count(0)
    del general


async def test_each_person_keeps_their_channel(sandbox: Sandbox, client: TestBot, general: Channel, tabs: Tabs) -> None:
    """A pane returns to each person's last channel, or to the first channel if the last one was deleted."""
    page = await visit(tabs, sandbox, PHONE)
    await text_channel(client, general).send("in general")
    await page.get_by_role("button", name="Channels").click()
    await page.get_by_role("button", name="games").click()
    await page.get_by_role("radio", name="South").click()
    await expect(page.get_by_role("heading", name="#general")).to_be_visible()
    await page.get_by_role("radio", name="North").click()
    await expect(page.get_by_role("heading", name="#games")).to_be_visible()
    sandbox.moderation.delete_channel(sandbox.channel("games"))
    await expect(page.get_by_role("heading", name="#general")).to_be_visible()
    await expect(page.get_by_text("in general")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_four_people(four_people: tuple[Sandbox, TestBot], tabs: Tabs, size: dict[str, int]) -> None:
    """The buttons of four people fit side by side, even with badges. Clicks and arrow keys switch between people."""
    sandbox, client = four_people
    page = await visit(tabs, sandbox, size)
    pane = page.locator(".pane").first
    users = " ".join(f"<@{sandbox.person(name).id}>" for name in ("South", "East", "West"))
    await expect(pane.get_by_role("radio")).to_have_count(4)
    for _ in range(11):
        await (await client.fetch_channel(sandbox.channel("general").id)).send(users)  # type: ignore[union-attr]
    await expect(pane.get_by_role("radio", name="West, 11 new")).to_be_visible()
    people = pane.locator(".people")
    assert await people.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")
    for name in ("South", "East", "West"):
        await pane.get_by_role("radio", name=name).click()
        await expect(pane.get_by_role("radio", checked=True)).to_have_accessible_name(name)
        await command(page, 0, "/demo secret")
        await page.keyboard.press("Enter")
        await expect(pane.get_by_text("for your eyes")).to_be_visible()
        assert await people.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")
    await pane.get_by_role("radio", name="West").press("ArrowRight")
    await expect(pane.get_by_role("radio", checked=True)).to_have_accessible_name("North")
    await expect(pane.get_by_text("for your eyes")).to_have_count(0)


async def test_direct_messages_closed(sandbox: Sandbox, client: TestBot, south: Person, tabs: Tabs) -> None:
    """A person can refuse direct messages and allow them again, in every window."""
    page, other = await visit(tabs, sandbox, WIDE), await visit(tabs, sandbox, WIDE)
    user = await client.fetch_user(south.id)
    right = page.locator(".pane").nth(1)
    box, other_box = (
        browser_page.locator(".pane").nth(1).get_by_label("Allow direct messages") for browser_page in (page, other)
    )
    await expect(box).to_be_checked()
    await box.uncheck()
    await expect(other_box).not_to_be_checked()
    with pytest.raises(discord.Forbidden):
        await user.send("a letter")
    await other_box.check()
    await expect(box).to_be_checked()
    await user.send("a letter")
    await expect(right.locator(".channel", has_text="Bot").get_by_label("1 new")).to_be_visible()
    await expect(page.locator(".pane").first.get_by_label("Allow direct messages")).to_be_checked()


async def test_tall_messages(sandbox: Sandbox, client: TestBot, south: Person, general: Channel, tabs: Tabs) -> None:
    """Of a message taller than the pane, a DM channel shows the buttons, and a public channel shows the top."""
    page = await visit(tabs, sandbox, {"width": 1280, "height": 420})
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    await left.get_by_role("radio", name="South").click()
    await left.locator(".channel", has_text="Bot").click()
    tall = picture_file(size=(300, 600))
    await (await client.fetch_user(south.id)).send(view=panel(3), file=tall)
    await text_channel(client, general).send(view=panel(4), file=picture_file(size=(300, 600)))
    await expect(left.get_by_role("button", name="Pick a colour")).to_be_in_viewport(ratio=1)
    await expect(right.get_by_text("The count is 4")).to_be_in_viewport(ratio=1)
    await expect(right.get_by_role("button", name="Count 4")).not_to_be_in_viewport()


async def test_a_shard_without_a_connection(tabs: Tabs) -> None:
    """A pane warns that the bot is not connected, but only while it shows a server whose shard is not connected."""
    world = World("Helper")
    people = [world.add_user(name) for name in ("North", "South")]
    world.add_guilds(1, people, channels=["far"])
    world.add_guilds(1, people, channels=["near"])
    async with running_sandbox(world) as sandbox, running_client(sandbox, ShardedBot(0, shard_count=2)):
        page = await visit(tabs, sandbox, WIDE)
        left = page.locator(".pane").first
        warning = left.get_by_text("The bot is not connected")
        await left.locator(".channel", has_text="near").click()
        await expect(warning).to_be_hidden()
        await left.locator(".channel", has_text="far").click()
        await expect(warning).to_be_visible()
        async with running_client(sandbox, ShardedBot(1, shard_count=2)):
            await expect(warning).to_be_hidden()
        await expect(warning).to_be_visible()
