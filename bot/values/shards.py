"""Shards of Discord's gateway: each bot connection serves the servers of one.

Source: https://discord.com/developers/docs/events/gateway#sharding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.values.ids import GuildId

ID_BITS: Final = 22
"""Discord's ids have the moment of their making above these bits, and shards are told apart by it."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some shards: their numbers, which begin with 0, and how many there are in all."""

    numbers: frozenset[int]
    count: int

    @staticmethod
    def all(count: int) -> Shards:
        """Return all shards of a bot that has `count`."""
        return Shards(frozenset(range(count)), count)

    @staticmethod
    def parse(text: str) -> Shards:
        """Return the shards that a text such as `0-3/16`, `5/16` or `0,2-3/4` names. Raise `ValueError`."""
        named, separator, of = text.partition("/")
        numbers = set[int]()
        try:
            count = _number(of)
            for part in named.split(","):
                first, to, last = part.partition("-")
                # However large the last number is, one too many says enough.
                numbers.update(range(_number(first), min(_number(last if to else first), count) + 1))
        except ValueError:
            separator, count = "", 0
        if not separator or not numbers or not 0 <= min(numbers) <= max(numbers) < count:
            raise ValueError("write the numbers of shards and how many there are in all, such as 0-3/16")
        return Shards(frozenset(numbers), count)

    @property
    def are_all(self) -> bool:
        """True if no shard of the bot is missing."""
        return len(self.numbers) == self.count

    def have(self, guild_id: GuildId | None) -> bool:
        """Return whether a server is on one of these shards. What belongs to no server is on the first."""
        return shard_of(guild_id, self.count) in self.numbers

    def __str__(self) -> str:
        """Return the text that names these shards."""
        numbers = sorted(self.numbers)
        starts = [one for one in numbers if one - 1 not in self.numbers]
        ends = [one for one in numbers if one + 1 not in self.numbers]
        parts = (f"{one}" if one == last else f"{one}-{last}" for one, last in zip(starts, ends, strict=True))
        return f"{','.join(parts)}/{self.count}"


ALL: Final = Shards.all(1)
"""All servers, whatever their number."""


def shard_of(guild_id: GuildId | None, count: int) -> int:
    """Return the number of the shard, among `count`, that a server is on; direct messages are on the first."""
    return ((guild_id or 0) >> ID_BITS) % count


def _number(text: str) -> int:
    """Return the number that ASCII digits write, with or without spaces around them. Raise `ValueError`."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)
