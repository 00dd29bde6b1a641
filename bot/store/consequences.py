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


class Reaction(Enum):
    """The bot's reaction to an error."""

    CONFLICT = auto()
    """Retry the transaction: another one changed the same rows first (`ConflictError`). Reads fail without a retry."""
    UNAVAILABLE = auto()
    """Wait for the trouble to pass (`DatabaseUnavailableError`). People get an error reply; background tasks retry."""
    LOCKED = auto()
    """Wait for a table or row to be unlocked (`DatabaseLockedError`). Transactions on other rows may succeed."""
    BROKEN = auto()
    """Exit: the database must be restored from a backup (`DatabaseDamagedError`)."""
    FAULT = auto()
    """Report a bug in the bot. In a background task, also exit so that the process is restarted."""


class Meaning(NamedTuple):
    """The classification of a database error."""

    reaction: Reaction
    reason: str = ""
    """A description of the problem for the operator. `{said}` is replaced by the driver's message."""
    refuses_start: bool = False
    """True if the error is fatal at startup, because it then means a wrong setting. Later it counts as temporary."""


_FAULT: Final = Meaning(Reaction.FAULT)
_CONFLICT: Final = Meaning(Reaction.CONFLICT)
_NO_CONNECTION: Final = Meaning(Reaction.UNAVAILABLE, "the connection failed")
_BROKEN: Final = Meaning(Reaction.BROKEN)
_REFUSED: Final = Meaning(Reaction.UNAVAILABLE, "the server refuses it ({said})", refuses_start=True)
_INTERRUPTED: Final = Meaning(Reaction.UNAVAILABLE, "it was interrupted")

SQLSTATE_MEANINGS: Final[Mapping[str, Meaning]] = {
    "00": _FAULT,  # successful completion
    "01": _FAULT,  # warning
    "02": _FAULT,  # no data
    "03": _FAULT,  # statement not yet complete
    "08": _NO_CONNECTION,
    "09": _FAULT,  # triggered action exception
    "0A": _FAULT,  # feature not supported
    "0B": _FAULT,  # invalid transaction initiation
    "0F": _FAULT,  # locator exception
    "0L": _FAULT,  # invalid grantor
    "0P": _FAULT,  # invalid role
    "0Z": _FAULT,  # diagnostics exception
    "10": _FAULT,  # XQuery error
    "20": _FAULT,  # case not found
    "21": _FAULT,  # cardinality violation
    "22": _FAULT,  # data exception
    # A violated foreign key is a bug: if another transaction had deleted the referenced row, the code would be 40001.
    "23": _FAULT,  # integrity constraint violation
    "23505": _CONFLICT,  # unique-constraint violation: another transaction inserted the row first
    "24": _FAULT,  # invalid cursor state
    "25": _FAULT,  # invalid transaction state
    "25006": Meaning(Reaction.UNAVAILABLE, "it is read-only"),
    "25P03": _INTERRUPTED,  # timeout of an idle transaction, for example because the process hung
    "25P04": _INTERRUPTED,  # timeout of a transaction
    "26": _FAULT,  # invalid statement name
    "27": _FAULT,  # triggered data change violation
    "28": _REFUSED,  # invalid authorization: the role or its password is wrong
    "2B": _FAULT,  # dependent privileges still exist
    "2D": _FAULT,  # invalid transaction termination
    "2F": _FAULT,  # SQL routine exception
    "34": _FAULT,  # invalid cursor name
    "38": _FAULT,  # external routine exception
    "39": _FAULT,  # external routine invocation exception
    "3B": _FAULT,  # savepoint exception
    "3D": _REFUSED,  # invalid catalog name: the database was removed or is being replaced
    "3F": _FAULT,  # invalid schema name
    "40": _CONFLICT,  # serialization failures and deadlocks
    "40003": _NO_CONNECTION,  # it is unknown whether the statement was completed
    "42": _FAULT,  # syntax error, or a table that does not exist
    "42501": _REFUSED,  # insufficient privilege
    "44": _FAULT,  # WITH CHECK OPTION violation
    "53": Meaning(Reaction.UNAVAILABLE, "it is out of resources"),
    "54": _FAULT,  # program limit exceeded
    "55": Meaning(Reaction.UNAVAILABLE, "it is not in the required state"),
    "55P02": _FAULT,  # a parameter that cannot be changed
    "55P03": Meaning(Reaction.LOCKED, "another session keeps a table or a row locked"),
    "55P04": _FAULT,  # unsafe use of a new enum value
    "57": _INTERRUPTED,  # operator intervention: the server is starting or stopping, or cancelled the statement
    "58": Meaning(Reaction.UNAVAILABLE, "it had a system error"),
    "72": _INTERRUPTED,  # snapshot too old (removed in PostgreSQL 17)
    "F0": Meaning(Reaction.UNAVAILABLE, "its configuration has an error"),
    "HV": _FAULT,  # foreign data wrapper error
    "P0": _FAULT,  # PL/pgSQL error
    # Class XX, internal errors, counts as temporary: servers and poolers also use it for a failed login, for example.
    "XX": Meaning(Reaction.UNAVAILABLE, "it has an internal error ({said})"),
    "XX001": _BROKEN,  # damaged data
    "XX002": _BROKEN,  # a damaged index
}
"""Classification of PostgreSQL's errors by code, or by class (the first two characters) for codes not listed:
https://www.postgresql.org/docs/current/errcodes-appendix.html."""

