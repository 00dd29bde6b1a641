"""People's interactions with a discord.py bot."""

import discord
import pytest

from bot.sandbox import Channel, InteractionKind, NotOfferedError, Person, ResponseKind, Sandbox
from tests.sandbox.bots import TestBot, text_channel


async def test_login_syncs_commands(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """After the bot has logged in, people are offered its commands, depending on the channel and their permissions."""
    assert client.user is not None
    assert client.user.id == sandbox.world.bot.id
    south = sandbox.person("South")
    assert [row["name"] for row in north.commands(general)] == ["demo", "manage"]
    assert [row["name"] for row in south.commands(general)] == ["demo"]
    assert [row["name"] for row in north.commands(north.dm)] == ["demo"]


@pytest.mark.usefixtures("client")
async def test_public_answer(sandbox: Sandbox, north: Person, south: Person, general: Channel) -> None:
    """Everyone sees a public response."""
    interaction = await (await north.slash("demo ping", general)).answer()
    assert interaction.text == "pong"
    assert interaction.latency is not None
    assert [message.text for message in south.sees(general)] == ["pong"]
    assert not sandbox.unanswered


@pytest.mark.usefixtures("client")
async def test_forged_data(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """Forged data reaches the bot unchanged, but only from a channel that the person can see."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    data = {"component_type": 3, "custom_id": "pick", "values": ["purple"]}
    forged = await (await north.forge(InteractionKind.COMPONENT, general, data, table)).answer()
    assert forged.text == "You picked purple"
    stranger = Person(sandbox.state, sandbox.world.add_user("Stranger"))
    with pytest.raises(NotOfferedError):
        await stranger.forge(InteractionKind.COMPONENT, general, data, table)


async def test_ephemeral_answer(client: TestBot, north: Person, south: Person, general: Channel) -> None:
    """Only its recipient sees an ephemeral response, until they dismiss it. Even the bot cannot fetch it."""
    interaction = await (await north.slash("demo secret", general)).answer()
    message = interaction.message
    assert message.ephemeral
    assert [(image.alt, image.filename) for image in message.images] == [("a white field", "dot.png")]
    assert (message.attachments[0].width, message.attachments[0].height) == (40, 30)
    assert south.sees(general) == []
    assert north.sees(general) == [message]
    with pytest.raises(discord.NotFound):
        await text_channel(client, general).fetch_message(message.id)
    north.dismiss(message)
    assert north.sees(general) == []


@pytest.mark.usefixtures("client")
async def test_options(sandbox: Sandbox, north: Person, south: Person, general: Channel) -> None:
    """Users, numbers and choices in options reach the bot, and a mention in its response notifies the user."""
    interaction = await north.slash("demo greet", general, who=south, times=3, tone="Cold")
    await interaction.answer()
    assert interaction.text == f"<@{south.id}> 3 c none"
    assert south.pushes == [interaction.message]
    assert north.pushes == []
    assert not sandbox.unanswered


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("options", [{}, {"who": 5}, {"times": 6}, {"tone": "warm"}, {"why": 1}, {"times": True}])
async def test_options_refused(north: Person, south: Person, general: Channel, options: dict[str, object]) -> None:
    """Options that a real client would not accept raise an error before anything is sent."""
    all_options = options if not options or "who" in options else {"who": south, **options}
    with pytest.raises(NotOfferedError):
        await north.slash("demo greet", general, **all_options)


@pytest.mark.usefixtures("client")
async def test_completion(north: Person, south: Person, general: Channel) -> None:
    """Autocomplete returns the choices that the bot offers for the typed text."""
    interaction = await north.complete("demo greet", general, option="colour", value="gr", who=south)
    await interaction.answer()
    assert [choice["value"] for choice in interaction.choices] == ["green", "grey"]


@pytest.mark.usefixtures("client")
async def test_nested_group(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """A command in a nested group can be used, and has autocomplete."""
    interaction = await (await north.slash("demo deep dive", general, value="six", option=True)).answer()
    assert interaction.text == "six True"
    completed = await (await north.complete("demo deep dive", general, option="value", value="9")).answer()
    assert [choice["name"] for choice in completed.choices] == ["9 fathoms"]
    assert sandbox.all_messages() == interaction.messages


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("private", [False, True])
async def test_deferral(sandbox: Sandbox, north: Person, south: Person, general: Channel, private: bool) -> None:
    """The bot can fill a deferred response and send a follow-up. Both are public, or both are ephemeral."""
    interaction = await north.slash("demo slow", general, private=private)
    await interaction.answer()
    assert interaction.message.loading
    await interaction.done()
    assert interaction.message.text == "thought"
    assert len(interaction.message.images) == 1
    await sandbox.until(lambda: interaction.followups)
    assert interaction.followups[0].text == "and more"
    assert len(south.sees(general)) == (0 if private else 2)


@pytest.mark.usefixtures("client")
async def test_dynamic_button(sandbox: Sandbox, north: Person, south: Person, general: Channel) -> None:
    """Anyone can press a DynamicItem in a layout. The press updates the item's message in place."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    assert table.text == "# The count is 0"
    assert [image.alt for image in table.images] == ["picture 0"]
    first = table.attachments[0].id
    pressed = await (await south.press(table, "Count 0")).answer()
    assert pressed.response is not None
    assert pressed.response.kind is ResponseKind.UPDATE
    assert pressed.message is table
    assert table.text == "# The count is 1"
    assert [button.label for button in table.buttons] == ["Count 1"]
    assert [attachment.id for attachment in table.attachments] != [first]
    await (await south.press(table, "count:1")).answer()
    assert table.text == "# The count is 2"
    assert not sandbox.unanswered


@pytest.mark.usefixtures("client")
async def test_select(north: Person, south: Person, general: Channel) -> None:
    """A menu accepts the labels of its options, and only the allowed number of them."""
    table = (await (await north.slash("demo counter", general)).answer()).message
    chosen = await (await south.choose(table, "Pick a colour", "Green")).answer()
    assert chosen.text == "You picked green"
    assert len(north.sees(general)) == 1
    with pytest.raises(NotOfferedError):
        await south.choose(table, "Pick a colour", "Mauve")
    with pytest.raises(NotOfferedError):
        await south.choose(table, "Pick a colour", "Green", "Red")


@pytest.mark.usefixtures("client")
async def test_modal(north: Person, south: Person, general: Channel) -> None:
    """A modal opens for one person, validates its fields and gets a response."""
    opened = await (await north.slash("demo form", general)).answer()
    modal = opened.modal
    assert modal.title == "A form"
    for wrong in ({}, {"name": "x" * 21, "Size": "small"}, {"Name": "x", "Size": "huge"}, {"Age": "3"}):
        with pytest.raises(NotOfferedError):
            await north.submit(modal, wrong)
    with pytest.raises(NotOfferedError):
        await south.submit(modal, {"Name": "Ann", "Size": "large"})
    sent = await (await north.submit(modal, {"Name": "Ann", "Size": "large"})).answer()
    assert sent.text == "Ann is large"


@pytest.mark.usefixtures("client")
async def test_direct_message_command(north: Person) -> None:
    """Commands work in the DM channel."""
    interaction = await (await north.slash("demo ping")).answer()
    assert north.direct_messages() == [interaction.message]


@pytest.mark.usefixtures("client")
async def test_no_answer(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """An interaction without a response fails at its deadline, and is listed as unanswered."""
    interaction = await north.slash("demo silent", general)
    sandbox.world.clock.advance(2.9)
    assert interaction.pending
    sandbox.world.clock.advance(0.1)
    assert interaction.failed
    assert await interaction.answer() is interaction
    assert sandbox.unanswered == [interaction]


async def test_not_connected(sandbox: Sandbox, north: Person, general: Channel, client: TestBot) -> None:
    """Without a connected bot, an interaction is not delivered and fails."""
    await client.close()
    await sandbox.until(lambda: not sandbox.gateway.connected)
    interaction = await north.slash("demo ping", general)
    sandbox.world.clock.advance(3)
    assert interaction.failed
    assert not interaction.delivered


@pytest.mark.usefixtures("client")
async def test_client_side_refusals(sandbox: Sandbox, north: Person, south: Person, general: Channel) -> None:
    """People cannot use messages that they do not see, disabled buttons, archived threads or unknown commands."""
    secret = (await (await north.slash("demo secret", general)).answer()).message
    with pytest.raises(NotOfferedError):
        await south.press(secret, "anything")
    with pytest.raises(NotOfferedError):
        await north.press(secret, "anything")
    table = (await (await north.slash("demo counter", general)).answer()).message
    next(row for row in table.components[0]["components"] if row["type"] == 1)["components"][0]["disabled"] = True
    with pytest.raises(NotOfferedError):
        await north.press(table, "Count 0")
    thread = sandbox.moderation.create_thread(general, "old", north.user)
    sandbox.moderation.archive(thread)
    with pytest.raises(NotOfferedError):
        await north.slash("demo ping", thread)
    with pytest.raises(NotOfferedError):
        await north.slash("demo nothing", general)
