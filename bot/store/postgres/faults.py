"""What PostgreSQL's errors mean."""

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
    PoolTimeoutError,  # all connections of a pool are stuck
    # None of several servers is the one to write to: the next one is being chosen.
    _DRIVER.exceptions.TargetServerAttributeNotMatched,
)
"""The errors without a code of the server that mean that it cannot be reached."""


def fault(place: str, error: BaseException | None, *, starting: bool = False) -> DatabaseError | None:
    """Return what an error of the driver says about the database; None if it is about the query.

    Some errors end a start, but are waited out later: see `Meaning.refuses_start`.
    """
    found = error_for(meaning_of_sqlstate(_code(error)), place, _told(error), starting=starting)
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if found is None and (is_lost or isinstance(error, _NO_CONNECTION)):
        return DatabaseUnavailableError(f"cannot use {place} at the moment: no connection ({_told(error)})")
    return found


def _told(error: BaseException | None) -> str:
    """Return what the server said, in one line: SQLAlchemy repeats the statement, and the server may add details."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    said = str(getattr(orig, "__cause__", None) or orig)
    return said.splitlines()[0] if said else type(orig).__name__


def _code(error: BaseException | None) -> str:
    """Return the five characters with which the server says what went wrong; nothing if it said nothing."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(orig, "sqlstate", None) or "")
