"""Tests that the error codes of SQLite and PostgreSQL are all classified, and lead to the right exceptions."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from bot.store.consequences import (
    SQLITE_MEANINGS,
    SQLSTATE_MEANINGS,
    Meaning,
    Reaction,
    classify_sqlite,
    classify_sqlstate,
    error_for,
)
from bot.store.database import Database
from bot.store.errors import (
    ConflictError,
    DatabaseDamagedError,
    DatabaseError,
    DatabaseLockedError,
    DatabaseUnavailableError,
)
from tests.helpers.databases import file_of
from tests.helpers.host_faults import locked
from tests.store.test_health import damage, load, save, shorten_lock_timeout

ERRORS: Final[dict[Reaction, type[DatabaseError] | None]] = {
    Reaction.CONFLICT: ConflictError,
    Reaction.UNAVAILABLE: DatabaseUnavailableError,
    Reaction.LOCKED: DatabaseLockedError,
    Reaction.BROKEN: DatabaseDamagedError,
    Reaction.FAULT: None,
}


def test_every_class_of_sqlstate_is_listed() -> None:
    """The class of every SQLSTATE that the driver knows is in `SQLSTATE_MEANINGS`."""
    driver: Any = asyncpg
    errors: list[Any] = [getattr(driver.exceptions, name) for name in dir(driver.exceptions)]
    codes: list[str] = [error.sqlstate for error in errors if getattr(error, "sqlstate", None)]
    known = {code[:2] for code in codes}
    assert known - SQLSTATE_MEANINGS.keys() == set()


def test_every_code_of_sqlite_is_listed() -> None:
    """Every primary error code of SQLite is in `SQLITE_MEANINGS`."""
    names = (
        "ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL "
        "EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING"
    )
    # https://sqlite.org/rescode.html#primary_result_code_list, without OK, ROW and DONE, which are not errors.
    assert {getattr(sqlite3, f"SQLITE_{name}") for name in names.split()} == SQLITE_MEANINGS.keys()


@pytest.mark.parametrize("meaning", sorted({*SQLSTATE_MEANINGS.values(), *SQLITE_MEANINGS.values()}, key=str), ids=str)
@pytest.mark.parametrize("starting", [False, True])
def test_error_for_each_meaning(meaning: Meaning, starting: bool) -> None:
    """Each meaning of an error code leads to the exception for its reaction, or to none.

    The message is one line with the database's name. At startup, conflicts count as temporary trouble, and wrong
    settings are fatal.
    """
    error, expected = error_for(meaning, "the place", "the words", is_starting=starting), ERRORS[meaning.reaction]
    if starting and meaning.refuses_start:
        expected = DatabaseError
    elif starting and meaning.reaction is Reaction.CONFLICT:
        expected = DatabaseUnavailableError
    assert type(error) is (type(None) if expected is None else expected)
    assert error is None or ("the place" in str(error) and len(str(error).splitlines()) == 1)


@pytest.mark.parametrize(
    ("code", "consequence"),
    [
        ("40001", Reaction.CONFLICT),
        ("40P01", Reaction.CONFLICT),
        ("40003", Reaction.UNAVAILABLE),
        ("23505", Reaction.CONFLICT),
        ("23503", Reaction.FAULT),
        ("55P03", Reaction.LOCKED),
        ("55006", Reaction.UNAVAILABLE),
        ("25006", Reaction.UNAVAILABLE),
        ("25P02", Reaction.FAULT),
        ("42501", Reaction.UNAVAILABLE),
        ("42P01", Reaction.FAULT),
        ("XX000", Reaction.UNAVAILABLE),
        ("XX001", Reaction.BROKEN),
        ("ZZ999", Reaction.FAULT),
        ("", Reaction.FAULT),
    ],
)
def test_code_takes_precedence_over_class(code: str, consequence: Reaction) -> None:
    """A code's own entry takes precedence over its class. Unknown codes are faults."""
    assert classify_sqlstate(code).reaction is consequence


@pytest.mark.parametrize(
    ("code", "consequence"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Reaction.UNAVAILABLE),
        (sqlite3.SQLITE_IOERR_SHORT_READ, Reaction.UNAVAILABLE),
        (sqlite3.SQLITE_CORRUPT_INDEX, Reaction.BROKEN),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, Reaction.FAULT),
        (0, Reaction.FAULT),
    ],
)
def test_extended_code_has_the_primary_meaning(code: int, consequence: Reaction) -> None:
    """An extended error code has the meaning of its low byte, the primary code."""
    assert classify_sqlite(code).reaction is consequence


async def busy(database: Database) -> None:
    """Write while another program locks the database."""
    await shorten_lock_timeout(database)
    with locked(file_of(database)):
        await save(database, "value")


async def full(database: Database) -> None:
    """Write more than the maximum size of the file."""
    async with database.write() as transaction:
        pages = (await transaction.execute(text("PRAGMA page_count"))).scalar_one()
        await transaction.execute(text(f"PRAGMA max_page_count={pages}"))
    await save(database, "long" * 10_000)


async def read_only(database: Database) -> None:
    """Try to write in a read-only transaction."""
    async with database.read() as transaction:
        await transaction.execute(text("DELETE FROM key_value"))


async def too_large(database: Database) -> None:
    """Commit more than the process's file size limit."""
    # Keep the logs in memory, because the limit would also apply to a log file.
    with capture_logs(), limited_file_size(file_of(database)):
        await save(database, "long" * 10_000)


async def damaged(database: Database) -> None:
    """Overwrite pages of the file, and read them."""
    damage(file_of(database))
    await load(database)


async def violated_constraint(database: Database) -> None:
    """Write a row that violates a constraint."""
    async with database.write() as transaction:
        await transaction.execute(text("INSERT INTO key_value (key, value) VALUES (NULL, NULL)"))


async def violated_foreign_key(database: Database) -> None:
    """Commit a row with a dangling foreign key."""
    async with database.write() as transaction:
        await transaction.execute(text("PRAGMA defer_foreign_keys=ON"))
        await transaction.execute(text("INSERT INTO house_rule (guild_id, key, name, rules) VALUES (1, 'a', 'A', 'x')"))


async def missing_table(database: Database) -> None:
    """Read a table that does not exist."""
    async with database.read() as transaction:
        await transaction.execute(text("SELECT 1 FROM nowhere"))


@contextmanager
def limited_file_size(path: Path) -> Generator[None]:
    """Limit the file size of this process to the current size of the write-ahead log during the block."""
    earlier_limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    log = path.with_name(path.name + "-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size if log.exists() else 0, earlier_limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, earlier_limits)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (busy, DatabaseUnavailableError),
        (full, DatabaseUnavailableError),
        (read_only, DatabaseUnavailableError),
        (too_large, DatabaseUnavailableError),
        (damaged, DatabaseDamagedError),
        (violated_constraint, DBAPIError),
        (violated_foreign_key, sqlite3.IntegrityError),
        (missing_table, DBAPIError),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_errors_of_reads_writes_and_commits(
    database: Database, use: Callable[[Database], Awaitable[None]], expected: type[Exception]
) -> None:
    """Temporary trouble and damage raise the bot's own exceptions, and the database's health records them.

    Errors caused by bugs are raised as they are, and the health does not record them.
    """
    with pytest.raises(expected):
        await asyncio.wait_for(use(database), 30)
    trouble = database.health.trouble
    assert type(trouble) is (expected if issubclass(expected, DatabaseError) else type(None))
