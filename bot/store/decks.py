"""Queries about the decks that were dealt in past matches."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import func, select

from bot.model.dealt_decks import CommittedMatches
from bot.model.fairness import Fairness
from bot.model.ids import GuildId, MatchId
from bot.model.matches import MatchStatus
from bot.store import tables
from bot.store.transaction import Transaction

_MATCH: Final = tables.match.c
_ACTION: Final = tables.action.c


async def ended_before(
    transaction: Transaction, guild_id: GuildId | None, match_id: MatchId, limit: int
) -> tuple[MatchId, ...]:
    """Return up to `limit` finished and cancelled matches with ids below `match_id`, newest first.

    If `guild_id` is None, include all servers and practice. Deals of the day are left out: they all have the same deck.
    """
    is_over = _MATCH.status != MatchStatus.RUNNING
    query = select(_MATCH.id).where(is_over, _MATCH.id < match_id, _MATCH.day.is_(None))
    if guild_id is not None:
        query = query.where(_MATCH.guild_id == guild_id)
    return tuple((await transaction.execute(query.order_by(_MATCH.id.desc()).limit(limit))).scalars())


async def deal_actions(transaction: Transaction, match_ids: Collection[MatchId]) -> tuple[str, ...]:
    """Return the deal actions of these matches, in notation."""
    query = select(_ACTION.text).where(_ACTION.match_id.in_(match_ids), _ACTION.text.startswith("deal "))
    return tuple((await transaction.execute(query)).scalars())


async def count_committed(transaction: Transaction, guild_id: GuildId | None) -> CommittedMatches:
    """Count the matches with a commitment, and the running and cancelled ones among them.

    If `guild_id` is None, count the matches of all servers and practice.
    """
    query = select(_MATCH.status, func.count().label("matches")).where(
        _MATCH.fairness.in_([Fairness.UNPOSTED, Fairness.VERIFIABLE]), _MATCH.day.is_(None)
    )
    if guild_id is not None:
        query = query.where(_MATCH.guild_id == guild_id)
    rows = await transaction.execute(query.group_by(_MATCH.status))
    counts: dict[MatchStatus, int] = {row.status: row.matches for row in rows}
    return CommittedMatches(
        sum(counts.values()), counts.get(MatchStatus.RUNNING, 0), counts.get(MatchStatus.CANCELLED, 0)
    )
