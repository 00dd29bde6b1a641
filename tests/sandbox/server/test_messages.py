"""Messages, threads and DM channels, with discord.py."""

import io

import aiohttp
import discord
import pytest

from bot.sandbox import Channel, Permission, Person, Sandbox, member_overwrite
from tests.sandbox.bots import TestBot, panel, picture_file, text_channel


async def test_send_edit_fetch_delete(client: TestBot, north: Person, general: Channel) -> None:
    """A message can be sent, edited, fetched and deleted. Requests for a deleted message are refused with 10008."""
    channel = text_channel(client, general)
    message = await channel.send("hello", file=picture_file())
    assert north.sees(general)[0].text == "hello"
    await message.edit(content="goodbye", attachments=[])
    assert north.sees(general)[0].text == "goodbye"
    assert north.sees(general)[0].images == []
    fetched = await channel.fetch_message(message.id)
    assert fetched.content == "goodbye"
    assert [found.id async for found in channel.history()] == [message.id]
    await message.delete()
    assert north.sees(general) == []
    for request in (message.edit(content="x"), channel.fetch_message(message.id), message.delete()):
        with pytest.raises(discord.NotFound) as caught:
            await request
        assert caught.value.code == 10008


async def test_attachment_is_served(client: TestBot, general: Channel) -> None:
    """An attachment can be downloaded from its URL, with its content type and size."""
    message = await text_channel(client, general).send(view=panel(3), file=picture_file(size=(7, 5)))
    attachment = message.attachments[0]
    assert (attachment.width, attachment.height, attachment.content_type) == (7, 5, "image/png")
    async with aiohttp.ClientSession() as session, session.get(attachment.url) as response:
        assert response.status == 200
        assert response.content_type == "image/png"
        content = await response.read()
    assert len(content) == attachment.size
    assert general.messages[message.id].images[0].content == content


async def test_an_animation_has_its_size(client: TestBot, general: Channel) -> None:
    """An animated WebP is recognized by its content, and has the size of its canvas."""
    canvas = bytes((2, 0, 0, 0)) + (6).to_bytes(3, "little") + (4).to_bytes(3, "little")
    moving = b"RIFF" + (22).to_bytes(4, "little") + b"WEBPVP8X" + (10).to_bytes(4, "little") + canvas
    message = await text_channel(client, general).send(file=discord.File(io.BytesIO(moving), filename="moving"))
    attachment = message.attachments[0]
    assert (attachment.width, attachment.height, attachment.content_type) == (7, 5, "image/webp")


async def test_kept_attachment(client: TestBot, general: Channel) -> None:
    """An edit keeps the attachments that it lists. A component cannot refer to an attachment that is not kept."""
    message = await text_channel(client, general).send(view=panel(0), file=picture_file())
    await message.edit(view=panel(1), attachments=message.attachments)
    stored = general.messages[message.id]
    assert stored.text == "# The count is 1"
    assert len(stored.images) == 1
    with pytest.raises(discord.HTTPException) as caught:
        await message.edit(view=panel(2), attachments=[])
    assert caught.value.code == 50035


