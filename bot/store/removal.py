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
class Leftovers:
    """Unneeded rows: the rows of a table that meet all conditions, and all rows that refer to them.

    `parents` limits the number of rows that a transaction starts to remove. See `remove_some`.
    """

    table: Table
    where: tuple[Condition, ...]
    parents: int | None = None


def _references() -> dict[str, list[tuple[Column[Any], ForeignKey]]]:
    """Return the foreign keys that refer to each table, by its name."""
    found = defaultdict[str, list[tuple[Column[Any], ForeignKey]]](list)
    for table in tables.metadata.sorted_tables:
        for column in table.c:
            for key in column.foreign_keys:
                found[key.column.table.name].append((column, key))
    return found


_REFERENCES: Final = _references()


async def any_left(transaction: Transaction, leftovers: Leftovers) -> bool:
    """Return True if there are such rows."""
    query = select(*_key(leftovers.table)).where(*leftovers.where).limit(1)
    return (await transaction.execute(query)).first() is not None


async def remove_left(transaction: Transaction, leftovers: Leftovers, most: int) -> int:
    """Remove up to `most` of these rows. See `remove_some`."""
    return await remove_some(transaction, leftovers.table, *leftovers.where, most=most, parents=leftovers.parents)


async def remove_some(
    transaction: Transaction, table: Table, *where: Condition, most: int, parents: int | None = None
) -> int:
    """Remove rows of a table and all rows that refer to them, up to `most` in total. Return the number of rows.

    Referring rows are removed first. At most `parents` rows of the table are processed (default `most`), so at most
    that many are left incomplete. A reference that is set to null counts as one row.
    """
    if most <= 0:
        return 0
    some = select(*_key(table)).where(*where).limit(min(most, parents or most))
    references = _REFERENCES.get(table.name, ())
    if not references:
        return (await transaction.execute(delete(table).where(_has_key(table, some)))).rowcount
    keys = (await transaction.execute(some)).all()
    if not keys:
        return 0
    removed, ids = 0, [key[0] for key in keys]
    for column, key in references:
        removed += await _remove_references(transaction, column, key, ids, most - removed)
    if removed < most:
        rows = delete(table).where(_has_key(table, keys[: most - removed]))
        removed += (await transaction.execute(rows)).rowcount
    return removed


async def _remove_references(
    transaction: Transaction, column: Column[Any], key: ForeignKey, ids: Sequence[int], most: int
) -> int:
    """Remove the rows that refer to these ids. Set the reference to null instead if the column does not cascade."""
    if key.ondelete == "CASCADE":
        return await remove_some(transaction, column.table, column.in_(ids), most=most)
    if most <= 0:
        return 0
    some = select(*_key(column.table)).where(column.in_(ids)).limit(most)
    rows = update(column.table).where(_has_key(column.table, some)).values({column: None})
    return (await transaction.execute(rows)).rowcount


def _key(table: Table) -> list[Column[Any]]:
    return [*table.primary_key.columns]


def _has_key(table: Table, keys: Any) -> ColumnElement[bool]:
    """Return the condition that a row's key is one of `keys`, which are tuples or a query."""
    columns = _key(table)
    if len(columns) > 1:
        return tuple_(*columns).in_(keys)
    return columns[0].in_([key[0] for key in cast(list[Any], keys)] if isinstance(keys, list) else keys)
