"""A process announces changes to the others, which react immediately instead of at their next poll."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Final

import pytest
from sqlalchemy import text

from bot.play.application import Application
from bot.play.loading.unit_of_work import LOOKS_AFTER, Units
from bot.play.outbox.offers import COUNTED_FOR
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.others import Announcement, News
from bot.values.shards import Shards, shard_of
from tests.helpers.clock import Clock
from tests.helpers.table import GUILD, NORTH, SOUTH, Players, interaction, place
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

SOON: Final = 60
"""Timeout for an announcement on a slow machine, in seconds; shorter than the interval between polls."""


@pytest.fixture
async def databases(url: str) -> AsyncIterator[tuple[Database, Database]]:
    """Open the database twice, as two processes do."""
    async with AsyncExitStack() as at_end:
        one, other = await open_database(url), await open_database(url)
        for database in (one, other):
            at_end.push_async_callback(database.close)
        yield one, other


@pytest.fixture
def clock() -> Clock:
    """Return the clock that both processes share."""
    return Clock()


@pytest.fixture
def app(databases: tuple[Database, Database], clock: Clock) -> Application:
    """Build the application of a process without the server's shard."""
    app = Application(databases[0], clock=clock)
    app.share.grant({1: clock()}, 2)
    app.connected.change(Shards.parse("1/2"))
    return app


@pytest.fixture
async def other(databases: tuple[Database, Database], clock: Clock) -> Units:
    """Return the units of another process that has the server's shard and is listening."""
    assert shard_of(GUILD, 2) == 0
    units = Units(databases[1], clock)
    units.share.grant({0: clock()}, 2)
    units.connected.change(Shards.parse("0/2"))
    await units.listen()
    return units


async def heard(event: asyncio.Event) -> None:
    """Wait for the event, but not until the next poll, and clear it."""
    await asyncio.wait_for(event.wait(), SOON)
    event.clear()


async def test_messages_and_times_are_announced(app: Application, other: Units, clock: Clock) -> None:
    """New messages are always announced, times only if they are due before the next poll."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), clock="2d")
    await heard(other.enqueued)
    _, match = await app.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    await heard(other.enqueued)
    assert not other.time_due.is_set()
    clock.pass_by(timedelta(days=2) - LOOKS_AFTER / 2)
    await app.endings.call_off((await Players(app).to_act(match.id)).id, match.id)
    await heard(other.time_due)


async def test_who_was_forgotten_stays_silent_everywhere(
    app: Application, other: Units, databases: tuple[Database, Database], clock: Clock
) -> None:
    """All processes silence a forgotten person's offers, although the announcement does not have their id."""
    told = list[Announcement | None]()
    await databases[0].others.listen(told.append)
    await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    await app.people.forget(NORTH.id)
    async with asyncio.timeout(SOON):
        while True:
            async with other.read() as unit:
                if (until := unit.silenced_until(NORTH.id)) is not None:
                    break
    assert until == clock() + COUNTED_FOR
    await eventually(lambda: News.SILENCED in [one.about for one in told if one is not None])
    assert NORTH.id not in [one.number for one in told if one is not None]


async def test_changes_of_shares_are_announced(other: Units, databases: tuple[Database, Database]) -> None:
    """An announcement about leases reaches the other processes, so that a restarted process gets its shards."""
    async with databases[0].write() as transaction:
        await databases[0].others.announce(transaction, Announcement(News.LEASES))
    await heard(other.leases_announced)


async def test_what_a_later_version_announces_makes_this_one_look_for_everything(
    other: Units, databases: tuple[Database, Database]
) -> None:
    """An unknown announcement, from a later version, makes a process look for everything."""
    async with databases[0].write() as transaction:
        await transaction.execute(text("SELECT pg_notify('deadwood', 'gossip 1 0')"))
    for event in (other.enqueued, other.time_due, other.leases_announced):
        await heard(event)
