"""The routes of the browser page: its static files, and a WebSocket for each person shown."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from aiohttp import WSMsgType, web

from bot.sandbox.page.connection import PageConnection
from bot.sandbox.people.person import Person
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import as_object

STATIC_FILES = Path(__file__).parent / "static"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class PageRoutes:
    """Serves the page. `greeting` is a Markdown text for newcomers; `person_of` returns the `Person` for a user id."""

    def __init__(self, state: ServerState, greeting: str, person_of: Callable[[int], Person]) -> None:
        self._state, self._greeting, self._person_of = state, greeting, person_of
        self._files = {path.name: path for path in STATIC_FILES.iterdir() if path.is_file()}
        self._sockets: set[web.WebSocketResponse] = set()

    def add_routes(self, app: web.Application) -> None:
        """Add the page at `/`, and its WebSocket and files under `/sandbox`."""
        app.router.add_get("/", self._index)
        app.router.add_get("/sandbox/people", self._list_people)
        app.router.add_get("/sandbox/socket", self._socket)
        app.router.add_get("/sandbox/{name}", self._file)
        app.on_shutdown.append(self._close_all)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return self._respond("index.html", request)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._respond(request.match_info["name"], request)

    def _respond(self, name: str, request: web.Request) -> web.StreamResponse:
        if name not in self._files:
            raise web.HTTPNotFound
        headers = {
            "Cache-Control": "no-cache",
            "Content-Security-Policy": _POLICY.format(socket=f"ws://{request.host}"),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        return web.FileResponse(self._files[name], headers=headers)

    async def _list_people(self, _: web.Request) -> web.StreamResponse:
        world = self._state.world
        people = [
            {"id": str(user.id), "name": user.display_name, "avatar": user.avatar}
            for user in world.users.values()
            if not user.bot
        ]
        return web.json_response({"bot": world.bot.display_name, "greeting": self._greeting, "people": people})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        user_id = request.query.get("person", "")
        if not user_id.isdecimal() or int(user_id) not in self._state.world.users:
            raise web.HTTPNotFound
        socket = web.WebSocketResponse(max_msg_size=1 << 16, heartbeat=30.0, timeout=1.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        connection = PageConnection(self._state, self._person_of(int(user_id)), socket)
        updates = asyncio.create_task(connection.send_updates())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await connection.receive(as_object(json.loads(message.data)))
        finally:
            updates.cancel()
            connection.close()
            self._sockets.discard(socket)
        return socket

    async def _close_all(self, _: web.Application) -> None:
        for socket in list(self._sockets):
            await socket.close(code=1001)
