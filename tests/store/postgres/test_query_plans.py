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
from tests.helpers.queries import CALLS, POSTGRESQL_CALLS, foreign_key_statements, name_of, record_statements, run
from tests.store.test_query_plans import KNOWN_SCANS

ALSO_SCANNED: Final = {
    "challenges.involving": {"chain", "guest", "person"},
    "guilds.with_data": {"match"},
    "key_values.clear": {"key_value"},
    "outbox.next_due": {"stale_message"},
    "outbox.request_all_again": {"stale_message"},
    "removal.has_stale_rows": {"challenge", "holiday", "offer_ping", "standstill"},
    "removal.remove_stale_rows": {"challenge", "holiday", "offer_ping", "standstill"},
}
"""Tables that PostgreSQL may scan in addition to `KNOWN_SCANS`, by query.

The tables are small, or the query is rare or needs every row.
"""
SMALL_TABLES: Final = {"lease"}
"""Tables that never have more than a few rows."""

ROWS: Final = 5000
"""Number of rows in each table, enough to make an index worthwhile."""
RARE_VALUES: Final = {
    "closed_at": "NULL",
    "computer_due_at": "i",
    "daily_channel": "i",
    "daily_hour": "i",
    "left_at": "i",
    "obsolete_since": "i",
    "recent_until": "i",
    "stopped_at": "i",
    "time_due_at": "i",
    "wanted_revision": "i + 1",
}
"""SQL expressions for values that only a few rows get: the rows that are in partial indexes."""
USUAL_VALUES: Final = {"closed_at": "i", "paused_at": "NULL", "wanted_revision": "i"}
STATUS: Final = {"match": ("running", "finished"), "challenge": ("pending", "accepted")}
PARTIAL_INDEXES: Final = {
    index.name
    for table in tables.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["postgresql"]["where"] is not None
}


class _RollbackError(Exception):
    """Raised to roll a transaction back."""


@pytest.mark.thorough
@pytest.mark.postgresql
async def test_queries_use_indexes(database: Database) -> None:
    """Every statement uses indexes when the tables are large, except for known scans and scans of small tables."""
    statements = await _statements(database)
    scanned = dict[str, set[str]]()
    with suppress(_RollbackError):
        async with database.write() as transaction:
            await _fill(transaction)
            for name, statement, parameters in statements:
                plan = await transaction.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
                scanned.setdefault(name, set()).update(_scanned_tables(plan.scalar_one()[0]["Plan"]))
            for statement in foreign_key_statements("1"):
                plan = await transaction.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}")
                scanned[statement] = set(_scanned_tables(plan.scalar_one()[0]["Plan"]))
            raise _RollbackError
    known = {name: SMALL_TABLES | KNOWN_SCANS.get(name, set()) | ALSO_SCANNED.get(name, set()) for name in scanned}
    assert {name: found - known[name] for name, found in scanned.items() if found - known[name]} == {}


async def _statements(database: Database) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return every statement that the queries run, as the query's name, the SQL and the parameters."""
    statements = list[tuple[str, str, tuple[Any, ...]]]()
    for query, args, options in (*CALLS, *POSTGRESQL_CALLS):
        executed = list[tuple[str, Any]]()
        with suppress(_RollbackError):
            async with database.write() as transaction:
                await transaction.exec_driver_sql("SET LOCAL session_replication_role = replica")
                with record_statements(executed):
                    await run(query, transaction, *args, **options)
                raise _RollbackError
        statements += [(name_of(query), statement, tuple(parameters)) for statement, parameters in executed]
    return statements


async def _fill(transaction: Transaction) -> None:
    """Fill every table with many rows, and analyze the tables."""
    all_tables = tables.metadata.sorted_tables
    await transaction.exec_driver_sql("SET LOCAL session_replication_role = replica")
    # TRUNCATE makes the server write the rows to new files, which the rollback deletes.
    names = ", ".join(f'"{table.name}"' for table in all_tables)
    await transaction.exec_driver_sql(f"TRUNCATE {names}")
    for table in all_tables:
        columns, values = (
            ", ".join(column.name for column in table.c),
            ", ".join(_value(table, column) for column in table.c),
        )
        rows = f"SELECT {values} FROM generate_series(1, {ROWS}) AS i"
        await transaction.exec_driver_sql(f'INSERT INTO "{table.name}" ({columns}) {rows}')
    await transaction.exec_driver_sql("ANALYZE")


def _value(table: Table, column: Column[Any]) -> str:
    """Return the SQL expression for the value of a column in row number `i`."""
    if column.name == "status":
        rarely, usually = (f"'{status}'" for status in STATUS[table.name])
    else:
        is_rare = column.name in RARE_VALUES and column.nullable
        usually = USUAL_VALUES.get(column.name, "NULL" if is_rare else _usual_value(column))
        rarely = RARE_VALUES.get(column.name, usually)
    return usually if rarely == usually else f"CASE WHEN i <= 8 THEN {rarely} ELSE {usually} END"


def _usual_value(column: Column[Any]) -> str:
    kind = column.type.compile(dialect=postgresql.dialect())
    if kind == "TEXT" and isinstance(column.server_default, DefaultClause):
        return f"'{column.server_default.arg}'"
    return {"BOOLEAN": "false", "BYTEA": "decode('07', 'hex')", "TEXT": "'x' || i"}.get(kind, "i")


def _scanned_tables(node: Mapping[str, Any], *, is_limited: bool = False) -> Iterator[str]:
    """Yield the tables that a plan scans completely. The scan of a partial index does not count.

    The scan of an index does not count either if it `is_limited` to a few rows, as for a maximum: since PostgreSQL 17,
    its plan has no condition if the column cannot be null.
    """
    kind, index = node["Node Type"], node.get("Index Name", "")
    reads_index = bool(index) and not is_limited and index not in PARTIAL_INDEXES and "Index Cond" not in node
    if kind == "Seq Scan" or reads_index:
        yield node.get("Relation Name", index)
    for part in node.get("Plans", ()):
        yield from _scanned_tables(part, is_limited=kind == "Limit")
