"""Database transactions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVarTuple, overload

from sqlalchemy import CursorResult, Dialect, Executable
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.store.statements import CompiledStatement, Statement

Query = tuple[Statement, Mapping[str, Any]]
"""A query and its parameters."""

_Ts = TypeVarTuple("_Ts")
_Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Write:
    """A compiled statement that changes rows, with its parameters for one or more executions."""

    statement: CompiledStatement
    parameters: list[tuple[Any, ...]]
    must_change: Exception | None = None
    """The error to raise if the statement changes no row."""
    on_violation: Callable[[str], Exception | None] = field(default=lambda _: None)
    """Returns the error to raise if a constraint is violated, given the driver's message; None for the driver's own."""

    changed: int = 0
    """The number of changed rows, once the statement has run."""

    def note_changed(self, changed: int) -> None:
        """Note the number of changed rows. Raise `must_change` if there are none."""
        self.changed = changed
        if not changed and self.must_change is not None:
            raise self.must_change


class Transaction(ABC):
    """A transaction, the first parameter of every query function in this package.

    Writes can be queued. They are run together with the next statement or with the commit, in one call to the
    database's thread.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._queued: list[Write] = []

    @property
    def dialect(self) -> Dialect:
        """The dialect of SQL."""
        return self._connection.dialect

    @overload
    async def execute(
        self, statement: TypedReturnsRows[*_Ts], parameters: _Parameters | None = None
    ) -> CursorResult[*_Ts]: ...

    @overload
    async def execute(
        self, statement: Executable, parameters: _Parameters | None = None
    ) -> CursorResult[*tuple[Any, ...]]: ...

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement of SQLAlchemy."""
        await self.flush()
        return await self._connection.execute(statement, parameters)

    async def exec_driver_sql(
        self, statement: str, parameters: tuple[Any, ...] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run SQL as it is, with positional parameters."""
        await self.flush()
        return await self._connection.exec_driver_sql(statement, parameters)

    async def fetch(self, statement: Statement, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run a query, and return its rows."""
        (rows,) = await self.fetch_all((statement, parameters))
        return rows

    @abstractmethod
    async def fetch_all(self, *queries: Query) -> list[list[dict[str, Any]]]:
        """Run queries, and return the rows of each."""

    @abstractmethod
    async def change(self, statement: Statement, parameters: Mapping[str, Any]) -> int:
        """Run a statement that changes rows, and return their number."""

    @abstractmethod
    async def flush(self) -> None:
        """Run the queued writes."""

    def queue(
        self,
        statement: Statement,
        parameters: Sequence[Mapping[str, Any]],
        *,
        must_change: Exception | None = None,
        on_violation: Callable[[str], Exception | None] = lambda _: None,
    ) -> None:
        """Queue a write, with its parameters for one or more executions.

        Args:
            statement: the statement.
            parameters: the parameters for each execution.
            must_change: the error to raise if no row is changed. It is raised by the next statement or by the commit.
            on_violation: returns the error to raise if a constraint is violated, given the driver's message; None for
                the driver's own.
        """
        compiled = statement.compiled(self.dialect)
        rows = [compiled.positional(values) for values in parameters]
        last = self._queued[-1] if self._queued else None
        if last is not None and last.statement is compiled and last.must_change is must_change is None:
            last.parameters += rows
        else:
            self._queued.append(Write(compiled, rows, must_change, on_violation))

    def _take_queued(self) -> list[Write]:
        queued, self._queued = self._queued, []
        return queued
