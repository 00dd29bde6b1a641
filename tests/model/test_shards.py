"""Gateway shards as written in the settings."""

from __future__ import annotations

import pytest

from bot.model.ids import GuildId
from bot.model.shards import ID_BITS, Shards, shard_of


@pytest.mark.parametrize(
    ("text", "numbers", "count"),
    [
        ("0/1", {0}, 1),
        ("5/16", {5}, 16),
        ("0-3/16", {0, 1, 2, 3}, 16),
        ("0,2-3/4", {0, 2, 3}, 4),
        (" 1 - 2 / 4 ", {1, 2}, 4),
    ],
)
def test_shards_are_read_from_text(text: str, numbers: set[int], count: int) -> None:
    """Shard numbers and ranges are parsed, and printed in a form that parses to the same shards."""
    shards = Shards.parse(text)
    assert (shards.numbers, shards.count) == (numbers, count)
    assert Shards.parse(str(shards)) == shards


@pytest.mark.parametrize(
    "text", ["", "3", "/4", "4/4", "0-4/4", "3-1/4", "-1/4", "a/4", "0/0", "0/-1", "0/4/2", "0,9/4", "0,3-1/4"]
)
def test_invalid_shards_are_refused(text: str) -> None:
    """Invalid texts are refused with an example of the format."""
    with pytest.raises(ValueError, match="0-3/16"):
        Shards.parse(text)


def test_the_shard_of_a_server() -> None:
    """A server's shard is computed from its id without the lowest 22 bits. Direct messages are on shard 0."""
    guild_id = GuildId((9 << ID_BITS) + 12345)
    assert shard_of(guild_id, 4) == 1
    assert shard_of(None, 4) == 0
    assert Shards.parse("1-2/4").contains(guild_id)
    assert not Shards.parse("0,2-3/4").contains(guild_id)
    assert Shards.parse("0/4").contains(None)


def test_all_shards_are_complete() -> None:
    """`is_complete` is true only for all shards of the bot."""
    assert Shards.all(3).is_complete
    assert not Shards.parse("0-1/3").is_complete
