"""The emojis of the bot's application: routes as discord.py uses them, and emojis in components."""

import base64
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from bot.sandbox import Channel, Emoji, Person, RateLimited, Refuse, Sandbox, ServerError
from bot.sandbox.server.emojis import MAX_EMOJIS, MAX_IMAGE_BYTES
from bot.sandbox.server.images import recognize
from bot.sandbox.server.rate_limits import RateLimits
from tests.sandbox.bots import TestBot, png, text_channel
from tests.sandbox.schema import SchemaCheck, openapi_path

UPLOAD = "POST /applications/*/emojis"
FRAME = b"\x21\xf9\x04\x00\x00\x00\x00\x00"


def png_of_size(size: int) -> bytes:
    """Return a PNG file of this size in bytes."""
    picture = png(8, 8)
    return picture + bytes(size - len(picture))


def row(*buttons: ui.Button[ui.View]) -> ui.View:
    """Create a view of these buttons."""
    view = ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view


async def request(
    sandbox: Sandbox, method: str, path: str, payload: object = None, application: int | None = None
) -> tuple[int, dict[str, Any]]:
    """Send a request to an emoji route as the bot, and return the status and the answer."""
    headers = {"Authorization": f"Bot {sandbox.token}"}
    url = f"{sandbox.api}/applications/{application or sandbox.world.bot.id}/emojis{path}"
    async with aiohttp.ClientSession(headers=headers) as session, session.request(method, url, json=payload) as answer:
        return answer.status, {} if answer.status == 204 else await answer.json()


async def test_emoji_lifecycle(sandbox: Sandbox, client: TestBot) -> None:
    """discord.py can upload, list, fetch, rename and delete an emoji, and the answers match Discord's schema."""
    picture = png(128, 128)
    created = await client.create_application_emoji(name="king_4c", image=picture)
    assert created.is_application_owned()
    assert (created.name, created.animated, created.available) == ("king_4c", False, True)
    assert created.user is not None
    assert created.user.id == sandbox.world.bot.id
    stored = sandbox.emojis[created.id]
    assert (stored.name, stored.content, stored.content_type, str(stored)) == (
        "king_4c",
        picture,
        "image/png",
        str(created),
    )
    assert await client.fetch_application_emojis() == [await client.fetch_application_emoji(created.id)]
    assert (await created.edit(name="queen")).name == sandbox.emojis[created.id].name == "queen"
    await created.edit(name="queen")
    if openapi_path().is_file():
        schemas = SchemaCheck.load(openapi_path()).description
        _, listed = await request(sandbox, "GET", "")
        assert schemas.find_error("/components/schemas/ListApplicationEmojisResponse", listed) is None
        assert schemas.find_error("/components/schemas/EmojiResponse", listed["items"][0]) is None
    await created.delete()
    assert not sandbox.emojis
    with pytest.raises(discord.NotFound) as unknown:
        await client.fetch_application_emoji(created.id)
    assert unknown.value.code == 10014
    with pytest.raises(discord.NotFound):
        await created.delete()


