"""Tests of the bot's reaction to SQLite's errors, and of the completeness of both tables of errors."""

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
    SQLITE_CODES,
    SQLSTATES,
    Consequence,
    Meaning,
    error_for,
    meaning_of_sqlite,
    meaning_of_sqlstate,
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
from tests.store.test_health import damage, hurry, save, saved

ERRORS: Final[dict[Consequence, type[DatabaseError] | None]] = {
    Consequence.CONFLICT: ConflictError,
    Consequence.UNAVAILABLE: DatabaseUnavailableError,
    Consequence.LOCKED: DatabaseLockedError,
    Consequence.BROKEN: DatabaseDamagedError,
    Consequence.FAULT: None,
}


def test_every_class_of_sqlstate_is_listed() -> None:
    """The class of every SQLSTATE that the driver knows is in the table."""
    driver: Any = asyncpg
    errors: list[Any] = [getattr(driver.exceptions, name) for name in dir(driver.exceptions)]
    codes: list[str] = [error.sqlstate for error in errors if getattr(error, "sqlstate", None)]
    known = {code[:2] for code in codes}
    assert known - SQLSTATES.keys() == set()


def test_every_code_of_sqlite_is_listed() -> None:
    """Every primary error code of SQLite is in the table."""
    names = (
        "ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL "
        "EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING"
    )
    # https://sqlite.org/rescode.html#primary_result_code_list, without OK, ROW and DONE, which are not errors.
    assert {getattr(sqlite3, f"SQLITE_{name}") for name in names.split()} == SQLITE_CODES.keys()


@pytest.mark.parametrize("meaning", sorted({*SQLSTATES.values(), *SQLITE_CODES.values()}, key=str), ids=str)
@pytest.mark.parametrize("starting", [False, True])
def test_each_meaning_has_its_error(meaning: Meaning, starting: bool) -> None:
    """Each error is one line with the database's name. At startup, conflicts are temporary, and some errors fatal."""
    error, expected = error_for(meaning, "the place", "the words", starting=starting), ERRORS[meaning.consequence]
    if starting and meaning.refuses_start:
        expected = DatabaseError
    elif starting and meaning.consequence is Consequence.CONFLICT:
        expected = DatabaseUnavailableError
    assert type(error) is (type(None) if expected is None else expected)
    assert error is None or ("the place" in str(error) and len(str(error).splitlines()) == 1)


@pytest.mark.parametrize(
    ("code", "consequence"),
    [
        ("40001", Consequence.CONFLICT),
        ("40P01", Consequence.CONFLICT),
        ("40003", Consequence.UNAVAILABLE),
        ("23505", Consequence.CONFLICT),
        ("23503", Consequence.FAULT),
        ("55P03", Consequence.LOCKED),
        ("55006", Consequence.UNAVAILABLE),
        ("25006", Consequence.UNAVAILABLE),
        ("25P02", Consequence.FAULT),
        ("42501", Consequence.UNAVAILABLE),
        ("42P01", Consequence.FAULT),
        ("XX000", Consequence.UNAVAILABLE),
        ("XX001", Consequence.BROKEN),
        ("ZZ999", Consequence.FAULT),
        ("", Consequence.FAULT),
    ],
)
def test_a_code_counts_before_its_class(code: str, consequence: Consequence) -> None:
    """A code's own entry takes precedence over its class. Unknown codes are faults."""
    assert meaning_of_sqlstate(code).consequence is consequence


@pytest.mark.parametrize(
    ("code", "consequence"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Consequence.UNAVAILABLE),
        (sqlite3.SQLITE_IOERR_SHORT_READ, Consequence.UNAVAILABLE),
        (sqlite3.SQLITE_CORRUPT_INDEX, Consequence.BROKEN),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, Consequence.FAULT),
        (0, Consequence.FAULT),
    ],
)
def test_an_extended_code_of_sqlite_counts_as_its_primary_one(code: int, consequence: Consequence) -> None:
    """An extended error code has the meaning of its low byte, the primary code."""
    assert meaning_of_sqlite(code).consequence is consequence


async def busy(database: Database) -> None:
    """Write while another program locks the database."""
    await hurry(database)
    with locked(file_of(database)):
        await save(database, "value")


async def full(database: Database) -> None:
    """Write more than the maximum size of the file."""
    async with database.write() as transaction:
        pages = (await transaction.execute(text("PRAGMA page_count"))).scalar_one()
        await transaction.execute(text(f"PRAGMA max_page_count={pages}"))
    await save(database, "long" * 10_000)


async def read_only(database: Database) -> None:
    """Write in a read-only transaction."""
    async with database.read() as transaction:
        await transaction.execute(text("DELETE FROM key_value"))


async def too_large(database: Database) -> None:
    """Commit more than the process's file size limit."""
    # Captured, because the limit would also apply to a log file.
    with capture_logs(), limited_files(file_of(database)):
        await save(database, "long" * 10_000)


async def damaged(database: Database) -> None:
    """Read overwritten pages."""
    damage(file_of(database))
    await saved(database)


async def violated(database: Database) -> None:
    """Write a row that violates a constraint."""
    async with database.write() as transaction:
        await transaction.execute(text("INSERT INTO key_value (key, value) VALUES (NULL, NULL)"))


async def violated_at_the_end(database: Database) -> None:
    """Commit a row with a dangling foreign key."""
    async with database.write() as transaction:
        await transaction.execute(text("PRAGMA defer_foreign_keys=ON"))
        await transaction.execute(text("INSERT INTO board (match_id, id, number) VALUES (1, 1, 1)"))


async def misspelt(database: Database) -> None:
    """Read a table that does not exist."""
    async with database.read() as transaction:
        await transaction.execute(text("SELECT 1 FROM nowhere"))


@contextmanager
def limited_files(path: Path) -> Generator[None]:
    """Limit the file size of this process to the current size of the write-ahead log during the block."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    log = path.with_name(path.name + "-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size if log.exists() else 0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (busy, DatabaseUnavailableError),
        (full, DatabaseUnavailableError),
        (read_only, DatabaseUnavailableError),
        (too_large, DatabaseUnavailableError),
        (damaged, DatabaseDamagedError),
        (violated, DBAPIError),
        (violated_at_the_end, DBAPIError),
        (misspelt, DBAPIError),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
async def test_what_readers_writers_and_commits_raise(
    database: Database, use: Callable[[Database], Awaitable[None]], expected: type[Exception]
) -> None:
    """Temporary trouble and damage raise their own errors. A fault raises the driver's error and is not trouble."""
    with pytest.raises(expected):
        await asyncio.wait_for(use(database), 30)
    trouble = database.health.trouble
    assert type(trouble) is (type(None) if expected is DBAPIError else expected)
