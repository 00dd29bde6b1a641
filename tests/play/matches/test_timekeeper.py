"""Deadlines: claims, flags, reminders, and everything that stops the clock."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.deals.moves import Move, Seat
from bot.engine.matches.match import Forfeit
from bot.model.ids import ChannelId
from bot.model.matches import MatchStatus, Ping, Reminder
from bot.model.outbox import MessageKind
from bot.model.people import Push, QuietHours, Reminders
from bot.model.presence import Presence
from bot.play.application import Application
from bot.play.refusals import MatchOver, TooSoon
from bot.store import clocks, matches
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.gates import Gate
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, GUILD, NORTH, SOUTH, WEST, Players, dm_of, interaction, prefer
from tests.play.matches.times import ClockDriver

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> ClockDriver:
    """Connect the application's shard, and return a helper that lets time pass."""
    await app.outages.beat([0], 1)
    return ClockDriver(app, database, clock)


def reminder(courier: FakeCourier) -> Reminder | None:
    """Return the reminder in North's direct messages, or None."""
    contents = [message.shown.content for message in courier.of_kind(MessageKind.REMINDER, dm_of(NORTH))]
    assert len(contents) <= 1
    return next((content for content in contents if isinstance(content, Reminder)), None)


async def test_a_flag_ends_the_match(app: Application, times: ClockDriver) -> None:
    """With the option `flag`, a match is lost on time shortly after the deadline, and the log says so."""
    match = await times.begin("2d flag")
    await times.pass_by(2 * DAY)
    assert (await app.lookup.info(match.id)).status is MatchStatus.RUNNING
    await times.pass_by(timedelta(seconds=5))
    table = await app.lookup.table(match.id)
    assert (table.match.status, table.view.forfeit) == (MatchStatus.FINISHED, Forfeit(Seat(0), on_time=True))
    assert table.view.score.winner == 1
    async with times.database.read() as transaction:
        *_, last, cut, deal = await matches.actions(transaction, match.id)
    assert (last, cut.split()[0], deal.split()[0]) == ("0 time", "reveal", "reveal")


async def test_losing_on_time_with_three_players(app: Application, times: ClockDriver) -> None:
    """Of three players, the one whose time ran out loses and the others have no result, if no computer takes over."""
    match = await times.begin("1d flag", SOUTH, EAST, rules="rotation")
    turn = (await app.lookup.table(match.id)).view.turn
    await times.pass_by(DAY + MINUTE)
    await times.pass_by(DAY)
    score = (await app.lookup.table(match.id)).view
    assert (score.forfeit, score.score.winner) == (Forfeit(Seat(turn or 0), on_time=True), None)


