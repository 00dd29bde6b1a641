"""Tests of the bot's reaction to PostgreSQL errors of every class in reads, writes and commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from typing import Any, Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.play.application import Application
from bot.play.loading.unit_of_work import MAX_ATTEMPTS, shielded
from bot.play.refusals import OutcomeUnknown, Unavailable
from bot.store.consequences import SQLSTATE_MEANINGS, Reaction, classify_sqlstate
from bot.store.database import Database
from bot.store.errors import DatabaseUnavailableError, OutcomeUnknownError
from bot.store.opening import open_database
from tests.store.test_consequences import ERRORS

pytestmark = pytest.mark.postgresql

CODES: Final = [code if len(code) > 2 else f"{code}000" for code in SQLSTATE_MEANINGS if code not in ("00", "01", "02")]
"""Codes that a server can raise: one of each class, and all codes with an entry of their own in `SQLSTATE_MEANINGS`."""
CODES_BY_REACTION: Final = {
    reaction: [code for code in CODES if classify_sqlstate(code).reaction is reaction] for reaction in Reaction
}
CASES: Final = [
    pytest.param(reaction, codes, id=f"{reaction.name.lower()}-{codes[0]}")
    for reaction, every in CODES_BY_REACTION.items()
    # Each code for a damaged database is tested separately, with a new database, because damage is permanent.
    for codes in ([[code] for code in every] if reaction is Reaction.BROKEN else [every])
]
"""Test cases: a reaction of the bot, and the PostgreSQL error codes that must lead to it."""
all_codes: Final = pytest.mark.parametrize(("consequence", "codes"), CASES)


def raise_statement(code: str) -> str:
    """Return a statement that makes the server raise an error with this code."""
    return f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$"


async def fail(database: Database, code: str, *, reading: bool) -> None:
    """Make the server raise an error with this code in a read or a write."""
    async with database.read() if reading else database.write() as transaction:
        await transaction.execute(text(raise_statement(code)))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """Open the database that `host` is connected to, and close it after the test."""
    database = await open_database(url)
    yield database
    await database.close()


@pytest.fixture
async def failing_table(host: Any) -> AsyncIterator[str]:
    """Create a table that makes commits fail: at the commit, the server raises the error whose code was inserted."""
    await host.execute("""
        CREATE SCHEMA late; CREATE TABLE late.error (code text);
        CREATE FUNCTION late.fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no' USING ERRCODE = NEW.code; END $$;
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late.error DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION late.fail();
    """)
    yield "late.error"
    await host.execute("DROP SCHEMA late CASCADE")


async def fail_at_commit(database: Database, table: str, code: str) -> None:
    """Make the server raise an error with this code at the commit."""
    async with database.write() as transaction:
        await transaction.execute(text(f"INSERT INTO {table} VALUES ('{code}')"))


EXPECTED: Final[dict[Reaction, type[Exception]]] = {reaction: error or DBAPIError for reaction, error in ERRORS.items()}


async def raised_class(call: Awaitable[None]) -> type[BaseException]:
    """Return the class of the exception that a call raises, or `DBAPIError` for all errors of the driver."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - that is the question
        await call
    return DBAPIError if isinstance(caught.value, DBAPIError) else caught.type


@all_codes
async def test_read_errors(database: Database, consequence: Reaction, codes: list[str]) -> None:
    """A failed read raises the exception in `EXPECTED` for the bot's reaction to the error code.

    A conflict raises `DatabaseUnavailableError` instead.
    """
    expected = DatabaseUnavailableError if consequence is Reaction.CONFLICT else EXPECTED[consequence]
    raised_classes = {code: await raised_class(fail(database, code, reading=True)) for code in codes}
    assert raised_classes == dict.fromkeys(codes, expected)


@all_codes
async def test_write_errors(database: Database, consequence: Reaction, codes: list[str]) -> None:
    """A failed write raises the exception in `EXPECTED` for the bot's reaction to the error code."""
    raised_classes = {code: await raised_class(fail(database, code, reading=False)) for code in codes}
    assert raised_classes == dict.fromkeys(codes, EXPECTED[consequence])


@all_codes
async def test_commit_errors(database: Database, failing_table: str, consequence: Reaction, codes: list[str]) -> None:
    """A failed commit raises the same exceptions as a write, but `OutcomeUnknownError` for temporary trouble."""
    is_unknown = consequence in (Reaction.UNAVAILABLE, Reaction.LOCKED)
    raised_classes = {code: await raised_class(fail_at_commit(database, failing_table, code)) for code in codes}
    assert raised_classes == dict.fromkeys(codes, OutcomeUnknownError if is_unknown else EXPECTED[consequence])


@all_codes
@pytest.mark.parametrize("caller", ["read", "write", "commit"])
async def test_unit_of_work_errors(
    database: Database, failing_table: str, caller: str, consequence: Reaction, codes: list[str]
) -> None:
    """A unit of work retries writes and commits after conflicts.

    A fault raises the driver's error. All other errors raise a `Refusal`.
    """
    units, attempts = Application(database).people._units, Counter[str]()  # pyright: ignore[reportPrivateUsage]

    @shielded
    async def act(code: str) -> None:
        attempts[code] += 1
        async with units.read() if caller == "read" else units.write() as unit:
            if caller == "commit":
                await unit.transaction.execute(text(f"INSERT INTO {failing_table} VALUES ('{code}')"))
            else:
                await unit.transaction.execute(text(raise_statement(code)))

    expected = DBAPIError if consequence is Reaction.FAULT else Unavailable
    if caller == "commit" and consequence in (Reaction.UNAVAILABLE, Reaction.LOCKED):
        expected = OutcomeUnknown
    assert {code: await raised_class(act(code)) for code in codes} == dict.fromkeys(codes, expected)
    is_retried = consequence is Reaction.CONFLICT and caller != "read"
    assert attempts == dict.fromkeys(codes, MAX_ATTEMPTS if is_retried else 1)
