"""Discord's gateway: sessions that identify, resume and receive events.

Source: Discord's API reference, "Gateway" and "Opcodes and Status Codes". Frames are always uncompressed text.
"""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox.server.changes import Changes
from bot.sandbox.server.faults import Delay, Drop, Duplicate, Faults
from bot.sandbox.server.payloads import guild_create_json, user_json
from bot.sandbox.server.session_starts import SessionStarts
from bot.sandbox.world.clock import Timer
from bot.sandbox.world.json_values import Json, as_int, as_object, dumps
from bot.sandbox.world.world import World

REPLAY_LIMIT = 5000
"""Maximum number of events that a session keeps for replay."""

ACK_DELAY = 0.05
"""Delay before acknowledging a heartbeat, in real seconds.

discord.py sends heartbeats from another thread and records the time only after sending. Without this delay, the
acknowledgement could arrive before the time is recorded, and discord.py would compute the latency from the previous
heartbeat.
"""


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
    """The gateway intents that matter in the sandbox. They decide which events a session receives."""

    NONE = 0
    GUILDS = 1 << 0
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12


@dataclass(frozen=True, slots=True)
class Frame:
    """A gateway frame for the observers. `sent` is True for frames to the bot, False for frames from it."""

    sent: bool
    session_id: str | None
    data: Json


@dataclass(slots=True, eq=False)
class Session:
    """A gateway session, which survives a broken connection.

    `shard` is (shard number, number of shards). As on Discord, there can be several sessions for one shard, and
    sessions with different numbers of shards; each receives the events of its shard. A session's events are numbered.
    `sequence` is the number of the newest event. `written` is the number of the last event that was written to the
    connection, and `confirmed` the number of the last event that the client is known to have read.
    """

    id: str
    intents: Intent
    shard: tuple[int, int]
    socket: web.WebSocketResponse | None = None
    queue: asyncio.Queue[Json] = field(default_factory=asyncio.Queue[Json])
    sequence: int = 0
    written: int = 0
    confirmed: int = 0
    replay: deque[Json] = field(default_factory=lambda: deque[Json](maxlen=REPLAY_LIMIT))

    def receives(self, guild_id: int | None, intent: Intent = Intent.NONE) -> bool:
        """Return True if the session receives events with this intent from a guild, or from direct messages if None."""
        shard, count = self.shard
        return (0 if guild_id is None else (guild_id >> 22) % count) == shard and intent in self.intents

    def __str__(self) -> str:
        return f"shard {self.shard[0]} of {self.shard[1]}"

    def send(self, name: str, data: Json) -> None:
        """Give an event the next number, store it for replay, and queue it if the session has a connection."""
        self.sequence += 1
        frame: Json = {"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": data}
        self.replay.append(frame)
        if self.socket is not None:
            self.queue.put_nowait(frame)


