"""Queries about the program's own values, which are stored by key."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, select

from bot.store import rows, tables
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_VALUE: Final = tables.key_value.c.value
_LOAD: Final = Statement(lambda _: select(_VALUE).where(tables.key_value.c.key == bindparam("of_key")))


async def load(transaction: Transaction, key: str) -> str | None:
    """Return the value of a key. None if the key has no value."""
    for row in await transaction.fetch(_LOAD, {"of_key": key}):
        return str(row[_VALUE.name])
    return None


async def save(transaction: Transaction, key: str, value: str) -> None:
    """Save a value. Replace the earlier one, if any."""
    await rows.save(transaction, tables.key_value, {"key": key}, {"value": value})


async def remove(transaction: Transaction, key: str) -> None:
    await transaction.execute(delete(tables.key_value).where(tables.key_value.c.key == key))


async def clear(transaction: Transaction) -> None:
    """Delete all values."""
    await transaction.execute(delete(tables.key_value))
