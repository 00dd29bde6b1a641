"""The message that reminds a person of the deal of the day."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.model.daily import day_at
from bot.model.daily_reminders import DailyReminder
from bot.model.ids import PersonId
from bot.model.outbox import MessageKind
from bot.play.clocks.quiet_hours import quiet_at
from bot.play.loading.daily_streaks import streaks_of
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import daily, matches, outbox
from bot.store.rows import PersonRow

REMINDER_LIFETIME: Final = timedelta(hours=1)
"""Time after which a reminder that could not be delivered is dropped."""


async def daily_reminder(unit: UnitOfWork, person: PersonRow) -> DailyReminder | None:
    """Return a person's reminder of today's deal; None if it is too old or unwanted, or if they have finished."""
    today, reminded_at = day_at(unit.now), person.daily_reminded_at
    if reminded_at is None or day_at(reminded_at) != today or unit.now - reminded_at >= REMINDER_LIFETIME:
        return None
    preferences = person.preferences
    if preferences.daily_hour is None or quiet_at(unit.now, preferences.quiet) or person.is_away(unit.now):
        return None
    own = await daily.find_try(unit.transaction, today, person.id)
    if await daily.is_over(unit.transaction, today) or (own is not None and own.is_over):
        return None
    row = None if own is None else await matches.load(unit.transaction, own.match_id)
    if row is not None and row.info.started_at >= reminded_at:
        # The person has begun since they were reminded.
        return None
    streaks = await streaks_of(unit.transaction, [person.id], today)
    return DailyReminder(person.id, today, streaks[person.id].current, has_begun=own is not None)


async def withdraw_daily_reminder(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request the deletion of a person's reminder, because they have begun or finished their try."""
    if await outbox.find(unit.transaction, MessageKind.DAILY_REMINDER, person_id) is not None:
        await outbox.request_edit(unit.transaction, MessageKind.DAILY_REMINDER, person_id, unit.now)
        unit.guilds_with_messages.add(None)
