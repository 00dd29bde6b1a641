"""Tests of copies between databases: values, ids, verification, and the checks on the target."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import BigInteger, Boolean, Double, Integer, LargeBinary, Table, delete, insert, select, update
from sqlalchemy.schema import Column

from bot.store import copying, key_values, tables
from bot.store.copying import Contents, CopiedTable, begin_filling, compare, copy, end_filling, last_ids
from bot.store.database import Database, Lane
from bot.store.errors import DatabaseError
from bot.store.opening import open_database, open_to_fill
from tests.helpers.cases import nightly_after
from tests.helpers.databases import Kind, execute, fetch, new_database

pytestmark = pytest.mark.thorough

ROWS: Final = 7
OTHER_WAYS: Final = ((Kind.POSTGRESQL, Kind.SQLITE), (Kind.POSTGRESQL, Kind.POSTGRESQL))
TEXT: Final = "Zoë ♣ 🃏 \"quoted\" 'twice' \\n\n\t%s :x $1 \x7f"
FLOATS: Final = (0.1, 1 / 3, -1.5, 1e300, 1e-300, 1500.0, 0.0)
VALUES: Final[Mapping[str, Any]] = {
    "match.status": "finished",
    "match.kind": "practice",
    "challenge.status": "draft",
}
"""Values for columns that do not accept every text."""

There = Callable[[Kind, str], Coroutine[Any, Any, Database]]


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[There]:
    """Return a function that opens a new database of a kind under a name."""
    async with AsyncExitStack() as stack:

        async def open_new(kind: Kind, name: str) -> Database:
            database = await open_database(new_database(tmp_path / f"{name}.db", kind))
            stack.push_async_callback(database.close)
            return database

        yield open_new


def stored(table: Table, column: Column[Any], number: int, known: Mapping[str, Sequence[Any]]) -> Any:
    """Return a stored value for a column and row number. Every third value of a nullable column is null."""
    name = f"{table.name}.{column.name}"
    if column.foreign_keys:
        (key,) = column.foreign_keys
        return known[key.target_fullname][number]
    if name in VALUES:
        return VALUES[name]
    if column.nullable and number % 3 == 0:
        return None
    kind: Any = getattr(column.type, "impl", column.type)
    if column is table.autoincrement_column:
        return 2**62 + number
    if isinstance(kind, Boolean):
        return number % 2 == 0
    if isinstance(kind, Double):
        return FLOATS[number]
    if isinstance(kind, LargeBinary):
        return bytes((number, 0, 255, number))
    if isinstance(kind, Integer):
        most = 2**63 if isinstance(kind, BigInteger) else 2**31
        return most - 1 - number if number % 2 else number - most
    return f"{number} {TEXT}"


async def fill(database: Database) -> None:
    """Write rows with extreme numbers, unusual texts and nulls into every table."""
    known: dict[str, list[Any]] = {}
    for table in tables.metadata.sorted_tables:
        rows = [{one.name: stored(table, one, number, known) for one in table.columns} for number in range(ROWS)]
        known |= {f"{table.name}.{name}": [row[name] for row in rows] for name in table.columns.keys()}  # noqa: SIM118
        async with database.write() as transaction:
            await transaction.execute(CopiedTable(table).insert, rows)


async def contents(database: Database) -> dict[str, set[tuple[Any, ...]]]:
    """Return all rows of a database in their stored form, by table name."""
    found: dict[str, set[tuple[Any, ...]]] = {}
    async with database.read() as transaction:
        for table in tables.metadata.sorted_tables:
            batches = [rows async for rows in CopiedTable(table).batches(transaction)]
            found[table.name] = {tuple(row) for rows in batches for row in rows}
    return found


async def copied(source: Database, target: Database) -> dict[str, Contents]:
    """Copy a database to another one without verifying or finishing. Return the contents of the source."""
    await begin_filling(target, "there", "here")
    async with source.read(Lane.LONG) as transaction:
        return await copy(transaction, target)


async def moved(source: Database, target: Database) -> None:
    """Copy a database to another one, verify the copy and finish."""
    found = await copied(source, target)
    async with target.read(Lane.LONG) as transaction:
        await compare(transaction, found)
    async with source.read(Lane.LONG) as transaction:
        last = await last_ids(transaction)
    await end_filling(target, last)


@pytest.mark.parametrize(
    "kinds",
    [
        (Kind.POSTGRESQL, Kind.SQLITE),
        pytest.param((Kind.POSTGRESQL, Kind.POSTGRESQL, Kind.SQLITE, Kind.SQLITE), marks=pytest.mark.nightly),
    ],
)
async def test_every_value_arrives_as_it_is(
    there: There, monkeypatch: pytest.MonkeyPatch, kinds: Sequence[Kind]
) -> None:
    """All rows of all tables are copied unchanged, in several batches, between all kinds of databases."""
    monkeypatch.setattr(copying, "BATCH", 3)
    first = await there(Kind.SQLITE, "first")
    await fill(first)
    wanted = await contents(first)
    assert {len(rows) for rows in wanted.values()} == {ROWS}
    before = first
    for number, kind in enumerate(kinds):
        after = await there(kind, str(number))
        await moved(before, after)
        assert await contents(after) == wanted
        before = after


async def new_ids(database: Database) -> dict[str, int]:
    """Insert and delete a row in each table with generated ids. Return the ids by table name."""
    made: dict[str, int] = {}
    for table in (tables.match, tables.challenge, tables.outbox_message, tables.board, tables.standstill):
        plain = CopiedTable(table)
        values = {
            column.name: None if column.foreign_keys else stored(table, column, ROWS, {})
            for column in table.columns
            if column is not table.autoincrement_column
        }
        query: Any = plain.insert.values(values)
        async with database.write() as transaction:
            await transaction.execute(query)
            ((last,),) = await transaction.execute(select(table.c.id).order_by(table.c.id.desc()).limit(1))
            await transaction.execute(delete(table))
        made[table.name] = last
    return made


@pytest.mark.parametrize(
    "kinds",
    [
        (Kind.SQLITE, Kind.POSTGRESQL, Kind.SQLITE),
        *(pytest.param(kinds, marks=pytest.mark.nightly) for kinds in OTHER_WAYS),
    ],
)
async def test_ids_of_rows_that_are_gone_do_not_come_back(there: There, kinds: Sequence[Kind]) -> None:
    """Tables whose ids reach Discord continue the source's ids, even if all its rows were deleted."""
    database = await there(kinds[0], "first")
    reached = await new_ids(database)
    for number, kind in enumerate(kinds[1:]):
        after = await there(kind, str(number))
        await moved(database, after)
        made = await new_ids(after)
        for name in ("match", "challenge", "outbox_message"):
            assert made[name] == reached[name] + 1
        reached, database = made, after


