"""`INSERT … ON CONFLICT`, which SQLAlchemy offers separately for each database, with the same methods."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.database import Transaction

Upsert = sqlite.Insert | postgresql.Insert

_INSERTS: Final = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def upsert(transaction: Transaction, table: Table) -> Upsert:
    """Return an insert that takes `on_conflict_do_update` and `on_conflict_do_nothing`."""
    return upsert_for(transaction.dialect.name, table)


def upsert_for(dialect: str, table: Table) -> Upsert:
    """Return the insert for a dialect by its name.

    Raises:
        KeyError: the store does not support this database.
    """
    return _INSERTS[dialect](table)
