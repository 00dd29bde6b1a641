"""While a server is unavailable, time stands still in its matches, and nothing else changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.engine.deals.moves import Move
from bot.model.ids import ChannelId, GuildId, MatchId
from bot.model.matches import MatchStatus, Reminder
from bot.model.outbox import MessageKind
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.refusals import NoNudge, NudgeRefusal, TooSoon
from bot.store import tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, dm_of, interaction
from tests.play.matches.times import ClockDriver

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> ClockDriver:
    """Connect the application's shard, and return a helper that lets time pass."""
    await app.outages.beat([0], 1)
    return ClockDriver(app, database, clock)


async def match_status(app: Application, match_id: MatchId) -> MatchStatus:
    return (await app.lookup.info(match_id)).status


@pytest.mark.parametrize("limit", nightly_after(1, ["1d flag", "1m flag", "12h flag"]))
async def test_time_stops_during_an_outage(app: Application, times: ClockDriver, limit: str) -> None:
    """Time stops when the outage begins and continues after it."""
    match = await times.begin(limit)
    await times.pass_by(20 * SECOND)
    left = await times.time_left(match.id, NORTH)
    assert left is not None
    await app.guilds.save_unavailable(GUILD)
    for _ in range(5):
        await times.pass_by(3 * DAY)
        assert await times.time_left(match.id, NORTH) == left
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    assert await times.time_left(match.id, NORTH) == left
    await times.pass_by(left - SECOND)
    assert await match_status(app, match.id) is MatchStatus.RUNNING
    await times.pass_by(10 * SECOND)
    assert await match_status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_an_outage_of_another_server_stops_nothing(app: Application, times: ClockDriver) -> None:
    """An outage stops the time of its own server only."""
    match = await times.begin("1d flag")
    await app.guilds.save_unavailable(OTHER_GUILD)
    await times.pass_by(DAY + MINUTE)
    assert await match_status(app, match.id) is MatchStatus.FINISHED


async def test_a_second_report_of_an_outage_has_no_effect(app: Application, times: ClockDriver) -> None:
    """Reporting an outage again has no effect, and neither does ending an outage that was not reported."""
    match = await times.begin("1d")
    await app.guilds.save_joined(GUILD)
    await times.pass_by(HOUR)
    for report in (app.guilds.save_unavailable(GUILD), app.guilds.save_all_unavailable({GUILD})):
        await report
        await times.pass_by(5 * HOUR)
    await app.guilds.save_joined(GUILD)
    await app.guilds.save_joined(GUILD)
    assert await times.time_left(match.id, NORTH) == 23 * HOUR


@pytest.mark.nightly
async def test_stopped_time_is_shown(app: Application, times: ClockDriver) -> None:
    """During an outage, table and hand show the remaining time but no deadline; afterwards the deadline is later."""
    match = await times.begin("1d")
    await times.pass_by(HOUR)
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(HOUR)
    for time in (
        (await app.lookup.table(match.id)).times_left[match.seat_of(NORTH.id)],  # type: ignore[index]
        (await app.lookup.hand(SOUTH.id, match.id)).times_left[match.seat_of(NORTH.id)],  # type: ignore[index]
    ):
        assert (time.left, time.ends_at, time.is_cut_off) == (23 * HOUR, None, True)
    await app.guilds.save_joined(GUILD)
    time = (await app.lookup.table(match.id)).times_left[match.seat_of(NORTH.id)]  # type: ignore[index]
    assert (time.left, time.ends_at, time.is_cut_off) == (23 * HOUR, times.clock.now + 23 * HOUR, False)


