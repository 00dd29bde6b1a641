"""Translation of PostgreSQL's errors."""

from __future__ import annotations

from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.store.consequences import error_for, meaning_of_sqlstate
from bot.store.errors import DatabaseError, DatabaseUnavailableError

_DRIVER: Final[Any] = asyncpg
_NO_CONNECTION: Final = (
    OSError,
    TimeoutError,
    PoolTimeoutError,  # all connections of the pool are busy
    # None of several servers accepts writes: a failover is in progress.
    _DRIVER.exceptions.TargetServerAttributeNotMatched,
)
"""Errors without an SQLSTATE that mean that the server cannot be reached."""


def fault(place: str, error: BaseException | None, *, starting: bool = False) -> DatabaseError | None:
    """Return the `DatabaseError` for an error of the driver. None if the query itself is at fault.

    `starting` makes some errors fatal that are otherwise retried. See `Meaning.refuses_start`.
    """
    found = error_for(meaning_of_sqlstate(_code(error)), place, _told(error), starting=starting)
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if found is None and (is_lost or isinstance(error, _NO_CONNECTION)):
        return DatabaseUnavailableError(f"cannot use {place} at the moment: no connection ({_told(error)})")
    return found


def _told(error: BaseException | None) -> str:
    """Return the first line of the server's message, without its details and SQLAlchemy's copy of the statement."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    said = str(getattr(orig, "__cause__", None) or orig)
    return said.splitlines()[0] if said else type(orig).__name__


def _code(error: BaseException | None) -> str:
    """Return the SQLSTATE of an error. Empty if it has none."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(orig, "sqlstate", None) or "")
