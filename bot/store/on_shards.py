"""Queries that are restricted to the servers of some gateway shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, SelectBase, bindparam, func, literal_column, true

from bot.model.shards import ID_BITS, Shards
from bot.store.columns import is_listed
from bot.store.statements import Statement
from bot.store.transaction import Query, Transaction

_ID_DIVISOR: Final[ColumnElement[int]] = literal_column(str(1 << ID_BITS))
"""Divisor that reduces a Discord id to its timestamp. Integer division drops the bits below the timestamp."""

ShardCondition = Callable[[ColumnElement[Any]], ColumnElement[bool]]
"""A function that takes a server id and returns the condition that the server is on one of the shards.

Rows without a server belong to shard 0.
"""


class ShardQuery:
    """A query that is restricted to the servers of some shards. For all shards, it runs without the restriction."""

    def __init__(self, build: Callable[[ShardCondition], SelectBase]) -> None:
        """`build` takes a `ShardCondition` and returns a statement that uses it."""
        self._for_all = Statement(lambda _: build(lambda _: true()))
        self._for_some = Statement(lambda _: build(_is_on_shards))

    def on(self, shards: Shards, parameters: Mapping[str, Any]) -> Query:
        """Return the query for these shards, for `Transaction.fetch_all`."""
        if shards.is_complete:
            return self._for_all, parameters
        return self._for_some, {**parameters, "shards": shards.count, "numbers": shards.numbers}

    async def fetch(
        self, transaction: Transaction, shards: Shards, parameters: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the rows for the servers of these shards."""
        return await transaction.fetch(*self.on(shards, parameters))


def _is_on_shards(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    shard = func.coalesce(guild_id, 0).op("/")(_ID_DIVISOR).op("%")(bindparam("shards"))
    return is_listed(shard, "numbers")