@pytest.mark.parametrize(
    ("payload", "field", "code"),
    [
        ({"name": "k"}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "k" * 33}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": None}, "name", "BASE_TYPE_REQUIRED"),
        ({"name": "two words"}, "name", "STRING_TYPE_REGEX"),
        ({"name": "König"}, "name", "STRING_TYPE_REGEX"),
        ({"name": "taken"}, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ({"image": None}, "image", "BASE_TYPE_REQUIRED"),
        ({"image": base64.b64encode(png(8, 8)).decode()}, "image", "IMAGE_INVALID"),
        ({"image": "data:image/png;base64,no base64"}, "image", "IMAGE_INVALID"),
        ({"image": "data:image/png;base64,bm8gcGljdHVyZQ=="}, "image", "IMAGE_INVALID"),
        ({"image": f"data:image/png;base64,{base64.b64encode(png_of_size(MAX_IMAGE_BYTES + 1)).decode()}"}, "image",
         "BINARY_TYPE_MAX_SIZE"),
    ],
)  # fmt: skip
async def test_refused_uploads(sandbox: Sandbox, payload: dict[str, object], field: str, code: str) -> None:
    """An invalid name or picture is refused with 50035, and the error names the field. Nothing is stored."""
    image = f"data:image/png;base64,{base64.b64encode(png_of_size(MAX_IMAGE_BYTES)).decode()}"
    assert (await request(sandbox, "POST", "", {"name": "taken", "image": image}))[0] == 201
    status, answer = await request(sandbox, "POST", "", {"name": "free", "image": image} | payload)
    assert (status, answer["code"]) == (400, 50035)
    assert [error["code"] for error in answer["errors"][field]["_errors"]] == [code]
    assert len(sandbox.emojis) == 1


async def test_at_most_two_thousand(sandbox: Sandbox, client: TestBot) -> None:
    """An emoji beyond the limit is refused with 30008. Deleting another emoji makes room for it."""
    for number in range(MAX_EMOJIS):
        sandbox.state.emojis.by_id[number] = Emoji(number, f"card_{number}", png(8, 8), "image/png")
    with pytest.raises(discord.HTTPException) as refused:
        await client.create_application_emoji(name="one_more", image=png(8, 8))
    assert refused.value.code == 30008
    await (await client.fetch_application_emojis())[0].delete()
    await client.create_application_emoji(name="one_more", image=png(8, 8))


async def test_another_application(sandbox: Sandbox) -> None:
    """Requests for another application's emojis are refused with 50001."""
    for method, path in (("GET", ""), ("POST", ""), ("GET", "/1"), ("PATCH", "/1"), ("DELETE", "/1")):
        status, answer = await request(sandbox, method, path, {}, application=5)
        assert (status, answer["code"]) == (403, 50001)


async def test_rename_to_a_taken_name(sandbox: Sandbox, client: TestBot) -> None:
    """Renaming an emoji to a taken name is refused and leaves the emoji unchanged."""
    first, second = [await client.create_application_emoji(name=name, image=png(8, 8)) for name in ("one", "two")]
    with pytest.raises(discord.HTTPException) as refused:
        await second.edit(name=first.name)
    assert "In name: Application emoji name is already taken" in str(refused.value)
    assert sandbox.emojis[second.id].name == "two"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (png(8, 8), ("image/png", False)),
        (b"\xff\xd8\xff\xe0", ("image/jpeg", False)),
        (b"GIF89a" + FRAME, ("image/gif", False)),
        (b"GIF89a" + FRAME * 2, ("image/gif", True)),
        (b"RIFF\0\0\0\0WEBPVP8L", ("image/webp", False)),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02" + bytes(9), ("image/webp", True)),
        (b"\0\0\0\x1cftypavif", ("image/avif", False)),
        (b"\0\0\0\x1cftypavis", ("image/avif", True)),
        (b"<svg/>", None),
    ],
)
def test_recognize_image_formats(content: bytes, found: tuple[str, bool] | None) -> None:
    """The five emoji formats, and whether a picture is animated, are recognized by the file's header."""
    assert recognize(content) == found


