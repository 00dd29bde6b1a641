"""Tests of SQLite's query plans: queries use indexes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import pytest

from bot.store import tables
from bot.store.database import Database
from bot.store.transaction import Transaction
from tests.helpers.queries import CALLS, foreign_key_statements, module_of, name_of, record_statements, run

pytestmark = pytest.mark.sqlite

KNOWN_SCANS: Final = {
    "census.running_match_count": {"match"},
    "chains.matches_and_challenges_with_chains": {"chain"},
    "challenges.involving": {"challenge"},
    "challenges.pending_in": {"challenge"},
    "daily.totals": {"sums"},
    "daily_posts.times": {"guild"},
    "daily_posts.unposted": {"guild"},
    "earlier_standings.before": {"played"},
    "guilds.with_data": {"challenge", "guild"},
    "guilds.that_left": {"guild"},
    "guilds.unavailable": {"guild"},
    "guilds.left_before": {"guild"},
    "luck.uncounted_matches": {"match"},
    "clocks.pauses": {"shard"},
    "clocks.shard_times": {"shard"},
    "matches.last_with_showdown_in": {"found", "last_here", "last_in_threads"},
    "moments.keys_in_future": {"guild", "holiday", "match", "person", "seat", "shard", "standstill"},
    "outbox.backlog": {"outbox_message"},
    "outbox.due": {"outbox_message"},
    "outbox.due_stale": {"stale_message"},
    "outbox.problems_in": {"outbox_message"},
    "outbox.request_all_again": {"challenge", "match"},
    "people.forget": {"stale_message"},
    "standings.page": {"found"},
}
"""Tables and subqueries that a query may scan: the query runs at most once a minute, or the scanned rows stay few."""


class _RollbackError(Exception):
    """Raised to roll a transaction back."""


@pytest.mark.parametrize("module", sorted({module_of(query) for query, _, _ in CALLS}))
async def test_queries_use_indexes(database: Database, module: str) -> None:
    """Every statement uses indexes, except for the scans in `KNOWN_SCANS`."""
    scanned = defaultdict[str, set[str]](set)
    for query, args, options in CALLS:
        if module_of(query) != module:
            continue
        with suppress(_RollbackError):
            async with database.write() as transaction:
                await transaction.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
                executed = list[tuple[str, Any]]()
                with record_statements(executed):
                    await run(query, transaction, *args, **options)
                assert executed
                for statement in executed:
                    scanned[name_of(query)] |= await _scanned(transaction, *statement)
                # Do not commit: the query may have written references to rows that do not exist.
                raise _RollbackError
    assert {name: more for name, found in scanned.items() if (more := found - KNOWN_SCANS.get(name, set()))} == {}


async def test_every_foreign_key_has_an_index(database: Database) -> None:
    """The columns of every foreign key are the first columns of an index that is not partial."""
    async with database.read() as transaction:
        for table in tables.metadata.sorted_tables:
            keys = defaultdict[int, list[str]](list)
            query = f"SELECT id, \"from\" FROM pragma_foreign_key_list('{table.name}') ORDER BY id, seq"
            for row in (await transaction.exec_driver_sql(query)).mappings():
                keys[row["id"]].append(row["from"])
            indexes = list[list[str]]()
            for row in (await transaction.exec_driver_sql(f"PRAGMA index_list({table.name})")).all():
                if not row.partial:
                    columns = await transaction.exec_driver_sql(f"PRAGMA index_info({row.name})")
                    indexes.append([column.name for column in columns])
            assert len(keys) == len(table.foreign_key_constraints)
            bare = [key for key in keys.values() if not any(index[: len(key)] == key for index in indexes)]
            assert (table.name, bare) == (table.name, [])


async def test_foreign_key_actions_use_indexes(database: Database) -> None:
    """Foreign key actions use indexes. Equivalent statements are checked, because a delete's plan omits the actions."""
    async with database.write() as transaction:
        scanned = {statement: await _scanned(transaction, statement, (1,)) for statement in foreign_key_statements()}
    assert {statement: found for statement, found in scanned.items() if found} == {}


async def _scanned(transaction: Transaction, statement: str, parameters: Sequence[Any]) -> set[str]:
    """Return the tables in which SQLite would read every row, or every row that has null in one column."""
    plan = await transaction.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", tuple(parameters))
    scanned = set[str]()
    for row in plan:
        scan = re.fullmatch(r"SCAN (\w+)( USING (COVERING )?INDEX \w+)?", row.detail)
        search = re.fullmatch(r"SEARCH (\w+) USING (?:COVERING )?INDEX \w+ \((\w+)=\?\)", row.detail)
        if scan is not None:
            scanned.add(scan[1])
        elif search is not None and f"{search[1]}.{search[2]} IS NULL" in statement:
            scanned.add(search[1])
    return scanned
