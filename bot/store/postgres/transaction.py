"""Transactions on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.exc import IntegrityError

from bot.store.statements import Statement
from bot.store.transaction import Query, Transaction, Write


class PostgresTransaction(Transaction):
    """A transaction on one connection. Queued writes run one by one."""

    async def fetch_all(self, *queries: Query) -> list[list[dict[str, Any]]]:
        """Run queries, and return the rows of each."""
        await self.flush()
        found: list[list[dict[str, Any]]] = []
        for statement, parameters in queries:
            compiled = statement.compiled(self.dialect)
            result = await self._connection.exec_driver_sql(compiled.sql, compiled.positional(parameters))
            found.append(compiled.rows(result.all()))
        return found

    async def change(self, statement: Statement, parameters: Mapping[str, Any]) -> int:
        """Run a statement that changes rows, and return their number."""
        await self.flush()
        compiled = statement.compiled(self.dialect)
        write = Write(compiled, [compiled.positional(parameters)])
        await self._run(write)
        return write.changed

    async def flush(self) -> None:
        """Run the queued writes."""
        for write in self._take_queued():
            await self._run(write)

    async def _run(self, write: Write) -> None:
        is_single = len(write.parameters) == 1
        parameters = write.parameters[0] if is_single else write.parameters
        try:
            result = await self._connection.exec_driver_sql(write.statement.sql, parameters)
        except IntegrityError as error:
            raise write.on_violation(str(error.orig)) or error from error
        write.note_changed(result.rowcount)
