"""No query of play reads a whole table, however many matches there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Engine, event

from bot.store.database import Database
from bot.store.transaction import Transaction
from tests.helpers.queries import CALLS, Query, name_of

pytestmark = pytest.mark.sqlite

READS_WHOLE_TABLES: Final = {
    "census.open_matches": {"match"},
    "chains.in_use": {"chain"},
    "challenges.concerning": {"challenge"},
    "challenges.overdue": {"challenge"},
    "challenges.pending_in": {"challenge"},
    "challenges.remove_drafts": {"challenge"},
    "guilds.known": {"challenge", "guild"},
    "guilds.left": {"guild"},
    "guilds.unavailable": {"guild"},
    "guilds.purge": {"challenge", "outbox_message", "stale_message"},
    "luck.due": {"match"},
    "matches.create": {"challenge"},
    "clocks.connections": {"shard"},
    "clocks.forget_old": {"holiday"},
    "moments.bring_back": {"challenge", "guild", "holiday", "match", "person", "seat", "shard", "standstill"},
    "outbox.backlog": {"outbox_message"},
    "outbox.due": {"outbox_message"},
    "outbox.due_stale": {"stale_message"},
    "outbox.problems_in": {"outbox_message"},
    "outbox.forget_posts": {"challenge", "match"},
    "people.forget": {"stale_message"},
    "standings.page": {"found"},
}
"""The queries that do, or read a whole index: they run once a minute or less often, or what they read stays small."""


@pytest.mark.parametrize(("query", "args", "options"), CALLS, ids=name_of)
async def test_queries_use_indexes(
    database: Database, query: Query, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """SQLite finds what each statement needs by an index; it reads whole tables only where that is known."""
    executed: list[tuple[str, Any]] = []

    def note(_: Connection, __: Any, statement: str, parameters: Any, ___: Any, several: bool) -> None:
        executed.append((statement, parameters[0] if several else parameters))

    async with database.write() as transaction:
        await transaction.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        event.listen(Engine, "before_cursor_execute", note)
        try:
            await query(transaction, *args, **options)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        scanned = {name for one in executed for name in await _scanned(transaction, *one)}
        # What the query wrote may refer to rows that there are none of.
        await transaction.rollback()
    assert executed
    assert scanned <= READS_WHOLE_TABLES.get(name_of(query) or "", set())


async def _scanned(transaction: Transaction, statement: str, parameters: Sequence[Any]) -> set[str]:
    """Return the tables that SQLite would read from one end to the other."""
    plan = await transaction.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", tuple(parameters))
    found = [re.fullmatch(r"SCAN (\w+)( USING (COVERING )?INDEX \w+)?", row.detail) for row in plan]
    return {one[1] for one in found if one is not None}
