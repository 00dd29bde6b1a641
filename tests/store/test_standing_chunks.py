"""Tests of merging the chunks of a board."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from bot.store import standing_chunks, standings, tables
from bot.store.database import Database
from bot.values.ids import GuildId, PersonId
from bot.values.standings import Order
from bot.values.statistics import Category

GUILD, PERSON = GuildId(1), PersonId(7)


@pytest.mark.parametrize("keys", [(10, 20), (20, 10)])
async def test_stretches_that_begin_with_one_person_are_joined_in_order(database: Database, keys: list[int]) -> None:
    """If a forgotten person starts two chunks, both are merged into the previous chunk, and no people are lost."""
    async with database.write() as transaction:
        board_id = await standings.add_board(transaction, GUILD, 0, Category.POINTS, "", "all")
        for key in keys:
            chunk = {"from_key": key, "from_person": PERSON, "people": key}
            row = insert(tables.standing_chunk).values(board_id=board_id, sorted_by=Order.WINS)
            await transaction.execute(row.values(**chunk))
        await standings.forget(transaction, PERSON)
        (left,) = await standing_chunks.chunks(transaction, board_id, Order.WINS)
    assert left.people == sum(keys)
