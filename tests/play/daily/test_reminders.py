"""Reminders of the deal of the day: once for each deal, in the hour that the person chose."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from bot.model.daily import day_at
from bot.model.daily_reminders import DailyReminder
from bot.model.ids import PersonId
from bot.model.outbox import MessageKind
from bot.model.people import Person, QuietHours
from bot.play.application import Application
from bot.play.daily import reminders
from bot.play.outbox.outbox import Failed, WasPosted
from bot.store import tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.daily_players import DailyPlayers
from tests.helpers.databases import fetch
from tests.helpers.messages import DeliveredMessage, FakeCourier
from tests.helpers.table import GUILD, NORTH, SOUTH, Players, dm_of, interaction, prefer
from tests.helpers.thinkers import LocalThinker

HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
KIND = MessageKind.DAILY_REMINDER


@pytest.fixture
def clock() -> Clock:
    """Return a clock that is a minute before the hour of the reminders."""
    clock = Clock()
    clock.now = datetime(2026, 11, 21, 17, 59, tzinfo=UTC)
    return clock


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    return Application(database, thinker=LocalThinker(), clock=clock)


async def ask_for_reminders(app: Application, *people: Person, hour: int = 18) -> None:
    """Have people with an open direct message channel ask to be reminded at an hour in UTC."""
    for person in people:
        await Players(app).open_dms(person)
        await prefer(app, person, daily_hour=hour)


async def remind(app: Application, courier: FakeCourier, clock: Clock) -> list[DeliveredMessage]:
    """Request the reminders that are due, let a minute pass, and deliver them. Return all reminders that are there."""
    await app.daily_reminders.request_due()
    clock.pass_by(MINUTE)
    await courier.deliver()
    return courier.of_kind(KIND)


async def start(app: Application, person: Person = NORTH) -> None:
    await app.daily_tries.start(person, GUILD, interaction())


@pytest.mark.both_databases
async def test_a_reminder_comes_once_a_day(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """A reminder comes in the chosen hour and notifies the person; the next day's one replaces it."""
    await ask_for_reminders(app, NORTH)
    assert await remind(app, courier, clock) == []
    (first,) = await remind(app, courier, clock)
    assert (first.channel_id, first.notifies) == (dm_of(NORTH), True)
    assert first.shown.content == DailyReminder(NORTH.id, day_at(clock.now), streak=0)
    for _ in range(3):
        clock.pass_by(10 * MINUTE)
        assert await remind(app, courier, clock) == [first]
        assert courier.log == []
    clock.pass_by(DAY - 30 * MINUTE)
    (second,) = await remind(app, courier, clock)
    assert second.id != first.id
    assert second.shown.content == DailyReminder(NORTH.id, day_at(clock.now), streak=0)
    assert second.notifies


@pytest.mark.parametrize(("late", "comes"), [(40 * MINUTE, True), (HOUR, False), (4 * HOUR, False)])
async def test_a_reminder_is_not_late(
    app: Application, courier: FakeCourier, clock: Clock, late: timedelta, comes: bool
) -> None:
    """After an outage of minutes, the reminder still comes in its hour; after hours, it does not."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE + late)
    assert bool(await remind(app, courier, clock)) is comes


WITHOUT_REMINDER: dict[str, Callable[[Application], Awaitable[object]]] = {
    "switched off": lambda app: prefer(app, NORTH, daily_hour=None),
    "at another hour": lambda app: prefer(app, NORTH, daily_hour=19),
    "direct messages closed": lambda app: app.people.save_dm_closed(NORTH.id),
    "quiet hours": lambda app: prefer(app, NORTH, quiet=QuietHours("UTC", 17 * 60, 20 * 60)),
    "on holiday": lambda app: app.holidays.take(NORTH, 1),
    "no deal today": lambda app: app.restoring.call_off(),
}
"""The events after which a person gets no reminder."""


@pytest.mark.parametrize("why", WITHOUT_REMINDER)
async def test_an_unwanted_reminder_does_not_come(
    app: Application, courier: FakeCourier, clock: Clock, why: str
) -> None:
    """No reminder is requested for people who do not want it now."""
    await ask_for_reminders(app, NORTH)
    await app.daily_tries.today(SOUTH.id)
    await WITHOUT_REMINDER[why](app)
    clock.pass_by(MINUTE)
    assert await remind(app, courier, clock) == []


@pytest.mark.parametrize("why", [why for why in WITHOUT_REMINDER if why != "at another hour"])
async def test_a_reminder_that_was_not_sent_is_dropped(
    app: Application, courier: FakeCourier, clock: Clock, why: str
) -> None:
    """A requested reminder that is no longer wanted is not sent, and not sent later either."""
    await ask_for_reminders(app, NORTH)
    await app.daily_tries.today(SOUTH.id)
    clock.pass_by(MINUTE)
    await app.daily_reminders.request_due()
    await WITHOUT_REMINDER[why](app)
    assert ("post", KIND) not in await courier.deliver()
    assert await remind(app, courier, clock) == []


async def test_a_reminder_that_was_not_sent_is_dropped_when_the_try_begins(
    app: Application, courier: FakeCourier, clock: Clock
) -> None:
    """A requested reminder is not sent to a person who has begun to play in the meantime."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    await app.daily_reminders.request_due()
    await start(app)
    assert ("post", KIND) not in await courier.deliver()
    assert await remind(app, courier, clock) == []