async def test_nonce(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A repeated nonce returns the first message, until the nonce expires."""
    channel = text_channel(client, general)
    first = await channel.send("once", nonce="n1")
    again = await channel.send("twice", nonce="n1")
    assert again.id == first.id
    assert again.content == "once"
    sandbox.world.clock.advance(600)
    assert (await channel.send("twice", nonce="n1")).id != first.id
    assert [message.text for message in north.sees(general)] == ["once", "twice"]


async def test_direct_messages(sandbox: Sandbox, client: TestBot, north: Person, south: Person) -> None:
    """A direct message notifies its recipient. If they refuse direct messages, only sending fails, with 50007."""
    await (await client.fetch_user(north.id)).send("psst")
    assert [message.text for message in north.direct_messages()] == ["psst"]
    assert [message.text for message in north.pushes] == ["psst"]
    south.user.open_dms = False
    user = await client.fetch_user(south.id)
    channel = await user.create_dm()
    with pytest.raises(discord.Forbidden) as caught:
        await channel.send("psst")
    assert caught.value.code == 50007
    assert south.direct_messages() == []
    assert sandbox.journal.refusals[50007] == 1


async def test_direct_messages_refused(sandbox: Sandbox, client: TestBot, south: Person) -> None:
    """Messages to users without a mutual server are refused with 50278. Opening too many DM channels raises 40003."""
    stranger = sandbox.world.add_user("Stranger")
    with pytest.raises(discord.Forbidden) as caught:
        await (await client.fetch_user(stranger.id)).send("psst")
    assert caught.value.code == 50278
    sandbox.quotas.dm_openings = 1
    with pytest.raises(discord.Forbidden) as caught:
        await (await client.fetch_user(south.id)).create_dm()
    assert caught.value.code == 40003


async def test_threads(sandbox: Sandbox, client: TestBot, south: Person, general: Channel) -> None:
    """Threads can start with or without a message. A message reopens an archived thread unless it is locked."""
    channel = text_channel(client, general)
    message = await channel.send("start")
    thread = await message.create_thread(name="from a message")
    assert thread.id == message.id
    with pytest.raises(discord.HTTPException) as caught:
        await message.create_thread(name="again")
    assert caught.value.code == 160004
    await channel.create_thread(name="without one", type=discord.ChannelType.public_thread)
    sandbox_thread = sandbox.channel("from a message")
    assert {channel.name for channel in south.channels()} >= {"from a message", "without one"}
    inside = await thread.send("inside")
    sandbox.moderation.archive(sandbox_thread)
    with pytest.raises(discord.HTTPException) as caught:
        await inside.edit(content="changed")
    assert caught.value.code == 50083
    await thread.send("revived")
    assert sandbox_thread.thread is not None
    assert not sandbox_thread.thread.archived
    sandbox.moderation.archive(sandbox_thread, locked=True)
    with pytest.raises(discord.HTTPException) as caught:
        await thread.send("not any more")
    assert caught.value.code == 50083


@pytest.mark.parametrize(
    ("denied", "code"),
    [
        (Permission.VIEW_CHANNEL, 50001),
        (Permission.SEND_MESSAGES, 50013),
        (Permission.ATTACH_FILES, 50013),
        (Permission.EMBED_LINKS, 50013),
    ],
)
async def test_permissions(sandbox: Sandbox, client: TestBot, general: Channel, denied: Permission, code: int) -> None:
    """Messages that need a denied permission are refused with Discord's codes."""
    sandbox.moderation.set_overwrites(general, member_overwrite(sandbox.world.bot, deny=denied))
    with pytest.raises(discord.Forbidden) as caught:
        await text_channel(client, general).send("x", file=picture_file(), embed=discord.Embed(title="t"))
    assert caught.value.code == code


async def test_thread_permissions(sandbox: Sandbox, client: TestBot, general: Channel, north: Person) -> None:
    """Starting threads and sending messages in them need separate permissions."""
    channel = text_channel(client, general)
    thread = await channel.create_thread(name="first", type=discord.ChannelType.public_thread)
    denied = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS
    sandbox.moderation.set_overwrites(general, member_overwrite(sandbox.world.bot, deny=denied))
    with pytest.raises(discord.Forbidden):
        await channel.create_thread(name="second", type=discord.ChannelType.public_thread)
    with pytest.raises(discord.Forbidden):
        await thread.send("x")
    await channel.send("still here")


async def test_other_peoples_messages(sandbox: Sandbox, client: TestBot, general: Channel, north: Person) -> None:
    """Other people's messages cannot be edited, and can be deleted only with MANAGE_MESSAGES."""
    original = await north.say(general, "mine")
    message = text_channel(client, general).get_partial_message(original.id)
    with pytest.raises(discord.Forbidden) as caught:
        await message.edit(content="yours")
    assert caught.value.code == 50005
    with pytest.raises(discord.Forbidden):
        await message.delete()
    allowed = member_overwrite(sandbox.world.bot, allow=Permission.MANAGE_MESSAGES)
    sandbox.moderation.set_overwrites(general, allowed)
    await message.delete()
    assert original.deleted


async def test_late_edits(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """Too many edits of a message older than an hour are refused with 30046."""
    client.http.max_ratelimit_timeout = 30
    message = await text_channel(client, general).send("old")
    sandbox.quotas.late_edits_per_hour = 1
    await message.edit(content="young")
    sandbox.world.clock.advance(3700)
    await message.edit(content="once more")
    with pytest.raises(discord.RateLimited):
        await message.edit(content="too often")
    assert sandbox.journal.refusals[30046] == 1


async def test_lookups(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """Members, users, channels and guilds can be fetched, and each kind has its own code for unknown ids."""
    guild = client.guilds[0]
    assert (await guild.fetch_member(north.id)).id == north.id
    assert (await client.fetch_guild(guild.id)).name == "The Clubhouse"
    assert (await client.fetch_channel(general.id)).id == general.id
    stranger = sandbox.world.add_user("Stranger")
    expected_errors = [
        (guild.fetch_member(stranger.id), 10007),
        (client.fetch_user(5), 10013),
        (client.fetch_channel(5), 10003),
        (client.fetch_guild(5), 10004),
    ]
    for request, code in expected_errors:
        with pytest.raises(discord.NotFound) as caught:
            await request
        assert caught.value.code == code
