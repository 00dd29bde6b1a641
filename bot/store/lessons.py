"""Queries about people's progress in the lesson."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.model.ids import PersonId
from bot.store import rows, tables
from bot.store.transaction import Transaction

_LESSON = tables.lesson.c


async def step(transaction: Transaction, person_id: PersonId) -> int | None:
    """Return the number of steps a person has completed. None if they have not started."""
    query = select(_LESSON.step).where(_LESSON.person_id == person_id)
    return (await transaction.execute(query)).scalar()


async def save(transaction: Transaction, person_id: PersonId, step: int) -> None:
    await rows.save(transaction, tables.lesson, {"person_id": person_id}, {"step": step})


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's progress. They start again from the beginning."""
    await transaction.execute(delete(tables.lesson).where(_LESSON.person_id == person_id))
