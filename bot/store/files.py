"""The database as a file: which one, whose it is, and copies of it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError


class DatabaseError(Exception):
    """The database cannot be used; the message says why and what to do, in one line for the person who runs the bot."""


def file_of(url: str) -> Path:
    """The file of a SQLite URL.

    Raises:
        DatabaseError: the URL is of something else, or of a database in memory, or is none.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseError("the database's address is no URL: write sqlite:///path/to/file.db") from None
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise DatabaseError(f"{parsed.render_as_string()!r} is not a SQLite file: write sqlite:///path/to/file.db")
    return Path(parsed.database)


def backup(url: str, target: Path) -> None:
    """Copy the database to a new file while a bot may be using it, and check the copy.

    Raises:
        DatabaseError: there is no database, the target exists or cannot be written, or the copy is damaged.
    """
    source = file_of(url)
    if not source.exists():
        raise DatabaseError(f"there is no database {source}")
    if target.exists():
        raise DatabaseError(f"{target} exists already; name a new file")
    copy_to(source, target)


def copy_to(source: Path, target: Path) -> None:
    """Write a compact, consistent copy of a SQLite file; it has its name once it is whole, checked and on the disk.

    Raises:
        DatabaseError: the source cannot be read, the target cannot be written, or the copy is damaged.
    """
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        make_private(part)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check").fetchone()
        if found != "ok":
            raise DatabaseError(f"the copy of {source} is damaged: {found}")
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(target)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise DatabaseError(f"cannot copy {source} to {target}: {error}") from error


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, unless there is one; SQLite gives its side files its mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def lock_beside(path: Path) -> int:
    """Hold a lock of the operating system beside the file, wherever links to it are, as long as this process lives."""
    file = path.resolve()
    try:
        lock = os.open(file.with_name(file.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DatabaseError(f"cannot use {path}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise DatabaseError(f"another bot is running on {path}; stop it first, or use another file") from None
    return lock
