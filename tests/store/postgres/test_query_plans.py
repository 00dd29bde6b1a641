"""Tests of PostgreSQL's query plans: queries use indexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import pytest
from sqlalchemy import Column, DefaultClause, Table
from sqlalchemy.dialects import postgresql

from bot.store import tables
from bot.store.database import Database
from bot.store.transaction import Transaction
from tests.helpers.queries import CALLS, OF_POSTGRESQL, consequences, name_of, noted_statements
from tests.store.test_query_plans import READS_WHOLE_TABLES

ALSO_READS: Final = {
    "challenges.concerning": {"chain", "guest", "person"},
    "guilds.known": {"match"},
    "key_values.clear": {"key_value"},
    "outbox.forget_posts": {"stale_message"},
    "removal.any_left": {"challenge", "holiday", "offer_ping", "standstill"},
    "removal.remove_left": {"challenge", "holiday", "offer_ping", "standstill"},
}
"""Scans that only PostgreSQL makes: of small tables, in rare queries, or in queries that need every row."""
SMALL: Final = {"lease"}
"""Tables that never have more than a few rows."""

ROWS: Final = 5000
"""Number of rows in each table, enough to make an index worthwhile."""
RARELY: Final = {
    "closed_at": "NULL",
    "computer_due_at": "i",
    "left_at": "i",
    "obsolete_since": "i",
    "recent_until": "i",
    "stopped_at": "i",
    "time_due_at": "i",
    "wanted_revision": "i + 1",
}
"""SQL values that few rows have. They are the rows in partial indexes."""
USUALLY: Final = {"closed_at": "i", "paused_at": "NULL", "wanted_revision": "i"}
STATUS: Final = {"match": ("running", "finished"), "challenge": ("pending", "accepted")}
PARTIAL: Final = {
    index.name
    for table in tables.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["postgresql"]["where"] is not None
}


class _UndoneError(Exception):
    """Raised to roll a transaction back."""


@pytest.mark.thorough
@pytest.mark.postgresql
async def test_queries_use_indexes(database: Database) -> None:
    """Every statement uses indexes when the tables are large, except for the known scans."""
    statements = await _statements(database)
    read = dict[str, set[str]]()
    with suppress(_UndoneError):
        async with database.write() as transaction:
            await _fill(transaction)
            for name, statement, parameters in statements:
                plan = await transaction.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
                read.setdefault(name, set()).update(_read_whole(plan.scalar_one()[0]["Plan"]))
            for statement in consequences("1"):
                plan = await transaction.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}")
                read[statement] = set(_read_whole(plan.scalar_one()[0]["Plan"]))
            raise _UndoneError
    known = {name: SMALL | READS_WHOLE_TABLES.get(name, set()) | ALSO_READS.get(name, set()) for name in read}
    assert {name: found - known[name] for name, found in read.items() if found - known[name]} == {}


async def _statements(database: Database) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return the name, statement and parameters of every statement that the queries run."""
    found = list[tuple[str, str, tuple[Any, ...]]]()
    for query, args, options in (*CALLS, *OF_POSTGRESQL):
        executed = list[tuple[str, Any]]()
        with suppress(_UndoneError):
            async with database.write() as transaction:
                await transaction.exec_driver_sql("SET LOCAL session_replication_role = replica")
                with noted_statements(executed):
                    await query(transaction, *args, **options)
                raise _UndoneError
        found += [(name_of(query), statement, tuple(parameters)) for statement, parameters in executed]
    return found


async def _fill(transaction: Transaction) -> None:
    """Fill every table with many rows, and analyze the tables."""
    every = tables.metadata.sorted_tables
    await transaction.exec_driver_sql("SET LOCAL session_replication_role = replica")
    # After TRUNCATE, rows are written to new files, which a rollback deletes.
    names = ", ".join(f'"{one.name}"' for one in every)
    await transaction.exec_driver_sql(f"TRUNCATE {names}")
    for one in every:
        columns, values = ", ".join(column.name for column in one.c), ", ".join(_value(one, column) for column in one.c)
        rows = f"SELECT {values} FROM generate_series(1, {ROWS}) AS i"
        await transaction.exec_driver_sql(f'INSERT INTO "{one.name}" ({columns}) {rows}')
    await transaction.exec_driver_sql("ANALYZE")


def _value(table: Table, column: Column[Any]) -> str:
    """Return the SQL expression for the value of a column in row number `i`."""
    if column.name == "status":
        rarely, usually = (f"'{status}'" for status in STATUS[table.name])
    else:
        usually = USUALLY.get(column.name, "NULL" if column.name in RARELY else _usual(column))
        rarely = RARELY.get(column.name, usually)
    return usually if rarely == usually else f"CASE WHEN i <= 8 THEN {rarely} ELSE {usually} END"


def _usual(column: Column[Any]) -> str:
    kind = column.type.compile(dialect=postgresql.dialect())
    if kind == "TEXT" and isinstance(column.server_default, DefaultClause):
        return f"'{column.server_default.arg}'"
    return {"BOOLEAN": "false", "BYTEA": "decode('07', 'hex')", "TEXT": "'x' || i"}.get(kind, "i")


def _read_whole(node: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables that a plan scans, unless it scans a partial index."""
    kind, index = node["Node Type"], node.get("Index Name", "")
    if kind == "Seq Scan" or (index and index not in PARTIAL and "Index Cond" not in node):
        yield node.get("Relation Name", index)
    for part in node.get("Plans", ()):
        yield from _read_whole(part)
