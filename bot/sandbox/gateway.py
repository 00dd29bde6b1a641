"""Discord's gateway: sessions that identify, resume, and receive events.

Source: Discord's reference, "Gateway" and "Opcodes and Status Codes". Text frames only; compression is never used.
"""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from aiohttp import WSMsgType, web

from bot.sandbox.changes import Changes
from bot.sandbox.faults import Delay, Drop, Duplicate, Faults
from bot.sandbox.payloads import guild_json, user_json
from bot.sandbox.wire import Json, dumps, mapping, number
from bot.sandbox.world import World

REPLAY_LIMIT = 5000

ACK_AFTER = 0.05
"""Seconds from a heartbeat to its acknowledgement. discord.py notes the time of sending in another thread after the
frame has left; an acknowledgement that overtakes the note is measured from the heartbeat before."""


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """The intents that gate events here."""

    NONE = 0
    GUILDS = 1 << 0
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12


@dataclass(frozen=True, slots=True)
class Frame:
    """One gateway frame that passed, for observers; `sent` means towards the bot."""

    sent: bool
    session_id: str | None
    data: Json


@dataclass(slots=True, eq=False)
class Session:
    """What survives a broken connection: identity, sequence and the events that can be replayed."""

    id: str
    intents: Intent
    shard: tuple[int, int]
    socket: web.WebSocketResponse | None = None
    outbox: asyncio.Queue[Json] = field(default_factory=asyncio.Queue[Json])
    sequence: int = 0
    replay: deque[Json] = field(default_factory=lambda: deque[Json](maxlen=REPLAY_LIMIT))

    def takes(self, guild_id: int | None, intent: Intent) -> bool:
        """Whether an event of this guild (None: a direct message) belongs to this session."""
        shard, count = self.shard
        return (0 if guild_id is None else (guild_id >> 22) % count) == shard and intent in self.intents

    def queue(self, name: str, data: Json) -> None:
        """Number an event, keep it for replay and let it leave if a connection is there."""
        self.sequence += 1
        frame: Json = {"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": data}
        self.replay.append(frame)
        if self.socket is not None:
            self.outbox.put_nowait(frame)


