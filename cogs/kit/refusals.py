"""Discord's last refusals in each channel, kept in memory for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.values.discord_codes import SIZE_REFUSALS, Code
from bot.values.ids import ChannelId

FILES_REFUSED_FOR: Final = 600.0
"""Seconds without pictures after Discord refused one in a channel."""
REMEMBERED_FOR: Final = 3600.0
"""Seconds before a refused message is forgotten, unless a later one passes."""
MAX_CHANNELS: Final = 1024


class ChannelRefusals:
    """Discord's last refusals in one channel."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Measure time with `clock`, in seconds."""
        self._clock = clock
        self._files: tuple[int, float] | None = None
        self._message: tuple[Code, float] | None = None

    def refuses_files(self, size: int) -> bool:
        """Return whether Discord would probably refuse files of this many bytes: it did so a short time ago."""
        return self._files is not None and size >= self._files[0] and self._clock() < self._files[1]

    @property
    def message(self) -> Code | None:
        """Discord's reason for refusing the last message here; None if it was not refused."""
        if self._message is None or self._clock() >= self._message[1]:
            return None
        return self._message[0]

    def note_files(self, code: int, size: int) -> None:
        """Note that Discord refused files of `size` bytes and took the message without them."""
        # Much smaller ones may pass if these were too large: a table after an animation.
        smallest = size // 2 if code in SIZE_REFUSALS else 0
        self._files = smallest, self._clock() + FILES_REFUSED_FOR

    def note_message(self, code: Code) -> None:
        """Note that Discord refused a message."""
        self._message = code, self._clock() + REMEMBERED_FOR

    def note_success(self) -> None:
        """Note that Discord took a message."""
        self._message = None

    def forget(self) -> None:
        """Forget the refusals: their reason may be gone."""
        self._files = self._message = None


class Refusals:
    """Discord's last refusals, by channel. The least recently used channels are forgotten first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure time with `clock`, in seconds."""
        self._clock = clock
        self._channels: dict[ChannelId, ChannelRefusals] = {}

    def of(self, channel_id: int | None) -> ChannelRefusals:
        """Return the refusals in a channel. None stands for an unknown channel, about which nothing is kept."""
        if channel_id is None:
            return ChannelRefusals(self._clock)
        key = ChannelId(channel_id)
        found = self._channels.pop(key, None) or ChannelRefusals(self._clock)
        self._channels[key] = found
        if len(self._channels) > MAX_CHANNELS:
            del self._channels[next(iter(self._channels))]
        return found