class Gateway:
    """The bot's event stream.

    `url` is set once the server listens. `starts` has the limits on starting sessions. `identifies` and `resumes` count
    started and resumed sessions. `refusals` is the number of connections that will still be refused. Every observer is
    called with every frame in both directions.
    """

    def __init__(self, world: World, faults: Faults, changes: Changes, token: str) -> None:
        self.url = ""
        self.heartbeat_interval = 41.25
        self.refusals = 0
        self.identifies = 0
        self.resumes = 0
        self.observers: list[Callable[[Frame], None]] = []
        self.sessions: dict[str, Session] = {}
        self.starts = SessionStarts(world.clock)
        self._world, self._faults, self._changes, self._token = world, faults, changes, token
        self._delayed: set[Timer] = set()

    @property
    def connected(self) -> bool:
        """True if at least one session has a connection."""
        return any(session.socket is not None for session in self.sessions.values())

    @property
    def complete(self) -> bool:
        """True if every shard has a connection."""
        shards = {session.shard for session in self.sessions.values() if session.socket is not None}
        return any(all((shard, count) in shards for shard in range(count)) for count in {count for _, count in shards})

    def reaches(self, guild_id: int | None) -> bool:
        """Return True if a guild's shard has a connection. None stands for direct messages."""
        return any(s.socket is not None and s.receives(guild_id) for s in self.sessions.values())

    def has_listener(self, intent: Intent) -> bool:
        """Return True if any session has this intent."""
        return any(intent in session.intents for session in self.sessions.values())

    def dispatch(self, name: str, data: Json, *, guild_id: int | None = None, intent: Intent = Intent.NONE) -> bool:
        """Send an event to every session whose shard and intents match. Return True if any of them has a connection.

        Sessions without a connection store the event for replay.
        """
        receivers = [session for session in self.sessions.values() if session.receives(guild_id, intent)]
        return self._send(receivers, name, data)

    def _send(self, receivers: list[Session], name: str, data: Json) -> bool:
        has_connection = any(session.socket is not None for session in receivers)
        match self._faults.take_for_event(name):
            case Drop():
                return False
            case Duplicate():
                receivers *= 2
            case Delay(seconds=seconds):
                self._send_later(seconds, receivers, name, data)
                return has_connection
            case None:
                pass
        for session in receivers:
            session.send(name, data)
        return has_connection

    def _send_later(self, seconds: float, receivers: list[Session], name: str, data: Json) -> None:
        def send() -> None:
            self._delayed.discard(timer)
            for session in receivers:
                session.send(name, data)
            self._changes.notify()

        timer = self._world.clock.call_later(seconds, send)
        self._delayed.add(timer)

    async def reconnect(self, *, shard: int | None = None) -> None:
        """Ask every client, or the clients of one shard, to reconnect (op 7)."""
        await self._broadcast(self._sessions_of(shard), {"op": Op.RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool, shard: int | None = None) -> None:
        """Send op 9 to every session, or to the sessions of one shard. Unless `resumable`, also delete the sessions."""
        ended = self._sessions_of(shard)
        await self._broadcast(ended, {"op": Op.INVALID_SESSION, "d": resumable})
        if not resumable:
            for session in ended:
                self.sessions.pop(session.id, None)

    async def close(self, code: int = 4000, *, shard: int | None = None) -> None:
        """Close every connection, or the connections of one shard, with a code. The sessions can be resumed."""
        for session in self._sessions_of(shard):
            socket, session.socket = session.socket, None
            if socket is not None:
                await socket.close(code=code)

    def refuse_connections(self, times: int) -> None:
        """Answer the next `times` connections with 503."""
        self.refusals = times

    def undelivered(self) -> list[str]:
        """Describe the events that are delayed or not yet written to their connection."""
        found = [f"a delayed event, due at {timer.due:.3f}" for timer in self._delayed]
        return found + [
            f"{session.sequence - session.written} events for {session}"
            for session in self.sessions.values()
            if session.socket is not None and session.written < session.sequence
        ]

    async def confirm_delivery(self) -> None:
        """Wait until every connected client has read all events that were written to it.

        The gateway sends a WebSocket ping after the events. Clients answer frames in order (RFC 6455, 5.5.2), so the
        pong proves that they have read the events. A client that disconnects is ignored.
        """
        pinged = [(session, session.socket, session.written) for session in self.sessions.values()]
        for session, socket, written in pinged:
            if socket is not None and session.confirmed < written:
                with suppress(ConnectionError):
                    await socket.ping(str(written).encode())

        def confirmed() -> bool:
            return all(s.confirmed >= written or s.socket is not socket for s, socket, written in pinged if socket)

        while not confirmed():
            await self._changes.next()

    def _confirm(self, session: Session | None, data: bytes) -> None:
        if session is not None and data.isdigit():
            session.confirmed = max(session.confirmed, int(data))
            self._changes.notify()

    async def stop(self) -> None:
        """Cancel delayed events and close all connections."""
        for timer in self._delayed:
            timer.cancel()
        await self.close(1001)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection from HELLO until it closes."""
        if self.refusals > 0:
            self.refusals -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=1 << 16, compress=False, timeout=1.0, autoping=False)
        await socket.prepare(request)
        hello = {"op": Op.HELLO, "d": {"heartbeat_interval": int(self.heartbeat_interval * 1000)}}
        await self._write(socket, None, hello)
        session: Session | None = None
        tasks: list[asyncio.Task[None]] = []
        try:
            async for message in socket:
                if message.type is WSMsgType.PING:
                    await socket.pong(message.data)
                    continue
                if message.type is WSMsgType.PONG:
                    self._confirm(session, message.data)
                    continue
                if message.type is not WSMsgType.TEXT:
                    break
                frame = as_object(json.loads(message.data))
                self._observe(sent=False, session=session, data=frame)
                if frame.get("op") == Op.HEARTBEAT:
                    tasks = [task for task in tasks if not task.done()]
                    tasks.append(asyncio.create_task(self._acknowledge(socket, session)))
                elif frame.get("op") in (Op.IDENTIFY, Op.RESUME):
                    session = await self._open_session(socket, frame)
                    if session is not None:
                        tasks.append(asyncio.create_task(self._send_events(socket, session)))
        finally:
            for task in tasks:
                task.cancel()
            # Leave a session alone if it was resumed on another socket or closed by the server.
            if session is not None and session.socket is socket:
                session.socket = None
                # A client that closes with 1000 or 1001 ends the session (Discord's API reference, "Initiating a
                # Disconnect").
                if socket.close_code in (1000, 1001):
                    self.sessions.pop(session.id, None)
            self._changes.notify()
        return socket

    async def _open_session(self, socket: web.WebSocketResponse, frame: Json) -> Session | None:
        data = as_object(frame.get("d"))
        if str(data.get("token") or "").removeprefix("Bot ") != self._token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if frame["op"] == Op.IDENTIFY:
            return await self._identify(socket, data)
        session = self.sessions.get(str(data.get("session_id")))
        if session is None:
            await self._write(socket, None, {"op": Op.INVALID_SESSION, "d": False})
            return None
        self.resumes += 1
        session.queue = asyncio.Queue[Json]()
        session.socket = socket
        last_sequence = as_int(data.get("seq")) or 0
        session.written = last_sequence
        session.confirmed = min(session.confirmed, last_sequence)
        for event in session.replay:
            if event["s"] > last_sequence:
                session.queue.put_nowait(event)
        session.send("RESUMED", {})
        self._changes.notify()
        return session

    async def _identify(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        shard = _parse_shard(data.get("shard"))
        if shard is None:
            await socket.close(code=4010, message=b"Invalid shard.")
            return None
        if not self.starts.spend():
            # If the daily limit is exceeded, Discord ends all sessions and resets the token.
            await self.close(4004)
            self.sessions.clear()
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if not self.starts.admit(shard[0]):
            await self._write(socket, None, {"op": Op.INVALID_SESSION, "d": False})
            return None
        session = Session(secrets.token_hex(16), Intent(as_int(data.get("intents")) or 0), shard, socket)
        guilds = [guild for guild in self._world.bot_guilds() if session.receives(guild.id)]
        if len(guilds) > self.starts.max_guilds:
            await socket.close(code=4011, message=b"Sharding required.")
            return None
        self.identifies += 1
        # A new session replaces the shard's disconnected sessions. As on Discord, connected sessions stay.
        for old in list(self.sessions.values()):
            if old.socket is None and old.shard == session.shard:
                del self.sessions[old.id]
        self.sessions[session.id] = session
        ready: Json = {
            "v": 10,
            "user": user_json(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(self._world.bot.id), "flags": 0},
        }
        session.send("READY", ready)
        if Intent.GUILDS in session.intents:
            for guild in guilds:
                if not guild.unavailable:
                    self._send([session], "GUILD_CREATE", guild_create_json(self._world, guild))
        self._changes.notify()
        return session

    async def _send_events(self, socket: web.WebSocketResponse, session: Session) -> None:
        queue = session.queue
        try:
            while True:
                frame = await queue.get()
                await self._write(socket, session, frame)
                session.written = frame["s"]
                self._changes.notify()
        except ConnectionError:
            # Nothing is lost: the event is stored for replay. `serve` also detects the broken connection and cleans up.
            return

    async def _acknowledge(self, socket: web.WebSocketResponse, session: Session | None) -> None:
        await asyncio.sleep(ACK_DELAY)
        with suppress(ConnectionError):
            await self._write(socket, session, {"op": Op.HEARTBEAT_ACK, "d": None})

    def _sessions_of(self, shard: int | None) -> list[Session]:
        return [session for session in self.sessions.values() if shard in (None, session.shard[0])]

    async def _broadcast(self, sessions: list[Session], frame: Json) -> None:
        for session in sessions:
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


def _parse_shard(value: Any) -> tuple[int, int] | None:
    """Parse the `shard` of an Identify message. Return (0, 1) if it is missing, or None if it is invalid."""
    match value:
        case None:
            return 0, 1
        case [int(shard), int(count)] if 0 <= shard < count:
            return shard, count
        case _:
            return None
