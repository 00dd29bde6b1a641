"""The connections to Discord's HTTP API."""

from __future__ import annotations

from typing import Any, Final

import aiohttp

MAX_WHOLE_BODY: Final = 256 * 1024
"""Maximum size of a body that is sent in one piece, in bytes. Longer ones are sent piece by piece, to save memory."""


class WholeBodyConnector(aiohttp.TCPConnector):
    """Connections on which a body of several parts is sent in one piece.

    aiohttp writes each part of a message with a picture, its headers and the lines between the parts separately.
    """

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> aiohttp.connector.Connection:
        """Return a connection for a request, and join the parts of its body."""
        body = req.body
        if isinstance(body, aiohttp.MultipartWriter) and body.size is not None and body.size <= MAX_WHOLE_BODY:
            # The new body keeps the content type, which has the boundary between the parts.
            whole = aiohttp.BytesPayload(await body.as_bytes(), content_type=body.content_type)
            await req.update_body(whole)
        return await super().connect(req, traces, timeout)
