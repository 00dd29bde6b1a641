"""The HTTP server: accepted addresses, malformed requests, the journal, and waiting."""

import aiohttp
import pytest

from bot.sandbox import Channel, Person, Request, Sandbox
from tests.sandbox.bots import TestBot, picture_file, text_channel


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Host": "evil.example:{port}"}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:{port}", "Origin": "http://127.0.0.1:{port}"}, 403),
    ],
)
async def test_host_and_origin(sandbox: Sandbox, headers: dict[str, str], status: int) -> None:
    """Requests with another Host or Origin are refused, so that no website can reach the server through a browser."""
    port = sandbox.page.rstrip("/").rpartition(":")[2]
    sent_headers = {name: value.format(port=port) for name, value in headers.items()}
    sent_headers["Authorization"] = f"Bot {sandbox.token}"
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{sandbox.api}/users/@me", headers=sent_headers) as response,
    ):
        assert response.status == status
        assert status == 403 or response.headers["Content-Type"] == "application/json"


async def test_unknown_route(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    """An unknown route is answered with 404, logged as an error and recorded."""
    async with aiohttp.ClientSession() as session, session.get(f"{sandbox.api}/stage-instances/1") as response:
        assert response.status == 404
    assert sandbox.journal.unknown_routes == ["GET /stage-instances/1"]
    assert "GET /stage-instances/1" in caplog.text


async def test_malformed_requests(sandbox: Sandbox) -> None:
    """A body that is not JSON and an id that is not a number are refused with Discord's codes."""
    headers = {"Authorization": f"Bot {sandbox.token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.post(f"{sandbox.api}/users/@me/channels", data="{") as response:
            assert (await response.json())["code"] == 50109
        async with session.get(f"{sandbox.api}/channels/abc") as response:
            assert (await response.json())["code"] == 50035


async def test_observers(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """Observers get every request with its original payload, its files and its status."""
    seen: list[Request] = []
    sandbox.journal.observers.append(seen.append)
    await text_channel(client, general).send("hello", file=picture_file())
    request = seen[0]
    assert (request.method, request.route, request.status) == ("POST", "/channels/{channel_id}/messages", 200)
    assert request.payload["content"] == "hello"
    assert [(file.index, file.filename) for file in request.files] == [(0, "dot.png")]
    assert request.files[0].content.startswith(b"\x89PNG")


async def test_waiting(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """`until` returns on the change that makes its predicate true, or raises a TimeoutError."""
    with pytest.raises(TimeoutError):
        await sandbox.until(lambda: north.sees(general), timeout=0)
    await north.say(general, "x")
    assert (await sandbox.until(lambda: north.sees(general)))[0].text == "x"
