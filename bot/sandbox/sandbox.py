"""The local Discord server on 127.0.0.1 and the API that tests use."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Self, TypeVar

from aiohttp import web

from bot.sandbox.page.routes import PageRoutes
from bot.sandbox.people.moderation import Moderation
from bot.sandbox.people.person import Person
from bot.sandbox.server.activity import wait_until_idle
from bot.sandbox.server.avatars import avatar_png
from bot.sandbox.server.changes import DEFAULT_TIMEOUT
from bot.sandbox.server.faults import Faults
from bot.sandbox.server.gateway import Gateway
from bot.sandbox.server.http.endpoints import PREFIX, add_routes
from bot.sandbox.server.interactions import Interaction, InteractionRegistry
from bot.sandbox.server.journal import Journal
from bot.sandbox.server.keeping import KeepingError, StateFile
from bot.sandbox.server.rate_limits import RateLimits
from bot.sandbox.server.state import Quotas, ServerState, make_token
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.messages import Message
from bot.sandbox.world.world import Channel, User, World

T = TypeVar("T")

HOST = "127.0.0.1"


class Sandbox:
    """A local Discord. `async with Sandbox(world) as sandbox` listens on 127.0.0.1 until the end of the block.

    The default world is `World.default()`. By default, the system picks a free port. The page shows `greeting`, a
    Markdown text, to newcomers. `keep` is the path of a file in which the sandbox saves its state. If the file already
    holds a state, that state replaces the world when the block begins.

    Entering the block raises `OSError` if the port is taken, and `KeepingError` if the file cannot be used.
    """

    def __init__(
        self,
        world: World | None = None,
        *,
        port: int = 0,
        token: str | None = None,
        greeting: str = "",
        keep: Path | None = None,
    ) -> None:
        self.world = world or World.default()
        self.state = ServerState(self.world, token or make_token(self.world.bot.id))
        self.moderation = Moderation(self.state)
        self.greeting = greeting
        self._port = port
        self._keep = keep
        self._keeper: StateFile | None = None
        self._saving: asyncio.Task[None] | None = None
        self._people: dict[int, Person] = {}
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 1024 * 1024, middlewares=[self._guard])
        add_routes(app, self.state)
        app.router.add_get("/gateway", self.state.gateway.serve)
        app.router.add_get("/gateway/", self.state.gateway.serve)
        PageRoutes(self.state, self.greeting, self.person).add_routes(app)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", self._attachment)
        app.router.add_get("/emojis/{emoji_id}.{extension}", self._emoji)
        app.router.add_get("/avatars/{user_id}/{hash}.png", self._avatar)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self._port = self._runner.addresses[0][1]
        self.state.attachments.origin = self.origin
        self.state.gateway.url = self.gateway_url
        if self._keep is not None:
            # It is safe to replace the state here: no request has been handled yet, because nothing was awaited since
            # the server began to listen.
            try:
                self._keeper = StateFile(self._keep, self.state)
            except KeepingError:
                await self._runner.cleanup()
                raise
            self._people.clear()
            self._saving = asyncio.create_task(self._keeper.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.state.gateway.stop()
        self.state.interactions.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._saving is not None:
            self._saving.cancel()
        if self._keeper is not None:
            self._keeper.close()

    async def copy_to(self, target: Path) -> None:
        """Save the current state and copy it to an empty file, even if the file that holds the state was removed.

        Do nothing if the sandbox was created without `keep`. Raise `sqlite3.Error` if saving or copying fails.
        """
        if self._keeper is not None:
            self._keeper.copy_to(target)

    @property
    def restored(self) -> bool:
        """True if the state was restored from the file named by `keep`."""
        return self._keeper is not None and self._keeper.restored

    @property
    def origin(self) -> str:
        """The server's address: http://127.0.0.1:PORT."""
        return f"http://{HOST}:{self._port}"

    @property
    def api(self) -> str:
        """The base URL of the HTTP API. In discord.py, set `discord.http.Route.BASE` to it."""
        return f"{self.origin}{PREFIX}"

    @property
    def gateway_url(self) -> str:
        """The URL of the gateway. In discord.py, set `discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY` to it."""
        return f"ws://{HOST}:{self._port}/gateway"

    @property
    def page(self) -> str:
        """The URL of the browser page."""
        return f"{self.origin}/"

    @property
    def token(self) -> str:
        return self.state.token

    @property
    def gateway(self) -> Gateway:
        """The gateway: its sessions, and methods that interrupt connections or invalidate sessions."""
        return self.state.gateway

    @property
    def faults(self) -> Faults:
        """Deliberate faults for the next requests and gateway events."""
        return self.state.faults

    @property
    def journal(self) -> Journal:
        """The journal of all requests: it counts them and calls observers."""
        return self.state.journal

    @property
    def interactions(self) -> InteractionRegistry:
        """All interactions, and the deadlines for responding to them."""
        return self.state.interactions

    @property
    def rate_limits(self) -> RateLimits:
        """The rate limits of each route, and the global one."""
        return self.state.rate_limits

    @property
    def emojis(self) -> Mapping[int, Emoji]:
        """The emojis of the bot's application by id, oldest first."""
        return self.state.emojis.by_id

    @property
    def quotas(self) -> Quotas:
        """The quotas whose values Discord does not publish."""
        return self.state.quotas

    @property
    def unanswered(self) -> list[Interaction]:
        """The interactions whose deadline passed without a response."""
        return self.state.interactions.unanswered

    def person(self, user: User | int | str) -> Person:
        """Return the person with this account, user id or display name. Raises `KeyError`."""
        if isinstance(user, User):
            user_id = user.id
        elif isinstance(user, int):
            user_id = user
        else:
            user_id = next(
                (candidate.id for candidate in self.world.users.values() if candidate.display_name == user), 0
            )
        return self._people.setdefault(user_id, Person(self.state, self.world.users[user_id]))

    def channel(self, name: str) -> Channel:
        """Return the channel or thread with this name. Raises `LookupError`."""
        for channel in self.world.channels.values():
            if channel.name == name:
                return channel
        words = f"no channel is called {name!r}"
        raise LookupError(words)

    def all_messages(self) -> list[Message]:
        """List the messages of all channels, oldest first."""
        found = [message for channel in self.world.channels.values() for message in channel.messages.values()]
        return sorted(found, key=lambda message: (message.created_at, message.id))

    async def until(self, predicate: Callable[[], T], timeout: float = DEFAULT_TIMEOUT) -> T:
        """Wait until the predicate returns a true value, and return that value.

        The predicate is called again after every change in the sandbox. Raises `TimeoutError` after `timeout` seconds.
        """
        return await self.state.changes.until(predicate, timeout)

    async def idle(self, timeout: float = DEFAULT_TIMEOUT) -> None:
        """Wait until the sandbox has no pending work and the bot has read everything sent to it.

        On return, no request is being handled or answered, every interaction has a first response or has failed, no
        deferred response still shows "thinking…", no gateway event is delayed or unsent, and every connected client has
        read all gateway events. The bot might still be about to react to an event or answer that it just received.
        Sessions without a connection, responses whose token has expired, and browser pages are ignored.

        Raises `TimeoutError`, which names the pending work, after `timeout` real seconds.
        """
        await wait_until_idle(self.state, timeout)

    async def ready(self, timeout: float = DEFAULT_TIMEOUT) -> None:
        """Wait until all shards of a bot are connected to the gateway. Raises `TimeoutError`."""
        await self.until(lambda: self.gateway.complete, timeout)

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        # Protect the server from other websites in the user's browser. The Host header reveals a foreign name that
        # resolves to this machine (DNS rebinding). The Origin header reveals a request from a foreign page.
        hosts = {f"{HOST}:{self._port}", f"localhost:{self._port}"}
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin is not None and origin != f"http://{request.host}"):
            return web.Response(status=403, text="This server answers only to its own address.")
        return await handler(request)

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        attachment_id = request.match_info["attachment_id"]
        attachment = self.state.attachments.by_id.get(int(attachment_id) if attachment_id.isdecimal() else 0)
        if attachment is None:
            raise web.HTTPNotFound
        return _file(attachment.content, attachment.content_type, "private, max-age=31536000, immutable")

    async def _avatar(self, request: web.Request) -> web.StreamResponse:
        user_id, avatar = request.match_info["user_id"], request.match_info["hash"]
        user = self.world.users.get(int(user_id) if user_id.isdecimal() else 0)
        if user is None or user.avatar != avatar:
            raise web.HTTPNotFound
        return _file(avatar_png(avatar), "image/png", "private, max-age=31536000, immutable")

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        emoji_id = request.match_info["emoji_id"]
        emoji = self.emojis.get(int(emoji_id) if emoji_id.isdecimal() else 0)
        if emoji is None:
            raise web.HTTPNotFound
        # Make browsers revalidate the picture at each reload, so that a deleted emoji disappears.
        return _file(emoji.content, emoji.content_type, "private, no-cache")


def _file(content: bytes, content_type: str, caching: str) -> web.Response:
    headers = {
        "Content-Type": content_type,
        "Cache-Control": caching,
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=content, headers=headers)
