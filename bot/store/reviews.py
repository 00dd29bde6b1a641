"""Queries about reviews of finished deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

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


async def of_matches(
    transaction: Transaction, match_ids: Collection[MatchId], seat: Seat
) -> dict[MatchId, tuple[str, ...]]:
    """Return the reviews of a seat's play in several matches, as JSON, by match."""
    query = select(_REVIEW.match_id, _REVIEW.text).where(_REVIEW.match_id.in_(match_ids), _REVIEW.seat == seat)
    found = defaultdict[MatchId, list[str]](list)
    for row in await transaction.execute(query.order_by(_REVIEW.match_id, _REVIEW.number)):
        found[row.match_id].append(row.text)
    return {match_id: tuple(texts) for match_id, texts in found.items()}


async def save(transaction: Transaction, match_id: MatchId, number: int, seat: Seat, text: str) -> None:
    key = {"match_id": match_id, "number": number, "seat": seat}
    await rows.save(transaction, tables.review, key, {"text": text})
