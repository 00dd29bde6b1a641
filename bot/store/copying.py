"""Copy all rows to another database, of the same or another kind, and verify the copy.

A marker row in the target is committed before the first row is copied, and deleted after the copy was verified. While
the marker exists, bots refuse to use the target, and another attempt to fill the target starts over.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import (
    Boolean,
    Row,
    Table,
    bindparam,
    column,
    delete,
    func,
    insert,
    literal,
    select,
    table,
    text,
    tuple_,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from bot.store import key_values, tables
from bot.store.columns import EncodedType
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

FILLED_FROM: Final = "being filled from"
"""Key of the marker row in an incompletely filled database. Its value is the name of the source database."""

BATCH_SIZE: Final = 2_000
"""Number of rows that are read and written at a time."""
PROGRESS_ROWS: Final = 100_000
"""Number of rows between two progress messages in the log."""


class Contents(NamedTuple):
    """The number of rows of a table and the sum of their digests.

    Unlike a digest of all rows, a sum does not depend on their order: databases may sort text differently.
    """

    rows: int = 0
    digests: int = 0

    def plus(self, rows: Sequence[Row[Any]]) -> Contents:
        """Return the contents with these rows added."""
        digests = (blake2b(repr(tuple(row)).encode(), digest_size=16).digest() for row in rows)
        digest_sum = sum(int.from_bytes(digest) for digest in digests)
        return Contents(self.rows + len(rows), (self.digests + digest_sum) % (1 << 128))


class CopiedTable:
    """The statements that copy a table.

    Stored values are copied without being decoded, so values that this version of the program does not know stay
    unchanged.
    """

    def __init__(self, original: Table) -> None:
        self.names = original.columns.keys()
        self.key = original.primary_key.columns.keys()
        plain = table(original.name, *(column(source.name, _stored_type(source.type)) for source in original.columns))
        key = [plain.c[name] for name in self.key]
        self.insert = insert(plain)
        self.first_batch = select(plain).order_by(*key).limit(bindparam("most"))
        if original is tables.key_value:
            self.first_batch = self.first_batch.where(plain.c.key != FILLED_FROM)
        last_key = [bindparam(f"after_{key_column.name}", type_=key_column.type) for key_column in key]
        self.next_batch = self.first_batch.where(tuple_(*key) > tuple_(*last_key))

    async def batches(self, transaction: Transaction) -> AsyncGenerator[Sequence[Row[Any]]]:
        """Yield all rows in batches, in the order of their keys."""
        rows = (await transaction.execute(self.first_batch, {"most": BATCH_SIZE})).all()
        while rows:
            yield rows
            last_key = {f"after_{name}": rows[-1][self.names.index(name)] for name in self.key}
            rows = (await transaction.execute(self.next_batch, {"most": BATCH_SIZE, **last_key})).all()


def _stored_type(column_type: TypeEngine[Any]) -> TypeEngine[Any]:
    """Return the type that reads a column's values in their stored form.

    Booleans keep their own type, because the two databases store them differently.
    """
    if not isinstance(column_type, EncodedType):
        return column_type
    stored_type: Any = column_type.impl
    return column_type if isinstance(stored_type, Boolean) else stored_type


async def begin_filling(target: Database, target_name: str, source_name: str) -> None:
    """Mark an empty database as being filled from a source. If it already has the same mark, empty it first.

    `target_name` and `source_name` are the names of the two databases. Raise `DatabaseError` if the target has other
    contents.
    """
    async with target.write() as transaction:
        earlier_source = await key_values.load(transaction, FILLED_FROM)
        if earlier_source is not None and earlier_source != source_name:
            raise DatabaseError(
                f"{target_name} is only partly filled from {earlier_source}, not from {source_name}: name an empty one"
            )
        if earlier_source is not None:
            await _empty(transaction)
        elif (nonempty_table := await _nonempty_table(transaction)) is not None:
            raise DatabaseError(
                f"{target_name} is not empty, there are rows in its table {nonempty_table}: name an empty one"
            )
        await key_values.save(transaction, FILLED_FROM, source_name)


async def copy(source: Transaction, target: Database) -> dict[str, Contents]:
    """Copy the rows of all tables. Return the `Contents` of each table of the source, by table name.

    Raise `DatabaseError` if the target rejects a row.
    """
    copied = dict[str, Contents]()
    for original in tables.metadata.sorted_tables:
        statements, contents = CopiedTable(original), Contents()
        async for rows in statements.batches(source):
            values = [dict(zip(statements.names, row, strict=True)) for row in rows]
            try:
                async with target.write() as transaction:
                    await transaction.execute(statements.insert, values)
            except DBAPIError as error:
                # The driver's message may quote a row, which may hold personal data.
                reason = type(getattr(error.orig, "__cause__", None) or error.orig).__name__
                raise DatabaseError(f"a row of the table {original.name} cannot be written: {reason}") from None
            previous, contents = contents, contents.plus(rows)
            if previous.rows // PROGRESS_ROWS != contents.rows // PROGRESS_ROWS:
                log.info("copying rows", table=original.name, rows=contents.rows)
        if contents.rows:
            log.info("table copied", table=original.name, rows=contents.rows)
        copied[original.name] = contents
    return copied


async def compare(target: Transaction, copied: Mapping[str, Contents]) -> None:
    """Raise `DatabaseError` unless each table holds exactly the rows that were copied."""
    for original in tables.metadata.sorted_tables:
        contents, expected = Contents(), copied[original.name]
        async for rows in CopiedTable(original).batches(target):
            contents = contents.plus(rows)
        if contents.rows != expected.rows:
            raise DatabaseError(f"the table {original.name} has {contents.rows} rows instead of {expected.rows}")
        if contents != expected:
            raise DatabaseError(f"the rows of the table {original.name} differ from the copied ones")
        if contents.rows:
            log.info("table verified", table=original.name, rows=contents.rows)


async def end_filling(target: Database, last_source_ids: Mapping[str, int]) -> None:
    """Make new ids continue after the source's last ids, and remove the marker, so that bots can use the database."""
    async with target.write() as transaction:
        await _set_last_ids(transaction, last_source_ids)
        if transaction.dialect.name == "postgresql":
            # Update the query planner's statistics, which still describe empty tables.
            for original in tables.metadata.sorted_tables:
                await transaction.execute(text(f"ANALYZE {_quoted(transaction, original)}"))
        await key_values.remove(transaction, FILLED_FROM)


