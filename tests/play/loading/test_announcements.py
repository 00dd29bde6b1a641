"""A process announces changes to other processes, which react immediately instead of at their next poll."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Final

import pytest
from sqlalchemy import text

from bot.model.shards import Shards, shard_of
from bot.play.application import Application
from bot.play.loading.unit_of_work import MAX_CHECK_INTERVAL, Units
from bot.play.outbox.offers import PING_PERIOD
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.others import Announcement, AnnouncementTopic
from tests.helpers.clock import Clock
from tests.helpers.table import GUILD, NORTH, SOUTH, Players, interaction, place
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

ANNOUNCEMENT_TIMEOUT: Final = 60
"""Timeout for an announcement, in seconds: enough for a slow machine, but shorter than the time between polls."""


@pytest.fixture
async def databases(url: str) -> AsyncIterator[tuple[Database, Database]]:
    """Open the database twice, as two processes do."""
    async with AsyncExitStack() as stack:
        one, other = await open_database(url), await open_database(url)
        for database in (one, other):
            stack.push_async_callback(database.close)
        yield one, other


@pytest.fixture
def clock() -> Clock:
    """Return the clock that both processes share."""
    return Clock()


@pytest.fixture
def app(databases: tuple[Database, Database], clock: Clock) -> Application:
    """Build the application of a process that does not work for the server's shard."""
    app = Application(databases[0], clock=clock)
    app.share.grant({1: clock()}, 2)
    app.connected.change(Shards.parse("1/2"))
    return app


@pytest.fixture
async def other(databases: tuple[Database, Database], clock: Clock) -> Units:
    """Return the units of work of another process, which has the server's shard and listens for announcements."""
    assert shard_of(GUILD, 2) == 0
    units = Units(databases[1], clock)
    units.share.grant({0: clock()}, 2)
    units.connected.change(Shards.parse("0/2"))
    await units.listen()
    return units


async def wait_and_clear(event: asyncio.Event) -> None:
    """Wait for the event, with a timeout that ends before the next poll, and clear it."""
    await asyncio.wait_for(event.wait(), ANNOUNCEMENT_TIMEOUT)
    event.clear()


async def test_messages_and_times_are_announced(app: Application, other: Units, clock: Clock) -> None:
    """New messages are always announced, deadlines only if they are due before the next poll."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), clock="2d")
    await wait_and_clear(other.enqueued)
    _, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    await wait_and_clear(other.enqueued)
    assert not other.time_due.is_set()
    clock.pass_by(timedelta(days=2) - MAX_CHECK_INTERVAL / 2)
    await app.endings.call_off((await Players(app).to_act(match.id)).id, match.id)
    await wait_and_clear(other.time_due)


async def test_all_processes_silence_a_forgotten_person(
    app: Application, other: Units, databases: tuple[Database, Database], clock: Clock
) -> None:
    """For a while after a person is forgotten, no process notifies anybody of the person's offers.

    The announcement to the other processes does not contain the person's id.
    """
    announcements = list[Announcement | None]()
    await databases[0].others.listen(announcements.append)
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.people.forget(NORTH.id)
    async with asyncio.timeout(ANNOUNCEMENT_TIMEOUT):
        while True:
            async with other.read() as unit:
                if (silenced_until := unit.silenced_until(NORTH.id)) is not None:
                    break
    assert silenced_until == clock() + PING_PERIOD
    await eventually(
        lambda: (
            AnnouncementTopic.SILENCED
            in [announcement.topic for announcement in announcements if announcement is not None]
        )
    )
    assert NORTH.id not in [announcement.number for announcement in announcements if announcement is not None]


async def test_changed_leases_are_announced(other: Units, databases: tuple[Database, Database]) -> None:
    """An announcement about leases reaches the other processes, so that a restarted process gets its shards."""
    async with databases[0].write() as transaction:
        await databases[0].others.announce(transaction, Announcement(AnnouncementTopic.LEASES))
    await wait_and_clear(other.leases_announced)


async def test_an_unknown_announcement_triggers_every_event(other: Units, databases: tuple[Database, Database]) -> None:
    """An unknown announcement, for example from a later version, makes a process check everything."""
    async with databases[0].write() as transaction:
        await transaction.execute(text("SELECT pg_notify('deadwood', 'gossip 1 0')"))
    for event in (other.enqueued, other.time_due, other.leases_announced):
        await wait_and_clear(event)
