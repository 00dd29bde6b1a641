"""Queries about the decks that were dealt in matches that are over."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import select

from bot.store import tables
from bot.store.transaction import Transaction
from bot.values.ids import GuildId, MatchId
from bot.values.matches import MatchStatus

_MATCH: Final = tables.match.c
_ACTION: Final = tables.action.c


async def over_before(
    transaction: Transaction, guild_id: GuildId | None, match_id: MatchId | None, most: int
) -> tuple[MatchId, ...]:
    """Return the next matches that are over, whatever became of them, from the newest on.

    They are those of a server, or of all and practice, too, where it is None; those after `match_id`, if it is given.
    """
    query = select(_MATCH.id).where(_MATCH.status != MatchStatus.RUNNING)
    if guild_id is not None:
        query = query.where(_MATCH.guild_id == guild_id)
    if match_id is not None:
        query = query.where(_MATCH.id < match_id)
    return tuple((await transaction.execute(query.order_by(_MATCH.id.desc()).limit(most))).scalars())


async def deals(transaction: Transaction, match_ids: Collection[MatchId]) -> tuple[str, ...]:
    """Return the actions with which the deals of some matches began, in notation."""
    query = select(_ACTION.text).where(_ACTION.match_id.in_(match_ids), _ACTION.text.startswith("deal "))
    return tuple((await transaction.execute(query)).scalars())