class Gateway:
    """The bot's event stream and its faults; `url` is set once the server listens."""

    def __init__(self, world: World, faults: Faults, changes: Changes, token: str) -> None:
        self.url = ""
        self.heartbeat_interval = 41.25
        self.refusals = 0
        self.identifies = 0
        self.resumes = 0
        self.observers: list[Callable[[Frame], None]] = []
        self.sessions: dict[str, Session] = {}
        self._world, self._faults, self._changes, self._token = world, faults, changes, token
        self._later: set[asyncio.TimerHandle] = set()

    @property
    def connected(self) -> bool:
        """Whether the bot listens on at least one connection."""
        return any(session.socket is not None for session in self.sessions.values())

    def wants(self, intent: Intent) -> bool:
        """Whether any session listens to events of this intent."""
        return any(intent in session.intents for session in self.sessions.values())

    def dispatch(self, name: str, data: Json, *, guild_id: int | None = None, intent: Intent = Intent.NONE) -> bool:
        """Send an event to every session it belongs to; False when no live connection takes it.

        A session whose connection broke keeps the event for replay.
        """
        takers = [session for session in self.sessions.values() if session.takes(guild_id, intent)]
        live = any(session.socket is not None for session in takers)
        match self._faults.for_event(name):
            case Drop():
                return False
            case Duplicate():
                takers *= 2
            case Delay(seconds=seconds):
                handle = asyncio.get_running_loop().call_later(seconds, self._queue, takers, name, data)
                self._later.add(handle)
                return live
            case None:
                pass
        self._queue(takers, name, data)
        return live

    def _queue(self, takers: list[Session], name: str, data: Json) -> None:
        for session in takers:
            session.queue(name, data)

    async def reconnect(self) -> None:
        """Ask every connection to reconnect (op 7)."""
        await self._tell({"op": Op.RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool) -> None:
        """Declare every session invalid (op 9); sessions that cannot be resumed are forgotten."""
        await self._tell({"op": Op.INVALID_SESSION, "d": resumable})
        if not resumable:
            self.sessions.clear()

    async def close(self, code: int = 4000) -> None:
        """Close every connection with a code; the sessions stay resumable."""
        for session in list(self.sessions.values()):
            socket, session.socket = session.socket, None
            if socket is not None:
                await socket.close(code=code)

    def refuse_connections(self, times: int) -> None:
        """Answer the next `times` connections with 503."""
        self.refusals = times

    async def shut(self) -> None:
        """Drop what is still waiting and close all connections."""
        for handle in self._later:
            handle.cancel()
        await self.close(1001)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Hold one connection from HELLO to its end."""
        if self.refusals > 0:
            self.refusals -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=1 << 16, compress=False, timeout=1.0)
        await socket.prepare(request)
        hello = {"op": Op.HELLO, "d": {"heartbeat_interval": int(self.heartbeat_interval * 1000)}}
        await self._write(socket, None, hello)
        session: Session | None = None
        tasks: list[asyncio.Task[None]] = []
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                frame = mapping(json.loads(message.data))
                self._observe(sent=False, session=session, data=frame)
                if frame.get("op") == Op.HEARTBEAT:
                    tasks = [task for task in tasks if not task.done()]
                    tasks.append(asyncio.create_task(self._acknowledge(socket, session)))
                elif frame.get("op") in (Op.IDENTIFY, Op.RESUME):
                    session = await self._greet(socket, frame)
                    if session is not None:
                        tasks.append(asyncio.create_task(self._pump(socket, session)))
        finally:
            for task in tasks:
                task.cancel()
            # After a close from this side, or a resumption elsewhere, the session no longer names this socket.
            if session is not None and session.socket is socket:
                session.socket = None
                # 1000 and 1001 from the client end a session: Discord's reference, "Initiating a Disconnect".
                if socket.close_code in (1000, 1001):
                    self.sessions.pop(session.id, None)
            self._changes.notify()
        return socket

    async def _greet(self, socket: web.WebSocketResponse, frame: Json) -> Session | None:
        data = mapping(frame.get("d"))
        if str(data.get("token") or "").removeprefix("Bot ") != self._token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if frame["op"] == Op.IDENTIFY:
            return self._identify(socket, data)
        session = self.sessions.get(str(data.get("session_id")))
        if session is None:
            await self._write(socket, None, {"op": Op.INVALID_SESSION, "d": False})
            return None
        self.resumes += 1
        session.outbox = asyncio.Queue[Json]()
        session.socket = socket
        seen = number(data.get("seq")) or 0
        for event in session.replay:
            if event["s"] > seen:
                session.outbox.put_nowait(event)
        session.queue("RESUMED", {})
        self._changes.notify()
        return session

    def _identify(self, socket: web.WebSocketResponse, data: Json) -> Session:
        self.identifies += 1
        shard = data.get("shard") or (0, 1)
        session = Session(secrets.token_hex(16), Intent(number(data.get("intents")) or 0), (shard[0], shard[1]), socket)
        # A fresh identify ends what the shard left behind; a second live connection of it stays, as on Discord.
        for old in list(self.sessions.values()):
            if old.socket is None and old.shard == session.shard:
                del self.sessions[old.id]
        self.sessions[session.id] = session
        guilds = [guild for guild in self._world.bot_guilds() if session.takes(guild.id, Intent.NONE)]
        ready: Json = {
            "v": 10,
            "user": user_json(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(self._world.bot.id), "flags": 0},
        }
        session.queue("READY", ready)
        if Intent.GUILDS in session.intents:
            for guild in guilds:
                session.queue("GUILD_CREATE", guild_json(self._world, guild))
        self._changes.notify()
        return session

    async def _pump(self, socket: web.WebSocketResponse, session: Session) -> None:
        outbox = session.outbox
        try:
            while True:
                frame = await outbox.get()
                await self._write(socket, session, frame)
        except ConnectionError:
            # The reader notices the same break and ends the connection; the replay buffer has the event.
            return

    async def _acknowledge(self, socket: web.WebSocketResponse, session: Session | None) -> None:
        await asyncio.sleep(ACK_AFTER)
        with suppress(ConnectionError):
            await self._write(socket, session, {"op": Op.HEARTBEAT_ACK, "d": None})

    async def _tell(self, frame: Json) -> None:
        for session in list(self.sessions.values()):
            if session.socket is not None:
                await self._write(session.socket, session, frame)

    async def _write(self, socket: web.WebSocketResponse, session: Session | None, frame: Json) -> None:
        await socket.send_str(dumps(frame))
        self._observe(sent=True, session=session, data=frame)

    def _observe(self, *, sent: bool, session: Session | None, data: Json) -> None:
        if self.observers:
            seen = Frame(sent, session.id if session else None, data)
            for observer in self.observers:
                observer(seen)
        self._changes.notify()