SQLITE_MEANINGS: Final[Mapping[int, Meaning]] = {
    sqlite3.SQLITE_ERROR: _FAULT,
    sqlite3.SQLITE_INTERNAL: _FAULT,
    sqlite3.SQLITE_PERM: Meaning(Reaction.UNAVAILABLE, "access to its files is denied", refuses_start=True),
    sqlite3.SQLITE_ABORT: _FAULT,
    sqlite3.SQLITE_BUSY: Meaning(Reaction.UNAVAILABLE, "another program has locked it"),
    sqlite3.SQLITE_LOCKED: Meaning(Reaction.UNAVAILABLE, "another program has locked it"),
    sqlite3.SQLITE_NOMEM: Meaning(Reaction.UNAVAILABLE, "memory has run out"),
    sqlite3.SQLITE_READONLY: Meaning(Reaction.UNAVAILABLE, "it is read-only", refuses_start=True),
    sqlite3.SQLITE_INTERRUPT: _FAULT,
    sqlite3.SQLITE_IOERR: Meaning(Reaction.UNAVAILABLE, "the disk cannot be read or written"),
    sqlite3.SQLITE_CORRUPT: _BROKEN,
    sqlite3.SQLITE_NOTFOUND: _FAULT,
    sqlite3.SQLITE_FULL: Meaning(Reaction.UNAVAILABLE, "the disk is full"),
    sqlite3.SQLITE_CANTOPEN: Meaning(Reaction.UNAVAILABLE, "its files cannot be opened", refuses_start=True),
    # SQLite repeatedly lost a race for the file's locks: https://sqlite.org/rescode.html#protocol.
    sqlite3.SQLITE_PROTOCOL: Meaning(Reaction.UNAVAILABLE, "other programs use it constantly"),
    sqlite3.SQLITE_EMPTY: _FAULT,
    # If another program changes the schema, SQLite retries the statement. It fails only if this happens repeatedly.
    sqlite3.SQLITE_SCHEMA: Meaning(Reaction.UNAVAILABLE, "another program keeps changing its tables"),
    sqlite3.SQLITE_TOOBIG: _FAULT,
    sqlite3.SQLITE_CONSTRAINT: _FAULT,
    sqlite3.SQLITE_MISMATCH: _FAULT,
    sqlite3.SQLITE_MISUSE: _FAULT,
    sqlite3.SQLITE_NOLFS: Meaning(Reaction.UNAVAILABLE, "the disk does not support files of that size"),
    sqlite3.SQLITE_AUTH: _FAULT,
    sqlite3.SQLITE_FORMAT: _FAULT,
    sqlite3.SQLITE_RANGE: _FAULT,
    sqlite3.SQLITE_NOTADB: _BROKEN,
    sqlite3.SQLITE_NOTICE: _FAULT,
    sqlite3.SQLITE_WARNING: _FAULT,
}
"""Classification of SQLite's errors by primary code: https://sqlite.org/rescode.html."""

_PRIMARY_CODE_MASK: Final = 0xFF
"""Bit mask that extracts the primary code from an extended error code."""


def classify_sqlstate(code: str) -> Meaning:
    """Return the classification of an SQLSTATE. An unknown or empty code is a fault."""
    return SQLSTATE_MEANINGS.get(code) or SQLSTATE_MEANINGS.get(code[:2], _FAULT)


def classify_sqlite(code: int) -> Meaning:
    """Return the classification of SQLite's primary or extended error code. An unknown code is a fault."""
    return SQLITE_MEANINGS.get(code & _PRIMARY_CODE_MASK, _FAULT)


def error_for(meaning: Meaning, place: str, message: str, *, is_starting: bool = False) -> DatabaseError | None:
    """Return the exception to raise in place of a driver's error. None for a bug: the driver's error is then raised.

    Args:
        meaning: the classification of the driver's error.
        place: the name of the database, for the operator.
        message: the driver's message, in one line.
        is_starting: True while the database is being opened.
    """
    match meaning.reaction:
        case Reaction.FAULT:
            return None
        case Reaction.BROKEN:
            return DatabaseDamagedError(f"cannot use {place}: {message}; restore a backup")
        case Reaction.CONFLICT if not is_starting:
            return ConflictError(f"conflict with another transaction at {place}: {message}")
        case Reaction.CONFLICT:
            return DatabaseUnavailableError(f"cannot use {place} right now: {message}")
        case _ if is_starting and meaning.refuses_start:
            return DatabaseError(f"cannot use {place}: {message}")
        case _:
            is_locked = meaning.reaction is Reaction.LOCKED
            error = DatabaseLockedError if is_locked else DatabaseUnavailableError
            return error(f"cannot use {place} right now: {meaning.reason.format(said=message)}")
