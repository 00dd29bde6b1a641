"""From the wire to a handler and back: bodies, tokens, rate limits, faults and the journal."""

import asyncio
import json
import re
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BodyPartReader, MultipartReader, hdrs, web

from bot.sandbox.core import Core
from bot.sandbox.errors import RefusalError, unauthorized
from bot.sandbox.faults import Delay, Hangup, RateLimited, Refuse, RequestFault, Reset, ServerError
from bot.sandbox.journal import Request
from bot.sandbox.rest.call import Call, Handler, Reply
from bot.sandbox.rest.routes import BY_BOT, BY_TOKEN
from bot.sandbox.wire import Upload, dumps

PREFIX = "/api/v10"
# discord.py compares the whole header, so no charset may follow.
_JSON = {"Content-Type": "application/json"}
_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_MAJOR = ("channel_id", "guild_id", "application_id", "token")


def add_routes(app: web.Application, core: Core) -> None:
    """Put the whole API into an application; what it lacks is answered 404 and noted in the journal."""
    for routes, by_bot in ((BY_BOT, True), (BY_TOKEN, False)):
        for method, path, handler in routes:
            app.router.add_route(method, PREFIX + path, _endpoint(core, path, handler, by_bot=by_bot))

    async def unknown(request: web.Request) -> web.StreamResponse:
        core.journal.unknown(request.method, request.path.removeprefix(PREFIX))
        return web.Response(status=404, headers=_JSON, text=dumps({"message": "404: Not Found", "code": 0}))

    app.router.add_route("*", "/api/{rest:.*}", unknown)


def _endpoint(
    core: Core, route: str, handler: Handler, *, by_bot: bool
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def endpoint(request: web.Request) -> web.StreamResponse:
        payload, files, broken = await _read(request)
        path = request.path.removeprefix(PREFIX)
        call = Call(request.method, path, request.query, request.match_info, payload, files)
        fault = core.faults.for_request(call.method, path)
        objection = _objection(core, request, by_bot=by_bot, broken=broken)
        headers, status, body = await _answer(core, route, call, handler, fault, objection)
        lost = isinstance(fault, Reset | Hangup)
        code = body.get("code") if status >= 400 else None
        shown = None if lost else status
        core.journal.note(Request(call.method, path, route, call.query, payload, files, shown, code, body))
        core.changes.notify()
        if lost:
            _cut(request, reset=isinstance(fault, Reset))
        if status == 204:
            return web.Response(status=204, headers=headers)
        return web.Response(status=status, headers=headers | _JSON, body=dumps(body).encode())

    return endpoint


async def _answer(
    core: Core, route: str, call: Call, handler: Handler, fault: RequestFault | None, objection: RefusalError | None
) -> tuple[dict[str, str], int, Any]:
    major = "+".join(call.params[name] for name in _MAJOR if name in call.params)
    headers, wait = core.rate_limits.spend(f"{call.method} {route}", major)
    try:
        if wait is not None:
            raise RefusalError(0, status=429, message="You are being rate limited.", retry_after=wait)
        if objection is not None:
            raise objection
        await _strike(fault, applied=False)
        reply = handler(core, call)
        await _strike(fault, applied=True)
    except RefusalError as refusal:
        extra = {} if isinstance(fault, RateLimited) and not fault.via else refusal.headers
        body = refusal.body
        if isinstance(fault, RateLimited) and fault.everywhere:
            body["global"] = True
        return headers | extra, refusal.status, body
    if isinstance(reply, Reply):
        return headers, reply.status, reply.body
    return headers, 200, reply


async def _strike(fault: RequestFault | None, *, applied: bool) -> None:
    match fault:
        case Delay(seconds=seconds) if fault.applied == applied:
            await asyncio.sleep(seconds)
        case Reset() | Hangup() if not fault.applied and not applied:
            raise RefusalError(0, status=500, message="lost on the way")
        case ServerError(status=status) if fault.applied == applied:
            raise RefusalError(0, status=status, message=f"{status}: Internal Server Error")
        case RateLimited(retry_after=seconds) if not applied:
            raise RefusalError(0, status=429, message="You are being rate limited.", retry_after=seconds)
        case Refuse(code=code) if not applied:
            raise RefusalError(code, retry_after=fault.retry_after)
        case _:
            return


def _objection(core: Core, request: web.Request, *, by_bot: bool, broken: bool) -> RefusalError | None:
    if by_bot and request.headers.get(hdrs.AUTHORIZATION) != f"Bot {core.token}":
        return unauthorized()
    return RefusalError(50109) if broken else None


def _cut(request: web.Request, *, reset: bool) -> None:
    transport = request.transport
    if transport is None:
        return
    if reset:
        # Lingering for 0 seconds makes the kernel send RST instead of FIN.
        sock: socket.socket = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    else:
        transport.close()


async def _read(request: web.Request) -> tuple[Any, tuple[Upload, ...], bool]:
    try:
        return *await _body(request), False
    except ValueError:
        return None, (), True


async def _body(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
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
