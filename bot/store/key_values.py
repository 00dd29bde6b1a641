"""Queries about the program's own values, which are stored by key."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.store import rows, tables
from bot.store.transaction import Transaction


async def load(transaction: Transaction, key: str) -> str | None:
    """Return the value of a key. None if the key has no value."""
    query = select(tables.key_value.c.value).where(tables.key_value.c.key == key)
    return (await transaction.execute(query)).scalar()


async def save(transaction: Transaction, key: str, value: str) -> None:
    """Save a value. Replace the earlier one, if any."""
    await rows.save(transaction, tables.key_value, {"key": key}, {"value": value})


async def remove(transaction: Transaction, key: str) -> None:
    await transaction.execute(delete(tables.key_value).where(tables.key_value.c.key == key))


async def clear(transaction: Transaction) -> None:
    """Delete all values."""
    await transaction.execute(delete(tables.key_value))
