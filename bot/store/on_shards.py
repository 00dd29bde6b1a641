"""Queries that are restricted to the servers of some gateway shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, CursorResult, Executable, bindparam, func, literal_column, true

from bot.store.transaction import Transaction
from bot.values.shards import ID_BITS, Shards

_MOMENT: Final[ColumnElement[int]] = literal_column(str(1 << ID_BITS))
"""Divisor that turns an id into its creation time."""

OnShard = Callable[[ColumnElement[Any]], ColumnElement[bool]]
"""Takes a server id and returns the condition that the server is on one of the shards.

Rows without a server belong to shard 0.
"""


class OnShards:
    """A query that is restricted to the servers of some shards. It omits the condition if these are all shards."""

    def __init__(self, query: Callable[[OnShard], Executable]) -> None:
        """Build the statements. `query` takes an `OnShard` and returns a statement that uses it as a condition."""
        self._on_all, self._on_some = query(lambda _: true()), query(_is_on_some)

    async def execute(
        self, transaction: Transaction, shards: Shards, parameters: Mapping[str, Any]
    ) -> CursorResult[Any]:
        if shards.are_all:
            return await transaction.execute(self._on_all, parameters)
        some = {"shards": shards.count, "numbers": sorted(shards.numbers)}
        return await transaction.execute(self._on_some, {**parameters, **some})


def _is_on_some(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    shard = func.coalesce(guild_id, 0).op("/")(_MOMENT).op("%")(bindparam("shards"))
    return shard.in_(bindparam("numbers", expanding=True))
