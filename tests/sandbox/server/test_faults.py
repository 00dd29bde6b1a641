"""Deliberate faults in the handling of requests, and their effect on discord.py."""

from dataclasses import replace
from io import BytesIO

import aiohttp
import discord
import pytest

from bot.sandbox import (
    Channel,
    Delay,
    Expire,
    Hangup,
    Person,
    RateLimited,
    Refuse,
    RequestFault,
    Reset,
    Reupload,
    Sandbox,
    ServerError,
)
from tests.sandbox.bots import TestBot, text_channel

SEND = "POST /channels/*/messages"
CALLBACK = "POST /interactions/*/callback"


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize(("kind", "error"), [(Reset, aiohttp.ClientOSError), (Hangup, aiohttp.ServerDisconnectedError)])
async def test_lost_answers(
    sandbox: Sandbox,
    client: TestBot,
    general: Channel,
    kind: type[Reset | Hangup],
    error: type[Exception],
    applied: bool,
) -> None:
    """A broken connection raises an error in the client, whether or not the message was created."""
    armed = sandbox.faults.requests(kind(applied=applied), on=SEND)
    with pytest.raises(error):
        await text_channel(client, general).send("x")
    assert armed.hits == 1
    assert len(general.messages) == applied


@pytest.mark.nightly
@pytest.mark.parametrize("applied", [False, True])
async def test_server_error(sandbox: Sandbox, client: TestBot, general: Channel, applied: bool) -> None:
    """The client repeats a request after a 500, and the nonce prevents a second message."""
    sandbox.faults.requests(ServerError(applied=applied), on=SEND)
    await text_channel(client, general).send("x")
    assert len(general.messages) == 1
    assert sandbox.journal.statuses[500] == 1


@pytest.mark.nightly
async def test_applied_callback(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """If a callback is applied but answered with 500, the retry gets 40060, and the person sees the response."""
    sandbox.faults.requests(ServerError(applied=True), on=CALLBACK)
    interaction = await (await north.slash("demo ping", general)).answer()
    assert interaction.text == "pong"
    await sandbox.until(lambda: sandbox.journal.refusals[40060] == 1)
    await client.until_error()
    assert isinstance(client.errors[0], discord.HTTPException | discord.InteractionResponded)


async def test_rate_limits(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """discord.py waits after a 429 with a Via header, and raises an error for a 429 without it."""
    channel = text_channel(client, general)
    sandbox.faults.requests(RateLimited(), on=SEND)
    await channel.send("x")
    sandbox.faults.requests(RateLimited(via=False), on=SEND)
    with pytest.raises(discord.HTTPException) as caught:
        await channel.send("y")
    assert caught.value.status == 429


@pytest.mark.thorough
async def test_route_limits(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """discord.py respects the rate limit of a single route."""
    sandbox.rate_limits.limits["POST /channels/{channel_id}/messages"] = (2, 0.2)
    for text in "abcd":
        await text_channel(client, general).send(text)
    assert [message.text for message in general.messages.values()] == list("abcd")


@pytest.mark.parametrize(
    ("fault", "status"), [(Refuse(10008), 404), (Refuse(50013), 403), (Refuse(50007), 403), (Refuse(50083), 400)]
)
async def test_forced_codes(
    sandbox: Sandbox, client: TestBot, general: Channel, fault: RequestFault, status: int
) -> None:
    """`Refuse` answers with the given code and the HTTP status that Discord uses for this code."""
    sandbox.faults.requests(fault, on=SEND)
    with pytest.raises(discord.HTTPException) as caught:
        await text_channel(client, general).send("x")
    assert caught.value.status == status
    assert isinstance(fault, Refuse)
    assert caught.value.code == fault.code


async def test_refused_files(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """`Refuse` with `files` applies only to requests that upload files."""
    channel = text_channel(client, general)
    refused = sandbox.faults.requests(Refuse(20009, files=True), on=SEND)
    await channel.send("text")
    assert refused.hits == 0
    with pytest.raises(discord.HTTPException) as caught:
        await channel.send("x", file=discord.File(BytesIO(b"x"), "x.txt"))
    assert caught.value.code == 20009
    await channel.send("x", file=discord.File(BytesIO(b"x"), "x.txt"))
    assert len(general.messages) == 2


async def test_late_callback(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """If the first response arrives after the deadline, it is refused with 10062, and the interaction has failed."""
    delay = sandbox.faults.requests(Delay(4), on=CALLBACK)
    interaction = await north.slash("demo ping", general)
    await sandbox.until(lambda: delay.hits)
    sandbox.world.clock.advance(3)
    assert interaction.failed
    assert not sandbox.journal.refusals
    sandbox.world.clock.advance(1)
    await sandbox.until(lambda: sandbox.journal.refusals[10062] == 1)
    assert general.messages == {}


async def test_expired_interaction(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """With `Expire`, the response gets 10062. The interaction fails, but is not listed as unanswered."""
    sandbox.faults.requests(Expire(), on=CALLBACK)
    interaction = await (await north.slash("demo ping", general)).answer()
    assert interaction.failed
    await sandbox.until(lambda: sandbox.journal.refusals[10062] == 1)
    await sandbox.idle()
    assert not sandbox.unanswered
    assert general.messages == {}
    assert (await (await north.slash("demo ping", general)).answer()).text == "pong"


async def test_reuploaded_files(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """`Reupload` gives the files of the clicked or edited message new ids, and people see the same picture."""
    message = (await (await north.slash("demo counter", general)).answer()).message
    (before,), (image,) = message.attachments, message.images
    fetched_attachments = (await text_channel(client, general).fetch_message(message.id)).attachments
    sandbox.faults.requests(Reupload(), on="PATCH /channels/*/messages/*")
    with pytest.raises(discord.HTTPException) as caught:
        await text_channel(client, general).get_partial_message(message.id).edit(attachments=fetched_attachments)
    assert caught.value.code == 50035
    (after,) = message.attachments
    assert after == replace(before, id=after.id, url=after.url)
    assert after.id != before.id
    assert message.images == [image]
    stored = len(sandbox.state.attachments.by_id)
    sandbox.faults.requests(Reupload(), on=CALLBACK)
    await north.press(message, "Count 0")
    await sandbox.until(lambda: "The count is 1" in message.text)
    # Two files were added: the old picture with a new id, by `Reupload`, and the picture in the bot's response.
    assert len(sandbox.state.attachments.by_id) == stored + 2


async def test_expired_token(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """An interaction's token expires after fifteen minutes. Later edits are refused with 50027."""
    delay = sandbox.faults.requests(Delay(1), on="PATCH /webhooks/*")
    interaction = await (await north.slash("demo slow", general)).answer()
    await sandbox.until(lambda: delay.hits)
    sandbox.world.clock.advance(901)
    await sandbox.until(lambda: sandbox.journal.refusals[50027] == 1)
    assert interaction.message.loading


async def test_disarm(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """A fault applies only to requests for its route, and only until the fault is disarmed."""
    armed = sandbox.faults.requests(Refuse(50013), on=SEND, times=9)
    await client.fetch_channel(general.id)
    armed.disarm()
    await text_channel(client, general).send("x")
    assert armed.hits == 0
