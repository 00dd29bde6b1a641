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
from bot.store.opening import open_database, open_unchecked
from tests.helpers.cases import nightly_after
from tests.helpers.databases import DatabaseKind, execute, fetch, new_database

pytestmark = pytest.mark.thorough

ROWS: Final = 7
OTHER_KINDS: Final = (
    (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE),
    (DatabaseKind.POSTGRESQL, DatabaseKind.POSTGRESQL),
)
TEXT: Final = "Zoë ♣ 🃏 \"quoted\" 'twice' \\n\n\t%s :x $1 \x7f"
FLOATS: Final = (0.1, 1 / 3, -1.5, 1e300, 1e-300, 1500.0, 0.0)
FIXED_VALUES: Final[Mapping[str, Any]] = {
    "match.status": "finished",
    "match.kind": "practice",
    "challenge.status": "draft",
}
"""Values for columns that do not accept every text."""

OpenNew = Callable[[DatabaseKind, str], Coroutine[Any, Any, Database]]


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[OpenNew]:
    """Return a function that opens a new, empty database of the given kind and name."""
    async with AsyncExitStack() as stack:

        async def open_new(kind: DatabaseKind, name: str) -> Database:
            database = await open_database(new_database(tmp_path / f"{name}.db", kind))
            stack.push_async_callback(database.close)
            return database

        yield open_new