@pytest.mark.nightly
async def test_ids_follow_the_greatest_one(there: There) -> None:
    """For tables without AUTOINCREMENT, new ids in the copy follow the highest existing id."""
    first, second = await there(Kind.SQLITE, "first"), await there(Kind.POSTGRESQL, "second")
    await fill(first)
    await moved(first, second)
    assert set((await new_ids(second)).values()) == {2**62 + ROWS}


@pytest.mark.parametrize("kind", nightly_after(1, [Kind.POSTGRESQL, Kind.SQLITE]))
async def test_damage_is_found(there: There, kind: Kind) -> None:
    """The check fails for a changed value, a missing row or an extra row, names the table, and keeps the marker."""
    source, target = await there(Kind.SQLITE, "source"), await there(kind, "target")
    await fill(source)
    found = await copied(source, target)
    await check(target, found)
    damages = {
        "seat": update(tables.seat).values(gins=3),
        "guest": delete(tables.guest),
        "key_value": insert(tables.key_value).values(key="more", value="than there was"),
        "person": update(tables.person).values(time_zone=None),
    }
    # The check follows the order of the tables, so in reverse order the newest damage is found first.
    for one in reversed(tables.metadata.sorted_tables):
        if one.name in damages:
            await execute(target, damages[one.name])
            with pytest.raises(DatabaseError, match=f"the (rows of the )?table {one.name} "):
                await check(target, found)
    async with target.read() as transaction:
        assert await key_values.load(transaction, copying.BEING_FILLED) == "here"
    # Copying again replaces the damaged rows.
    assert await copied(source, target) == found
    await check(target, found)


async def check(target: Database, found: Mapping[str, Contents]) -> None:
    """Compare the contents of a database with the copied contents."""
    async with target.read(Lane.LONG) as transaction:
        await compare(transaction, found)


@pytest.mark.parametrize("kind", Kind)
async def test_only_an_empty_database_is_filled(there: There, kind: Kind) -> None:
    """A database with rows, or one that is being filled from another source, is refused and not changed."""
    database = await there(kind, "target")
    await execute(database, insert(tables.lesson).values(person_id=1, step=2))
    with pytest.raises(DatabaseError, match="there is not empty, there are rows in its table lesson"):
        await begin_filling(database, "there", "here")
    await execute(database, delete(tables.lesson))
    await begin_filling(database, "there", "here")
    await execute(database, insert(tables.lesson).values(person_id=1, step=2))
    with pytest.raises(DatabaseError, match="there is only partly filled from here, not from elsewhere"):
        await begin_filling(database, "there", "elsewhere")
    assert await fetch(database, select(tables.lesson)) == [(1, 2)]
    await begin_filling(database, "there", "here")
    assert await fetch(database, select(tables.lesson)) == []


@pytest.mark.parametrize("kind", Kind)
async def test_no_bot_uses_a_database_that_is_partly_filled(tmp_path: Path, kind: Kind) -> None:
    """Opening a partly filled database is refused until the filling is finished."""
    url = new_database(tmp_path / "target.db", kind)
    database = await open_to_fill(url)
    await begin_filling(database, "there", "here")
    await database.close()
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"only partly filled from here: run `deadwood move-database`"):
            await open_database(url)
    database = await open_to_fill(url)
    await end_filling(database, {})
    await database.close()
    await (await open_database(url)).close()


async def test_what_the_target_cannot_hold_is_told_without_the_row(there: There) -> None:
    """If PostgreSQL rejects a row, here a text with a NUL character, the error names the table but not the values."""
    source, target = await there(Kind.SQLITE, "source"), await there(Kind.POSTGRESQL, "target")
    await execute(source, insert(tables.key_value).values(key="planted", value="a\0b"))
    with pytest.raises(DatabaseError, match="a row of the table key_value cannot be written") as caught:
        await copied(source, target)
    assert "planted" not in str(caught.value)
