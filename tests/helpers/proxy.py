"""A PostgreSQL proxy that can drop connections, go silent, or behave like a connection pooler."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final

from sqlalchemy import make_url

_KEY_DATA: Final = b"K\x00\x00\x00\x0c"
"""The start of PostgreSQL's BackendKeyData message, which contains the id of a server process.

Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
"""
_NO_PROCESS: Final = b"\x7f\xff\xff\xff"


class Proxy:
    """A proxy in front of a PostgreSQL server. Create it with `running`."""

    def __init__(self, *, pools: bool) -> None:
        self._pools = pools
        self._server: asyncio.Server | None = None
        self._target: tuple[str, int] | None = None
        self._connections: list[tuple[StreamWriter, StreamWriter]] = []
        """The writers of each connection, to the client and to the server. The oldest connection comes first."""
        self._silent: set[StreamWriter] = set()
        self._is_cut = False

    @staticmethod
    @asynccontextmanager
    async def running(*, pools: bool = False) -> AsyncGenerator[Proxy]:
        """Run a proxy during the block. With `pools`, it hides server processes' ids, like a connection pooler."""
        proxy = Proxy(pools=pools)
        proxy._server = await asyncio.start_server(proxy._serve, "127.0.0.1")
        try:
            yield proxy
        finally:
            proxy.cut(for_good=True)
            proxy._server.close()

    def address_of(self, url: str) -> str:
        """Return the address of a database as reached through this proxy."""
        direct = make_url(url)
        assert self._server is not None
        assert direct.host is not None
        assert direct.port is not None
        self._target = direct.host, direct.port
        port: int = self._server.sockets[0].getsockname()[1]
        return direct.set(port=port, query={"sslmode": "disable"}).render_as_string(hide_password=False)

    def cut(self, *, for_good: bool = False) -> None:
        """Drop all connections. With `for_good`, accept no new ones until `open` is called."""
        self._is_cut = for_good
        for connection in self._connections:
            for direction in connection:
                direction.transport.abort()

    def open(self) -> None:
        self._is_cut = False

    def silence(self) -> None:
        """Stop forwarding data on the oldest connection, but do not close it."""
        self._silent |= {*self._connections[0]}

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self._is_cut or self._target is None:
            writer.transport.abort()
            return
        from_server, to_server = await asyncio.open_connection(*self._target)
        connection = writer, to_server
        self._connections.append(connection)
        forth = asyncio.create_task(self._forward(reader, to_server))
        back = asyncio.create_task(self._forward(from_server, writer, is_reply=True))
        await asyncio.wait((forth, back), return_when=asyncio.FIRST_COMPLETED)
        self._connections.remove(connection)
        for direction in connection:
            direction.transport.abort()
        await asyncio.wait((forth, back))

    async def _forward(self, source: StreamReader, target: StreamWriter, *, is_reply: bool = False) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if is_reply and self._pools and _KEY_DATA in data:
                    start = data.index(_KEY_DATA) + len(_KEY_DATA)
                    data = data[:start] + _NO_PROCESS + data[start + len(_NO_PROCESS) :]
                if target not in self._silent:
                    target.write(data)
                    await target.drain()
