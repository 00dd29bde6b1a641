"""What can be wrong with a database, whichever it is."""

from __future__ import annotations

from bot.open_files import FilesLostError


class DatabaseError(Exception):
    """The database cannot be used. The message says why and what to do, in one line for whoever runs the bot."""


class DatabaseClosedError(DatabaseError):
    """This process has closed the database, because it stops."""


class DatabaseDamagedError(DatabaseError):
    """The database is damaged: only a backup helps."""


class DatabaseUnavailableError(DatabaseError):
    """The database cannot be used at the moment, but later: nothing was saved, and nothing is lost."""


class DatabaseLockedError(DatabaseUnavailableError):
    """Somebody keeps a table or a row locked. That another transaction works does not mean that the lock is gone."""


class DatabaseLostError(DatabaseUnavailableError, FilesLostError):
    """A file of the database was removed or replaced while it was open: nothing was saved, and the process must end.

    Everything saved before is in a copy.
    """


class OutcomeUnknownError(DatabaseUnavailableError):
    """The database was lost while a transaction committed: it may have been saved, or not."""


class ConflictError(DatabaseError):
    """Another transaction changed the same rows first: nothing was saved, and the same work can be done again."""
