"""Opening direct message channels: when the bot may try."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.model.ids import PersonId
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import key_values, people
from bot.store.rows import PersonRow

DM_RETRY_INTERVAL: Final = timedelta(days=1)
"""Time after which closed direct messages are tried again at the person's next interaction."""
OPENING_PAUSE: Final = timedelta(hours=1)
"""Time without opening direct message channels after Discord refused because the bot opened too many."""
REFUSED_AT: Final = "direct messages refused"
"""The key for the stored time at which Discord last refused because the bot had opened too many channels."""


@dataclass(frozen=True, slots=True)
class DmState:
    """Whether a direct message channel to a person may be opened now, and whether the person is known.

    The channel may be opened if they want direct messages, and either no channel is known or the last refusal was at
    least `DM_RETRY_INTERVAL` ago, unless the bot must pause. It can only be saved for a person who is known.
    """

    may_open: bool
    is_known: bool


async def dm_state(unit: UnitOfWork, person_id: PersonId) -> DmState:
    """Return whether a channel to a person may be opened now."""
    row = await people.load(unit.transaction, person_id)
    return DmState(_is_wanted(row, unit.now) and not await must_pause(unit), row is not None)


def _is_wanted(row: PersonRow | None, now: datetime) -> bool:
    if row is None:
        return True
    if not row.preferences.hand_by_dm:
        return False
    if row.dm_closed_at is not None:
        # If the time of the refusal lies in the future, the clock was wrong, so the age of the refusal is unknown.
        return not timedelta() <= now - row.dm_closed_at < DM_RETRY_INTERVAL
    return row.dm_channel_id is None


async def must_pause(unit: UnitOfWork) -> bool:
    """Return True if Discord recently refused because the bot had opened too many channels.

    The time of the refusal is stored, because Discord's limit applies to all processes and survives restarts.
    """
    refused_at = await key_values.load(unit.transaction, REFUSED_AT)
    # If the clock was set back, the pause ends early rather than late.
    return refused_at is not None and timedelta() <= unit.now - datetime.fromisoformat(refused_at) < OPENING_PAUSE
