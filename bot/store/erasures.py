"""Queries about whether deleted rows are still to be erased from the database's files."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

from sqlalchemy import delete

from bot.store import key_values, tables
from bot.store.transaction import Transaction

_KEY: Final = "erasure"


async def ask(transaction: Transaction) -> None:
    """Ask for an erasure once the transaction has committed."""
    await key_values.save(transaction, _KEY, token_hex(8))


async def asked(transaction: Transaction) -> str | None:
    """Return the last request for an erasure; None if all is erased."""
    return await key_values.load(transaction, _KEY)


async def done(transaction: Transaction, request: str) -> None:
    """Save that all is erased that was deleted up to a request."""
    row = tables.key_value.c
    await transaction.execute(delete(tables.key_value).where(row.key == _KEY, row.value == request))