def stored_value(table: Table, column: Column[Any], number: int, stored_columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return a stored value for a column and row number. Every third value of a nullable column is null."""
    name = f"{table.name}.{column.name}"
    if column.foreign_keys:
        (key,) = column.foreign_keys
        return stored_columns[key.target_fullname][number]
    if name in FIXED_VALUES:
        return FIXED_VALUES[name]
    if column.nullable and number % 3 == 0:
        return None
    column_type: Any = getattr(column.type, "impl", column.type)
    if column is table.autoincrement_column:
        return 2**62 + number
    if isinstance(column_type, Boolean):
        return number % 2 == 0
    if isinstance(column_type, Double):
        return FLOATS[number]
    if isinstance(column_type, LargeBinary):
        return bytes((number, 0, 255, number))
    if isinstance(column_type, Integer):
        limit = 2**63 if isinstance(column_type, BigInteger) else 2**31
        return limit - 1 - number if number % 2 else number - limit
    return f"{number} {TEXT}"


async def fill(database: Database) -> None:
    """Write rows with extreme numbers, unusual texts and nulls into every table."""
    stored_columns: dict[str, list[Any]] = {}
    for table in tables.metadata.sorted_tables:
        rows = [
            {column.name: stored_value(table, column, number, stored_columns) for column in table.columns}
            for number in range(ROWS)
        ]
        stored_columns |= {f"{table.name}.{name}": [row[name] for row in rows] for name in table.columns.keys()}  # noqa: SIM118
        async with database.write() as transaction:
            await transaction.execute(CopiedTable(table).insert, rows)


async def all_rows(database: Database) -> dict[str, set[tuple[Any, ...]]]:
    """Return all rows of a database in their stored form, by table name."""
    result: dict[str, set[tuple[Any, ...]]] = {}
    async with database.read() as transaction:
        for table in tables.metadata.sorted_tables:
            batches = [rows async for rows in CopiedTable(table).batches(transaction)]
            result[table.name] = {tuple(row) for rows in batches for row in rows}
    return result


async def copy_only(source: Database, target: Database) -> dict[str, Contents]:
    """Copy a database to another one without verifying or finishing the copy. Return the contents of the source."""
    await begin_filling(target, "there", "here")
    async with source.read(Lane.LONG) as transaction:
        return await copy(transaction, target)


async def copy_completely(source: Database, target: Database) -> None:
    """Copy a database to another one, verify the copy and finish."""
    source_contents = await copy_only(source, target)
    async with target.read(Lane.LONG) as transaction:
        await compare(transaction, source_contents)
    async with source.read(Lane.LONG) as transaction:
        last = await last_ids(transaction)
    await end_filling(target, last)


@pytest.mark.parametrize(
    "kinds",
    [
        (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE),
        pytest.param(
            (DatabaseKind.POSTGRESQL, DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE, DatabaseKind.SQLITE),
            marks=pytest.mark.nightly,
        ),
    ],
)
async def test_values_are_copied_unchanged(
    there: OpenNew, monkeypatch: pytest.MonkeyPatch, kinds: Sequence[DatabaseKind]
) -> None:
    """All rows of all tables are copied unchanged, in several batches, between all kinds of databases."""
    monkeypatch.setattr(copying, "BATCH_SIZE", 3)
    first = await there(DatabaseKind.SQLITE, "first")
    await fill(first)
    wanted = await all_rows(first)
    assert {len(rows) for rows in wanted.values()} == {ROWS}
    source = first
    for number, kind in enumerate(kinds):
        target = await there(kind, str(number))
        await copy_completely(source, target)
        assert await all_rows(target) == wanted
        source = target


async def new_ids(database: Database) -> dict[str, int]:
    """Insert and delete a row in each table with generated ids. Return the ids by table name."""
    ids: dict[str, int] = {}
    for table in (tables.match, tables.challenge, tables.outbox_message, tables.board, tables.standstill):
        plain = CopiedTable(table)
        values = {
            column.name: None if column.foreign_keys else stored_value(table, column, ROWS, {})
            for column in table.columns
            if column is not table.autoincrement_column
        }
        query: Any = plain.insert.values(values)
        async with database.write() as transaction:
            await transaction.execute(query)
            ((last,),) = await transaction.execute(select(table.c.id).order_by(table.c.id.desc()).limit(1))
            await transaction.execute(delete(table))
        ids[table.name] = last
    return ids


@pytest.mark.parametrize(
    "kinds",
    [
        (DatabaseKind.SQLITE, DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE),
        *(pytest.param(kinds, marks=pytest.mark.nightly) for kinds in OTHER_KINDS),
    ],
)
async def test_ids_of_deleted_rows_are_not_reused(there: OpenNew, kinds: Sequence[DatabaseKind]) -> None:
    """In tables whose ids are used on Discord, new ids continue the source's ids, even if all rows were deleted."""
    database = await there(kinds[0], "first")
    last_ids = await new_ids(database)
    for number, kind in enumerate(kinds[1:]):
        target = await there(kind, str(number))
        await copy_completely(database, target)
        next_ids = await new_ids(target)
        for name in ("match", "challenge", "outbox_message"):
            assert next_ids[name] == last_ids[name] + 1
        last_ids, database = next_ids, target


@pytest.mark.nightly
async def test_ids_follow_the_highest_one(there: OpenNew) -> None:
    """For tables without AUTOINCREMENT, new ids in the copy follow the highest existing id."""
    first, second = await there(DatabaseKind.SQLITE, "first"), await there(DatabaseKind.POSTGRESQL, "second")
    await fill(first)
    await copy_completely(first, second)
    assert set((await new_ids(second)).values()) == {2**62 + ROWS}


@pytest.mark.parametrize("kind", nightly_after(1, [DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE]))
async def test_damage_is_found(there: OpenNew, kind: DatabaseKind) -> None:
    """The verification fails for a changed value, a missing row or an extra row. The error names the table.

    The target stays marked as partly filled.
    """
    source, target = await there(DatabaseKind.SQLITE, "source"), await there(kind, "target")
    await fill(source)
    source_contents = await copy_only(source, target)
    await verify(target, source_contents)
    damages = {
        "seat": update(tables.seat).values(gins=3),
        "guest": delete(tables.guest),
        "key_value": insert(tables.key_value).values(key="more", value="than there was"),
        "person": update(tables.person).values(time_zone=None),
    }
    # Damage the last table first: the check starts with the first table, so it always finds the newest damage.
    for table in reversed(tables.metadata.sorted_tables):
        if table.name in damages:
            await execute(target, damages[table.name])
            with pytest.raises(DatabaseError, match=f"the (rows of the )?table {table.name} "):
                await verify(target, source_contents)
    async with target.read() as transaction:
        assert await key_values.load(transaction, copying.FILLED_FROM) == "here"
    # Copying again replaces the damaged rows.
    assert await copy_only(source, target) == source_contents
    await verify(target, source_contents)


async def verify(target: Database, source_contents: Mapping[str, Contents]) -> None:
    """Compare the contents of a database with the copied contents."""
    async with target.read(Lane.LONG) as transaction:
        await compare(transaction, source_contents)


@pytest.mark.parametrize("kind", DatabaseKind)
async def test_only_an_empty_database_is_filled(there: OpenNew, kind: DatabaseKind) -> None:
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


@pytest.mark.parametrize("kind", DatabaseKind)
async def test_partly_filled_database_is_refused(tmp_path: Path, kind: DatabaseKind) -> None:
    """Opening a partly filled database is refused until the filling is finished."""
    url = new_database(tmp_path / "target.db", kind)
    database = await open_unchecked(url)
    await begin_filling(database, "there", "here")
    await database.close()
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"only partly filled from here: run `deadwood move-database`"):
            await open_database(url)
    database = await open_unchecked(url)
    await end_filling(database, {})
    await database.close()
    await (await open_database(url)).close()


async def test_error_for_a_rejected_row_has_no_values(there: OpenNew) -> None:
    """If PostgreSQL rejects a row (here because of a NUL character), the error names the table but not the values."""
    source, target = await there(DatabaseKind.SQLITE, "source"), await there(DatabaseKind.POSTGRESQL, "target")
    await execute(source, insert(tables.key_value).values(key="planted", value="a\0b"))
    with pytest.raises(DatabaseError, match="a row of the table key_value cannot be written") as caught:
        await copy_only(source, target)
    assert "planted" not in str(caught.value)
