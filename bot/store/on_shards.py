"""Queries that are restricted to the servers of some gateway shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, CursorResult, Executable, bindparam, func, literal_column, true

from bot.model.shards import ID_BITS, Shards
from bot.store.transaction import Transaction

_ID_DIVISOR: Final[ColumnElement[int]] = literal_column(str(1 << ID_BITS))
"""Divisor that reduces a Discord id to its timestamp. Integer division drops the bits below the timestamp."""

ShardCondition = Callable[[ColumnElement[Any]], ColumnElement[bool]]
"""A function that takes a server id and returns the condition that the server is on one of the shards.

Rows without a server belong to shard 0.
"""


class ShardQuery:
    """A query that is restricted to the servers of some shards. For all shards, it runs without the restriction."""

    def __init__(self, build: Callable[[ShardCondition], Executable]) -> None:
        """Build the statements. `build` takes a `ShardCondition` and returns a statement that uses it."""
        self._for_all, self._for_some = build(lambda _: true()), build(_is_on_shards)

    async def execute(
        self, transaction: Transaction, shards: Shards, parameters: Mapping[str, Any]
    ) -> CursorResult[Any]:
        if shards.is_complete:
            return await transaction.execute(self._for_all, parameters)
        shard_parameters = {"shards": shards.count, "numbers": sorted(shards.numbers)}
        return await transaction.execute(self._for_some, {**parameters, **shard_parameters})


def _is_on_shards(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    shard = func.coalesce(guild_id, 0).op("/")(_ID_DIVISOR).op("%")(bindparam("shards"))
    return shard.in_(bindparam("numbers", expanding=True))
