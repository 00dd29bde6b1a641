"""Bodies of several parts are sent in one piece."""

from __future__ import annotations

from io import BytesIO

import pytest
from aiohttp import ClientSession, FormData, web
from aiohttp.http_writer import StreamWriter
from aiohttp.test_utils import TestServer

from bot.connection.connector import MAX_WHOLE_BODY, WholeBodyConnector


@pytest.mark.parametrize(("size", "is_whole"), [(16_000, True), (MAX_WHOLE_BODY, False)])
async def test_a_message_with_a_picture_arrives(monkeypatch: pytest.MonkeyPatch, size: int, is_whole: bool) -> None:
    """The server gets all parts of a body, which is written in one piece unless it is long. It can be sent again."""
    writes, write = list[int](), StreamWriter.write

    async def count(writer: StreamWriter, chunk: bytes, **options: bool) -> None:
        writes.append(len(chunk))
        await write(writer, chunk, **options)

    async def echo(request: web.Request) -> web.Response:
        parts = await request.post()
        picture = parts["picture"]
        assert isinstance(picture, web.FileField)
        return web.json_response([parts["json"], picture.filename, picture.content_type, len(picture.file.read())])

    monkeypatch.setattr(StreamWriter, "write", count)
    app, picture = web.Application(client_max_size=2 * MAX_WHOLE_BODY), BytesIO(bytes(size))
    app.router.add_post("/", echo)
    async with TestServer(app) as server, ClientSession(connector=WholeBodyConnector()) as session:
        for _ in range(2):
            form = FormData(quote_fields=False)
            form.add_field("json", "{}")
            picture.seek(0)
            form.add_field("picture", picture, filename="hand.png", content_type="image/png")
            async with session.post(server.make_url("/"), data=form) as response:
                assert await response.json() == ["{}", "hand.png", "image/png", size]
    whole_bodies = [written for written in writes if written > size]
    assert len(whole_bodies) == (2 if is_whole else 0)
