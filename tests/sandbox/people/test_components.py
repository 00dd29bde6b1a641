"""Responses to components and modals, and user menus, with a discord.py bot."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import discord
import pytest
from discord import ui

from bot.sandbox import Channel, NotOfferedError, Person, ResponseKind, Sandbox
from tests.sandbox.bots import Count, TestBot, panel, picture_file, running_client, text_channel

Interaction = discord.Interaction[Any]
Script = Callable[[Interaction], Awaitable[None]]


class ScriptedBot(TestBot):
    """A client that responds to components and modals with a function set by the test."""

    script: Script | None = None

    async def on_interaction(self, interaction: Interaction) -> None:
        """Pass components and modals to the script."""
        if self.script is not None and interaction.type.value in (3, 5):
            await self.script(interaction)


@pytest.fixture
async def scripted(sandbox: Sandbox) -> AsyncIterator[ScriptedBot]:
    """Run a `ScriptedBot`."""
    async with running_client(sandbox, ScriptedBot()) as client:
        assert isinstance(client, ScriptedBot)
        yield client


def view(*items: ui.Item[Any]) -> ui.View:
    """Create a view of these items, without Components V2."""
    result = ui.View(timeout=None)
    for item in items:
        result.add_item(item)
    return result


async def post(client: discord.Client, channel: Channel, *items: ui.Item[Any], text: str = "choose") -> Any:
    """Send a message with components, and return the sandbox's object for it."""
    place = client.get_partial_messageable(channel.id)
    message = await place.send(text, view=view(*items))
    return channel.messages[message.id]


async def test_deferred_update(sandbox: Sandbox, scripted: ScriptedBot, north: Person, general: Channel) -> None:
    """After a deferred update, the component's message changes only when the bot edits the original response."""

    async def answer(interaction: Interaction) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="edited", view=None)

    scripted.script = answer
    message = await post(scripted, general, ui.Button[Any](label="Go", custom_id="go"))
    pressed = await (await north.press(message, "Go")).answer()
    assert pressed.response is not None
    assert pressed.response.kind is ResponseKind.DEFERRED_UPDATE
    await sandbox.until(lambda: message.text == "edited")
    assert message.buttons == []


async def test_ephemeral_message_lifecycle(
    sandbox: Sandbox, scripted: ScriptedBot, north: Person, south: Person, general: Channel
) -> None:
    """An ephemeral message is updated in place by its own buttons, and can be deleted with the interaction's token."""

    async def answer(interaction: Interaction) -> None:
        if interaction.data is not None and interaction.data.get("custom_id") == "open":
            more = view(ui.Button[Any](label="More", custom_id="more"))
            await interaction.response.send_message("one", view=more, ephemeral=True, file=picture_file())
        else:
            await interaction.response.edit_message(content="two", attachments=[picture_file("b.png")], view=None)
            await interaction.followup.send("three", ephemeral=True)
            await interaction.delete_original_response()

    scripted.script = answer
    message = await post(scripted, general, ui.Button[Any](label="Open", custom_id="open"))
    private = (await (await north.press(message, "Open")).answer()).message
    assert private.ephemeral
    with pytest.raises(NotOfferedError):
        await south.press(private, "More")
    pressed = await (await north.press(private, "More")).answer()
    assert pressed.message is private
    await sandbox.until(lambda: private.deleted)
    assert [image.filename for image in private.images] == ["b.png"]
    assert [found.text for found in north.sees(general)] == ["choose", "three"]
    assert [found.text for found in south.sees(general)] == ["choose"]


async def test_user_menu(scripted: ScriptedBot, north: Person, south: Person, general: Channel) -> None:
    """A user menu accepts people and ids, and resolves them as members."""
    chosen: list[str] = []

    async def answer(interaction: Interaction) -> None:
        data: Any = interaction.data
        chosen.extend(data["values"])
        assert set(data["resolved"]["members"]) == set(data["values"])
        await interaction.response.send_message("thanks", ephemeral=True)

    scripted.script = answer
    menu: ui.UserSelect[Any] = ui.UserSelect(custom_id="who", placeholder="Who?", max_values=2)
    message = await post(scripted, general, menu)
    await (await north.choose(message, "Who?", south, north.id)).answer()
    assert chosen == [str(south.id), str(north.id)]
    with pytest.raises(NotOfferedError):
        await north.choose(message, "Who?", 5)


async def test_modal_from_a_button(scripted: ScriptedBot, north: Person, general: Channel) -> None:
    """A modal opened by a button can update the button's message, and cannot be answered with another modal."""
    refused: list[int] = []

    async def answer(interaction: Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            modal = ui.Modal(title="Name", custom_id="modal")
            field: ui.TextInput[Any] = ui.TextInput(custom_id="name", default="Ann")
            modal.add_item(ui.Label(text="Name", component=field))
            await interaction.response.send_modal(modal)
            return
        try:
            await interaction.response.send_modal(ui.Modal(title="Again"))
        except discord.HTTPException as problem:
            refused.append(problem.code)
        data: Any = interaction.data
        await interaction.response.edit_message(content=data["components"][0]["component"]["value"])

    scripted.script = answer
    message = await post(scripted, general, ui.Button[Any](label="Ask", custom_id="ask"))
    opened = await (await north.press(message, "Ask")).answer()
    await (await north.submit(opened.modal, {})).answer()
    assert message.text == "Ann"
    assert refused == [50035]


async def test_late_clicks(client: TestBot, north: Person, south: Person, general: Channel) -> None:
    """A late click, made before the bot edited the message, reaches the bot with the old custom_id."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    await (await north.press(table, "Count 0")).answer()
    with pytest.raises(NotOfferedError):
        await south.press(table, "count:0")
    with pytest.raises(NotOfferedError):
        await south.press(table, "count:7", late=True)
    late = await (await south.press(table, "count:0", late=True)).answer()
    assert not late.failed
    assert table.text == "# The count is 1"
    chosen = await (await south.choose(table, "pick", "mauve", late=True)).answer()
    assert chosen.text == "You picked mauve"


async def test_simultaneous_clicks(client: TestBot, north: Person, south: Person, general: Channel) -> None:
    """If two people click at the same time, one of them twice, all three interactions get a response."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    clicks = [await person.press(table, "count:0") for person in (north, north, south)]
    for click in clicks:
        assert not (await click.answer()).failed
    assert len({click.id for click in clicks}) == 3


async def test_in_a_thread(sandbox: Sandbox, client: TestBot, north: Person, south: Person, general: Channel) -> None:
    """Commands and buttons work in a thread, and responses are posted there."""
    thread = sandbox.moderation.create_thread(general, "side", north.user)
    table = (await (await south.slash("demo counter", thread)).answer()).message
    await (await north.press(table, "Count 0")).answer()
    assert table.text == "# The count is 1"
    assert north.sees(thread) == [table]
    assert north.sees(general) == []


async def test_deleted_channel(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """If a channel is deleted, responses there are refused with 10003, and its components can no longer be used."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    interaction = await north.slash("demo ping", general)
    sandbox.moderation.delete_channel(general)
    await sandbox.until(lambda: sandbox.journal.refusals[10003] == 1)
    assert interaction.response is None
    with pytest.raises(NotOfferedError):
        await north.press(table, "Count 0")


async def test_unknown_custom_id(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A press on a button whose custom_id the bot does not handle fails."""
    sent = await text_channel(client, general).send(view=panel(0), file=picture_file())
    table = general.messages[sent.id]
    client.remove_dynamic_items(Count)
    pressed = await north.press(table, "Count 0")
    sandbox.world.clock.advance(3)
    assert sandbox.unanswered == [pressed]
