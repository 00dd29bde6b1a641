"""Tests of the bot's reaction to PostgreSQL's errors, with one code of each class, in reads, writes and commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from typing import Any, Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.play.application import Application
from bot.play.loading.unit_of_work import ATTEMPTS, shielded
from bot.play.refusals import OutcomeUnknown, Unavailable
from bot.store.consequences import SQLSTATES, Consequence, meaning_of_sqlstate
from bot.store.database import Database
from bot.store.errors import DatabaseUnavailableError, OutcomeUnknownError
from bot.store.opening import open_database
from tests.store.test_consequences import ERRORS

pytestmark = pytest.mark.postgresql

CODES: Final = [code if len(code) > 2 else f"{code}000" for code in SQLSTATES if code not in ("00", "01", "02")]
"""Codes that a server can raise: one of each class, and all codes with an entry of their own."""
OF: Final = {one: [code for code in CODES if meaning_of_sqlstate(code).consequence is one] for one in Consequence}
CASES: Final = [
    pytest.param(one, codes, id=f"{one.name.lower()}-{codes[0]}")
    for one, every in OF.items()
    # Damage is permanent, so each of these codes needs a new database.
    for codes in ([[code] for code in every] if one is Consequence.BROKEN else [every])
]
"""Each reaction with its codes."""
all_codes: Final = pytest.mark.parametrize(("consequence", "codes"), CASES)


def raising(code: str) -> str:
    """Return a statement that makes the server raise an error with this code."""
    return f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$"


async def fail(database: Database, code: str, *, reading: bool) -> None:
    """Make the server raise an error with this code in a read or a write."""
    async with database.read() if reading else database.write() as transaction:
        await transaction.execute(text(raising(code)))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """Open the database that `host` is connected to, and close it after the test."""
    database = await open_database(url)
    yield database
    await database.close()


@pytest.fixture
async def late(host: Any) -> AsyncIterator[str]:
    """Create a table that makes commits fail: the server raises the error code in an inserted row at the commit."""
    await host.execute("""
        CREATE SCHEMA late; CREATE TABLE late.error (code text);
        CREATE FUNCTION late.fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no' USING ERRCODE = NEW.code; END $$;
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late.error DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION late.fail();
    """)
    yield "late.error"
    await host.execute("DROP SCHEMA late CASCADE")


async def fail_late(database: Database, table: str, code: str) -> None:
    """Make the server raise an error with this code at the commit."""
    async with database.write() as transaction:
        await transaction.execute(text(f"INSERT INTO {table} VALUES ('{code}')"))


EXPECTED: Final[dict[Consequence, type[Exception]]] = {one: error or DBAPIError for one, error in ERRORS.items()}


async def raised(call: Awaitable[None]) -> type[BaseException]:
    """Return the class of the exception that a call raises, or `DBAPIError` for all errors of the driver."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - that is the question
        await call
    return DBAPIError if isinstance(caught.value, DBAPIError) else caught.type


@all_codes
async def test_a_reader(database: Database, consequence: Consequence, codes: list[str]) -> None:
    """A read raises the error of the table. Reads are not retried, so a conflict is `DatabaseUnavailableError`."""
    expected = DatabaseUnavailableError if consequence is Consequence.CONFLICT else EXPECTED[consequence]
    found = {code: await raised(fail(database, code, reading=True)) for code in codes}
    assert found == dict.fromkeys(codes, expected)


@all_codes
async def test_a_writer(database: Database, consequence: Consequence, codes: list[str]) -> None:
    """A write raises the error of the table."""
    found = {code: await raised(fail(database, code, reading=False)) for code in codes}
    assert found == dict.fromkeys(codes, EXPECTED[consequence])


@all_codes
async def test_a_commit(database: Database, late: str, consequence: Consequence, codes: list[str]) -> None:
    """A commit raises the error of a write, except that temporary trouble is `OutcomeUnknownError`."""
    is_open = consequence in (Consequence.UNAVAILABLE, Consequence.LOCKED)
    found = {code: await raised(fail_late(database, late, code)) for code in codes}
    assert found == dict.fromkeys(codes, OutcomeUnknownError if is_open else EXPECTED[consequence])


@all_codes
@pytest.mark.parametrize("caller", ["read", "write", "commit"])
async def test_a_unit_of_work(
    database: Database, late: str, caller: str, consequence: Consequence, codes: list[str]
) -> None:
    """A unit of work raises a refusal, after several attempts for a conflict. A fault is raised unchanged."""
    units, attempts = Application(database).people._units, Counter[str]()  # pyright: ignore[reportPrivateUsage]

    @shielded
    async def act(code: str) -> None:
        attempts[code] += 1
        async with units.read() if caller == "read" else units.write() as unit:
            if caller == "commit":
                await unit.transaction.execute(text(f"INSERT INTO {late} VALUES ('{code}')"))
            else:
                await unit.transaction.execute(text(raising(code)))

    expected = DBAPIError if consequence is Consequence.FAULT else Unavailable
    if caller == "commit" and consequence in (Consequence.UNAVAILABLE, Consequence.LOCKED):
        expected = OutcomeUnknown
    assert {code: await raised(act(code)) for code in codes} == dict.fromkeys(codes, expected)
    is_repeated = consequence is Consequence.CONFLICT and caller != "read"
    assert attempts == dict.fromkeys(codes, ATTEMPTS if is_repeated else 1)
