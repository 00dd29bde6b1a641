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
from cardart import Emoji, all_emojis, emoji_key
from cogs.kit.failures import REQUEST_FAILURES
from cogs.words.emojis import Emojis

log = structlog.get_logger(__name__)

START_DELAY: Final = 3.0
"""Delay after the start of the bot, in seconds. Other work is more urgent then."""
UPLOAD_PAUSE: Final = 0.2
"""Pause between two uploads, in seconds. Uploads are not urgent and share the bot's 50 requests per second."""
MIN_RETRY_DELAY: Final = 10.0
MAX_RETRY_DELAY: Final = 3600.0
"""Delay before a retry, in seconds: `MIN_RETRY_DELAY` at first, then doubled each time up to `MAX_RETRY_DELAY`."""
CHECK_INTERVAL: Final = timedelta(days=1)
REPLACED_LIFETIME: Final = timedelta(days=30)
"""Time before a replaced drawing is deleted. Old messages still show it."""


class EmojiUploads:
    """Keeps Discord's emojis in line with the current drawings while `run` is running."""

    def __init__(
        self, client: discord.Client, emojis: Emojis, exclusive: Exclusive, clock: Callable[[], datetime]
    ) -> None:
        """`emojis` receives the ids of the uploaded emojis. `exclusive` keeps other processes from uploading meanwhile.

        `clock` returns the current time, used to find replaced drawings that are old enough to delete.
        """
        self._client = client
        self._exclusive = exclusive
        self._emojis = emojis
        self._clock = clock

    async def run(self) -> None:
        """Upload missing emojis now, once a day, and when Discord refuses a message because an emoji is missing."""
        await asyncio.sleep(START_DELAY)
        drawn = {emoji.name: emoji for emoji in await asyncio.to_thread(lambda: tuple(all_emojis()))}
        retry = MIN_RETRY_DELAY
        while True:
            try:
                await self._sync(drawn)
                wait, retry = CHECK_INTERVAL.total_seconds(), MIN_RETRY_DELAY
            except discord.RateLimited as error:
                log.info("emoji upload rate-limited", seconds=round(error.retry_after))
                wait = error.retry_after
            except (*REQUEST_FAILURES, Unavailable) as error:
                log.warning("emoji upload failed", error=type(error).__name__, code=getattr(error, "code", 0))
                wait, retry = retry, min(2 * retry, MAX_RETRY_DELAY)
            await self._emojis.wait_until_refused(wait)

    async def _sync(self, drawn: Mapping[str, Emoji]) -> None:
        async with self._exclusive.locked("emojis"):
            await self._upload_missing(drawn)

    async def _upload_missing(self, drawn: Mapping[str, Emoji]) -> None:
        listed = await self._client.fetch_application_emojis()
        ids = {emoji.name: emoji.id for emoji in listed if emoji.name in drawn}
        self._emojis.update(ids)
        missing = [emoji for name, emoji in drawn.items() if name not in ids]
        for emoji in missing:
            uploaded = await self._client.create_application_emoji(name=emoji.name, image=emoji.content)
            ids[emoji.name] = uploaded.id
            self._emojis.update(ids)
            await asyncio.sleep(UPLOAD_PAUSE)
        if missing:
            log.info("emojis uploaded", count=len(missing))
        for emoji in _outdated(listed, drawn, self._clock()):
            await emoji.delete()


def _outdated(listed: Collection[discord.Emoji], drawn: Collection[str], now: datetime) -> list[discord.Emoji]:
    """Return the emojis of which a newer drawing was uploaded more than `REPLACED_LIFETIME` ago."""
    drawn_at = {emoji_key(emoji.name): emoji.created_at for emoji in listed if emoji.name in drawn}
    return [
        emoji
        for emoji in listed
        if emoji.name not in drawn and now - drawn_at.get(emoji_key(emoji.name), now) > REPLACED_LIFETIME
    ]
