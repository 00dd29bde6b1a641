"""What follows from each error of a database: one table for PostgreSQL, one for SQLite."""

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
    """What the bot does about an error."""

    CONFLICT = auto()
    """Try again: another transaction was first. A read is refused instead (`ConflictError`)."""
    UNAVAILABLE = auto()
    """Wait, however long it takes: people are refused, background tasks retry (`DatabaseUnavailableError`)."""
    LOCKED = auto()
    """Wait in the same way, although transactions on other rows may work (`DatabaseLockedError`)."""
    BROKEN = auto()
    """End the process: only a backup helps (`DatabaseDamagedError`)."""
    FAULT = auto()
    """Report a bug of ours. One in a background task ends the process, to be started again."""


class Meaning(NamedTuple):
    """What an error means."""

    consequence: Consequence
    reason: str = ""
    """What is wrong, for the host. `{said}` stands for the driver's words."""
    refuses_start: bool = False
    """True if the error ends a start. What has never worked is a wrong setting; what stopped working may come back."""


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
    # All foreign keys cascade, so that they are violated only by mistake: a row that goes meanwhile is a 40001.
    "23": _FAULT,  # integrity constraint
    "23505": _CONFLICT,  # unique: another transaction made the row first
    "24": _FAULT,  # cursor state
    "25": _FAULT,  # transaction state
    "25006": Meaning(Consequence.UNAVAILABLE, "it is read-only"),
    "25P03": _INTERRUPTED,  # idle in a transaction for too long, as after the process hung
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
    "40003": _NO_CONNECTION,  # nobody knows whether the statement was completed
    "42": _FAULT,  # syntax, or a table that does not exist
    "42501": _REFUSED,  # privileges
    "44": _FAULT,  # WITH CHECK OPTION
    "53": Meaning(Consequence.UNAVAILABLE, "it is out of resources"),
    "54": _FAULT,  # program limits
    "55": Meaning(Consequence.UNAVAILABLE, "it is not in the state for it"),
    "55P02": _FAULT,  # a parameter that cannot be changed
    "55P03": Meaning(Consequence.LOCKED, "another session keeps a table or a row locked"),
    "55P04": _FAULT,  # a new value of an enum
    "57": _INTERRUPTED,  # operator intervention: the server stops, starts or cancels
    "58": Meaning(Consequence.UNAVAILABLE, "its system failed"),
    "72": _INTERRUPTED,  # a snapshot that is too old, before PostgreSQL 17
    "F0": Meaning(Consequence.UNAVAILABLE, "its configuration has an error"),
    "HV": _FAULT,  # foreign data wrappers
    "P0": _FAULT,  # PL/pgSQL
    # Servers and what stands before them use it for passing trouble, too, such as a login that failed.
    "XX": Meaning(Consequence.UNAVAILABLE, "it has an internal error ({said})"),
    "XX001": _BROKEN,  # damaged data
    "XX002": _BROKEN,  # a damaged index
}
"""The meaning of PostgreSQL's errors by code, or else by class, which is the first two characters:
https://www.postgresql.org/docs/current/errcodes-appendix.html."""

SQLITE_CODES: Final[Mapping[int, Meaning]] = {
    sqlite3.SQLITE_ERROR: _FAULT,
    sqlite3.SQLITE_INTERNAL: _FAULT,
    sqlite3.SQLITE_PERM: Meaning(Consequence.UNAVAILABLE, "its files may not be used", refuses_start=True),
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
    # Another program was faster each time: https://sqlite.org/rescode.html#protocol.
    sqlite3.SQLITE_PROTOCOL: Meaning(Consequence.UNAVAILABLE, "other programs use it all the time"),
    sqlite3.SQLITE_EMPTY: _FAULT,
    # SQLite prepares a statement again, and fails only if tables change each time.
    sqlite3.SQLITE_SCHEMA: Meaning(Consequence.UNAVAILABLE, "another program changes its tables"),
    sqlite3.SQLITE_TOOBIG: _FAULT,
    sqlite3.SQLITE_CONSTRAINT: _FAULT,
    sqlite3.SQLITE_MISMATCH: _FAULT,
    sqlite3.SQLITE_MISUSE: _FAULT,
    sqlite3.SQLITE_NOLFS: Meaning(Consequence.UNAVAILABLE, "the disk takes no file of that size"),
    sqlite3.SQLITE_AUTH: _FAULT,
    sqlite3.SQLITE_FORMAT: _FAULT,
    sqlite3.SQLITE_RANGE: _FAULT,
    sqlite3.SQLITE_NOTADB: _BROKEN,
    sqlite3.SQLITE_NOTICE: _FAULT,
    sqlite3.SQLITE_WARNING: _FAULT,
}
"""The meaning of SQLite's errors by primary code: https://sqlite.org/rescode.html."""

_PRIMARY_CODE: Final = 0xFF
"""The part of an extended error code that is the error itself."""


def meaning_of_sqlstate(code: str) -> Meaning:
    """Return what an error of PostgreSQL means. Unknown codes, and none at all, are faults."""
    return SQLSTATES.get(code) or SQLSTATES.get(code[:2], _FAULT)


def meaning_of_sqlite(code: int) -> Meaning:
    """Return what an error of SQLite means, by its primary or extended code. Unknown codes are faults."""
    return SQLITE_CODES.get(code & _PRIMARY_CODE, _FAULT)


def error_for(meaning: Meaning, place: str, said: str, *, starting: bool = False) -> DatabaseError | None:
    """Return the error to raise for an error of the driver; None for a fault, whose own error says most.

    Args:
        meaning: what the driver's error means.
        place: how the host knows the database.
        said: the driver's words in one line.
        starting: whether the database is being opened.
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
