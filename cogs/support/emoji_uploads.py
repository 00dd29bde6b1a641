"""Uploads the application's own emojis in the background, and removes old drawings of them.

Discord's list of them is the truth: it is asked before anything is uploaded, and again after every failure, so whatever
got lost or was interrupted, nothing is uploaded twice. What an emoji shows is in its name.
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
"""Seconds after the start until anything is drawn and uploaded: a start has more urgent work."""
PAUSE: Final = 0.2
"""Seconds between two uploads: nobody waits for them, and they share the bot's 50 requests a second."""
FIRST_RETRY: Final = 10.0
LAST_RETRY: Final = 3600.0
"""Seconds until a failed upload is tried again, doubling each time."""
CHECKED_EVERY: Final = timedelta(days=1)
KEPT_FOR: Final = timedelta(days=30)
"""How long a drawing stays after a new one has taken its place: old messages show it."""


class EmojiUploads:
    """Keeps the emojis that Discord has like those that are drawn, for as long as `run` runs."""

    def __init__(
        self, client: discord.Client, emojis: Emojis, exclusive: Exclusive, clock: Callable[[], datetime]
    ) -> None:
        """Upload for a client what `emojis` then finds, while no other process does.

        `clock` tells how long old drawings have been replaced.
        """
        self._client = client
        self._exclusive = exclusive
        self._emojis = emojis
        self._clock = clock

    async def run(self) -> None:
        """Upload what is missing, look after it every day, and at once where Discord does not know an emoji."""
        await asyncio.sleep(FIRST_AFTER)
        drawn = {emoji.name: emoji for emoji in await asyncio.to_thread(lambda: tuple(all_emojis()))}
        retry = FIRST_RETRY
        while True:
            try:
                await self._bring_up_to_date(drawn)
                wait, retry = CHECKED_EVERY.total_seconds(), FIRST_RETRY
            except discord.RateLimited as error:
                log.info("emojis must wait", seconds=round(error.retry_after))
                wait = error.retry_after
            except (*REQUEST_FAILURES, Unavailable) as error:
                log.warning("emojis could not be uploaded", error=type(error).__name__, code=getattr(error, "code", 0))
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
    """Return the emojis of which another drawing has been in use long enough. Those of others are never among them."""
    drawn_at = {key_of(emoji.name): emoji.created_at for emoji in listed if emoji.name in drawn}
    return [
        emoji for emoji in listed if emoji.name not in drawn and now - drawn_at.get(key_of(emoji.name), now) > KEPT_FOR
    ]
