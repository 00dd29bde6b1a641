"""The bot's reaction to each database error: one table for PostgreSQL and one for SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from bot.store.errors import (
    ConflictError,
    DatabaseDamagedError,
    DatabaseError,
    DatabaseLockedError,
    DatabaseUnavailableError,
)


class Consequence(Enum):
    """The bot's reaction to an error."""

    CONFLICT = auto()
    """Retry: another transaction was first. Reads are not retried but fail (`ConflictError`)."""
    UNAVAILABLE = auto()
    """Wait until it passes. People get an error; background tasks retry (`DatabaseUnavailableError`)."""
    LOCKED = auto()
    """Wait as for `UNAVAILABLE`, although transactions on other rows may succeed (`DatabaseLockedError`)."""
    BROKEN = auto()
    """Exit: the database must be restored from a backup (`DatabaseDamagedError`)."""
    FAULT = auto()
    """Report a bug in the bot. In a background task, also exit so that the process is restarted."""


class Meaning(NamedTuple):
    """The classification of an error."""

    consequence: Consequence
    reason: str = ""
    """The problem, in words for the operator. `{said}` stands for the driver's message."""
    refuses_start: bool = False
    """True if the error is fatal at startup, where it means a wrong setting. Later it is treated as temporary."""


_FAULT: Final = Meaning(Consequence.FAULT)
_CONFLICT: Final = Meaning(Consequence.CONFLICT)
_NO_CONNECTION: Final = Meaning(Consequence.UNAVAILABLE, "the connection failed")
_BROKEN: Final = Meaning(Consequence.BROKEN)
_REFUSED: Final = Meaning(Consequence.UNAVAILABLE, "the server refuses it ({said})", refuses_start=True)
_INTERRUPTED: Final = Meaning(Consequence.UNAVAILABLE, "it was interrupted")

SQLSTATES: Final[Mapping[str, Meaning]] = {
    "00": _FAULT,  # successful completion
    "01": _FAULT,  # warning
    "02": _FAULT,  # no data
    "03": _FAULT,  # statement not yet complete
    "08": _NO_CONNECTION,
    "09": _FAULT,  # triggered action
    "0A": _FAULT,  # feature not supported
    "0B": _FAULT,  # invalid transaction initiation
    "0F": _FAULT,  # locator
    "0L": _FAULT,  # invalid grantor
    "0P": _FAULT,  # invalid role
    "0Z": _FAULT,  # diagnostics
    "10": _FAULT,  # XQuery
    "20": _FAULT,  # case not found
    "21": _FAULT,  # cardinality
    "22": _FAULT,  # data exception
    # All foreign keys cascade, so only a bug can violate one: a row deleted concurrently gives 40001.
    "23": _FAULT,  # integrity constraint
    "23505": _CONFLICT,  # unique: another transaction inserted the row first
    "24": _FAULT,  # cursor state
    "25": _FAULT,  # transaction state
    "25006": Meaning(Consequence.UNAVAILABLE, "it is read-only"),
    "25P03": _INTERRUPTED,  # idle in a transaction for too long, for example because the process hung
    "25P04": _INTERRUPTED,  # a transaction that took too long
    "26": _FAULT,  # statement name
    "27": _FAULT,  # triggered data change
    "28": _REFUSED,  # authorization: the role or its password
    "2B": _FAULT,  # dependent privileges
    "2D": _FAULT,  # transaction termination
    "2F": _FAULT,  # SQL routine
    "34": _FAULT,  # cursor name
    "38": _FAULT,  # external routine
    "39": _FAULT,  # external routine invocation
    "3B": _FAULT,  # savepoint
    "3D": _REFUSED,  # catalog name: the database is gone, or being replaced
    "3F": _FAULT,  # schema name
    "40": _CONFLICT,  # serialization failures and deadlocks
    "40003": _NO_CONNECTION,  # it is unknown whether the statement was completed
    "42": _FAULT,  # syntax, or a table that does not exist
    "42501": _REFUSED,  # privileges
    "44": _FAULT,  # WITH CHECK OPTION
    "53": Meaning(Consequence.UNAVAILABLE, "it is out of resources"),
    "54": _FAULT,  # program limits
    "55": Meaning(Consequence.UNAVAILABLE, "it is not in the required state"),
    "55P02": _FAULT,  # a parameter that cannot be changed
    "55P03": Meaning(Consequence.LOCKED, "another session keeps a table or a row locked"),
    "55P04": _FAULT,  # a new value of an enum
    "57": _INTERRUPTED,  # operator intervention: the server stops, starts or cancels
    "58": Meaning(Consequence.UNAVAILABLE, "it had a system error"),
    "72": _INTERRUPTED,  # snapshot too old, before PostgreSQL 17
    "F0": Meaning(Consequence.UNAVAILABLE, "its configuration has an error"),
    "HV": _FAULT,  # foreign data wrappers
    "P0": _FAULT,  # PL/pgSQL
    # Servers and poolers also use it for temporary trouble such as a failed login.
    "XX": Meaning(Consequence.UNAVAILABLE, "it has an internal error ({said})"),
    "XX001": _BROKEN,  # damaged data
    "XX002": _BROKEN,  # a damaged index
}
"""PostgreSQL's errors by code, or else by class (the first two characters of the code):
https://www.postgresql.org/docs/current/errcodes-appendix.html."""