async def test_a_claim_is_offered_and_not_forced(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """Without the option `flag`, the waiting player is notified once, and late moves are accepted until a claim."""
    await Players(app).open_dms(NORTH, SOUTH)
    match = await times.begin("1d")
    await courier.deliver()
    await times.pass_by(DAY - MINUTE)
    with pytest.raises(TooSoon) as caught:
        await app.endings.claim(SOUTH.id, match.id, interaction())
    assert caught.value.time is not None
    assert caught.value.time.left == MINUTE
    before = [message.id for message in courier.of_kind(MessageKind.HAND, dm_of(SOUTH))]
    await times.pass_by(MINUTE)
    await courier.deliver()
    notifications = courier.of_kind(MessageKind.HAND, dm_of(SOUTH))
    assert [notification.id for notification in notifications] != before
    assert notifications[0].notifies
    assert (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    await times.pass_by(DAY)
    assert await courier.deliver() == []
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    assert not (await app.lookup.hand(SOUTH.id, match.id)).may_claim
    await times.pass_by(DAY)
    hand = await app.endings.claim(NORTH.id, match.id, interaction())
    assert hand.view.public.forfeit == Forfeit(Seat(1), on_time=True)
    with pytest.raises(MatchOver):
        await app.turns.move(SOUTH.id, match.id, Move.parse("pass"), interaction())


@pytest.mark.thorough
async def test_a_possible_claim_pings_in_the_channel(
    app: Application, times: ClockDriver, courier: FakeCourier
) -> None:
    """A player who prefers pings is pinged when they can claim, and a move removes that ping."""
    await prefer(app, SOUTH, push=Push.CHANNEL)
    match = await times.begin("1d")
    await times.pass_by(DAY)
    await courier.deliver()
    pings = [
        message.shown.content
        for message in courier.of_kind(MessageKind.PING)
        if isinstance(message.shown.content, Ping)
    ]
    (ping,) = [ping for ping in pings if ping.person_id == SOUTH.id]
    assert (ping.may_claim, ping.is_turn) == (True, False)
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await courier.deliver()
    pings = [message.shown.content for message in courier.of_kind(MessageKind.PING)]
    assert [(ping.may_claim, ping.is_turn) for ping in pings if isinstance(ping, Ping)] == [(False, True)]


async def test_a_waiting_move_prevents_a_loss_on_time(
    app: Application, times: ClockDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move that is waiting for the match's lock prevents a loss on time."""
    match = await times.begin("12h flag")
    times.clock.pass_by(timedelta(seconds=20))
    async with times.database.write() as transaction:
        await clocks.save_shard_time(transaction, 0, 1, times.clock.now + DAY)
    times.clock.pass_by(DAY)
    units = app.turns._units  # pyright: ignore[reportPrivateUsage]
    move = app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    gate = Gate(monkeypatch, matches, "lock_matches")
    await gate.run_until_blocked(times.run_timekeeper(), move, lambda: units.is_about_to_move(NORTH.id))
    assert (await app.lookup.info(match.id)).status is MatchStatus.RUNNING
    assert await times.time_left(match.id, SOUTH) == 12 * HOUR


async def test_each_turn_begins_with_a_full_time(app: Application, times: ClockDriver) -> None:
    """Drawing does not reset the time of a turn; the next turn starts with the full time."""
    match = await times.begin("1d")
    await times.pass_by(3 * HOUR)
    assert await times.time_left(match.id, NORTH) == 21 * HOUR
    assert await times.time_left(match.id, SOUTH) is None
    await app.turns.move(NORTH.id, match.id, Move.parse("take"), interaction())
    await times.pass_by(HOUR)
    assert await times.time_left(match.id, NORTH) == 20 * HOUR
    hand = await app.lookup.hand(NORTH.id, match.id)
    discard = next(move for move in hand.view.moves if str(move).startswith("x "))
    await app.turns.move(NORTH.id, match.id, discard, interaction())
    assert await times.time_left(match.id, SOUTH) == DAY


async def test_a_live_clock_has_a_bank(app: Application, times: ClockDriver) -> None:
    """A live clock adds its increment after each turn, and the waiting player's bank does not change."""
    match = await times.begin("10m+20s flag")
    await times.pass_by(4 * MINUTE)
    await app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(MINUTE)
    assert await times.time_left(match.id, NORTH) == 6 * MINUTE + timedelta(seconds=20)
    assert await times.time_left(match.id, SOUTH) == 9 * MINUTE
    hand = await app.turns.move(SOUTH.id, match.id, Move.parse("take"), interaction())
    discard = next(move for move in hand.view.moves if str(move).startswith("x "))
    await app.turns.move(SOUTH.id, match.id, discard, interaction())
    assert await times.time_left(match.id, SOUTH) == 9 * MINUTE + timedelta(seconds=20)
    await times.pass_by(6 * MINUTE + timedelta(seconds=25))
    assert (await app.lookup.table(match.id)).view.forfeit == Forfeit(Seat(0), on_time=True)


async def test_no_time_runs_during_an_outage(app: Application, times: ClockDriver) -> None:
    """The time of an outage of any length does not count, even before the bot notices the outage or after a restart."""
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    times.clock.pass_by(9 * DAY)
    assert await times.time_left(match.id, NORTH) == 23 * HOUR
    await times.run_timekeeper()
    assert (await app.lookup.info(match.id)).status is MatchStatus.RUNNING
    await times.pass_by(DAY, connected=False)
    restarted = ClockDriver(Application(times.database, clock=times.clock), times.database, times.clock)
    assert await restarted.time_left(match.id, NORTH) == 23 * HOUR
    await restarted.pass_by(23 * HOUR - MINUTE)
    assert await restarted.time_left(match.id, NORTH) == MINUTE
    await restarted.pass_by(2 * MINUTE)
    assert (await restarted.app.lookup.info(match.id)).status is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_only_outages_of_the_own_shard_count(app: Application, times: ClockDriver) -> None:
    """Time stands still only in outages of the match's own shard, even if the number of shards changes."""
    match = await times.begin("2d")
    shard = (GUILD >> 22) % 4
    times.clock.pass_by(HOUR)
    await app.outages.beat([0, 1, 2, 3], 4)
    assert await times.time_left(match.id, NORTH) == 48 * HOUR
    for _ in range(60):
        times.clock.pass_by(timedelta(seconds=20))
        await app.outages.beat([shard], 4)
    times.clock.pass_by(HOUR)
    await app.outages.beat([index for index in range(4) if index != shard], 4)
    assert await times.time_left(match.id, NORTH) == 48 * HOUR - 20 * MINUTE


@pytest.mark.nightly
async def test_new_shards_wait_until_they_are_connected(app: Application, times: ClockDriver) -> None:
    """If the number of shards changes, the time until the match's own shard connects counts as an outage."""
    match = await times.begin("2d")
    shard = (GUILD >> 22) % 4
    times.clock.pass_by(HOUR)
    await app.outages.beat([index for index in range(4) if index != shard], 4, newly=[0, 1, 2, 3])
    times.clock.pass_by(10 * MINUTE)
    assert await times.time_left(match.id, NORTH) == 48 * HOUR
    await app.outages.beat([shard], 4, newly=[shard])
    times.clock.pass_by(timedelta(seconds=20))
    await app.outages.beat([shard], 4)
    assert await times.time_left(match.id, NORTH) == 48 * HOUR - timedelta(seconds=20)


async def test_no_time_runs_while_the_bot_is_removed(app: Application, times: ClockDriver) -> None:
    """No time runs while the bot is removed from the server."""
    match = await times.begin("1d flag")
    await times.pass_by(HOUR)
    await app.guilds.save_left(GUILD)
    await times.pass_by(5 * DAY)
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    assert await times.time_left(match.id, NORTH) == 23 * HOUR
    await times.pass_by(23 * HOUR + MINUTE)
    assert (await app.lookup.info(match.id)).status is MatchStatus.FINISHED


@pytest.mark.nightly
async def test_one_reminder_for_several_matches(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """One reminder lists all due matches, most urgent first.

    A match disappears from it when a move is made or the match ends. The reminder is deleted with its last match.
    """
    await Players(app).open_dms(NORTH, SOUTH)
    first = await times.begin("2d")
    await times.pass_by(20 * MINUTE)
    second = await times.begin("2d", EAST, channel_id=ChannelId(CHANNEL + 5))
    await courier.deliver()
    await times.pass_by(36 * HOUR - 20 * MINUTE)
    done = await courier.deliver()
    assert done == [("post", MessageKind.REMINDER)]
    shown = reminder(courier)
    assert shown is not None
    assert [turn.match.id for turn in shown.turns] == [first.id, second.id]
    assert [turn.time.left for turn in shown.turns if turn.time is not None] == [12 * HOUR, 12 * HOUR + 20 * MINUTE]
    await times.pass_by(HOUR)
    assert await courier.deliver() == []
    await app.turns.move(NORTH.id, first.id, Move.parse("pass"), interaction())
    await courier.deliver()
    shown = reminder(courier)
    assert shown is not None
    assert [turn.match.id for turn in shown.turns] == [second.id]
    await app.endings.resign(EAST.id, second.id, interaction())
    await courier.deliver()
    assert reminder(courier) is None


@pytest.mark.nightly
async def test_a_new_reminder_is_posted_again(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """The next reminder is a new message that replaces the old one, because an edit would not notify."""
    await Players(app).open_dms(NORTH, SOUTH)
    await times.begin("2d")
    await times.pass_by(12 * HOUR)
    await times.begin("2d", EAST, channel_id=ChannelId(CHANNEL + 5))
    await times.pass_by(24 * HOUR)
    await courier.deliver()
    (old,) = courier.of_kind(MessageKind.REMINDER)
    await times.pass_by(12 * HOUR)
    await courier.deliver()
    (new,) = courier.of_kind(MessageKind.REMINDER)
    assert new.id != old.id
    assert isinstance(new.shown.content, Reminder)
    assert len(new.shown.content.turns) == 2


@pytest.mark.nightly
@pytest.mark.parametrize("push", nightly_after(1, [Push.CHANNEL, Push.NONE]))
async def test_reminders_use_the_preferred_channel(
    app: Application, times: ClockDriver, courier: FakeCourier, push: Push
) -> None:
    """Reminders are sent in the way the player prefers for notifications, or not at all."""
    await Players(app).open_dms(NORTH, SOUTH)
    await prefer(app, NORTH, push=push)
    await times.begin("2d")
    await courier.deliver()
    await times.pass_by(36 * HOUR)
    assert await courier.deliver() == (
        [] if push is Push.NONE else [("post", MessageKind.PING), ("remove", MessageKind.PING)]
    )
    for message in courier.of_kind(MessageKind.PING):
        assert isinstance(message.shown.content, Ping)
        assert message.shown.content.reminder is not None
        assert message.notifies


@pytest.mark.nightly
async def test_preferences_move_reminders(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """If a player changes their preferences during a turn, the reminders of that turn follow the change."""
    await Players(app).open_dms(NORTH, SOUTH)
    await times.begin("3d")
    await prefer(app, NORTH, reminders=Reminders.DAILY)
    await times.pass_by(DAY)
    await courier.deliver()
    assert reminder(courier) is not None
    # The second reminder would come at midday, but the quiet hours start an hour earlier.
    await prefer(app, NORTH, quiet=QuietHours("UTC", 11 * 60, 13 * 60))
    await times.pass_by(23 * HOUR - MINUTE)
    assert await courier.deliver() == []
    await times.pass_by(MINUTE)
    assert ("post", MessageKind.REMINDER) in await courier.deliver()
    await prefer(app, NORTH, reminders=Reminders.OFF)
    await times.pass_by(DAY - MINUTE)
    assert await courier.deliver() == []


@pytest.mark.parametrize("quiet", [None, QuietHours("UTC", 12 * 60, 20 * 60)])
async def test_a_later_reminder_is_no_nudge(
    app: Application, times: ClockDriver, courier: FakeCourier, quiet: QuietHours | None
) -> None:
    """The reminder after a nudge does not say that the player was nudged, even if quiet hours delayed the nudge."""
    await Players(app).open_dms(NORTH, SOUTH)
    if quiet is not None:
        await prefer(app, NORTH, quiet=quiet)
    match = await times.begin("none")
    await times.pass_by(DAY + MINUTE)
    await app.times.nudge(SOUTH.id, match.id)
    for is_nudge in (True, False):
        await times.pass_by(10 * HOUR if is_nudge else DAY)
        await courier.deliver()
        shown = reminder(courier)
        assert shown is not None
        assert [turn.is_nudge for turn in shown.turns] == [is_nudge]


async def test_without_a_clock_four_reminders(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """Without a clock, there are four reminders: the first after two days, the others weekly.

    The opponent is notified once, when they can claim the win.
    """
    await Players(app).open_dms(NORTH, SOUTH)
    await times.begin("none")
    await courier.deliver()
    reminder_days = list[int]()
    notified_days = list[int]()
    for day in range(1, 40):
        await times.pass_by(DAY)
        done = await courier.deliver()
        reminder_days += [day] if ("post", MessageKind.REMINDER) in done else []
        notified_days += [day] if ("post", MessageKind.HAND) in done else []
    assert reminder_days == [2, 9, 16, 23]
    assert notified_days == [7]


async def test_the_clock_stops_for_players_who_cannot_see_the_channel(
    app: Application, times: ClockDriver, courier: FakeCourier
) -> None:
    """If a player cannot see the channel when a reminder is due or time runs out, their clock stops until they act."""
    await Players(app).open_dms(NORTH, SOUTH)
    match = await times.begin("2d flag")
    await courier.deliver()
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(36 * HOUR)
    assert reminder(courier) is None
    await times.pass_by(9 * DAY)
    assert await times.time_left(match.id, NORTH) == 12 * HOUR
    await app.timekeeper.note_active(NORTH.id)
    times.make_present(NORTH)
    await times.pass_by(11 * HOUR)
    await courier.deliver()
    assert reminder(courier) is not None
    await times.pass_by(HOUR + MINUTE)
    assert (await app.lookup.info(match.id)).status is MatchStatus.FINISHED


async def test_returning_players_get_a_minimum_time(app: Application, times: ClockDriver) -> None:
    """If a clock stopped when time ran out, the player gets six hours on return, or a minute with a live clock."""
    for clock, minimum in (("12h flag", 6 * HOUR), ("10m+20s flag", MINUTE)):
        match = await times.begin(clock)
        await prefer(app, NORTH, reminders=Reminders.OFF)
        times.make_absent(NORTH, Presence.SHUT_OUT)
        await times.pass_by(13 * HOUR)
        assert (await app.lookup.info(match.id)).status is MatchStatus.RUNNING
        await app.timekeeper.note_active(NORTH.id)
        assert await times.time_left(match.id, NORTH) == minimum
        await app.endings.resign(NORTH.id, match.id, interaction())


@pytest.mark.nightly
async def test_only_due_matches_are_loaded(
    app: Application, times: ClockDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timekeeper loads only matches that are due."""
    due = await times.begin("12h")
    for number in range(1, 6):
        await times.begin("14d", channel_id=ChannelId(CHANNEL + number))
    loaded = list[object]()
    load = matches.load

    async def spy(*args: object) -> object:
        loaded.append(args[1])
        return await load(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(matches, "load", spy)
    await times.pass_by(13 * HOUR)
    assert {*loaded} == {due.id}


@pytest.mark.thorough
@pytest.mark.parametrize("first", nightly_after(1, [1, 2]))
async def test_the_board_whose_time_ran_out_first_decides(times: ClockDriver, first: int) -> None:
    """If time ran out on both boards before the timekeeper ran, the board on which it ran out first decides."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    players = Players(times.app, (NORTH, SOUTH, EAST, WEST))
    await times.pass_by(HOUR)
    await players.move_on_board(3 - first, match.id, "pass")
    await times.pass_by(timedelta(days=2))
    assert (await times.app.lookup.info(match.id)).vacant_seat == (0 if first == 1 else 2)
    await times.pass_by(DAY)
    summary = await times.app.lookup.summary(match.id)
    assert summary.view.forfeit == Forfeit(Seat(0 if first == 1 else 2), on_time=True)


@pytest.mark.nightly
async def test_at_the_same_moment_the_first_board_decides(times: ClockDriver) -> None:
    """If both boards run out of time simultaneously, the team to act on board 1 loses."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    players = Players(times.app, (NORTH, SOUTH, EAST, WEST))
    await players.move_on_board(1, match.id, "pass")
    await times.pass_by(timedelta(days=2))
    assert (await times.app.lookup.info(match.id)).vacant_seat == 1
    await times.pass_by(DAY)
    summary = await times.app.lookup.summary(match.id)
    assert summary.view.forfeit == Forfeit(Seat(1), on_time=True)
