"""Queries about luck in finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from sqlalchemy import func, insert, select, update

from bot.engine.rules import Rules
from bot.luck.measures import NO_LUCK, Luck
from bot.model.ids import GuildId, MatchId, PersonId
from bot.store import tables
from bot.store.rows import columns_of, read_row, select_columns
from bot.store.transaction import Transaction

_LUCK: Final = tables.luck.c
_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c


async def uncounted_matches(transaction: Transaction, limit: int) -> tuple[tuple[MatchId, Rules], ...]:
    """Return up to `limit` finished matches whose luck has not been counted yet, with their rules, oldest first."""
    query = select(_MATCH.id, _MATCH.rules).where(tables.LUCK_IS_DUE).order_by(_MATCH.id).limit(limit)
    return tuple((row.id, row.rules) for row in await transaction.execute(query))


async def save(transaction: Transaction, match_id: MatchId, luck_by_seat: Sequence[Luck]) -> None:
    """Save the luck of each seat of a match. Do nothing if it was already saved or the match no longer exists."""
    mark_counted = update(tables.match).where(_MATCH.id == match_id, tables.LUCK_IS_DUE).values(luck_counted=True)
    if (await transaction.execute(mark_counted)).rowcount != 1:
        return
    rows = [
        {"match_id": match_id, "seat": seat, **columns_of(seat_luck)}
        for seat, seat_luck in enumerate(luck_by_seat)
        if seat_luck.deals
    ]
    if rows:
        await transaction.execute(insert(tables.luck), rows)


async def of_person(transaction: Transaction, person_id: PersonId, guild_id: GuildId, era: int) -> Luck:
    """Return a person's total luck in their matches in an era of a server's leaderboard."""
    own_luck = tables.seat.join(tables.match).join(
        tables.luck, (_LUCK.match_id == _SEAT.match_id) & (_LUCK.seat == _SEAT.seat)
    )
    sums = [func.coalesce(func.sum(_LUCK[field.name]), 0).label(field.name) for field in fields(Luck)]
    query = select(*sums).select_from(own_luck)
    query = query.where(_SEAT.person_id == person_id, _MATCH.guild_id == guild_id, _MATCH.era == era)
    return read_row(Luck, (await transaction.execute(query)).mappings().one())


async def of_seat(transaction: Transaction, match_id: MatchId, seat: int) -> Luck:
    """Return the luck of a seat in a match. `NO_LUCK` if none is saved."""
    query = select(*select_columns(Luck, tables.luck)).where(_LUCK.match_id == match_id, _LUCK.seat == seat)
    row = (await transaction.execute(query)).mappings().first()
    return NO_LUCK if row is None else read_row(Luck, row)
