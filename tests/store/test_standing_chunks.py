"""Tests of merging the chunks in which the rows of a leaderboard are stored."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from bot.model.ids import GuildId, PersonId
from bot.model.standings import Order
from bot.model.statistics import Category
from bot.store import standing_chunks, standings, tables
from bot.store.database import Database

GUILD, PERSON = GuildId(1), PersonId(7)


@pytest.mark.parametrize("keys", [(10, 20), (20, 10)])
async def test_chunks_that_start_with_one_person_are_merged(database: Database, keys: list[int]) -> None:
    """When a person is forgotten, all chunks that start with that person are merged into the previous chunk.

    The total number of people stays the same.
    """
    async with database.write() as transaction:
        board_id = await standings.add_board(transaction, GUILD, 0, Category.POINTS, "", "all")
        for key in keys:
            chunk = {"from_key": key, "from_person": PERSON, "people": key}
            row = insert(tables.standing_chunk).values(board_id=board_id, sorted_by=Order.WINS)
            await transaction.execute(row.values(**chunk))
        await standings.forget(transaction, PERSON)
        (left,) = await standing_chunks.chunks(transaction, board_id, Order.WINS)
    assert left.people == sum(keys)
