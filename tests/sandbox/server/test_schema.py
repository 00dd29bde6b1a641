"""discord.py's requests match Discord's OpenAPI description, and `SchemaCheck` detects requests that do not match."""

import dataclasses

import pytest
from discord import ui
from discord.http import Route

from bot.sandbox import Channel, Permission, Person, Request, Sandbox, member_overwrite
from tests.sandbox.bots import TestBot, panel, picture_file, png, running_client, text_channel
from tests.sandbox.schema import SchemaCheck, openapi_path


@pytest.fixture(scope="module")
def description() -> SchemaCheck:
    """Load Discord's OpenAPI description once for all tests in this module."""
    if not openapi_path().is_file():
        pytest.skip("Discord's OpenAPI description is neither next to the checkout nor named in DISCORD_OPENAPI")
    return SchemaCheck.load(openapi_path())


@pytest.fixture
def check(description: SchemaCheck) -> SchemaCheck:
    """Create a check that has not recorded any problems."""
    return dataclasses.replace(description, checked=0, problems=[])


async def test_valid_requests(sandbox: Sandbox, check: SchemaCheck, north: Person, south: Person) -> None:
    """Requests for login, commands, responses, messages, files, threads and emojis match Discord's description."""
    sandbox.journal.observers.append(check.observe)
    general = sandbox.channel("general")
    async with running_client(sandbox) as client:
        await (await north.slash("demo greet", general, who=south)).answer()
        await (await north.slash("demo secret", general)).answer()
        slow = await north.slash("demo slow", general)
        await sandbox.until(lambda: slow.followups)
        form = await (await north.slash("demo form", general)).answer()
        await (await north.submit(form.modal, {"Name": "Ann", "Size": "small"})).answer()
        await (await north.complete("demo greet", general, option="colour")).answer()
        table = (await (await north.slash("demo counter", general)).answer()).message
        await (await north.press(table, "Count 0")).answer()
        message = await text_channel(client, general).send(view=panel(0), file=picture_file(), nonce="n")
        await message.edit(view=panel(1), attachments=message.attachments)
        await (await message.create_thread(name="side")).send("inside")
        await (await client.fetch_user(south.id)).send("psst")
        await message.delete()
        king = await client.create_application_emoji(name="king", image=png(8, 8))
        view = ui.View().add_item(ui.Button(custom_id="a", emoji=king))
        await text_channel(client, general).send(f"{king}", view=view)
        await (await client.fetch_application_emoji(king.id)).edit(name="queen")
        for emoji in await client.fetch_application_emojis():
            await emoji.delete()
    assert check.problems == []
    assert check.checked > 15
    assert not sandbox.journal.unknown_routes


async def test_valid_answers(sandbox: Sandbox, client: TestBot, check: SchemaCheck, north: Person) -> None:
    """Answers about guilds, channels, roles, members, threads and the gateway match Discord's description."""
    guild, general = sandbox.world.bot_guilds()[0], sandbox.channel("general")
    sandbox.world.add_channel(guild, "lounge", voice=True)
    sandbox.moderation.set_overwrites(general, member_overwrite(north.user, deny=Permission.SEND_MESSAGES))
    thread = sandbox.moderation.create_thread(general, "side", north.user, members=[sandbox.world.bot])
    secret = sandbox.moderation.create_thread(general, "aside", north.user, private=True, members=[sandbox.world.bot])
    sandbox.journal.observers.append(check.check_answer)
    fetched = await client.fetch_guild(guild.id, with_counts=True)
    assert fetched.approximate_member_count == len(guild.members)
    await fetched.fetch_channels()
    await fetched.fetch_roles()
    await fetched.fetch_member(north.id)
    await fetched.active_threads()
    for channel in (general, thread, secret, north.dm):
        await client.fetch_channel(channel.id)
    await client.http.get_thread_member(thread.id, north.id)
    route = Route("GET", "/channels/{channel_id}/thread-members/{user}", channel_id=secret.id, user=north.id)
    assert (await client.http.request(route, params={"with_member": "true"}))["member"]["user"]["id"] == str(north.id)
    assert [found.id async for found in client.fetch_guilds()] == [guild.id]
    await client.http.get_bot_gateway()
    assert check.problems == []
    assert check.checked == 13


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"payload": {"content": 5}}, "content: 5 is not of types"),
        (
            {"payload": {"components": [{"type": 1, "components": [{"type": 2, "custom_id": "x" * 101, "style": 1}]}]}},
            "components/0/components/0/custom_id: ",
        ),
        ({"query": {"why": "1"}}, "unknown query parameter why"),
        ({"path": "/channels/1/poems"}, "/channels/1/poems: not in the description"),
    ],
)
async def test_problems(
    sandbox: Sandbox, client: TestBot, check: SchemaCheck, general: Channel, changed: dict[str, object], problem: str
) -> None:
    """The report names a field with a wrong type or an overlong id, an unknown query parameter, and an unknown path."""
    seen: list[Request] = []
    sandbox.journal.observers.append(seen.append)
    await text_channel(client, general).send("fine")
    check.observe(seen[0])
    assert check.problems == []
    check.observe(dataclasses.replace(seen[0], **changed))
    assert len(check.problems) == 1
    assert problem in check.problems[0]
