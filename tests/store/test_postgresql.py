"""Every table and every query compiles for PostgreSQL, and uses nothing that only SQLite knows.

There is no PostgreSQL here to run them on: a transaction that compiles what it is told to execute stands in for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import pytest
from sqlalchemy import Executable
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.store import tables
from bot.store.transaction import Transaction
from tests.helpers.queries import CALLS, Query, name_of, queries

KNOWN_FUNCTIONS: Final = {"CAST", "coalesce", "count", "lower", "max", "min", "nullif", "sum"}
"""The functions that queries may use: those that mean the same on both databases, with these arguments."""

KNOWN_TYPES: Final = {"BIGINT", "BIGSERIAL", "BOOLEAN", "DOUBLE", "INTEGER", "TEXT"}


class NoRows:
    """The result of a statement that found nothing, and changed one row, with the id 1."""

    rowcount = 1

    def scalar(self) -> int:
        """Return an id."""
        return 1

    def one(self) -> tuple[int, int]:
        """Return a row of two numbers."""
        return 1, 1

    def first(self) -> None:
        """Return no row."""

    def all(self) -> list[Any]:
        """Return no rows."""
        return []

    def scalars(self) -> NoRows:
        """Return no values."""
        return self

    def mappings(self) -> NoRows:
        """Return no rows by name."""
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class CompilingTransaction:
    """Compiles statements for PostgreSQL instead of executing them."""

    def __init__(self) -> None:
        self.dialect = postgresql.dialect()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportAttributeAccessIssue]
        self.compiled: list[str] = []

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> NoRows:
        """Compile a statement as `AsyncConnection.execute` does, and find nothing."""
        first = parameters[0] if isinstance(parameters, Sequence) else parameters
        keys = None if first is None else list(first)
        compiled = cast(Any, statement).compile(dialect=self.dialect, column_keys=keys)
        # What is bound to each parameter must have a value that the column's type takes.
        compiled.construct_params(first)
        self.compiled.append(str(compiled))
        return NoRows()


async def compiled(query: Query, args: tuple[Any, ...], options: dict[str, Any]) -> list[str]:
    """Return the statements of a query as PostgreSQL would get them."""
    transaction = CompilingTransaction()
    await query(cast(Transaction, transaction), *args, **options)
    return transaction.compiled


def test_every_query_is_called_here() -> None:
    """A query that is new in the store needs a call in `CALLS`."""
    called = [query for query, _, _ in CALLS]
    assert len(queries()) > 60
    assert [query for query in queries() if query not in called] == []
    assert {query.__module__ for query in called} == {query.__module__ for query in queries()}


@pytest.mark.parametrize(("query", "args", "options"), CALLS, ids=name_of)
async def test_queries_compile_for_postgresql(query: Query, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Each has at least one statement, and none has what only SQLite knows or takes for a truth value."""
    statements = await compiled(query, args, options)
    assert statements
    for statement in statements:
        assert problems(statement) == []


def problems(statement: str) -> list[str]:
    """Return what PostgreSQL would not understand in a statement."""
    found: list[str] = []
    if re.search(r"\bIS (NOT )?[01]\b", statement):
        found.append("a number as a truth value")
    if re.search(r"= (true|false)\b", statement, re.IGNORECASE):
        found.append("a comparison with a truth value, which SQLite's numbers would answer differently")
    if re.search(r"\bOR (REPLACE|IGNORE|ABORT|FAIL)\b|\bGLOB\b|\browid\b", statement, re.IGNORECASE):
        found.append("syntax of SQLite")
    found += [f"function {name}" for name in {*re.findall(r"\b(\w+)\(", statement)} - KNOWN_FUNCTIONS]
    found += [f"{name} of several values" for name, args in _calls(statement) if name in ("max", "min") and "," in args]
    return found


def _calls(statement: str) -> list[tuple[str, str]]:
    """Return each function that is called with its arguments, those of calls inside left out."""
    calls: list[tuple[str, str]] = []
    innermost = re.compile(r"\b(\w+)\(([^()]*)\)|\(([^()]*)\)")
    while match := innermost.search(statement):
        if match[1] is not None:
            calls.append((match[1], match[2]))
        statement = statement[: match.start()] + " _ " + statement[match.end() :]
    return calls


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("SELECT 1 WHERE joined IS 1", "a number as a truth value"),
        ("SELECT 1 WHERE joined IS NOT 0", "a number as a truth value"),
        ("SELECT max(coalesce(a, 1), b)", "max of several values"),
        ("SELECT min(a, b)", "min of several values"),
        ("SELECT strftime('%s')", "function strftime"),
        ("INSERT OR IGNORE INTO guild", "syntax of SQLite"),
    ],
)
def test_problems_are_found(statement: str, problem: str) -> None:
    """The check itself sees each kind of problem."""
    assert problem in problems(statement)


@pytest.mark.parametrize("name", tables.metadata.tables)
def test_tables_compile_for_postgresql(name: str) -> None:
    """Each table and its indexes have types that PostgreSQL knows, and partial indexes keep their condition."""
    table, dialect = tables.metadata.tables[name], CompilingTransaction().dialect
    created = str(CreateTable(table).compile(dialect=dialect))
    assert not re.search(r"\bSTRICT\b|\bAUTOINCREMENT\b", created)
    columns = re.findall(r"^\t\"?(\w+)\"? ([A-Z]+)", created, re.MULTILINE)
    kinds = {column: kind for column, kind in columns if column not in ("PRIMARY", "UNIQUE", "FOREIGN", "CONSTRAINT")}
    assert kinds.keys() == {*table.c.keys()}
    assert {*kinds.values()} <= KNOWN_TYPES
    for index in table.indexes:
        sqlite_where = index.dialect_options["sqlite"]["where"]
        made = str(CreateIndex(index).compile(dialect=dialect))
        assert (" WHERE " in made) == (sqlite_where is not None)
