"""Matches with an unreadable log. Nobody can move in them, so a single player or a manager can end them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.model.daily import end_of
from bot.model.ids import GuildId
from bot.model.matches import MatchInfo, MatchStatus
from bot.model.outbox import MessageKind
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.outbox.changes import posted_message
from bot.store import chains, matches, outbox
from bot.store.rows import MatchRow

_DELETED_KINDS: Final = (MessageKind.TABLE, MessageKind.HAND, MessageKind.PING)
"""The kinds of messages to delete when an unreadable match is called off. Messages about finished deals stay."""


async def call_off_damaged(unit: UnitOfWork, row: MatchRow) -> MatchInfo:
    """Call off a running match with an unreadable log, and delete its messages, which can no longer be updated.

    A try at the deal of a day ended on that day, because its person could not finish it.
    """
    info = row.info
    ended_at = unit.now if info.day is None else min(unit.now, end_of(info.day) - timedelta.resolution)
    for message in await outbox.of_match(unit.transaction, info.id):
        posted = posted_message(message)
        if posted is not None and message.kind in _DELETED_KINDS:
            await outbox.add_stale(unit.transaction, info.guild_id or GuildId(0), posted, unit.now)
        await outbox.remove(unit.transaction, message.id)
    await matches.cancel(unit.transaction, info.id, ended_at)
    await chains.delete_secrets(unit.transaction, info.id)
    unit.guilds_with_messages.add(info.guild_id)
    return replace(info, status=MatchStatus.CANCELLED, ended_at=ended_at, paused_at=None, vacant_seat=None)
