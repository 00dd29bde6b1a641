"""Discord's latest refusals in each channel, kept in memory for a limited time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.model.discord_codes import SIZE_REFUSALS, Code
from bot.model.ids import ChannelId

FILE_REFUSAL_LIFETIME: Final = 600.0
"""Time without pictures in a channel after Discord refused a picture there, in seconds."""
MESSAGE_REFUSAL_LIFETIME: Final = 3600.0
"""Time for which a refused message is remembered, in seconds, unless Discord accepts a later message before that."""
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

    def record_file_refusal(self, code: int, size: int) -> None:
        """Record that Discord refused files of `size` bytes but accepted the message without them."""
        # If the files were too large, still try files of less than half that size, such as a picture of a table.
        smallest = size // 2 if code in SIZE_REFUSALS else 0
        self._files = smallest, self._clock() + FILE_REFUSAL_LIFETIME

    def record_message_refusal(self, code: Code) -> None:
        self._message = code, self._clock() + MESSAGE_REFUSAL_LIFETIME

    def record_success(self) -> None:
        """Record that Discord accepted a message."""
        self._message = None

    def clear(self) -> None:
        """Forget all refusals, because their cause might have been removed."""
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
        channel = self._channels.pop(key, None) or ChannelRefusals(self._clock)
        self._channels[key] = channel
        if len(self._channels) > MAX_CHANNELS:
            del self._channels[next(iter(self._channels))]
        return channel
