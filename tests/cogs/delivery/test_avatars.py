"""Avatars are downloaded in the background, within limits, and failures are remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from bot.model.ids import PersonId
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from bot.sandbox.server.avatars import avatar_png
from cogs.delivery import avatars
from cogs.delivery.avatars import LIFETIME, MAX_AVATARS, MAX_BYTES, MAX_DOWNLOADS, Avatars
from tests.helpers.waiting import MAX_WAIT

NORTH = PersonId(1)


@dataclass
class Server:
    """A server with avatars. It answers with `content`, or waits until `answers` is set."""

    origin: str = ""
    content: bytes = avatar_png("1f")
    status: int = 200
    requests: list[web.Request] = field(default_factory=list[web.Request])
    answers: asyncio.Event = field(default_factory=asyncio.Event)

    async def respond(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        await self.answers.wait()
        headers = {"Location": "/elsewhere"} if self.status == 302 else {}
        return web.Response(status=self.status, body=self.content, headers=headers)


@dataclass
class Seconds:
    """A clock in seconds that tests set."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def serving() -> AsyncGenerator[Server]:
    """Run a server that answers at once."""
    server = Server()
    server.answers.set()
    app = web.Application()
    app.router.add_get("/{path:.*}", server.respond)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        server.answers.set()
        await runner.cleanup()


async def settle(loading: Avatars) -> None:
    """Wait until no download is in progress."""
    async with asyncio.timeout(MAX_WAIT):
        while loading.is_loading:  # noqa: ASYNC110 - nothing tells when a download ends
            await asyncio.sleep(0.01)


async def test_an_avatar_is_loaded_in_the_background() -> None:
    """The first request for an avatar starts one download; later ones get the picture. No token or cookie is sent."""
    async with serving() as server:
        loading = Avatars(server.origin)
        assert loading.of(NORTH, "a_1f") is None
        assert loading.of(NORTH, "a_1f") is None
        await settle(loading)
        assert loading.of(NORTH, "a_1f") is loading.of(NORTH, "a_1f") is not None
        (request,) = server.requests
        assert request.path_qs == "/avatars/1/a_1f.png?size=256"
        assert not request.headers.keys() & {"Authorization", "Cookie"}
        await loading.close()


@pytest.mark.parametrize(
    ("status", "content"),
    [(404, avatar_png("1f")), (302, b""), (200, b"<html>"), (200, b"\x89PNG" + bytes(MAX_BYTES)), (200, b"")],
    ids=["missing", "redirect", "unreadable", "too large", "empty"],
)
async def test_failures_are_remembered_for_a_day(status: int, content: bytes) -> None:
    """An avatar that cannot be used is not requested again for a day."""
    clock = Seconds()
    async with serving() as server:
        server.status, server.content = status, content
        loading = Avatars(server.origin, clock)
        for now, requests in ((0.0, 1), (LIFETIME - 1, 1), (LIFETIME + 1, 2)):
            clock.now = now
            assert loading.of(NORTH, "1f") is None
            await settle(loading)
            assert len(server.requests) == requests
        assert {request.path for request in server.requests} == {"/avatars/1/1f.png"}
        await loading.close()


async def test_a_slow_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A download that takes too long counts as failed."""
    monkeypatch.setattr(avatars, "TIMEOUT", 0.05)
    async with serving() as server:
        server.answers.clear()
        loading = Avatars(server.origin)
        assert loading.of(NORTH, "1f") is None
        await settle(loading)
        assert loading.of(NORTH, "1f") is None
        assert not loading.is_loading
        await loading.close()


async def test_a_server_that_is_down_is_no_error() -> None:
    """If the server cannot be reached, there are no avatars."""
    loading = Avatars("http://127.0.0.1:1")
    assert loading.of(NORTH, "1f") is None
    await settle(loading)
    assert loading.of(NORTH, "1f") is None
    await loading.close()


async def test_the_number_of_downloads_is_limited() -> None:
    """Beyond the limit, no download begins; the avatars can be requested again later."""
    people = [PersonId(number) for number in range(1, MAX_DOWNLOADS + 3)]
    async with serving() as server:
        server.answers.clear()
        loading = Avatars(server.origin)
        assert {loading.of(person, "1f") for person in people} == {None}
        server.answers.set()
        await settle(loading)
        assert len(server.requests) == MAX_DOWNLOADS
        assert [loading.of(person, "1f") is None for person in people].count(True) == 2
        await settle(loading)
        assert None not in {loading.of(person, "1f") for person in people}
        await loading.close()


async def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The avatars that were not used for the longest time are forgotten first, and every one after a day."""
    monkeypatch.setattr(avatars, "MAX_AVATARS", 2)
    assert MAX_AVATARS > 2
    clock = Seconds()
    async with serving() as server:
        loading = Avatars(server.origin, clock)
        for number in (1, 2, 1, 3):
            loading.of(PersonId(number), "1f")
            await settle(loading)
        assert [loading.of(PersonId(number), "1f") is not None for number in (1, 3)] == [True, True]
        assert loading.of(PersonId(2), "1f") is None
        clock.now = LIFETIME + 1
        assert loading.of(PersonId(1), "1f") is None
        await settle(loading)
        await loading.close()


async def test_a_person_is_forgotten() -> None:
    """After a person is forgotten, their avatar is no longer in memory, even if it was being loaded."""
    async with serving() as server:
        loading = Avatars(server.origin)
        loading.of(NORTH, "1f")
        await settle(loading)
        server.answers.clear()
        loading.of(NORTH, "2f")
        loading.forget(NORTH)
        assert not loading.is_loading
        server.answers.set()
        for avatar in ("1f", "2f"):
            assert loading.of(NORTH, avatar) is None
        await loading.close()


async def test_portraits() -> None:
    """Portraits have the players' monograms and names, the loaded avatars, and the levels of computers."""
    players = [Player(NORTH, "North", avatar="1f"), Player(PersonId(2), "Nora"), Player(None, "C", Level.CASUAL)]
    async with serving() as server:
        loading = Avatars(server.origin)
        loading.portraits(players)
        await settle(loading)
        shown = loading.portraits(players)
        assert [(portrait.monogram, portrait.name) for portrait in shown] == [
            ("N", "North"),
            ("NO", "Nora"),
            ("C", "C"),
        ]
        assert [portrait.avatar is not None for portrait in shown] == [True, False, False]
        assert [portrait.level for portrait in shown] == [None, None, Level.CASUAL]
        await loading.close()


async def test_a_post_waits_for_its_faces() -> None:
    """`load` returns when every avatar is loaded or has failed; people without an avatar have none."""
    people = [Player(NORTH, "North", avatar="1f"), Player(PersonId(2), "South"), Player(None, None)]
    async with serving() as server:
        loading = Avatars(server.origin)
        await loading.load(people)
        assert loading.of_people(people).keys() == {NORTH}
        server.status = 404
        await loading.load([Player(PersonId(2), "South", avatar="2f")])
        assert not loading.is_loading
        await loading.close()


async def test_without_a_server_nothing_is_requested() -> None:
    """If no server is set, there are no avatars and no downloads."""
    loading = Avatars(None)
    assert loading.of(NORTH, "1f") is None
    assert not loading.is_loading
    await loading.close()
