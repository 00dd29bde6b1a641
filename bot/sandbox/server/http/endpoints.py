"""The HTTP layer of the API.

For each request, it checks the token and the rate limits, applies deliberate faults, calls the handler of the route,
and records the request in the journal.
"""

import json
import re
import socket
import struct
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from aiohttp import BodyPartReader, MultipartReader, hdrs, web

from bot.sandbox.server.errors import RefusalError, rate_limited, unauthorized
from bot.sandbox.server.faults import (
    Delay,
    Expire,
    Hangup,
    RateLimited,
    Refuse,
    RequestFault,
    Reset,
    Reupload,
    ServerError,
)
from bot.sandbox.server.http.call import Call, Handler, Reply
from bot.sandbox.server.http.routes import BY_BOT, BY_TOKEN
from bot.sandbox.server.journal import Request, Upload
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import as_int, dumps
from bot.sandbox.world.messages import Message

PREFIX = "/api/v10"
# The Content-Type has no charset, because discord.py compares the whole value with "application/json".
_JSON_HEADERS = {"Content-Type": "application/json"}
_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_MAJOR_PARAMETERS = ("channel_id", "guild_id", "application_id", "token")


def add_routes(app: web.Application, state: ServerState) -> None:
    """Add all routes to an application. Unknown routes get 404 and are recorded in the journal."""
    for routes, by_bot in ((BY_BOT, True), (BY_TOKEN, False)):
        for method, path, handler in routes:
            app.router.add_route(method, PREFIX + path, _make_endpoint(state, path, handler, by_bot=by_bot))

    async def unknown(request: web.Request) -> web.StreamResponse:
        state.journal.record_unknown_route(request.method, request.path.removeprefix(PREFIX))
        return web.Response(status=404, headers=_JSON_HEADERS, text=dumps({"message": "404: Not Found", "code": 0}))

    app.router.add_route("*", "/api/{rest:.*}", unknown)


def _make_endpoint(
    state: ServerState, route: str, handler: Handler, *, by_bot: bool
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def endpoint(request: web.Request) -> web.StreamResponse:
        with _in_progress(state, request):
            response = await respond(request)
            # The request counts as in progress until its answer is written.
            with suppress(ConnectionError):
                await response.prepare(request)
                await response.write_eof()
        return response

    async def respond(request: web.Request) -> web.StreamResponse:
        payload, files, is_malformed = await _read_request(request)
        path = request.path.removeprefix(PREFIX)
        call = Call(request.method, path, request.query, request.match_info, payload, files)
        fault = state.faults.take_for_request(call.method, path, has_files=bool(files))
        # Notify before a `Delay` is applied: tests may wait for a fault to count a hit before they advance the clock.
        state.changes.notify()
        refusal = _check_request(state, request, by_bot=by_bot, is_malformed=is_malformed)
        headers, status, body = await _handle(state, route, call, handler, fault, refusal)
        connection_cut = isinstance(fault, Reset | Hangup)
        code = body.get("code") if status >= 400 else None
        journal_status = None if connection_cut else status
        state.journal.record(Request(call.method, path, route, call.query, payload, files, journal_status, code, body))
        state.changes.notify()
        if connection_cut:
            _cut_connection(request, reset=isinstance(fault, Reset))
        if status == 204:
            return web.Response(status=204, headers=headers)
        return web.Response(status=status, headers=headers | _JSON_HEADERS, body=dumps(body).encode())

    return endpoint


@contextmanager
def _in_progress(state: ServerState, request: web.Request) -> Generator[None]:
    state.requests[id(request)] = f"{request.method} {request.path}"
    state.changes.notify()
    try:
        yield
    finally:
        del state.requests[id(request)]
        state.changes.notify()


async def _handle(
    state: ServerState,
    route: str,
    call: Call,
    handler: Handler,
    fault: RequestFault | None,
    refused: RefusalError | None,
) -> tuple[dict[str, str], int, Any]:
    if refused is not None and refused.is_global:
        return refused.headers, refused.status, refused.body
    major = "+".join(call.params[name] for name in _MAJOR_PARAMETERS if name in call.params)
    headers, wait = state.rate_limits.spend(f"{call.method} {route}", major)
    try:
        if wait is not None:
            raise rate_limited(wait)
        if refused is not None:
            raise refused
        await _apply_fault(state, call, fault, applied=False)
        reply = handler(state, call)
        await _apply_fault(state, call, fault, applied=True)
    except RefusalError as refusal:
        extra = {} if isinstance(fault, RateLimited) and not fault.via else refusal.headers
        return headers | extra, refusal.status, refusal.body
    if isinstance(reply, Reply):
        return headers, reply.status, reply.body
    return headers, 200, reply


async def _apply_fault(state: ServerState, call: Call, fault: RequestFault | None, *, applied: bool) -> None:
    match fault:
        case Delay(seconds=seconds) if fault.applied == applied:
            await state.world.clock.sleep(seconds)
        case Reset() | Hangup() if not fault.applied and not applied:
            raise RefusalError(0, status=500, message="connection cut by a deliberate fault")
        case ServerError(status=status) if fault.applied == applied:
            raise RefusalError(0, status=status, message=f"{status}: Internal Server Error")
        case RateLimited(retry_after=seconds) if not applied:
            raise rate_limited(seconds, is_global=fault.is_global)
        case Refuse(code=code) if not applied:
            raise RefusalError(code, retry_after=fault.retry_after)
        case Expire() if not applied:
            state.interactions.expire(call.params.get("token", ""))
        case Reupload() if not applied and (message := _target_message(state, call)) is not None:
            state.attachments.renew(message)
        case _:
            return


def _target_message(state: ServerState, call: Call) -> Message | None:
    """Return the message that a request will change.

    For an interaction, that is the original response, or else the message with the component that was used.
    """
    interaction = state.interactions.by_token.get(call.params.get("token", ""))
    if interaction is not None:
        return interaction.original or interaction.source
    channel = state.world.channels.get(as_int(call.params.get("channel_id")) or 0)
    return None if channel is None else channel.messages.get(as_int(call.params.get("message_id")) or 0)


def _check_request(
    state: ServerState, request: web.Request, *, by_bot: bool, is_malformed: bool
) -> RefusalError | None:
    wait = state.rate_limits.spend_globally() if by_bot else None
    if wait is not None:
        return rate_limited(wait, is_global=True)
    if by_bot and request.headers.get(hdrs.AUTHORIZATION) != f"Bot {state.token}":
        return unauthorized()
    return RefusalError(50109) if is_malformed else None


def _cut_connection(request: web.Request, *, reset: bool) -> None:
    transport = request.transport
    if transport is None:
        return
    if reset:
        # With a linger time of 0 the kernel sends RST instead of FIN.
        sock: socket.socket = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    else:
        transport.close()


async def _read_request(request: web.Request) -> tuple[Any, tuple[Upload, ...], bool]:
    try:
        return *await _parse_body(request), False
    except ValueError:
        return None, (), True


async def _parse_body(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    if request.content_type != "multipart/form-data":
        text = await request.text()
        return (json.loads(text) if text else None), ()
    payload: Any = None
    files: list[Upload] = []
    reader: MultipartReader = await request.multipart()
    async for part in reader:
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            payload = json.loads(await part.text())
        elif (found := _FILE_FIELD.fullmatch(part.name or "")) is not None:
            files.append(Upload(int(found[1]), part.filename or "file", bytes(await part.read())))
    return payload, tuple(files)
