"""Remove rows in small batches. Writers block each other, so each transaction must be short."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import Column, ColumnElement, ForeignKey, Table, TextClause, delete, select, tuple_, update

from bot.store import tables
from bot.store.transaction import Transaction

MAX_ROWS: Final = 1_000
"""Maximum number of rows that one housekeeping transaction changes or removes."""

Condition = ColumnElement[bool] | TextClause


@dataclass(frozen=True, slots=True)
class StaleRows:
    """Unneeded rows: the rows of a table that meet all conditions, and all rows that refer to them.

    `max_parents` is the maximum number of the table's own rows that one transaction processes. See `remove_some`.
    """

    table: Table
    where: tuple[Condition, ...]
    max_parents: int | None = None


def _foreign_keys_by_table() -> dict[str, list[tuple[Column[Any], ForeignKey]]]:
    """Return the columns and foreign keys that refer to each table, by the name of the table."""
    references = defaultdict[str, list[tuple[Column[Any], ForeignKey]]](list)
    for table in tables.metadata.sorted_tables:
        for column in table.c:
            for foreign_key in column.foreign_keys:
                references[foreign_key.column.table.name].append((column, foreign_key))
    return references


_FOREIGN_KEYS: Final = _foreign_keys_by_table()


async def has_stale_rows(transaction: Transaction, stale: StaleRows) -> bool:
    """Return True if the database still has any of the rows that `stale` describes."""
    query = select(*_primary_key(stale.table)).where(*stale.where).limit(1)
    return (await transaction.execute(query)).first() is not None


async def remove_stale_rows(transaction: Transaction, stale: StaleRows, limit: int) -> int:
    """Remove up to `limit` of the rows that `stale` describes, and return their number. See `remove_some`."""
    return await remove_some(transaction, stale.table, *stale.where, limit=limit, max_parents=stale.max_parents)


async def remove_some(
    transaction: Transaction, table: Table, *where: Condition, limit: int, max_parents: int | None = None
) -> int:
    """Remove rows of a table and all rows that refer to them, up to `limit` in total. Return the number removed.

    Referring rows are removed first. If the limit is reached, a row of the table may remain without some of its
    referring rows. At most `max_parents` rows of the table (by default `limit`) are processed. A reference that is set
    to null counts as a removed row.
    """
    if limit <= 0:
        return 0
    selected_keys = select(*_primary_key(table)).where(*where).limit(min(limit, max_parents or limit))
    references = _FOREIGN_KEYS.get(table.name, ())
    if not references:
        return (await transaction.execute(delete(table).where(_has_key(table, selected_keys)))).rowcount
    keys = (await transaction.execute(selected_keys)).all()
    if not keys:
        return 0
    removed, ids = 0, [key[0] for key in keys]
    for column, key in references:
        removed += await _remove_references(transaction, column, key, ids, limit - removed)
    if removed < limit:
        rows = delete(table).where(_has_key(table, keys[: limit - removed]))
        removed += (await transaction.execute(rows)).rowcount
    return removed


async def _remove_references(
    transaction: Transaction, column: Column[Any], foreign_key: ForeignKey, ids: Sequence[int], limit: int
) -> int:
    """Remove the rows that refer to these ids. Set the reference to null instead if the column does not cascade."""
    if foreign_key.ondelete == "CASCADE":
        return await remove_some(transaction, column.table, column.in_(ids), limit=limit)
    if limit <= 0:
        return 0
    selected_keys = select(*_primary_key(column.table)).where(column.in_(ids)).limit(limit)
    rows = update(column.table).where(_has_key(column.table, selected_keys)).values({column: None})
    return (await transaction.execute(rows)).rowcount


def _primary_key(table: Table) -> list[Column[Any]]:
    return [*table.primary_key.columns]


def _has_key(table: Table, keys: Any) -> ColumnElement[bool]:
    """Return the condition that a row's key is one of `keys`, which is a list of tuples or a query."""
    columns = _primary_key(table)
    if len(columns) > 1:
        return tuple_(*columns).in_(keys)
    return columns[0].in_([key[0] for key in cast(list[Any], keys)] if isinstance(keys, list) else keys)
