"""Queries about what the program itself remembers."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from bot.store import tables
from bot.store.database import Transaction


async def load(transaction: Transaction, name: str) -> str | None:
    """A remembered value."""
    query = select(tables.setting.c.value).where(tables.setting.c.name == name)
    return (await transaction.execute(query)).scalar()


async def forget(transaction: Transaction) -> None:
    """Forget every remembered value."""
    await transaction.execute(delete(tables.setting))


async def keep(transaction: Transaction, name: str, value: str) -> None:
    """Remember a value."""
    row = insert(tables.setting).values(name=name, value=value)
    await transaction.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