async def test_an_outage_changes_no_message(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """An outage does not change any message, but delays the reminder."""
    await Players(app).open_dms(NORTH, SOUTH)
    await times.begin("2d")
    await times.pass_by(DAY)
    await courier.deliver()
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(DAY)
    await times.pass_by(9 * DAY)
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    await times.pass_by(11 * HOUR)
    assert await courier.deliver() == []
    await times.pass_by(HOUR)
    await courier.deliver()
    reminders = [message.shown.content for message in courier.of_kind(MessageKind.REMINDER, dm_of(NORTH))]
    assert [isinstance(reminder, Reminder) for reminder in reminders] == [True]


@pytest.mark.parametrize("used_up_before", nightly_after(1, [True, False]))
async def test_no_claims_or_nudges_during_an_outage(app: Application, times: ClockDriver, used_up_before: bool) -> None:
    """During an outage nobody can claim or nudge, even if somebody's time ran out before it."""
    match = await times.begin("1d")
    await times.pass_by(DAY if used_up_before else HOUR)
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim is used_up_before
    await app.guilds.save_unavailable(GUILD)
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
    assert await match_status(app, match.id) is MatchStatus.RUNNING
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim is used_up_before


@pytest.mark.parametrize("limit", nightly_after(1, ["10m+20s flag", "1d flag", "none"]))
async def test_players_can_move_during_an_outage(app: Application, times: ClockDriver, limit: str) -> None:
    """Players can move by direct message during an outage, and no time runs, not even for new turns."""
    match = await times.begin(limit)
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(2 * DAY)
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(20 * DAY)
    left = await times.time_left(match.id, SOUTH)
    assert left == match.clock.full_time
    await app.turns.move(SOUTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(20 * DAY)
    assert await match_status(app, match.id) is MatchStatus.RUNNING
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    north = await times.time_left(match.id, NORTH)
    assert north is not None
    assert north >= match.clock.full_time
    await times.pass_by(north - SECOND)
    assert await match_status(app, match.id) is MatchStatus.RUNNING
    if match.clock.flags:
        await times.pass_by(10 * SECOND)
        assert await match_status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.thorough
async def test_a_match_that_begins_in_an_outage_waits_for_its_end(app: Application, times: ClockDriver) -> None:
    """If a match begins during an outage, its clock starts when the server is available again."""
    await app.guilds.save_unavailable(GUILD)
    match = await times.begin("12h flag", channel_id=ChannelId(CHANNEL + 1))
    await times.pass_by(9 * DAY)
    assert await times.time_left(match.id, NORTH) == 12 * HOUR
    await app.guilds.save_joined(GUILD)
    await times.pass_by(12 * HOUR - MINUTE)
    assert await match_status(app, match.id) is MatchStatus.RUNNING
    await times.pass_by(2 * MINUTE)
    assert await match_status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_an_outage_continues_across_restarts(app: Application, times: ClockDriver) -> None:
    """An outage continues while the bot restarts. Where outage and downtime overlap, time is subtracted only once."""
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(5 * HOUR)
    times.clock.pass_by(5 * HOUR)
    restarted = ClockDriver(Application(times.database, clock=times.clock), times.database, times.clock)
    await restarted.app.guilds.save_all_joined({GUILD})
    await restarted.app.guilds.save_all_unavailable({GUILD})
    await restarted.app.outages.beat([0], 1, newly=[0])
    await restarted.pass_by(5 * HOUR)
    assert await restarted.time_left(match.id, NORTH) == 23 * HOUR
    await restarted.app.guilds.save_joined(GUILD)
    await restarted.pass_by(HOUR)
    assert await restarted.time_left(match.id, NORTH) == 22 * HOUR
    # The next outage ends while no process is running.
    await restarted.app.guilds.save_unavailable(GUILD)
    await restarted.pass_by(HOUR)
    times.clock.pass_by(9 * DAY)
    last = ClockDriver(Application(times.database, clock=times.clock), times.database, times.clock)
    await last.app.guilds.save_all_joined({GUILD})
    await last.app.guilds.save_all_unavailable(set())
    await last.app.outages.beat([0], 1, newly=[0])
    assert await last.time_left(match.id, NORTH) == 22 * HOUR
    await last.pass_by(22 * HOUR + MINUTE)
    assert await match_status(app, match.id) is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_overlapping_outage_and_downtime_count_once(app: Application, times: ClockDriver) -> None:
    """If an outage of a server overlaps downtime of the bot, the overlap is subtracted only once."""
    match = await times.begin("2d flag")
    await times.pass_by(HOUR)
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(HOUR)
    times.clock.pass_by(HOUR)
    await app.guilds.save_joined(GUILD)
    times.clock.pass_by(HOUR)
    await app.outages.beat([0], 1, newly=[0])
    assert await times.time_left(match.id, NORTH) == 47 * HOUR
    await times.pass_by(HOUR)
    times.clock.pass_by(HOUR)
    await app.guilds.save_unavailable(GUILD)
    times.clock.pass_by(HOUR)
    await app.outages.beat([0], 1, newly=[0])
    await times.pass_by(HOUR)
    await app.guilds.save_joined(GUILD)
    assert await times.time_left(match.id, NORTH) == 46 * HOUR


async def test_a_server_may_remove_the_bot_in_an_outage(app: Application, times: ClockDriver, clock: Clock) -> None:
    """If a server removes the bot in an outage, time runs again once the bot is back and the server is available.

    A server that removed the bot during an outage is purged after thirty days.
    """
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    await app.guilds.save_unavailable(GUILD)
    await times.pass_by(HOUR)
    await app.guilds.save_left(GUILD)
    await times.pass_by(2 * DAY)
    await app.guilds.save_joined(GUILD)
    assert await times.time_left(match.id, NORTH) == 23 * HOUR
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == 22 * HOUR
    await app.guilds.save_left(GUILD)
    await times.pass_by(HOUR)
    # The server has added the bot again: READY lists it, but it is unavailable until its GUILD_CREATE.
    await app.guilds.save_all_joined({GUILD})
    await app.guilds.save_all_unavailable({GUILD})
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == 22 * HOUR
    await app.guilds.save_joined(GUILD)
    assert await times.time_left(match.id, NORTH) == 22 * HOUR
    await app.guilds.save_unavailable(GUILD)
    await app.guilds.save_all_joined(set())
    clock.pass_by(31 * DAY)
    await app.guilds.purge()
    assert await fetch(times.database, select(tables.match.c.id)) == []


async def test_an_unavailable_server_keeps_everything(app: Application, times: ClockDriver, clock: Clock) -> None:
    """However long a server is unavailable, its data is not purged, and moves are accepted."""
    match = await times.begin("none")
    await app.guilds.save_unavailable(GUILD)
    clock.pass_by(90 * DAY)
    await app.guilds.purge()
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    assert await match_status(app, match.id) is MatchStatus.RUNNING


async def test_a_starting_shard_ends_only_its_own_outages(app: Application, times: ClockDriver) -> None:
    """When a shard connects, only the outages of its own servers can end."""
    match = await times.begin("1d")
    own, other = (GUILD >> 22) % 2, 1 - (GUILD >> 22) % 2
    elsewhere = GuildId((((GUILD >> 22) + 1) << 22) + 7)
    await app.guilds.save_all_unavailable({GUILD, elsewhere})
    await app.guilds.save_all_unavailable(set(), Shards(frozenset({other}), 2))
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == DAY
    query = select(tables.guild.c.id).where(tables.guild.c.unavailable_since.is_not(None))
    assert await fetch(times.database, query) == [(GUILD,)]
    await app.guilds.save_all_unavailable(set(), Shards(frozenset({own}), 2))
    assert await fetch(times.database, query) == []
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == 23 * HOUR


@pytest.mark.nightly
async def test_an_outage_with_a_future_start_counts_from_the_correction(
    app: Application, times: ClockDriver, clock: Clock
) -> None:
    """If an outage began while the clock was ahead, it counts from the moment when the clock is corrected."""
    match = await times.begin("1d")
    clock.pass_by(DAY)
    await app.guilds.save_unavailable(GUILD)
    clock.pass_by(-DAY)
    await app.time_repair.repair()
    await app.outages.beat([0], 1)
    await times.pass_by(HOUR)
    await app.guilds.save_joined(GUILD)
    assert await times.time_left(match.id, NORTH) == DAY
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == 23 * HOUR
