"""Translation of PostgreSQL's errors."""

from __future__ import annotations

from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.store.consequences import classify_sqlstate, error_for
from bot.store.errors import DatabaseError, DatabaseUnavailableError

_DRIVER: Final[Any] = asyncpg
_CONNECTION_ERRORS: Final = (
    OSError,
    TimeoutError,
    PoolTimeoutError,  # all connections of the pool are busy
    # Several servers are configured, but none accepts writes: a failover is in progress.
    _DRIVER.exceptions.TargetServerAttributeNotMatched,
)
"""Errors without an SQLSTATE that mean that the server cannot be reached."""


def database_error(place: str, error: BaseException | None, *, is_starting: bool = False) -> DatabaseError | None:
    """Return the `DatabaseError` for an error of the driver. None if the query itself is at fault.

    `is_starting` makes some errors fatal that are otherwise retried. See `Meaning.refuses_start`.
    """
    translated = error_for(classify_sqlstate(_sqlstate(error)), place, _message_of(error), is_starting=is_starting)
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if translated is None and (is_lost or isinstance(error, _CONNECTION_ERRORS)):
        return DatabaseUnavailableError(f"cannot use {place} right now: no connection ({_message_of(error)})")
    return translated


def _message_of(error: BaseException | None) -> str:
    """Return the first line of the server's message, without its details and SQLAlchemy's copy of the statement."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    message = str(getattr(orig, "__cause__", None) or orig)
    return message.splitlines()[0] if message else type(orig).__name__


def _sqlstate(error: BaseException | None) -> str:
    """Return the SQLSTATE of an error. Empty if it has none."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(orig, "sqlstate", None) or "")
