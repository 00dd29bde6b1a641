"""Background uploads of the application's own emojis, and removal of outdated ones.

Discord's list is the source of truth. It is fetched before every upload run and again after every failure, so nothing
is uploaded twice. An emoji's name identifies its drawing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog

from bot.play.refusals import Unavailable
from bot.play.sharing.exclusive import Exclusive
from cardart import Emoji, all_emojis, key_of
from cogs.kit.emojis import Emojis
from cogs.kit.failures import REQUEST_FAILURES

log = structlog.get_logger(__name__)

FIRST_AFTER: Final = 3.0
"""Delay after the start of the bot, in seconds. Other work is more urgent then."""
PAUSE: Final = 0.2
"""Pause between two uploads, in seconds. Uploads are not urgent and share the bot's 50 requests per second."""
FIRST_RETRY: Final = 10.0
LAST_RETRY: Final = 3600.0
"""Minimum and maximum time before a failed upload is retried, in seconds. It doubles each time."""
CHECKED_EVERY: Final = timedelta(days=1)
KEPT_FOR: Final = timedelta(days=30)
"""Time before a replaced drawing is deleted. Old messages still show it."""


class EmojiUploads:
    """Keeps Discord's emojis in line with the current drawings while `run` is running."""

    def __init__(
        self, client: discord.Client, emojis: Emojis, exclusive: Exclusive, clock: Callable[[], datetime]
    ) -> None:
        """`emojis` receives the ids of the uploaded emojis. `exclusive` keeps two processes from uploading together.

        `clock` returns the current time, to find replaced drawings that are old enough to delete.
        """
        self._client = client
        self._exclusive = exclusive
        self._emojis = emojis
        self._clock = clock

    async def run(self) -> None:
        """Upload missing emojis now, daily, and immediately after Discord refused one."""
        await asyncio.sleep(FIRST_AFTER)
        drawn = {emoji.name: emoji for emoji in await asyncio.to_thread(lambda: tuple(all_emojis()))}
        retry = FIRST_RETRY
        while True:
            try:
                await self._bring_up_to_date(drawn)
                wait, retry = CHECKED_EVERY.total_seconds(), FIRST_RETRY
            except discord.RateLimited as error:
                log.info("emoji upload rate-limited", seconds=round(error.retry_after))
                wait = error.retry_after
            except (*REQUEST_FAILURES, Unavailable) as error:
                log.warning("emoji upload failed", error=type(error).__name__, code=getattr(error, "code", 0))
                wait, retry = retry, min(2 * retry, LAST_RETRY)
            await self._emojis.doubted(wait)

    async def _bring_up_to_date(self, drawn: Mapping[str, Emoji]) -> None:
        async with self._exclusive.alone("emojis"):
            await self._upload_missing(drawn)

    async def _upload_missing(self, drawn: Mapping[str, Emoji]) -> None:
        listed = await self._client.fetch_application_emojis()
        known = {emoji.name: emoji.id for emoji in listed if emoji.name in drawn}
        self._emojis.update(known)
        missing = [emoji for name, emoji in drawn.items() if name not in known]
        for emoji in missing:
            uploaded = await self._client.create_application_emoji(name=emoji.name, image=emoji.content)
            known[emoji.name] = uploaded.id
            self._emojis.update(known)
            await asyncio.sleep(PAUSE)
        if missing:
            log.info("emojis uploaded", count=len(missing))
        for emoji in _outdated(listed, drawn, self._clock()):
            await emoji.delete()


def _outdated(listed: Collection[discord.Emoji], drawn: Collection[str], now: datetime) -> list[discord.Emoji]:
    """Return the bot's emojis whose replacement is older than `REPLACED_LIFETIME`. Other emojis are not listed."""
    drawn_at = {key_of(emoji.name): emoji.created_at for emoji in listed if emoji.name in drawn}
    return [
        emoji for emoji in listed if emoji.name not in drawn and now - drawn_at.get(key_of(emoji.name), now) > KEPT_FOR
    ]
