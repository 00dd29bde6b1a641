"""Reminders of the deal of the day, for people who want one at an hour of their day."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.model.daily import day_at
from bot.model.ids import PersonId
from bot.model.outbox import MessageKind
from bot.play.clocks.daily_hours import has_come
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.store import daily, daily_reminders, outbox, people
from bot.store.database import Lane

MAX_WAITING: Final = 60
"""Maximum number of reminders that wait for delivery, so that other messages are not late."""
REMINDER_INTERVAL: Final = timedelta(seconds=1)
"""Time between two reminders."""


class DailyReminders(Service):
    """Reminds people of the deal of the day."""

    async def request_due(self) -> None:
        """Request the reminders that are due now, at most `MAX_WAITING`.

        A person is reminded at most once of each deal, and only during the hour that they chose.
        """
        # Read first: even an empty write transaction blocks other writers.
        async with self._units.read(Lane.BACKGROUND) as unit:
            is_anybody_due = bool(await _due(unit))
        if is_anybody_due:
            await self._request()

    @shielded
    async def _request(self) -> None:
        async with self._units.write() as unit:
            person_ids = await _due(unit)
            if not person_ids:
                return
            people.touch(unit.transaction, person_ids)
            await daily_reminders.save(unit.transaction, person_ids, unit.now)
            due_at: dict[int, datetime] = {
                person_id: unit.now + number * REMINDER_INTERVAL for number, person_id in enumerate(person_ids)
            }
            await outbox.request_reposts(unit.transaction, MessageKind.DAILY_REMINDER, due_at)
            unit.guilds_with_messages.add(None)


async def _due(unit: UnitOfWork) -> tuple[PersonId, ...]:
    """Return the people to remind now, as many as may wait for their reminders."""
    today = day_at(unit.now)
    times = [time for time in await daily_reminders.times(unit.transaction) if has_come(time, unit.now)]
    if not times or await daily.is_over(unit.transaction, today):
        return ()
    room = max(0, MAX_WAITING - await outbox.undelivered(unit.transaction, MessageKind.DAILY_REMINDER))
    return await daily_reminders.due(unit.transaction, times, today, unit.now, room)
