"""Queries about the pending request to erase deleted rows from the database's files."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

from sqlalchemy import delete

from bot.store import key_values, tables
from bot.store.transaction import Transaction

_KEY: Final = "erasure"


async def add_request(transaction: Transaction) -> None:
    """Request an erasure. It takes effect when the transaction commits."""
    await key_values.save(transaction, _KEY, token_hex(8))


async def pending_request(transaction: Transaction) -> str | None:
    """Return the id of the latest request. None if nothing is waiting to be erased."""
    return await key_values.load(transaction, _KEY)


async def clear_request(transaction: Transaction, request: str) -> None:
    """Remove a request after the requested erasure was done. A newer request stays."""
    columns = tables.key_value.c
    await transaction.execute(delete(tables.key_value).where(columns.key == _KEY, columns.value == request))
