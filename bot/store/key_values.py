"""Queries about values that the program remembers by a key."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.store import rows, tables
from bot.store.transaction import Transaction


async def load(transaction: Transaction, key: str) -> str | None:
    """Return a value; None if there is none."""
    query = select(tables.key_value.c.value).where(tables.key_value.c.key == key)
    return (await transaction.execute(query)).scalar()


async def save(transaction: Transaction, key: str, value: str) -> None:
    """Save a value in place of an earlier one."""
    await rows.save(transaction, tables.key_value, {"key": key}, {"value": value})


async def remove(transaction: Transaction, key: str) -> None:
    """Forget a value."""
    await transaction.execute(delete(tables.key_value).where(tables.key_value.c.key == key))


async def clear(transaction: Transaction) -> None:
    """Forget every value."""
    await transaction.execute(delete(tables.key_value))
