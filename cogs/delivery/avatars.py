"""Avatars of people, downloaded in the background for pictures.

No answer waits for a download: until an avatar has arrived, pictures show a letter instead.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import aiohttp
import structlog

from bot.model.ids import PersonId
from bot.model.statistics import Player
from cardart import Avatar, Portrait, UnreadableAvatarError, read_avatar
from cogs.words.names import portraits

log = structlog.get_logger(__name__)

MAX_BYTES: Final = 256 * 1024
"""Maximum size of a file with an avatar."""
TIMEOUT: Final = 3.0
"""Time for a download, in seconds."""
LIFETIME: Final = 24 * 3600.0
"""Time after which an avatar or the failure to load it is forgotten, in seconds."""
MAX_AVATARS: Final = 300
"""Maximum number of avatars in memory. Each takes 77 KB."""
MAX_FAILURES: Final = 10_000
MAX_DOWNLOADS: Final = 20
"""Maximum number of downloads at a time. Pictures ask again for avatars that were not downloaded."""
_FILE_SIZE: Final = 256
"""Width and height of the requested file, in pixels. Discord has powers of two."""

_Key = tuple[PersonId, str]
"""A person and the hash of their avatar."""


class Avatars:
    """The avatars of people, from a server like Discord's, with a cache in memory. Call `close` at the end.

    Addresses contain only ids and hashes from the database, and requests contain no token.
    """

    def __init__(self, host: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        """`host` is the server's address, such as `https://cdn.discordapp.com`; None means that no avatar is loaded.

        `clock` returns seconds.
        """
        self._host = host
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None
        self._downloads: dict[_Key, asyncio.Task[None]] = {}
        self._loaded: OrderedDict[_Key, tuple[Avatar, float]] = OrderedDict()
        self._failed: OrderedDict[_Key, float] = OrderedDict()
        """The times at which failures are forgotten, earliest first."""

    def portraits(self, players: Sequence[Player]) -> tuple[Portrait, ...]:
        """Return the portraits of players for pictures, with the avatars that are loaded."""
        shown = zip(portraits(players), players, strict=True)
        return tuple(replace(portrait, avatar=self.of(player.id, player.avatar)) for portrait, player in shown)

    def of_people(self, people: Iterable[Player]) -> dict[PersonId, Avatar]:
        """Return the avatars that are loaded, by person. Start to load the others."""
        found = {person.id: self.of(person.id, person.avatar) for person in people if person.id is not None}
        return {person_id: avatar for person_id, avatar in found.items() if avatar is not None}

    async def load(self, people: Iterable[Player]) -> None:
        """Load the avatars of people, for a post that no answer waits for. Wait until each is loaded or has failed."""
        self.of_people(people)
        if self._downloads:
            await asyncio.wait(self._downloads.values())

    def of(self, person_id: PersonId | None, avatar: str | None) -> Avatar | None:
        """Return a person's avatar if it is loaded. Otherwise, start to load it, unless that failed recently."""
        if self._host is None or person_id is None or avatar is None:
            return None
        key, now = (person_id, avatar), self._clock()
        if (loaded := self._loaded.get(key)) is not None:
            if loaded[1] > now:
                self._loaded.move_to_end(key)
                return loaded[0]
            del self._loaded[key]
        if self._failed.get(key, now) > now or key in self._downloads or len(self._downloads) >= MAX_DOWNLOADS:
            return None
        task = self._downloads[key] = asyncio.create_task(self._load(key))
        task.add_done_callback(lambda _: self._downloads.pop(key, None))
        return None

    @property
    def is_loading(self) -> bool:
        """True if a download is in progress."""
        return bool(self._downloads)

    def forget(self, person_id: PersonId) -> None:
        """Remove a person's avatars from memory."""
        for key in [key for key in self._loaded if key[0] == person_id]:
            del self._loaded[key]
        for key in [key for key in self._downloads if key[0] == person_id]:
            self._downloads.pop(key).cancel()

    async def close(self) -> None:
        """Cancel the downloads, and close the connections."""
        for task in self._downloads.values():
            task.cancel()
        if self._session is not None:
            await self._session.close()

    async def _load(self, key: _Key) -> None:
        try:
            async with asyncio.timeout(TIMEOUT):
                content = await self._download(*key)
            avatar = await asyncio.to_thread(read_avatar, content)
        except (aiohttp.ClientError, TimeoutError, UnreadableAvatarError) as error:
            log.info("an avatar could not be loaded", error=type(error).__name__)
            self._failed.pop(key, None)
            self._failed[key] = self._clock() + LIFETIME
            if len(self._failed) > MAX_FAILURES:
                self._failed.popitem(last=False)
            return
        self._loaded[key] = avatar, self._clock() + LIFETIME
        if len(self._loaded) > MAX_AVATARS:
            self._loaded.popitem(last=False)

    async def _download(self, person_id: PersonId, avatar: str) -> bytes:
        """Return the file with an avatar. Raise `aiohttp.ClientError` if there is none, or if it is too large."""
        if self._session is None:
            self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), raise_for_status=True)
        url = f"{self._host}/avatars/{person_id}/{avatar}.png?size={_FILE_SIZE}"
        async with self._session.get(url, allow_redirects=False) as response:
            content = bytearray()
            async for chunk in response.content.iter_any():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise aiohttp.ClientPayloadError("the avatar is too large")
        return bytes(content)