async def test_an_unfinished_try_is_reminded_of(daily_players: DailyPlayers, clock: Clock) -> None:
    """A person who has begun, but not finished, gets a reminder that says so. It vanishes when they finish."""
    app, courier = daily_players.app, FakeCourier(daily_players.app)
    await ask_for_reminders(app, NORTH)
    await daily_players.begin()
    clock.pass_by(MINUTE)
    (reminder,) = await remind(app, courier, clock)
    assert reminder.shown.content == DailyReminder(NORTH.id, day_at(clock.now), streak=0, has_begun=True)
    await daily_players.finish()
    await courier.deliver()
    assert courier.of_kind(KIND) == []


async def test_a_finished_try_is_not_reminded_of(daily_players: DailyPlayers, clock: Clock) -> None:
    """A person who has finished today's deal gets no reminder."""
    await ask_for_reminders(daily_players.app, NORTH)
    await daily_players.finish()
    clock.pass_by(MINUTE)
    assert await remind(daily_players.app, FakeCourier(daily_players.app), clock) == []


async def test_without_a_conversation_no_reminder_comes(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """A person without an open direct message channel is not reminded until there is one."""
    await prefer(app, NORTH, daily_hour=18)
    clock.pass_by(MINUTE)
    assert await remind(app, courier, clock) == []
    await Players(app).open_dms(NORTH)
    assert len(await remind(app, courier, clock)) == 1


async def test_people_without_hands_by_direct_message_are_reminded(
    app: Application, courier: FakeCourier, clock: Clock
) -> None:
    """A person who gets no hands and notifications by direct message can still be reminded there."""
    await ask_for_reminders(app, NORTH)
    await prefer(app, NORTH, hand_by_dm=False)
    clock.pass_by(MINUTE)
    assert len(await remind(app, courier, clock)) == 1


async def test_the_hour_is_in_the_persons_time_zone(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """Each person is reminded at the hour of their own time zone."""
    await ask_for_reminders(app, NORTH, SOUTH)
    await prefer(app, NORTH, quiet=QuietHours("Europe/Paris"))
    await prefer(app, SOUTH, quiet=QuietHours("Europe/London"))
    clock.pass_by(MINUTE - HOUR)
    assert [message.shown.person_id for message in await remind(app, courier, clock)] == [NORTH.id]
    clock.pass_by(HOUR)
    assert [message.shown.person_id for message in await remind(app, courier, clock)] == [NORTH.id, SOUTH.id]


async def test_a_reminder_has_the_streak(daily_players: DailyPlayers, clock: Clock) -> None:
    """A reminder has the length of the streak that today's deal continues."""
    for _ in range(2):
        await daily_players.finish()
        await daily_players.run()
    await ask_for_reminders(daily_players.app, NORTH)
    clock.pass_by(MINUTE)
    (reminder,) = await remind(daily_players.app, FakeCourier(daily_players.app), clock)
    assert reminder.shown.content == DailyReminder(NORTH.id, day_at(clock.now), streak=2)


async def test_a_reminder_vanishes_when_the_try_begins(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """A reminder is deleted once its person plays, even if it is one of an earlier day."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    for wait in (timedelta(), DAY - HOUR):
        assert len(await remind(app, courier, clock)) == 1
        clock.pass_by(wait)
        await start(app)
        await courier.deliver()
        assert courier.of_kind(KIND) == []
        clock.pass_by(DAY - wait - MINUTE)


async def test_a_reminder_is_not_retried_after_its_hour(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """A reminder whose delivery fails is retried for an hour, and then dropped."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    await app.daily_reminders.request_due()
    for _ in range(6):
        (message,) = await courier.due()
        assert message.content is not None
        await app.outbox.record([Failed(message, "503", 10 * MINUTE)])
        clock.pass_by(10 * MINUTE)
    (message,) = await courier.due()
    assert message.content is None
    await courier.deliver()
    assert courier.of_kind(KIND) == []


async def test_reminders_are_paced(
    app: Application, courier: FakeCourier, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few reminders wait at a time, with pauses between them; once they are delivered, others follow."""
    monkeypatch.setattr(reminders, "MAX_WAITING", 3)
    people = [Person(PersonId(NORTH.id + 100 + number), f"Person {number}") for number in range(5)]
    await ask_for_reminders(app, *people)
    clock.pass_by(MINUTE)
    for _ in range(2):
        await app.daily_reminders.request_due()
        assert len(await courier.due()) == 1
        assert (await app.outbox.work()).next_due == clock.now + reminders.REMINDER_INTERVAL
    match = await Players(app).begin()
    kinds = [message.kind for message in await courier.due()]
    assert kinds.count(KIND) == 1
    assert MessageKind.TABLE in kinds
    assert len(await remind(app, courier, clock)) == 3
    assert len(await remind(app, courier, clock)) == 5
    assert {message.shown.person_id for message in courier.of_kind(KIND)} == {person.id for person in people}
    assert (await app.lookup.info(match.id)).id == match.id


async def test_a_refusal_stops_the_reminders(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """After Discord refused a direct message, reminders are switched off, even if later messages would arrive."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    await app.daily_reminders.request_due()
    await app.outbox.save_dm_refused(NORTH.id)
    assert (await app.people.preferences(NORTH.id)).daily_hour is None
    await Players(app).open_dms(NORTH)
    assert await remind(app, courier, clock) == []
    clock.pass_by(DAY - MINUTE)
    assert await remind(app, courier, clock) == []


async def test_a_wrong_clock_causes_one_reminder_at_most(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """If the clock jumps ahead and back, no deal has two reminders, and they come again from the next day on."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    (first,) = await remind(app, courier, clock)
    clock.pass_by(400 * DAY)
    (ahead,) = await remind(app, courier, clock)
    assert ahead.id != first.id
    clock.pass_by(-400 * DAY)
    await app.time_repair.repair()
    assert await remind(app, courier, clock) == [ahead]
    clock.pass_by(DAY)
    (next_day,) = await remind(app, courier, clock)
    assert next_day.id != ahead.id


@pytest.mark.both_databases
async def test_two_processes_remind_once(
    app: Application, database: Database, courier: FakeCourier, clock: Clock
) -> None:
    """If two processes request the same reminders at the same time, each person gets one."""
    await ask_for_reminders(app, NORTH, SOUTH)
    clock.pass_by(MINUTE)
    others = [Application(database, clock=clock) for _ in range(3)]
    await asyncio.gather(*(process.daily_reminders.request_due() for process in (app, *others)))
    rows = await fetch(database, select(tables.outbox_message.c.wanted_revision))
    assert rows == [(1,), (1,)]
    assert len(await remind(app, courier, clock)) == 2


@pytest.mark.parametrize("is_posted", [False, True])
async def test_a_reminder_survives_a_kill(
    app: Application, database: Database, courier: FakeCourier, clock: Clock, is_posted: bool
) -> None:
    """If the process dies after the request or after an unrecorded post, the next one sends the reminder once."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    await app.daily_reminders.request_due()
    if is_posted:
        (message,) = await courier.due()
        assert isinstance(courier.send(message), WasPosted)
    clock.pass_by(MINUTE)
    courier.app = Application(database, clock=clock)
    assert len(await remind(courier.app, courier, clock)) == 1
    assert len(courier.nonces) == 1


async def test_forgetting_deletes_the_reminder(
    app: Application, database: Database, courier: FakeCourier, clock: Clock
) -> None:
    """Forgetting a person deletes their reminder and its row."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    assert len(await remind(app, courier, clock)) == 1
    await app.people.forget(NORTH.id)
    await courier.deliver()
    assert courier.of_kind(KIND) == []
    assert await fetch(database, select(tables.outbox_message.c.id)) == []
    clock.pass_by(DAY - MINUTE)
    assert await remind(app, courier, clock) == []


async def test_an_export_has_the_reminder(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """An export has the hour of the reminder, and the time of the last one."""
    await ask_for_reminders(app, NORTH)
    clock.pass_by(MINUTE)
    reminded_at = clock.now
    await remind(app, courier, clock)
    person = (await app.exports.export(NORTH.id))["person"]
    assert (person["daily_hour"], person["daily_reminded"]) == (18, reminded_at.isoformat())