SQLITE_CODES: Final[Mapping[int, Meaning]] = {
    sqlite3.SQLITE_ERROR: _FAULT,
    sqlite3.SQLITE_INTERNAL: _FAULT,
    sqlite3.SQLITE_PERM: Meaning(Consequence.UNAVAILABLE, "access to its files is denied", refuses_start=True),
    sqlite3.SQLITE_ABORT: _FAULT,
    sqlite3.SQLITE_BUSY: Meaning(Consequence.UNAVAILABLE, "another program has locked it"),
    sqlite3.SQLITE_LOCKED: Meaning(Consequence.UNAVAILABLE, "another program has locked it"),
    sqlite3.SQLITE_NOMEM: Meaning(Consequence.UNAVAILABLE, "memory has run out"),
    sqlite3.SQLITE_READONLY: Meaning(Consequence.UNAVAILABLE, "it is read-only", refuses_start=True),
    sqlite3.SQLITE_INTERRUPT: _FAULT,
    sqlite3.SQLITE_IOERR: Meaning(Consequence.UNAVAILABLE, "the disk cannot be read or written"),
    sqlite3.SQLITE_CORRUPT: _BROKEN,
    sqlite3.SQLITE_NOTFOUND: _FAULT,
    sqlite3.SQLITE_FULL: Meaning(Consequence.UNAVAILABLE, "the disk is full"),
    sqlite3.SQLITE_CANTOPEN: Meaning(Consequence.UNAVAILABLE, "its files cannot be opened", refuses_start=True),
    # A race with other programs was lost repeatedly: https://sqlite.org/rescode.html#protocol.
    sqlite3.SQLITE_PROTOCOL: Meaning(Consequence.UNAVAILABLE, "other programs use it constantly"),
    sqlite3.SQLITE_EMPTY: _FAULT,
    # SQLite prepares a statement again, and fails only if the tables keep changing.
    sqlite3.SQLITE_SCHEMA: Meaning(Consequence.UNAVAILABLE, "another program changes its tables"),
    sqlite3.SQLITE_TOOBIG: _FAULT,
    sqlite3.SQLITE_CONSTRAINT: _FAULT,
    sqlite3.SQLITE_MISMATCH: _FAULT,
    sqlite3.SQLITE_MISUSE: _FAULT,
    sqlite3.SQLITE_NOLFS: Meaning(Consequence.UNAVAILABLE, "the disk does not support files of that size"),
    sqlite3.SQLITE_AUTH: _FAULT,
    sqlite3.SQLITE_FORMAT: _FAULT,
    sqlite3.SQLITE_RANGE: _FAULT,
    sqlite3.SQLITE_NOTADB: _BROKEN,
    sqlite3.SQLITE_NOTICE: _FAULT,
    sqlite3.SQLITE_WARNING: _FAULT,
}
"""SQLite's errors by primary code: https://sqlite.org/rescode.html."""

_PRIMARY_CODE: Final = 0xFF
"""Mask for the primary code in an extended error code."""


def meaning_of_sqlstate(code: str) -> Meaning:
    """Return the classification of an SQLSTATE. Unknown codes and an empty one are faults."""
    return SQLSTATES.get(code) or SQLSTATES.get(code[:2], _FAULT)


def meaning_of_sqlite(code: int) -> Meaning:
    """Return the classification of SQLite's primary or extended error code. Unknown codes are faults."""
    return SQLITE_CODES.get(code & _PRIMARY_CODE, _FAULT)


def error_for(meaning: Meaning, place: str, said: str, *, starting: bool = False) -> DatabaseError | None:
    """Return the exception to raise for an error of the driver. None for a fault: its original error says most.

    Args:
        meaning: the classification of the driver's error.
        place: the database's name for the operator.
        said: the driver's message, in one line.
        starting: True while the database is being opened.
    """
    match meaning.consequence:
        case Consequence.FAULT:
            return None
        case Consequence.BROKEN:
            return DatabaseDamagedError(f"cannot use {place}: {said}; restore a backup")
        case Consequence.CONFLICT if not starting:
            return ConflictError(f"another transaction was first at {place}: {said}")
        case Consequence.CONFLICT:
            return DatabaseUnavailableError(f"cannot use {place} at the moment: {said}")
        case _ if starting and meaning.refuses_start:
            return DatabaseError(f"cannot use {place}: {said}")
        case _:
            is_locked = meaning.consequence is Consequence.LOCKED
            error = DatabaseLockedError if is_locked else DatabaseUnavailableError
            return error(f"cannot use {place} at the moment: {meaning.reason.format(said=said)}")
