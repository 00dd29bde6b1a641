"""Invitations as the services hand them out."""

from __future__ import annotations

from bot.engine.rules import Rules
from bot.play.values import ChallengeStatus, Invitation, Player
from bot.store import people
from bot.store.database import Transaction
from bot.store.rows import ChallengeRow


async def invitation_of(transaction: Transaction, row: ChallengeRow) -> Invitation:
    """An invitation with the names of the people in it."""
    names = await people.names(transaction, {row.challenger_id, row.opponent_id or row.challenger_id})
    return Invitation(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        challenger=Player(row.challenger_id, names.get(row.challenger_id)),
        opponent=None if row.opponent_id is None else Player(row.opponent_id, names.get(row.opponent_id)),
        rules=Rules.parse(row.rules),
        status=ChallengeStatus(row.status),
        revision=row.revision,
        expires_at=row.expires_at,
        match_id=row.match_id,
    )
