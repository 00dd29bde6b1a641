"""Exports and forgetting do what the columns declare."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table, select

from bot.play.application import Application
from bot.store import tables
from bot.store.database import Database
from bot.store.personal import Forgotten, declaration
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import dm_of
from tests.play.people.somebody import SOMEBODY, live

pytestmark = pytest.mark.thorough

VIEWS = {"matches.deal_in_play", "matches.hidden_deals"}
"""Export fields of unrevealed cards, which are computed and have no column."""


async def test_exports_have_what_the_columns_say(app: Application, courier: FakeCourier) -> None:
    """The fields in an export are exactly those that columns declare."""
    await live(app, courier)
    exported = await app.exports.export(SOMEBODY.id)
    there = {f"person.{name}" for name in exported.pop("person")}
    there |= {f"{part}.{name}" for part, entries in exported.items() for entry in entries for name in entry}
    columns = [column for table in tables.metadata.tables.values() for column in table.columns]
    said = {one.exported for column in columns if (one := declaration(column)) is not None} - {None}
    assert said == there - VIEWS


async def test_forgetting_does_what_the_columns_say(app: Application, courier: FakeCourier, database: Database) -> None:
    """For each row about a person, forgetting deletes the row, clears the field, or keeps it, as declared."""
    await live(app, courier)
    found: dict[Table, list[dict[str, Any]]] = {}
    for table in tables.metadata.tables.values():
        rows = [dict(zip(table.columns.keys(), row, strict=True)) for row in await fetch(database, select(table))]
        found[table] = [row for row in rows if {SOMEBODY.id, SOMEBODY.name, dm_of(SOMEBODY)} & {*row.values()}]
    assert {table.name for table, rows in found.items() if rows} == {
        *("person", "lesson", "holiday", "streak", "seat", "challenge", "guest", "offer_ping", "outbox_message"),
        *("standing", "season_award", "chain", "player_words"),
    }  # fmt: skip
    await app.people.forget(SOMEBODY.id)
    await courier.deliver()
    for table, rows in found.items():
        for before in rows:
            query = select(table).where(*(column == before[column.name] for column in table.primary_key))
            left = [dict(zip(table.columns.keys(), row, strict=True)) for row in await fetch(database, query)]
            for column in table.columns:
                said = declaration(column)
                if said is not None and said.forgotten is Forgotten.ROW:
                    assert left == []
                if said is not None and said.forgotten is Forgotten.FIELD:
                    assert [row[column.name] for row in left] in ([], [None])
    assert [row for row in found[tables.seat] if row["proposal"] is not None], "the person has no proposal"
