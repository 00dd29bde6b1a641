"""Text typed for command options reaches the bot as intended, and invalid text is explained."""

import asyncio
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import app_commands
from playwright.async_api import expect

from bot.sandbox import Sandbox
from tests.sandbox.bots import TestBot
from tests.sandbox.page.screens import PHONE, WIDE, Tabs, command, page_marks, visit

pytestmark = page_marks

CARDS = {"J♠, leaving 23": "Js", "K♣, leaving 32": "Kc", "10♥, leaving 33": "Th"}


@pytest.fixture
def released() -> asyncio.Event:
    """An event. The autocomplete choices for the text "slow" are sent only after it is set."""
    return asyncio.Event()


@pytest_asyncio.fixture(loop_scope="session")
async def client(client: TestBot, released: asyncio.Event) -> TestBot:
    """The test client, with a command whose autocomplete offers the same three cards for almost any text."""

    @client.tree.command(description="Put a card down")
    async def put(interaction: discord.Interaction[Any], card: str, note: str = "none") -> None:
        await interaction.response.send_message(f"You put {card}, {note}")

    @put.autocomplete("card")
    async def cards(_: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        if typed == "nothing such":
            return []
        if typed == "slow":
            await released.wait()
        return [app_commands.Choice(name=name, value=value) for name, value in CARDS.items()]

    await client.tree.sync()
    return client


@pytest.mark.usefixtures("client")
async def test_text_of_several_words(sandbox: Sandbox, tabs: Tabs) -> None:
    """Several words typed for one option are sent as the choice that they match, otherwise as typed.

    This works even if Enter is pressed before the choices have arrived.
    """
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    for typed, expected in (
        *(("king of clubs", "king of clubs"), ("nothing such", "nothing such")),
        *(("kc", "Kc"), ("J♠, leaving 23", "Js")),
    ):
        await command(page, 0, f"/put {typed}")
        await page.keyboard.press("Enter")
        await expect(left.get_by_text(f"You put {expected}, none")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_text_in_a_field(sandbox: Sandbox, tabs: Tabs) -> None:
    """In a field, the Enter key picks the choice that begins with the typed text. If there is none, the text stays."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    card = left.get_by_label("card", exact=True)
    for typed, expected in {
        "queen of hearts": "queen of hearts",
        "nothing such": "nothing such",
        "k": "K♣, leaving 32",
    }.items():
        await command(page, 0, "/put")
        await expect(card).to_be_focused()
        await page.keyboard.type(typed)
        await page.keyboard.press("Enter")
        await expect(card).to_have_value(expected)
        await expect(left.locator(".line")).to_be_focused()
        await left.get_by_role("button", name="Cancel the command").click()


@pytest.mark.usefixtures("client")
async def test_keys_before_choices_arrive(sandbox: Sandbox, tabs: Tabs) -> None:
    """Arrow keys and Enter apply to the choices for the typed text, even if they arrive late."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    for _ in range(3):
        await command(page, 0, "/put")
        await page.keyboard.type("card")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(left.get_by_label("card", exact=True)).to_have_value("K♣, leaving 32")
        await left.get_by_role("button", name="Cancel the command").click()


@pytest.mark.usefixtures("client")
async def test_typing_while_an_earlier_field_is_filled(sandbox: Sandbox, released: asyncio.Event, tabs: Tabs) -> None:
    """While one option waits for its choices, a person can type in another field, which keeps the focus."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/put slow")
    await page.keyboard.type("note")
    await page.keyboard.press("Enter")
    note = left.get_by_label("note", exact=True)
    await page.keyboard.type("sai")
    await expect(note).to_have_value("sai")
    released.set()
    await expect(left.get_by_label("card", exact=True)).to_have_value("slow")
    await page.keyboard.type("d")
    await expect(note).to_have_value("said")
    await expect(note).to_be_focused()


@pytest.mark.usefixtures("client")
async def test_invalid_required_value(sandbox: Sandbox, tabs: Tabs) -> None:
    """Text that a required option does not accept stays in the option's field, which explains the valid values."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/demo greet Nobody 3")
    who = left.get_by_label("who", exact=True)
    await expect(who).to_be_focused()
    await expect(who).to_have_value("Nobody 3")
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("choose one from the list")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_named_options(sandbox: Sandbox, tabs: Tabs) -> None:
    """Text after an option's `name:` goes to this option. If the option does not accept it, the field says why."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    await command(page, 0, "/demo greet who:South colour:purple")
    await expect(left.get_by_label("colour", exact=True)).to_have_value("purple")
    await page.keyboard.press("Enter")
    await expect(left.get_by_text("1 k purple")).to_be_visible()
    for name, typed, wanted in (
        ("times", "9", "a whole number from 1 to 5"),
        ("times", "many", "a whole number from 1 to 5"),
        ("who", "Nobody", "choose one from the list"),
    ):
        named = {"who": "South"} | {name: typed}
        await command(page, 0, "/demo greet " + " ".join(f"{option}:{value}" for option, value in named.items()))
        field = left.get_by_label(name, exact=True)
        await expect(field).to_have_value(typed)
        await expect(left.get_by_text(wanted)).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(field).to_be_focused()
        await left.get_by_role("button", name="Cancel the command").click()


@pytest.mark.usefixtures("client")
async def test_named_free_text(sandbox: Sandbox, tabs: Tabs) -> None:
    """Free text after an option's `name:` ends at the next name, even if it begins with one of the option's choices."""
    page = await visit(tabs, sandbox, WIDE)
    left = page.locator(".pane").first
    for typed, expected in (
        ("card:kc and more", "kc and more, none"),
        ("card:kc and more note:said it", "kc and more, said it"),
        ("note:said card:kc", "Kc, said"),
    ):
        await command(page, 0, f"/put {typed}")
        await page.keyboard.press("Enter")
        await expect(left.get_by_text(f"You put {expected}")).to_be_visible()


@pytest.mark.usefixtures("client")
async def test_explanations(sandbox: Sandbox, tabs: Tabs) -> None:
    """If no option accepts a typed text, or a typed command is not offered to this person, the page says so."""
    page = await visit(tabs, sandbox, WIDE)
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    await command(page, 0, "/put king")
    await page.keyboard.type("note")
    await page.keyboard.press("Enter")
    await page.keyboard.type("said")
    await page.keyboard.press("Enter")
    await page.keyboard.type("more")
    await expect(left.get_by_text("/put takes no more options. Delete “more” to send it.")).to_be_visible()
    await left.get_by_role("button", name="Cancel the command").click()
    await command(page, 0, "/demo greet South")
    await page.keyboard.type("purple")
    await expect(left.get_by_text("“purple” fits none of the options. Choose one with + for it")).to_be_visible()
    await right.locator(".line").fill("/manage")
    await expect(right.get_by_text("South has no such command here")).to_be_visible()
    await right.locator(".line").press("Enter")
    await expect(right.get_by_text("South has no such command here").locator("visible=true")).to_have_count(1)


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_fields_grow(sandbox: Sandbox, tabs: Tabs, size: dict[str, int]) -> None:
    """A field grows with its text, up to the line's width. The placeholder of an empty input line is not cut off."""
    page = await visit(tabs, sandbox, size)
    pane = page.locator(".pane").first
    await pane.get_by_role("heading", name="#general").wait_for()
    await command(page, 0, "/put ten of diamonds and more")
    card = pane.get_by_label("card", exact=True)
    assert await card.evaluate("(field) => field.scrollWidth <= field.clientWidth")
    await card.fill("a word " * 40)
    inside = "(field) => field.getBoundingClientRect().right <= field.closest('.fields').getBoundingClientRect().right"
    assert await card.evaluate(inside)
    assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    await pane.get_by_role("button", name="Cancel the command").click()
    line = pane.locator(".line")
    await expect(line).to_have_attribute("placeholder", "Message #general")
    room = "(line) => { line.value = line.placeholder; return line.scrollWidth <= line.clientWidth; }"
    assert await line.evaluate(room)
