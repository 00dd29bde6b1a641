"""The local Discord as a whole: one server on 127.0.0.1, the people in it, and what tests look at."""

from collections.abc import Awaitable, Callable
from typing import Self, TypeVar

from aiohttp import web

from bot.sandbox.core import Core, Rules, make_token
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interaction import Interaction, Interactions
from bot.sandbox.journal import Journal
from bot.sandbox.message import Message
from bot.sandbox.moderation import Moderation
from bot.sandbox.pages import Page
from bot.sandbox.person import Person
from bot.sandbox.ratelimits import RateLimits
from bot.sandbox.rest import serve
from bot.sandbox.world import Channel, User, World

T = TypeVar("T")

HOST = "127.0.0.1"


class Sandbox:
    """A Discord of one's own; `async with Sandbox(world) as sandbox` listens on a free port until the end.

    `greeting` is Markdown that the page shows to newcomers.
    """

    def __init__(
        self, world: World | None = None, *, port: int = 0, token: str | None = None, greeting: str = ""
    ) -> None:
        self.world = world or World.default()
        self.core = Core(self.world, token or make_token(self.world.bot.id))
        self.moderation = Moderation(self.core)
        self.greeting = greeting
        self._port = port
        self._people: dict[int, Person] = {}
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 1024 * 1024, middlewares=[self._guard])
        serve.add_routes(app, self.core)
        app.router.add_get("/gateway", self.core.gateway.serve)
        app.router.add_get("/gateway/", self.core.gateway.serve)
        Page(self.core, self.greeting, self.person).add_routes(app)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", self._attachment)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self._port = self._runner.addresses[0][1]
        self.core.origin = f"http://{HOST}:{self._port}"
        self.core.gateway.url = self.gateway_url
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.core.gateway.shut()
        self.core.interactions.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def api(self) -> str:
        """The address of the HTTP API, for `discord.http.Route.BASE`."""
        return f"{self.core.origin}{serve.PREFIX}"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway, for `DiscordWebSocket.DEFAULT_GATEWAY`."""
        return f"ws://{HOST}:{self._port}/gateway"

    @property
    def page(self) -> str:
        """The address of the page for people."""
        return f"{self.core.origin}/"

    @property
    def token(self) -> str:
        """The bot's token."""
        return self.core.token

    @property
    def gateway(self) -> Gateway:
        """The bot's event stream, with its faults."""
        return self.core.gateway

    @property
    def faults(self) -> Faults:
        """What the next requests and events suffer."""
        return self.core.faults

    @property
    def journal(self) -> Journal:
        """Every request and the counters over them."""
        return self.core.journal

    @property
    def interactions(self) -> Interactions:
        """All interactions and their deadlines."""
        return self.core.interactions

    @property
    def rate_limits(self) -> RateLimits:
        """The limits by route."""
        return self.core.rate_limits

    @property
    def rules(self) -> Rules:
        """The quotas that Discord does not publish."""
        return self.core.rules

    @property
    def unanswered(self) -> list[Interaction]:
        """The interactions that had no answer within their deadline."""
        return self.core.interactions.unanswered

    def person(self, who: User | int | str) -> Person:
        """Give the hands and eyes of a user, named by account, id or display name; raise `KeyError`."""
        if isinstance(who, str):
            who = next((user for user in self.world.users.values() if user.display_name == who), 0)
        user = who if isinstance(who, User) else self.world.users[who]
        return self._people.setdefault(user.id, Person(self.core, user))

    def channel(self, name: str) -> Channel:
        """Find a channel or thread by its name; raise `LookupError`."""
        for channel in self.world.channels.values():
            if channel.name == name:
                return channel
        words = f"no channel is called {name!r}"
        raise LookupError(words)

    def all_messages(self) -> list[Message]:
        """List every message that exists, everywhere, oldest first."""
        found = [message for channel in self.world.channels.values() for message in channel.messages.values()]
        return sorted(found, key=lambda message: (message.created_at, message.id))

    async def until(self, predicate: Callable[[], T], timeout: float = 5.0) -> T:
        """Wait until the predicate gives something true and hand it on; raise `TimeoutError`."""
        return await self.core.changes.until(predicate, timeout)

    async def settled(self, quiet: float = 0.05, timeout: float = 5.0) -> None:
        """Wait until nothing has happened for `quiet` seconds; raise `TimeoutError`."""
        await self.core.changes.settled(quiet, timeout)

    async def ready(self, timeout: float = 10.0) -> None:
        """Wait until a bot listens on the gateway; raise `TimeoutError`."""
        await self.until(lambda: self.gateway.connected, timeout)

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        # A page of some other site must not reach this server through the visitor's browser: a name that resolves
        # here shows in Host, a request from elsewhere in Origin.
        hosts = {f"{HOST}:{self._port}", f"localhost:{self._port}"}
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin is not None and origin != f"http://{request.host}"):
            return web.Response(status=403, text="This server answers only to its own address.")
        return await handler(request)

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        identity = request.match_info["attachment_id"]
        attachment = self.core.attachments.get(int(identity) if identity.isdecimal() else 0)
        if attachment is None:
            raise web.HTTPNotFound
        headers = {
            "Content-Type": attachment.content_type,
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        }
        return web.Response(body=attachment.content, headers=headers)
