"""Queries about reviews of finished deals."""

from __future__ import annotations

from sqlalchemy import select

from bot.engine.deals.moves import Seat
from bot.model.ids import MatchId
from bot.store import rows, tables
from bot.store.transaction import Transaction

_REVIEW = tables.review.c


async def load(transaction: Transaction, match_id: MatchId, seat: Seat) -> dict[int, str]:
    """Return the reviews of a seat's play in a match, as JSON, by deal number (`tables.deal`)."""
    query = select(_REVIEW.number, _REVIEW.text).where(_REVIEW.match_id == match_id, _REVIEW.seat == seat)
    return {row.number: row.text for row in await transaction.execute(query)}


async def save(transaction: Transaction, match_id: MatchId, number: int, seat: Seat, text: str) -> None:
    key = {"match_id": match_id, "number": number, "seat": seat}
    await rows.save(transaction, tables.review, key, {"text": text})