async def test_limits_are_not_announced(sandbox: Sandbox, client: TestBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The headers do not announce the real limit, so discord.py gets a 429, waits for the given time, and retries."""
    spend = RateLimits.spend

    def spend_until_refused(limits: RateLimits, route: str, major: str) -> tuple[dict[str, str], float | None]:
        # The limit's window is an hour, so the second upload is refused even on a slow machine. After this refusal,
        # remove the limit, so that the retry succeeds.
        headers, wait = spend(limits, route, major)
        if wait is None:
            return headers, None
        limits.limits.clear()
        return headers, 0.01

    monkeypatch.setattr(RateLimits, "spend", spend_until_refused)
    sandbox.rate_limits.limits["POST /applications/{application_id}/emojis"] = (1, 3600.0)
    sandbox.faults.requests(RateLimited(0.01), on="GET /applications/*/emojis")
    for name in ("one", "two"):
        await client.create_application_emoji(name=name, image=png(8, 8))
    await client.fetch_application_emojis()
    assert sandbox.journal.statuses[429] == 2
    assert [emoji.name for emoji in sandbox.emojis.values()] == ["one", "two"]


async def test_faults(sandbox: Sandbox, client: TestBot) -> None:
    """A refused upload stores nothing. If a stored upload is answered with an error, a second try is refused."""
    sandbox.faults.requests(Refuse(30008), on=UPLOAD)
    with pytest.raises(discord.HTTPException):
        await client.create_application_emoji(name="one", image=png(8, 8))
    assert not sandbox.emojis
    sandbox.faults.requests(ServerError(501, applied=True), on=UPLOAD)
    for code in (0, 50035):
        with pytest.raises(discord.HTTPException) as lost:
            await client.create_application_emoji(name="one", image=png(8, 8))
        assert lost.value.code == code
    assert len(sandbox.emojis) == 1


async def test_served_pictures(sandbox: Sandbox, client: TestBot) -> None:
    """An emoji's picture is served at the same path as on Discord's CDN, until the emoji is deleted."""
    created = await client.create_application_emoji(name="king", image=png(8, 8))
    address = created.url.replace(discord.Asset.BASE, sandbox.origin)
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as answer:
            assert (answer.status, answer.content_type, await answer.read()) == (200, "image/png", png(8, 8))
        await created.delete()
        for missing in (address, f"{sandbox.origin}/emojis/none.png"):
            async with session.get(missing) as answer:
                assert answer.status == 404


async def test_components(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """Components get an emoji's stored name, even if the bot sent a wrong one. `press` accepts the stored name."""
    created = await client.create_application_emoji(name="king", image=png(8, 8))
    menu: ui.Select[ui.View] = ui.Select(custom_id="pick")
    menu.add_option(label="King", emoji=created)
    buttons: list[ui.Button[ui.View]] = [
        ui.Button(custom_id="first", emoji=discord.PartialEmoji(name="other", id=created.id)),
        ui.Button(custom_id="count:1", emoji="🃏", label="Count"),
    ]
    view = row(*buttons)
    view.add_item(menu)
    sent = await text_channel(client, general).send(view=view)
    message = general.messages[sent.id]
    assert [button.emoji for button in message.buttons] == ["king", "🃏"]
    assert [option.emoji for option in message.selects[0].options] == ["king"]
    shown = message.components[0]["components"][0]["emoji"]
    assert shown == {"id": str(created.id), "name": "king", "animated": False}
    assert (await north.press(message, "king")).data["custom_id"] == "first"
    await created.delete()
    # An edited message keeps the emojis in its components, even if they were deleted.
    await sent.edit(content="still there")
    assert message.buttons[0].emoji == "king"


@pytest.mark.parametrize(("emoji", "field"), [("<:gone:1400000000000000099>", "id"), ("spades", "name")])
async def test_emojis_that_do_not_exist(client: TestBot, general: Channel, emoji: str, field: str) -> None:
    """A deleted or invalid emoji in a button or an option is refused, and the error names its path."""
    menu: ui.Select[ui.View] = ui.Select(custom_id="pick")
    menu.add_option(label="King", emoji=emoji)
    view = row(ui.Button(custom_id="first", emoji=emoji))
    view.add_item(menu)
    with pytest.raises(discord.HTTPException) as refused:
        await text_channel(client, general).send(view=view)
    assert refused.value.code == 50035
    for path in ("0.components.0", "1.components.0.options.0"):
        assert f"components.{path}.emoji.{field}: Invalid emoji" in str(refused.value)
    assert not general.messages
