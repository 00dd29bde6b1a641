"""Discord's global rate limit, which must be over some day."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from discord import File
from discord.http import HTTPClient, Route


def release_if_cancelled(http: HTTPClient) -> None:
    """Let requests go on after a global rate limit even if the one that met it is cancelled.

    In discord.py 2.7.1 (`HTTPClient.request`) all others wait until that one has slept, and for good if it never does.
    Released too early, they only meet the limit again.
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