async def last_ids(source: Transaction) -> dict[str, int]:
    """Return the last id that each table has generated, if known. The row with that id may have been deleted."""
    if source.dialect.name == "sqlite":
        # https://sqlite.org/autoinc.html
        rows = await source.execute(text("SELECT name, seq FROM sqlite_sequence"))
        return {row.name: row.seq for row in rows}
    query, ids = text(f"SELECT pg_sequence_last_value({_SEQUENCE})"), dict[str, int]()
    for original in tables.metadata.sorted_tables:
        if original.autoincrement_column is not None:
            last_id = (await source.execute(query, _sequence_of(source, original))).scalar_one()
            ids[original.name] = last_id or 0
    return ids


async def _set_last_ids(target: Transaction, last_source_ids: Mapping[str, int]) -> None:
    for original in tables.metadata.sorted_tables:
        id_column = original.autoincrement_column
        if id_column is None:
            continue
        highest_id = (await target.execute(select(func.max(id_column)))).scalar_one()
        last_id = max(highest_id or 0, last_source_ids.get(original.name, 0))
        if target.dialect.name == "postgresql":
            if last_id:
                query = text(f"SELECT setval({_SEQUENCE}, :reached)")
                await target.execute(query, {"reached": last_id, **_sequence_of(target, original)})
        elif original.dialect_options["sqlite"]["autoincrement"]:
            values = {"name": original.name, "seq": last_id}
            await target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            if last_id:
                await target.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), values)


_SEQUENCE: Final = "CAST(pg_get_serial_sequence(:table, :column) AS regclass)"
"""SQL expression for the PostgreSQL sequence that generates the ids of a table."""


def _sequence_of(transaction: Transaction, original: Table) -> dict[str, str]:
    assert original.autoincrement_column is not None
    return {"table": _quoted(transaction, original), "column": original.autoincrement_column.name}


def _quoted(transaction: Transaction, original: Table) -> str:
    return transaction.dialect.identifier_preparer.format_table(original)


async def _nonempty_table(target: Transaction) -> str | None:
    """Return the name of a table that has rows. None if all tables are empty."""
    for original in tables.metadata.sorted_tables:
        if (await target.execute(select(literal(1)).select_from(original).limit(1))).first() is not None:
            return original.name
    return None


async def _empty(target: Transaction) -> None:
    if target.dialect.name == "postgresql":
        names = ", ".join(_quoted(target, original) for original in tables.metadata.sorted_tables)
        await target.execute(text(f"TRUNCATE {names}"))
    else:
        for original in reversed(tables.metadata.sorted_tables):
            await target.execute(delete(original))
