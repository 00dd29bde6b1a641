"""The page in the browser: its files, and one WebSocket for each person on the screen."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from aiohttp import WSMsgType, web

from bot.sandbox.core import Core
from bot.sandbox.errors import NotOfferedError, RefusalError
from bot.sandbox.feed import Feed, outcome
from bot.sandbox.interaction import Interaction
from bot.sandbox.message import Message
from bot.sandbox.person import Person
from bot.sandbox.wire import Json, dumps, mapping
from bot.sandbox.world import Channel

FOLDER = Path(__file__).parent / "page"
# Changes come in bursts; this many seconds of them go out together.
GATHER = 0.015

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Page:
    """Serves the page; `greeting` is Markdown for newcomers, `people` finds a person by id."""

    def __init__(self, core: Core, greeting: str, people: Callable[[int], Person]) -> None:
        self._core, self._greeting, self._people = core, greeting, people
        self._files = {path.name: path for path in FOLDER.iterdir() if path.is_file()}
        self._sockets: set[web.WebSocketResponse] = set()

    def add_routes(self, app: web.Application) -> None:
        """Put the page at `/`, and its socket and files below `/sandbox`."""
        app.router.add_get("/", self._index)
        app.router.add_get("/sandbox/people", self._list_people)
        app.router.add_get("/sandbox/socket", self._socket)
        app.router.add_get("/sandbox/{name}", self._file)
        app.on_shutdown.append(self._close)

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
        world = self._core.world
        people = [{"id": str(user.id), "name": user.display_name} for user in world.users.values() if not user.bot]
        return web.json_response({"bot": world.bot.display_name, "greeting": self._greeting, "people": people})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        identity = request.query.get("person", "")
        if not identity.isdecimal() or int(identity) not in self._core.world.users:
            raise web.HTTPNotFound
        socket = web.WebSocketResponse(max_msg_size=1 << 16, heartbeat=30.0, timeout=1.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        seat = Seat(self._core, self._people(int(identity)), socket)
        feeding = asyncio.create_task(seat.feed())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await seat.receive(mapping(json.loads(message.data)))
        finally:
            feeding.cancel()
            seat.leave()
            self._sockets.discard(socket)
        return socket

    async def _close(self, _: web.Application) -> None:
        for socket in list(self._sockets):
            await socket.close(code=1001)


class Seat:
    """One open page of one person."""

    def __init__(self, core: Core, person: Person, socket: web.WebSocketResponse) -> None:
        self._core, self._person, self._socket = core, person, socket
        self._waiting: set[asyncio.Task[None]] = set()
        self._open: bool | None = None
        self._deeds: dict[str, Callable[[Json], Awaitable[Interaction | None]]] = {
            "slash": self._slash,
            "complete": self._complete,
            "press": self._press,
            "choose": self._choose,
            "submit": self._submit,
            "say": self._say,
            "dismiss": self._dismiss,
            "read": self._read,
            "allow": self._allow,
        }

    async def feed(self) -> None:
        """Send what is there, then every change, until cancelled."""
        changes = self._core.changes
        feed = Feed(self._core, self._person)
        await self._send(feed.greet())
        count = changes.count
        await self._catch_up(feed)
        await self._send({"t": "ready"})
        while True:
            if changes.count == count:
                await changes.next()
            await asyncio.sleep(GATHER)
            count = changes.count
            await self._catch_up(feed)

    async def _catch_up(self, feed: Feed) -> None:
        if self._open != self._person.user.open_dms:
            self._open = self._person.user.open_dms
            await self._send({"t": "direct", "open": self._open})
        for change in feed.changes():
            await self._send(change)

    async def receive(self, row: Json) -> None:
        """Do what the page asks; what cannot be done is answered with the reason."""
        ref = row.get("ref")
        try:
            interaction = await self._deeds[str(row.get("do"))](row)
        except (NotOfferedError, RefusalError, LookupError, ValueError) as problem:
            reason = problem.message if isinstance(problem, RefusalError) else str(problem)
            await self._send({"t": "refused", "ref": ref, "reason": reason})
            return
        if interaction is None:
            await self._send({"t": "outcome", "ref": ref})
        else:
            task = asyncio.create_task(self._report(interaction, ref))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)

    def leave(self) -> None:
        """Stop waiting for answers."""
        for task in self._waiting:
            task.cancel()

    async def _report(self, interaction: Interaction, ref: object) -> None:
        await interaction.answer()
        await self._send(outcome(interaction, ref))

    async def _send(self, row: Json) -> None:
        # A page may go away at any moment; the reader notices and ends the seat.
        with suppress(ConnectionError):
            if not self._socket.closed:
                await self._socket.send_str(dumps(row))

    def _channel(self, row: Json) -> Channel:
        return self._core.world.channels[int(row["channel"])]

    def _message(self, row: Json) -> Message:
        return self._channel(row).messages[int(row["message"])]

    async def _slash(self, row: Json) -> Interaction:
        return await self._person.slash(row["command"], self._channel(row), **mapping(row.get("options")))

    async def _complete(self, row: Json) -> Interaction:
        # An option of the command may itself be called `option` or `value`; completion does without it.
        options = mapping(row.get("options"))
        typed, others = str(row["value"]), {name: options[name] for name in options.keys() - {"option", "value"}}
        return await self._person.complete(
            row["command"], self._channel(row), option=row["option"], value=typed, **others
        )

    async def _press(self, row: Json) -> Interaction:
        return await self._person.press(self._message(row), row["custom_id"])

    async def _choose(self, row: Json) -> Interaction:
        return await self._person.choose(self._message(row), row["custom_id"], *row["values"])

    async def _submit(self, row: Json) -> Interaction:
        opened = self._core.interactions.by_id[int(row["modal"])]
        return await self._person.submit(opened.modal, mapping(row.get("fields")))

    async def _say(self, row: Json) -> None:
        await self._person.say(self._channel(row), str(row["text"]))

    async def _read(self, row: Json) -> None:
        self._person.read(self._message(row))

    async def _allow(self, row: Json) -> None:
        self._person.user.open_dms = bool(row["open"])
        self._core.changes.notify()

    async def _dismiss(self, row: Json) -> None:
        self._person.dismiss(self._message(row))
