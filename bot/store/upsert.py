"""`INSERT … ON CONFLICT`, which SQLAlchemy offers separately for each database, with the same methods."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.database import Transaction

Upsert = sqlite.Insert | postgresql.Insert

_INSERTS: Final = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def upsert(dialect: str, table: Table) -> Upsert:
    """Return an insert with `on_conflict_…` for a dialect by its name; raise KeyError if it is neither of these."""
    return _INSERTS[dialect](table)


async def save(transaction: Transaction, table: Table, key: dict[str, Any], values: dict[str, Any]) -> None:
    """Insert a row with a key and values, or set the values in the row that has the key."""
    row = upsert(transaction.dialect.name, table).values(key | values)
    await transaction.execute(row.on_conflict_do_update(index_elements=list(key), set_=values))
