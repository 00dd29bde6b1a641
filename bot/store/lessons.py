"""Queries about how far people are in the lesson."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.store import rows, tables
from bot.store.transaction import Transaction
from bot.values.ids import PersonId

_LESSON = tables.lesson.c


async def step(transaction: Transaction, person_id: PersonId) -> int | None:
    """Return how many steps a person has taken; None if they are at the beginning."""
    query = select(_LESSON.step).where(_LESSON.person_id == person_id)
    return (await transaction.execute(query)).scalar()


async def save(transaction: Transaction, person_id: PersonId, step: int) -> None:
    """Save how many steps a person has taken."""
    await rows.save(transaction, tables.lesson, {"person_id": person_id}, {"step": step})


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Let a person be at the beginning, and keep nothing of how far they were."""
    await transaction.execute(delete(tables.lesson).where(_LESSON.person_id == person_id))
