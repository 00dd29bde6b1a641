"""Discord's latest refusals in each channel, kept in memory for a limited time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.values.discord_codes import SIZE_REFUSALS, Code
from bot.values.ids import ChannelId

FILES_REFUSED_FOR: Final = 600.0
"""Time without pictures in a channel after Discord refused one, in seconds."""
REMEMBERED_FOR: Final = 3600.0
"""Time before a refused message is forgotten, in seconds. An accepted message clears it earlier."""
MAX_CHANNELS: Final = 1024


class ChannelRefusals:
    """Discord's latest refusals in one channel."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._files: tuple[int, float] | None = None
        self._message: tuple[Code, float] | None = None

    def refuses_files(self, size: int) -> bool:
        """Return True if a recent refusal suggests that Discord would refuse files of `size` bytes."""
        return self._files is not None and size >= self._files[0] and self._clock() < self._files[1]

    @property
    def message(self) -> Code | None:
        """The error code of the last refused message; None if the last message was accepted."""
        if self._message is None or self._clock() >= self._message[1]:
            return None
        return self._message[0]

    def note_files(self, code: int, size: int) -> None:
        """Record that Discord refused files of `size` bytes but accepted the message without them."""
        # If the files were too large, much smaller ones may pass, such as a table after an animation.
        smallest = size // 2 if code in SIZE_REFUSALS else 0
        self._files = smallest, self._clock() + FILES_REFUSED_FOR

    def note_message(self, code: Code) -> None:
        self._message = code, self._clock() + REMEMBERED_FOR

    def note_success(self) -> None:
        """Record that Discord accepted a message."""
        self._message = None

    def forget(self) -> None:
        """Forget all refusals, because their cause may have been removed."""
        self._files = self._message = None


class Refusals:
    """Discord's latest refusals by channel: an LRU cache of `MAX_CHANNELS` channels."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._channels: dict[ChannelId, ChannelRefusals] = {}

    def of(self, channel_id: int | None) -> ChannelRefusals:
        """Return the refusals in a channel. For an unknown channel (None), nothing is remembered."""
        if channel_id is None:
            return ChannelRefusals(self._clock)
        key = ChannelId(channel_id)
        found = self._channels.pop(key, None) or ChannelRefusals(self._clock)
        self._channels[key] = found
        if len(self._channels) > MAX_CHANNELS:
            del self._channels[next(iter(self._channels))]
        return found
