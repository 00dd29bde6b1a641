"""Outages of servers stop the time of their matches and change nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.engine.moves import Move
from bot.play.application import Application
from bot.play.refusals import NoNudge, NudgeRefusal, TooSoon
from bot.store import tables
from bot.store.database import Database
from bot.values.ids import ChannelId, GuildId, MatchId
from bot.values.matches import MatchStatus, Reminder
from bot.values.outbox import MessageKind
from bot.values.shards import Shards
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, dm_of, interaction
from tests.play.matches.times import Times

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> Times:
    """Return the times of a bot whose shard has just connected."""
    await app.outages.beat([0], 1)
    return Times(app, database, clock)


async def status(app: Application, match_id: MatchId) -> MatchStatus:
    return (await app.lookup.info(match_id)).status


@pytest.mark.parametrize("limit", nightly_after(1, ["1d flag", "1m flag", "12h flag"]))
async def test_nobody_loses_in_an_outage(app: Application, times: Times, limit: str) -> None:
    """Time stops when the outage begins and continues after it."""
    match = await times.begin(limit)
    await times.pass_by(20 * SECOND)
    left = await times.left(match.id, NORTH)
    assert left is not None
    await app.guilds.became_unavailable(GUILD)
    for _ in range(5):
        await times.pass_by(3 * DAY)
        assert await times.left(match.id, NORTH) == left
    await app.guilds.joined(GUILD)
    await times.look()
    assert await times.left(match.id, NORTH) == left
    await times.pass_by(left - SECOND)
    assert await status(app, match.id) is MatchStatus.RUNNING
    await times.pass_by(10 * SECOND)
    assert await status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_an_outage_of_another_server_stops_nothing(app: Application, times: Times) -> None:
    """An outage stops the time of its own server only."""
    match = await times.begin("1d flag")
    await app.guilds.became_unavailable(OTHER_GUILD)
    await times.pass_by(DAY + MINUTE)
    assert await status(app, match.id) is MatchStatus.FINISHED


async def test_an_outage_that_is_reported_twice_began_the_first_time(app: Application, times: Times) -> None:
    """A second report of an outage has no effect, and neither has an end without a beginning."""
    match = await times.begin("1d")
    await app.guilds.joined(GUILD)
    await times.pass_by(HOUR)
    for report in (app.guilds.became_unavailable(GUILD), app.guilds.unavailable_only({GUILD})):
        await report
        await times.pass_by(5 * HOUR)
    await app.guilds.joined(GUILD)
    await app.guilds.joined(GUILD)
    assert await times.left(match.id, NORTH) == 23 * HOUR


@pytest.mark.nightly
async def test_the_time_is_said_to_stand_still(app: Application, times: Times) -> None:
    """During an outage, table and hand show the remaining time but no end; afterwards the end has moved."""
    match = await times.begin("1d")
    await times.pass_by(HOUR)
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(HOUR)
    for shown in (
        (await app.lookup.table(match.id)).times[match.seat_of(NORTH.id)],  # type: ignore[index]
        (await app.lookup.hand(SOUTH.id, match.id)).times[match.seat_of(NORTH.id)],  # type: ignore[index]
    ):
        assert (shown.left, shown.ends_at, shown.cut_off) == (23 * HOUR, None, True)
    await app.guilds.joined(GUILD)
    shown = (await app.lookup.table(match.id)).times[match.seat_of(NORTH.id)]  # type: ignore[index]
    assert (shown.left, shown.ends_at, shown.cut_off) == (23 * HOUR, times.clock.now + 23 * HOUR, False)


async def test_an_outage_is_quiet(app: Application, times: Times, courier: FakeCourier) -> None:
    """An outage changes no message and delays the reminder."""
    await Players(app).reach(NORTH, SOUTH)
    await times.begin("2d")
    await times.pass_by(DAY)
    await courier.deliver()
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(DAY)
    await times.pass_by(9 * DAY)
    await app.guilds.joined(GUILD)
    await times.look()
    await times.pass_by(11 * HOUR)
    assert await courier.deliver() == []
    await times.pass_by(HOUR)
    await courier.deliver()
    found = [one.shown.content for one in courier.of(MessageKind.REMINDER, dm_of(NORTH))]
    assert [isinstance(one, Reminder) for one in found] == [True]


@pytest.mark.parametrize("used_up_before", nightly_after(1, [True, False]))
async def test_nobody_is_claimed_or_nudged_in_an_outage(app: Application, times: Times, used_up_before: bool) -> None:
    """During an outage nobody can be claimed against or nudged, even if their time ran out before it."""
    match = await times.begin("1d")
    await times.pass_by(DAY if used_up_before else HOUR)
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim is used_up_before
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(3 * DAY)
    assert not (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    with pytest.raises(TooSoon) as too_soon:
        await app.endings.claim(SOUTH.id, match.id, interaction())
    assert too_soon.value.time is not None
    assert too_soon.value.time.ends_at is None
    with pytest.raises(NoNudge) as no_nudge:
        await app.times.nudge(SOUTH.id, match.id)
    assert no_nudge.value.reason is NudgeRefusal.AWAY
    await app.endings.call_off(SOUTH.id, match.id)
    assert await status(app, match.id) is MatchStatus.RUNNING
    await app.guilds.joined(GUILD)
    await times.look()
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim is used_up_before


@pytest.mark.parametrize("limit", nightly_after(1, ["10m+20s flag", "1d flag", "none"]))
async def test_moves_count_in_an_outage(app: Application, times: Times, limit: str) -> None:
    """Players can move by direct message during an outage, and no time runs, not even for new turns."""
    match = await times.begin(limit)
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(2 * DAY)
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(20 * DAY)
    left = await times.left(match.id, SOUTH)
    assert left == match.clock.full
    await app.turns.move(SOUTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(20 * DAY)
    assert await status(app, match.id) is MatchStatus.RUNNING
    await app.guilds.joined(GUILD)
    await times.look()
    north = await times.left(match.id, NORTH)
    assert north is not None
    assert north >= match.clock.full
    await times.pass_by(north - SECOND)
    assert await status(app, match.id) is MatchStatus.RUNNING
    if match.clock.flags:
        await times.pass_by(10 * SECOND)
        assert await status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_a_match_that_begins_in_an_outage_waits_for_its_end(app: Application, times: Times) -> None:
    """The time of a match that begins during an outage starts when the server is available again."""
    await app.guilds.became_unavailable(GUILD)
    match = await times.begin("12h flag", channel_id=ChannelId(CHANNEL + 1))
    await times.pass_by(9 * DAY)
    assert await times.left(match.id, NORTH) == 12 * HOUR
    await app.guilds.joined(GUILD)
    await times.pass_by(12 * HOUR - MINUTE)
    assert await status(app, match.id) is MatchStatus.RUNNING
    await times.pass_by(2 * MINUTE)
    assert await status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_an_outage_outlives_the_process(app: Application, times: Times) -> None:
    """An outage continues across restarts; the time of the outage and of the downtime counts once."""
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(5 * HOUR)
    times.clock.pass_by(5 * HOUR)
    again = Times(Application(times.database, clock=times.clock), times.database, times.clock)
    await again.app.guilds.joined_only({GUILD})
    await again.app.guilds.unavailable_only({GUILD})
    await again.app.outages.beat([0], 1, newly=[0])
    await again.pass_by(5 * HOUR)
    assert await again.left(match.id, NORTH) == 23 * HOUR
    await again.app.guilds.joined(GUILD)
    await again.pass_by(HOUR)
    assert await again.left(match.id, NORTH) == 22 * HOUR
    # This outage ends while no process is running.
    await again.app.guilds.became_unavailable(GUILD)
    await again.pass_by(HOUR)
    times.clock.pass_by(9 * DAY)
    last = Times(Application(times.database, clock=times.clock), times.database, times.clock)
    await last.app.guilds.joined_only({GUILD})
    await last.app.guilds.unavailable_only(set())
    await last.app.outages.beat([0], 1, newly=[0])
    assert await last.left(match.id, NORTH) == 22 * HOUR
    await last.pass_by(22 * HOUR + MINUTE)
    assert await status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_an_outage_may_begin_and_end_within_one_of_the_shard(app: Application, times: Times) -> None:
    """An outage and downtime that overlap count once."""
    match = await times.begin("2d flag")
    await times.pass_by(HOUR)
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(HOUR)
    times.clock.pass_by(HOUR)
    await app.guilds.joined(GUILD)
    times.clock.pass_by(HOUR)
    await app.outages.beat([0], 1, newly=[0])
    assert await times.left(match.id, NORTH) == 47 * HOUR
    await times.pass_by(HOUR)
    times.clock.pass_by(HOUR)
    await app.guilds.became_unavailable(GUILD)
    times.clock.pass_by(HOUR)
    await app.outages.beat([0], 1, newly=[0])
    await times.pass_by(HOUR)
    await app.guilds.joined(GUILD)
    assert await times.left(match.id, NORTH) == 46 * HOUR


async def test_a_server_may_remove_the_bot_in_an_outage(app: Application, times: Times, clock: Clock) -> None:
    """After an outage and a removal of the bot, time starts again only when the bot is back and the server available.

    A server that removed the bot during an outage is purged after thirty days.
    """
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    await app.guilds.became_unavailable(GUILD)
    await times.pass_by(HOUR)
    await app.guilds.left(GUILD)
    await times.pass_by(2 * DAY)
    await app.guilds.joined(GUILD)
    assert await times.left(match.id, NORTH) == 23 * HOUR
    await times.pass_by(HOUR)
    assert await times.left(match.id, NORTH) == 22 * HOUR
    await app.guilds.left(GUILD)
    await times.pass_by(HOUR)
    # READY lists the server again, but no GUILD_CREATE follows.
    await app.guilds.joined_only({GUILD})
    await app.guilds.unavailable_only({GUILD})
    await times.pass_by(HOUR)
    assert await times.left(match.id, NORTH) == 22 * HOUR
    await app.guilds.joined(GUILD)
    assert await times.left(match.id, NORTH) == 22 * HOUR
    await app.guilds.became_unavailable(GUILD)
    await app.guilds.joined_only(set())
    clock.pass_by(31 * DAY)
    await app.guilds.purge()
    assert await fetch(times.database, select(tables.match.c.id)) == []


async def test_an_unavailable_server_keeps_everything(app: Application, times: Times, clock: Clock) -> None:
    """A long outage purges nothing, and moves are still accepted."""
    match = await times.begin("none")
    await app.guilds.became_unavailable(GUILD)
    clock.pass_by(90 * DAY)
    await app.guilds.purge()
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    assert await status(app, match.id) is MatchStatus.RUNNING


async def test_only_the_outages_of_own_shards_end(app: Application, times: Times) -> None:
    """A shard that starts ends only the outages of its own servers."""
    match = await times.begin("1d")
    own, other = (GUILD >> 22) % 2, 1 - (GUILD >> 22) % 2
    elsewhere = GuildId((((GUILD >> 22) + 1) << 22) + 7)
    await app.guilds.unavailable_only({GUILD, elsewhere})
    await app.guilds.unavailable_only(set(), Shards(frozenset({other}), 2))
    await times.pass_by(HOUR)
    assert await times.left(match.id, NORTH) == DAY
    query = select(tables.guild.c.id).where(tables.guild.c.unavailable_since.is_not(None))
    assert await fetch(times.database, query) == [(GUILD,)]
    await app.guilds.unavailable_only(set(), Shards(frozenset({own}), 2))
    assert await fetch(times.database, query) == []
    await times.pass_by(HOUR)
    assert await times.left(match.id, NORTH) == 23 * HOUR


@pytest.mark.nightly
async def test_a_clock_that_was_ahead_stops_no_time_for_good(app: Application, times: Times, clock: Clock) -> None:
    """An outage with a start in the future counts from the correction of the clock."""
    match = await times.begin("1d")
    clock.pass_by(DAY)
    await app.guilds.became_unavailable(GUILD)
    clock.pass_by(-DAY)
    await app.moments.repair()
    await app.outages.beat([0], 1)
    await times.pass_by(HOUR)
    await app.guilds.joined(GUILD)
    assert await times.left(match.id, NORTH) == DAY
    await times.pass_by(HOUR)
    assert await times.left(match.id, NORTH) == 23 * HOUR
