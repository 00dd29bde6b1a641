"""Errors of every kind of database."""

from __future__ import annotations

from bot.files.open_files import FilesLostError


class DatabaseError(Exception):
    """The database cannot be used. The message gives the operator the reason and the remedy, in one line."""


class DatabaseClosedError(DatabaseError):
    """This process has closed the database because it is stopping."""


class DatabaseDamagedError(DatabaseError):
    """The database is damaged and must be restored from a backup."""


class DatabaseUnavailableError(DatabaseError):
    """The database is temporarily unavailable. Nothing was saved and nothing is lost; the work can be retried."""


class DatabaseLockedError(DatabaseUnavailableError):
    """A table or row stays locked. The lock may persist even if other transactions succeed."""


class DatabaseLostError(DatabaseUnavailableError, FilesLostError):
    """A file of the database was removed or replaced while it was open. The process must exit.

    The current transaction was not saved. All data of earlier transactions is saved in a copy of the database.
    """


class OutcomeUnknownError(DatabaseUnavailableError):
    """The connection was lost during a commit, so the transaction may or may not have been saved."""


class ConflictError(DatabaseError):
    """Another transaction changed the same rows first. Nothing was saved, and the work can be retried."""
