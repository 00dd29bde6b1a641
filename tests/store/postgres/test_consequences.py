"""What follows from errors of PostgreSQL: one code of each class, for readers, writers and commits."""

from __future__ import annotations

from collections.abc import AsyncIterator
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
from tests.helpers.cases import slow_after
from tests.store.test_consequences import ERRORS

pytestmark = pytest.mark.postgresql

CODES: Final = [code if len(code) > 2 else f"{code}000" for code in SQLSTATES if code not in ("00", "01", "02")]
"""Codes that a server can raise: one of each class, and those that mean something of their own."""
TYPICAL: Final = ["40001", "55P03", "53100", "28000", "XX001", "42P01"]
"""One for each consequence."""
IN_ORDER: Final = [*TYPICAL, *(code for code in CODES if code not in TYPICAL)]
"""All codes, those first that are tried most."""
CASES: Final = slow_after(len(TYPICAL), IN_ORDER)


def raising(code: str) -> str:
    """Return a statement with which the server raises an error with a code."""
    return f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$"


async def fail(database: Database, code: str, *, reading: bool) -> None:
    """Let the server raise an error with a code, for a reader or a writer."""
    async with database.read() if reading else database.write() as transaction:
        await transaction.execute(text(raising(code)))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """Open the database that the host looks after, and close it."""
    database = await open_database(url)
    yield database
    await database.close()


@pytest.fixture
async def late(host: Any) -> AsyncIterator[str]:
    """Make a table whose rows are errors: the server raises the code that a transaction puts into it at its commit."""
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
    """Let the server raise an error with a code at the commit."""
    async with database.write() as transaction:
        await transaction.execute(text(f"INSERT INTO {table} VALUES ('{code}')"))


EXPECTED: Final[dict[Consequence, type[Exception]]] = {one: error or DBAPIError for one, error in ERRORS.items()}


@pytest.mark.parametrize("code", CASES)
async def test_a_reader(database: Database, code: str) -> None:
    """A conflict is trouble that passes, since nobody repeats a read; everything else is what the table says."""
    consequence = meaning_of_sqlstate(code).consequence
    expected = DatabaseUnavailableError if consequence is Consequence.CONFLICT else EXPECTED[consequence]
    with pytest.raises(expected) as caught:
        await fail(database, code, reading=True)
    assert caught.type is expected or consequence is Consequence.FAULT


@pytest.mark.parametrize("code", CASES)
async def test_a_writer(database: Database, code: str) -> None:
    """It raises what the table says."""
    consequence = meaning_of_sqlstate(code).consequence
    with pytest.raises(EXPECTED[consequence]) as caught:
        await fail(database, code, reading=False)
    assert caught.type is EXPECTED[consequence] or consequence is Consequence.FAULT


@pytest.mark.parametrize("code", CASES)
async def test_a_commit(database: Database, late: str, code: str) -> None:
    """As for a writer, except that trouble leaves open whether it was saved."""
    consequence, expected = meaning_of_sqlstate(code).consequence, EXPECTED
    if consequence in (Consequence.UNAVAILABLE, Consequence.LOCKED):
        expected = expected | {consequence: OutcomeUnknownError}
    with pytest.raises(expected[consequence]) as caught:
        await fail_late(database, late, code)
    assert caught.type is expected[consequence] or consequence is Consequence.FAULT


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("caller", ["read", "write", "commit"])
async def test_a_unit_of_work(database: Database, late: str, caller: str, code: str) -> None:
    """People are refused, after several attempts if it is a conflict; only a fault is raised as it is."""
    units, attempts = Application(database).people._units, 0  # pyright: ignore[reportPrivateUsage]
    consequence = meaning_of_sqlstate(code).consequence

    @shielded
    async def act() -> None:
        nonlocal attempts
        attempts += 1
        async with units.read() if caller == "read" else units.write() as unit:
            if caller == "commit":
                await unit.transaction.execute(text(f"INSERT INTO {late} VALUES ('{code}')"))
            else:
                await unit.transaction.execute(text(raising(code)))

    with pytest.raises(DBAPIError if consequence is Consequence.FAULT else Unavailable) as caught:
        await act()
    assert attempts == (ATTEMPTS if consequence is Consequence.CONFLICT and caller != "read" else 1)
    is_open = caller == "commit" and consequence in (Consequence.UNAVAILABLE, Consequence.LOCKED)
    assert isinstance(caught.value, OutcomeUnknown) is is_open
