"""A fix for discord.py's handling of Discord's global rate limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from discord import File
from discord.http import HTTPClient, Route


def release_if_cancelled(http: HTTPClient) -> None:
    """Keep a cancelled request from blocking all others after a global rate limit.

    In discord.py 2.7.1 (`HTTPClient.request`), the request that hit the limit sleeps while all others wait for it. If
    it is cancelled, they wait forever. Releasing them too early only makes them hit the limit again.
    """
    request = http.request

    async def released(
        route: Route,
        *,
        files: Sequence[File] | None = None,
        form: Iterable[dict[str, Any]] | None = None,
        **options: Any,
    ) -> Any:
        try:
            return await request(route, files=files, form=form, **options)
        except asyncio.CancelledError:
            http._global_over.set()  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - there is no other way
            raise

    http.request = released
