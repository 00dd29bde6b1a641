"""Exports and forgetting follow the declarations of the columns."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table, select

from bot.play.application import Application
from bot.store import tables
from bot.store.database import Database
from bot.store.personal import Forgotten, personal_data
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import dm_of
from tests.play.people.somebody import SOMEBODY, use_every_feature

pytestmark = pytest.mark.thorough

COMPUTED_FIELDS = {"matches.deal_in_play", "matches.hidden_deals"}
"""Export fields without a column: they are computed, and describe deals whose cards are not revealed."""


async def test_exports_match_the_columns(app: Application, courier: FakeCourier) -> None:
    """The fields in an export are exactly those that columns declare."""
    await use_every_feature(app, courier)
    exported = await app.exports.export(SOMEBODY.id)
    exported_fields = {f"person.{name}" for name in exported.pop("person")}
    exported_fields |= {f"{part}.{name}" for part, entries in exported.items() for entry in entries for name in entry}
    columns = [column for table in tables.metadata.tables.values() for column in table.columns]
    declared_fields = {data.exported for column in columns if (data := personal_data(column)) is not None} - {None}
    assert declared_fields == exported_fields - COMPUTED_FIELDS


async def test_forgetting_matches_the_columns(app: Application, courier: FakeCourier, database: Database) -> None:
    """For each row about a person, forgetting deletes the row, clears the field, or keeps it, as declared."""
    await use_every_feature(app, courier)
    personal_rows: dict[Table, list[dict[str, Any]]] = {}
    for table in tables.metadata.tables.values():
        rows = [dict(zip(table.columns.keys(), row, strict=True)) for row in await fetch(database, select(table))]
        personal_rows[table] = [row for row in rows if {SOMEBODY.id, SOMEBODY.name, dm_of(SOMEBODY)} & {*row.values()}]
    assert {table.name for table, rows in personal_rows.items() if rows} == {
        *("person", "lesson", "block", "holiday", "streak", "seat", "challenge", "guest", "offer_ping"),
        *("outbox_message", "standing", "season_award", "chain", "player_words", "daily_try", "daily_entry"),
    }  # fmt: skip
    await app.people.forget(SOMEBODY.id)
    await courier.deliver()
    for table, rows in personal_rows.items():
        for before in rows:
            query = select(table).where(*(column == before[column.name] for column in table.primary_key))
            remaining = [dict(zip(table.columns.keys(), row, strict=True)) for row in await fetch(database, query)]
            for column in table.columns:
                personal = personal_data(column)
                if personal is not None and personal.forgotten is Forgotten.ROW:
                    assert remaining == []
                if personal is not None and personal.forgotten is Forgotten.FIELD:
                    assert [row[column.name] for row in remaining] in ([], [None])
    assert [row for row in personal_rows[tables.seat] if row["proposal"] is not None], "the person has no proposal"
