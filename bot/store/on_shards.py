"""Queries about the servers of some shards of the gateway."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, CursorResult, Executable, bindparam, func, literal_column, true

from bot.store.transaction import Transaction
from bot.values.shards import ID_BITS, Shards

_MOMENT: Final[ColumnElement[int]] = literal_column(str(1 << ID_BITS))
"""What an id has to be divided by."""

OnShard = Callable[[ColumnElement[Any]], ColumnElement[bool]]
"""Returns the condition that a server is on one of the shards; rows of no server are on the first."""


class OnShards:
    """A query about the servers of some shards, which is a simpler one where these are all shards."""

    def __init__(self, query: Callable[[OnShard], Executable]) -> None:
        """Build the statement: `query` gets an `OnShard`, and returns a statement that uses it as a condition."""
        self._on_all, self._on_some = query(lambda _: true()), query(_is_on_some)

    async def execute(
        self, transaction: Transaction, shards: Shards, parameters: Mapping[str, Any]
    ) -> CursorResult[Any]:
        """Run the query."""
        if shards.are_all:
            return await transaction.execute(self._on_all, parameters)
        some = {"shards": shards.count, "numbers": sorted(shards.numbers)}
        return await transaction.execute(self._on_some, {**parameters, **some})


def _is_on_some(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    shard = func.coalesce(guild_id, 0).op("/")(_MOMENT).op("%")(bindparam("shards"))
    return shard.in_(bindparam("numbers", expanding=True))
