"""Counts for the operator's metrics."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.play.outbox.outbox import Failed
from bot.store.outbox import FAILING_ATTEMPTS
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import GUILD, Players

pytestmark = pytest.mark.both_databases


async def test_backlog_counts_undelivered_messages(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """The backlog's age is the age of the oldest overdue attempt; after delivery the backlog is empty."""
    await players.begin()
    clock.pass_by(timedelta(minutes=7))
    backlog = await app.census.backlog()
    assert (backlog.due, backlog.overdue, backlog.failing) == (len(await courier.due()), 420.0, 0)
    await courier.deliver()
    backlog = await app.census.backlog()
    assert (backlog.due, backlog.overdue, backlog.failing) == (0, 0.0, 0)


async def test_messages_that_failed_repeatedly_are_counted_separately(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """Messages that failed repeatedly are counted separately, and are not overdue before their next attempt."""
    await players.begin()
    clock.pass_by(timedelta(minutes=10))
    failing: list[int] = []
    for _ in range(FAILING_ATTEMPTS):
        await app.outbox.record([Failed(message, "50013", timedelta(minutes=10)) for message in await courier.due()])
        backlog = await app.census.backlog()
        assert (backlog.due, backlog.overdue) == (0, 0.0)
        failing.append(backlog.failing)
        clock.pass_by(timedelta(minutes=10))
    assert failing[:-1] == [0] * (FAILING_ATTEMPTS - 1)
    assert failing[-1] == len(await courier.due()) > 0


async def test_backlog_excludes_servers_without_the_bot(app: Application, players: Players, clock: Clock) -> None:
    """Messages for a server that removed the bot are not in the backlog until the bot is back."""
    await players.begin()
    await app.guilds.save_left(GUILD)
    clock.pass_by(timedelta(days=1))
    backlog = await app.census.backlog()
    assert (backlog.due, backlog.overdue, backlog.failing) == (0, 0.0, 0)
    await app.guilds.save_joined(GUILD)
    assert (await app.census.backlog()).due > 0


async def test_open_matches_are_counted(app: Application, players: Players) -> None:
    """Each open match counts once."""
    assert await app.census.open_matches() == 0
    await players.begin()
    assert await app.census.open_matches() == 1
