"""What PostgreSQL's errors mean."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.store.errors import ConflictError, DatabaseDamagedError, DatabaseError, DatabaseUnavailableError

_CONFLICTS: Final = frozenset(("40001", "40P01", "55P03", "23505"))
"""Serialization failures, deadlocks, locks that another holds for long, and rows that another was first to make."""
_DAMAGED: Final = frozenset(("XX001", "XX002"))
_TEMPORARY: Final = {
    "08": "the connection failed",
    "25006": "it is read-only",
    "53": "it is out of resources",
    "57": "it was interrupted",
    "58": "its system failed",
    "55000": "it is not in the state for it",
}
"""What the errors mean that may pass by themselves, by code or by class:
https://www.postgresql.org/docs/current/errcodes-appendix.html."""


def fault(place: str, error: BaseException | None) -> DatabaseError | None:
    """Return what an error of the driver says about the database; None if it is about the query."""
    code = _code(error)
    if code in _DAMAGED:
        return DatabaseDamagedError(f"{place} is damaged: {_told(error)}; restore a backup")
    if code in _CONFLICTS:
        return ConflictError(f"another transaction was first at {place}: {code}")
    reason = _TEMPORARY.get(code) or _TEMPORARY.get(code[:2])
    if reason is not None:
        return DatabaseUnavailableError(f"cannot use {place} at the moment: {reason}")
    # SQLAlchemy's is for a pool whose connections are all stuck.
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if is_lost or isinstance(error, OSError | TimeoutError | PoolTimeoutError):
        return DatabaseUnavailableError(f"cannot use {place} at the moment: no connection ({_told(error)})")
    return None


def _told(error: BaseException | None) -> str:
    """Return what the server said, in one line: SQLAlchemy repeats the statement, and the server may add details."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    said = str(getattr(orig, "__cause__", None) or orig)
    return said.splitlines()[0] if said else type(orig).__name__


def _code(error: BaseException | None) -> str:
    """Return the five characters with which the server says what went wrong; nothing if it said nothing."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(orig, "sqlstate", None) or "")
