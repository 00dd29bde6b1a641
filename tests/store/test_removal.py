"""Tests of the removal of rows in small batches."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Table, insert, select

from bot.store import tables
from bot.store.database import Database
from bot.store.removal import MAX_ROWS, StaleRows, has_stale_rows, remove_some, remove_stale_rows
from tests.helpers.cases import nightly_after
from tests.helpers.databases import execute, fetch
from tests.helpers.writes import collect_writes

AT = datetime(2026, 11, 21, tzinfo=UTC)


async def add(database: Database, table: Table, *rows: dict[str, Any]) -> None:
    async with database.write() as transaction:
        await transaction.execute(insert(table), [*rows])


def match(number: int) -> dict[str, Any]:
    """Return the columns of a finished match."""
    return {
        "id": number, "guild_id": 1, "channel_id": number, "rules": "classic", "channel_deleted": False, "version": 0,
        "status": "finished", "revision": 0, "started_at": AT, "moved_at": AT,
    }  # fmt: skip


def challenge(number: int, match_id: int | None = None) -> dict[str, Any]:
    """Return the columns of a challenge."""
    return {
        "id": number, "guild_id": 1, "channel_id": 1, "challenger_id": 1, "rules": "classic", "status": "accepted",
        "revision": 1, "created_at": AT, "expires_at": AT, "match_id": match_id,
    }  # fmt: skip


async def fill(database: Database) -> None:
    """Save two matches, each with seats, a log, a hash chain with shuffle words, and a challenge."""
    await add(database, tables.match, match(1), match(2))
    for number in (1, 2):
        seats = [{"match_id": number, "seat": seat, "person_id": seat} for seat in (0, 1)]
        await add(database, tables.seat, *seats)
        actions = [{"match_id": number, "number": index, "text": "0 pass", "at": AT} for index in range(1, 21)]
        await add(database, tables.action, *actions)
        await add(database, tables.chain, {"id": number, "match_id": number, "commitment": b"", "created_at": AT})
        words = {"chain_id": number, "person_id": 1, "text": "north", "early": False, "given_at": AT}
        await add(database, tables.player_words, words)
        await add(database, tables.challenge, challenge(number, match_id=number))


async def row_count(database: Database, table: Table) -> int:
    """Return the number of rows in a table."""
    return len(await fetch(database, select(*table.primary_key.columns)))


@pytest.mark.both_databases
@pytest.mark.parametrize("most", nightly_after(2, [1, 30, 7, 1000]))
async def test_removal_respects_the_limit(database: Database, most: int) -> None:
    """Each call deletes or updates at most `limit` rows. Rows that refer to the match come before the match itself."""
    await fill(database)
    removed = list[int]()
    while True:
        async with database.write() as transaction:
            removed.append(await remove_some(transaction, tables.match, tables.match.c.id == 1, limit=most))
        if not removed[-1]:
            break
        # The match itself is removed last, after all rows that refer to it, because foreign keys are enforced.
        assert await row_count(database, tables.match) == 2 - (sum(removed) == 26)
    assert max(removed) <= most
    assert sum(removed) == 1 + 2 + 20 + 1 + 1 + 1
    assert await fetch(database, select(tables.challenge.c.match_id).order_by(tables.challenge.c.id)) == [(None,), (2,)]
    for table, left in ((tables.seat, 2), (tables.action, 20), (tables.chain, 1), (tables.player_words, 1)):
        assert await row_count(database, table) == left


@pytest.mark.sqlite
async def test_returned_count_equals_changed_rows(database: Database) -> None:
    """The returned number equals the number of rows that SQLite changes, including cascades."""
    await fill(database)
    with collect_writes(database) as writes:
        async with database.write() as transaction:
            removed = await remove_some(transaction, tables.match, limit=25)
    assert [write.rows for write in writes] == [removed] == [25]


@pytest.mark.both_databases
async def test_max_parents_limits_incomplete_rows(database: Database) -> None:
    """With `max_parents=1`, only one match is partly removed, and the other one is still complete."""
    await fill(database)
    leftovers = StaleRows(tables.match, (tables.match.c.guild_id == 1,), max_parents=1)
    async with database.write() as transaction:
        assert await remove_stale_rows(transaction, leftovers, 10) == 10
        assert await has_stale_rows(transaction, leftovers)
    assert await row_count(database, tables.match) == 2
    assert sorted([await row_count(database, table) for table in (tables.action, tables.seat)]) in ([4, 30], [2, 32])
    async with database.write() as transaction:
        for _ in range(2):
            await remove_stale_rows(transaction, leftovers, MAX_ROWS)
        assert not await has_stale_rows(transaction, leftovers)


@pytest.mark.both_databases
async def test_composite_keys_are_removed_in_batches(database: Database) -> None:
    """Rows of a table with a composite key are removed in batches, and rows that do not match stay."""
    await fill(database)
    action = tables.action.c
    async with database.write() as transaction:
        assert await remove_some(transaction, tables.action, action.match_id == 1, limit=5) == 5
        assert await remove_some(transaction, tables.action, action.match_id == 1, limit=50) == 15
        assert await remove_some(transaction, tables.action, action.match_id == 1, limit=50) == 0
        assert await remove_some(transaction, tables.action, limit=0) == 0
    assert await row_count(database, tables.action) == 20


async def test_no_stale_rows(database: Database) -> None:
    """`has_stale_rows` is False if no row of the table meets the conditions."""
    await execute(database, insert(tables.board).values(guild_id=1, era=0, category="points", ruleset="", period="all"))
    async with database.read() as transaction:
        assert not await has_stale_rows(transaction, StaleRows(tables.board, (tables.IS_OBSOLETE,)))
