"""Shards of Discord's gateway. Each connection of the bot serves the servers of one shard.

Source: https://discord.com/developers/docs/events/gateway#sharding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.model.ids import GuildId

ID_BITS: Final = 22
"""Number of bits below the timestamp in a Discord id. The timestamp determines the shard."""


@dataclass(frozen=True, slots=True)
class Shards:
    """A set of shards: their numbers, from 0, and the total number of shards."""

    numbers: frozenset[int]
    count: int

    @staticmethod
    def all(count: int) -> Shards:
        """Return all shards of a bot that has `count` of them."""
        return Shards(frozenset(range(count)), count)

    @staticmethod
    def parse(text: str) -> Shards:
        """Parse shards such as `0-3/16`, `5/16` or `0,2-3/4`. Raise `ValueError` for any other text."""
        numbers_text, _, count_text = text.partition("/")
        numbers = set[int]()
        try:
            count = _parse_number(count_text)
            for part in numbers_text.split(","):
                first_text, dash, last_text = part.partition("-")
                first = _parse_number(first_text)
                last = _parse_number(last_text) if dash else first
                if not first <= last < count:
                    raise ValueError(part)
                numbers.update(range(first, last + 1))
        except ValueError:
            raise ValueError("write the numbers of shards and how many there are in all, such as 0-3/16") from None
        return Shards(frozenset(numbers), count)

    @property
    def is_complete(self) -> bool:
        """True if these are all shards of the bot."""
        return len(self.numbers) == self.count

    def contains(self, guild_id: GuildId | None) -> bool:
        """Return True if a server is on one of these shards. Everything outside of servers is on the first shard."""
        return shard_of(guild_id, self.count) in self.numbers

    def __str__(self) -> str:
        """Return the text form of the shards."""
        numbers = sorted(self.numbers)
        starts = [number for number in numbers if number - 1 not in self.numbers]
        ends = [number for number in numbers if number + 1 not in self.numbers]
        parts = (
            f"{number}" if number == last else f"{number}-{last}" for number, last in zip(starts, ends, strict=True)
        )
        return f"{','.join(parts)}/{self.count}"


ALL_SHARDS: Final = Shards.all(1)
"""The shards of a bot that is not sharded: a single shard with all servers."""


def shard_of(guild_id: GuildId | None, count: int) -> int:
    """Return the number of a server's shard, out of `count`. Direct messages are on the first shard."""
    return ((guild_id or 0) >> ID_BITS) % count


def _parse_number(text: str) -> int:
    """Parse ASCII digits, perhaps with spaces around them. Raise `ValueError` for any other text."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)
