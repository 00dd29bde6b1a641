"""Copy everything from one database to another, whichever they are, and find out whether all of it arrived.

A database that is being filled says so in a row of its own, which commits before anything else and goes last: until
then no bot uses it. Whoever fills it again starts from the beginning.
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
from bot.store.columns import Stored
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

BEING_FILLED: Final = "being filled from"
"""The key under which a database that is not filled to the end names where its rows come from."""

BATCH: Final = 2_000
"""How many rows are read and written at a time."""
TOLD_EVERY: Final = 100_000
"""After how many rows the log tells of them."""


class Contents(NamedTuple):
    """How many rows a table has, and the sum of their digests: databases may sort text in different orders."""

    rows: int = 0
    digests: int = 0

    def plus(self, rows: Sequence[Row[Any]]) -> Contents:
        """Return the contents with these rows, too."""
        digests = (blake2b(repr(tuple(row)).encode(), digest_size=16).digest() for row in rows)
        added = sum(int.from_bytes(digest) for digest in digests)
        return Contents(self.rows + len(rows), (self.digests + added) % (1 << 128))


class CopiedTable:
    """The statements that copy a table.

    Values are read and written as they are stored, which means the same in both databases: what this version of the
    program would not understand stays as it is.
    """

    def __init__(self, original: Table) -> None:
        self.names = original.columns.keys()
        self.key = original.primary_key.columns.keys()
        plain = table(original.name, *(column(one.name, _stored(one.type)) for one in original.columns))
        key = [plain.c[name] for name in self.key]
        self.insert = insert(plain)
        self.first = select(plain).order_by(*key).limit(bindparam("most"))
        if original is tables.key_value:
            self.first = self.first.where(plain.c.key != BEING_FILLED)
        reached = [bindparam(f"after_{one.name}", type_=one.type) for one in key]
        self.following = self.first.where(tuple_(*key) > tuple_(*reached))

    async def batches(self, transaction: Transaction) -> AsyncGenerator[Sequence[Row[Any]]]:
        """Yield all rows in the order of their keys, some at a time."""
        rows = (await transaction.execute(self.first, {"most": BATCH})).all()
        while rows:
            yield rows
            reached = {f"after_{name}": rows[-1][self.names.index(name)] for name in self.key}
            rows = (await transaction.execute(self.following, {"most": BATCH, **reached})).all()


def _stored(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    """Return the type with which a column's values are read as they are stored; only truth values differ in that."""
    if not isinstance(kind, Stored):
        return kind
    simple: Any = kind.impl
    return kind if isinstance(simple, Boolean) else simple


async def begin_filling(target: Database, place: str, source: str) -> None:
    """Let a database be filled from a source: one that is empty, or that is being filled from there, which is emptied.

    Both are given by name. Raise `DatabaseError` if the database holds anything else.
    """
    async with target.write() as transaction:
        before = await key_values.load(transaction, BEING_FILLED)
        if before is not None and before != source:
            raise DatabaseError(f"{place} is only partly filled from {before}, not from {source}: name an empty one")
        if before is not None:
            await _empty(transaction)
        elif (found := await _filled_table(transaction)) is not None:
            raise DatabaseError(f"{place} is not empty, there are rows in its table {found}: name an empty one")
        await key_values.save(transaction, BEING_FILLED, source)


async def copy(source: Transaction, target: Database) -> dict[str, Contents]:
    """Copy the rows of all tables, and return what the source has in each of them, by name.

    Raise `DatabaseError` if the target does not take a row.
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
                # What it says may quote a row.
                reason = type(getattr(error.orig, "__cause__", None) or error.orig).__name__
                raise DatabaseError(f"a row of the table {original.name} cannot be written: {reason}") from None
            before, contents = contents, contents.plus(rows)
            if before.rows // TOLD_EVERY != contents.rows // TOLD_EVERY:
                log.info("rows are being copied", table=original.name, rows=contents.rows)
        if contents.rows:
            log.info("a table is copied", table=original.name, rows=contents.rows)
        copied[original.name] = contents
    return copied


async def compare(target: Transaction, copied: Mapping[str, Contents]) -> None:
    """Raise `DatabaseError` unless each table has the rows that were copied, and no others."""
    for original in tables.metadata.sorted_tables:
        contents, expected = Contents(), copied[original.name]
        async for rows in CopiedTable(original).batches(target):
            contents = contents.plus(rows)
        if contents.rows != expected.rows:
            raise DatabaseError(f"the table {original.name} has {contents.rows} rows instead of {expected.rows}")
        if contents != expected:
            raise DatabaseError(f"the rows of the table {original.name} are not those that were copied")
        if contents.rows:
            log.info("a table is as it was", table=original.name, rows=contents.rows)


async def end_filling(target: Database, last: Mapping[str, int]) -> None:
    """Let the next ids follow the last ones of the source, and bots use the database."""
    async with target.write() as transaction:
        await _set_last_ids(transaction, last)
        if transaction.dialect.name == "postgresql":
            # Its queries are planned by what it knows of the tables, which were empty until now.
            for original in tables.metadata.sorted_tables:
                await transaction.execute(text(f"ANALYZE {_quoted(transaction, original)}"))
        await key_values.remove(transaction, BEING_FILLED)


async def last_ids(source: Transaction) -> dict[str, int]:
    """Return the last id of each table that numbers its rows, as far as it is known: the row may be gone."""
    if source.dialect.name == "sqlite":
        # https://sqlite.org/autoinc.html
        rows = await source.execute(text("SELECT name, seq FROM sqlite_sequence"))
        return {row.name: row.seq for row in rows}
    query, found = text(f"SELECT pg_sequence_last_value({_SEQUENCE})"), dict[str, int]()
    for original in tables.metadata.sorted_tables:
        if original.autoincrement_column is not None:
            last = (await source.execute(query, _sequence_of(source, original))).scalar_one()
            found[original.name] = last or 0
    return found


async def _set_last_ids(target: Transaction, last: Mapping[str, int]) -> None:
    for original in tables.metadata.sorted_tables:
        numbered = original.autoincrement_column
        if numbered is None:
            continue
        there = (await target.execute(select(func.max(numbered)))).scalar_one()
        reached = max(there or 0, last.get(original.name, 0))
        if target.dialect.name == "postgresql":
            if reached:
                query = text(f"SELECT setval({_SEQUENCE}, :reached)")
                await target.execute(query, {"reached": reached, **_sequence_of(target, original)})
        elif original.dialect_options["sqlite"]["autoincrement"]:
            values = {"name": original.name, "seq": reached}
            await target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            if reached:
                await target.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), values)


_SEQUENCE: Final = "CAST(pg_get_serial_sequence(:table, :column) AS regclass)"
"""What counts the ids of a table in PostgreSQL."""


def _sequence_of(transaction: Transaction, original: Table) -> dict[str, str]:
    assert original.autoincrement_column is not None
    return {"table": _quoted(transaction, original), "column": original.autoincrement_column.name}


def _quoted(transaction: Transaction, original: Table) -> str:
    return transaction.dialect.identifier_preparer.format_table(original)


async def _filled_table(target: Transaction) -> str | None:
    """Return the name of a table that has rows; None if all are empty."""
    for original in tables.metadata.sorted_tables:
        if (await target.execute(select(literal(1)).select_from(original).limit(1))).first() is not None:
            return original.name
    return None


async def _empty(target: Transaction) -> None:
    """Delete all rows."""
    if target.dialect.name == "postgresql":
        names = ", ".join(_quoted(target, original) for original in tables.metadata.sorted_tables)
        await target.execute(text(f"TRUNCATE {names}"))
    else:
        for original in reversed(tables.metadata.sorted_tables):
            await target.execute(delete(original))
