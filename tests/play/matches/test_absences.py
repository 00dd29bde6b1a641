"""Players who left or cannot reach the table: the others can end the match, but not win by removing them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.deals.moves import Move, Seat
from bot.engine.matches.match import Forfeit
from bot.model.clocks import TimeChange
from bot.model.ids import MatchId
from bot.model.matches import MadeCasual, MatchInfo, MatchKind, MatchStatus, Ping, Proposal
from bot.model.outbox import MessageKind
from bot.model.people import Person, Push, Reminders
from bot.model.presence import Presence
from bot.play.application import Application
from bot.play.refusals import BackAtTable, NoNudge, TooSoon
from bot.store import clocks
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Players,
    dm_of,
    interaction,
    place,
    prefer,
)
from tests.play.matches.times import ClockDriver

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
WEEK = 7 * DAY


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> ClockDriver:
    """Connect the application's shard, and return a helper that lets time pass."""
    await app.outages.beat([0], 1)
    return ClockDriver(app, database, clock)


async def match_info(times: ClockDriver, match_id: MatchId) -> MatchInfo:
    return await times.app.lookup.info(match_id)


async def may_call_off(times: ClockDriver, match_id: MatchId, *people: Person) -> list[bool]:
    """Return for each player whether they can call off the match alone."""
    return [(await times.app.lookup.hand(person.id, match_id)).may_call_off for person in people]


async def forfeit(times: ClockDriver, match_id: MatchId) -> Forfeit | None:
    """Return the match's forfeit, or None."""
    return (await times.app.lookup.table(match_id)).view.forfeit


@pytest.mark.parametrize("limit", nightly_after(1, ["2d flag", "1m flag", "10m+20s flag"]))
async def test_a_player_who_left_loses_on_time(times: ClockDriver, limit: str) -> None:
    """With the option `flag`, a player who left the server loses on time, and the match counts."""
    match = await times.begin(limit)
    times.make_absent(NORTH)
    await times.pass_by(2 * DAY + MINUTE)
    ended = await match_info(times, match.id)
    assert (ended.status, ended.kind, ended.made_casual) == (MatchStatus.FINISHED, MatchKind.STANDARD, None)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize(
    ("rules", "others"), nightly_after(1, [("penalty", 3), ("rotation", 2), ("penalty", 2), ("winner_stays", 2)])
)
async def test_a_player_who_left_a_larger_table_loses_on_time(times: ClockDriver, rules: str, others: int) -> None:
    """With three or four players, a player who left loses on time, unless a computer takes over."""
    people = (NORTH, SOUTH, EAST, WEST)[: others + 1]
    match = await times.begin("1m flag", *people[1:], rules=rules)
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    times.make_absent(people[turn])
    await times.pass_by(2 * MINUTE)
    assert (await match_info(times, match.id)).vacant_seat == turn
    await times.pass_by(DAY)
    assert await forfeit(times, match.id) == Forfeit(turn, on_time=True)


@pytest.mark.parametrize(("limit", "span"), nightly_after(1, [("none", WEEK), ("1d", DAY), ("10m+20s", 10 * MINUTE)]))
async def test_a_player_who_left_can_be_claimed(
    times: ClockDriver, courier: FakeCourier, limit: str, span: timedelta
) -> None:
    """Without the option `flag`, a player who left is not reminded. Opponents see who left and can claim the win."""
    await Players(times.app).open_dms(NORTH, SOUTH)
    match = await times.begin(limit)
    await courier.deliver()
    times.make_absent(NORTH)
    for _ in range(7):
        await times.pass_by(span / 7)
        await courier.deliver()
    assert courier.of_kind(MessageKind.REMINDER) == []
    table = await times.app.lookup.table(match.id)
    assert table.times_left[Seat(0)].has_left_server
    assert courier.of_kind(MessageKind.HAND, dm_of(SOUTH))[-1].notifies
    hand = await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.attendance)
    assert hand.view.public.forfeit == Forfeit(Seat(0), on_time=True)
    assert hand.match.kind is MatchKind.STANDARD


async def start_with_a_finished_deal(times: ClockDriver, limit: str) -> MatchInfo:
    """Start a match and play its first deal."""
    app = Application(times.database, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 3), clock=times.clock)
    times.app = app
    match = await times.begin(limit)
    await Players(app).win(match.id)
    return match


@pytest.mark.parametrize("by_claim", nightly_after(1, [False, True]))
async def test_removing_an_opponent_makes_the_match_casual(times: ClockDriver, by_claim: bool) -> None:
    """If the opponent could have removed a player who left, the match becomes casual, but its rematch does not."""
    match = await start_with_a_finished_deal(times, "1d" if by_claim else "1d flag")
    turn = await Players(times.app).to_act(match.id)
    other = SOUTH if turn is NORTH else NORTH
    times.make_absent(turn)
    times.attendance.removers.add(other.id)
    await times.pass_by(DAY + MINUTE)
    if by_claim:
        await times.app.endings.claim(other.id, match.id, interaction(), times.attendance)
    ended = await match_info(times, match.id)
    assert (ended.status, ended.kind, ended.made_casual) == (
        *(MatchStatus.FINISHED, MatchKind.CASUAL),
        MadeCasual.REMOVER,
    )
    assert ended.ratings == (None, None)
    assert await times.app.leaderboards.categories_played(GUILD) == ()
    assert ended.terms.kind is MatchKind.STANDARD


@pytest.mark.nightly
async def test_partners_who_can_remove_members_count_too(times: ClockDriver) -> None:
    """The match also becomes casual if the absent player's partner could have removed them from the server."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    people = (NORTH, SOUTH, EAST, WEST)
    times.make_absent(people[turn])
    times.attendance.removers.add(people[(turn + 2) % 4].id)
    await times.pass_by(DAY + MINUTE)
    assert (await match_info(times, match.id)).kind is MatchKind.CASUAL


async def test_a_player_who_left_the_other_board_loses_on_time(times: ClockDriver) -> None:
    """Each board has its own clock: a player of board 2 who left loses on time even while play on board 1 goes on."""
    people = (NORTH, SOUTH, EAST, WEST)
    match = await times.begin("1d flag", *people[1:], rules="partners")
    four = Players(times.app, people)
    left = await four.to_act(match.id, 2)
    times.make_absent(left)
    await times.pass_by(12 * HOUR)
    await four.move_on_board(1, match.id, "pass")
    await times.pass_by(12 * HOUR + MINUTE)
    await times.pass_by(DAY)
    assert await forfeit(times, match.id) == Forfeit(Seat(people.index(left)), on_time=True)


@pytest.mark.nightly
async def test_a_player_who_left_is_not_nudged(times: ClockDriver) -> None:
    """A player who left cannot be nudged."""
    match = await times.begin("7d")
    await times.pass_by(2 * DAY)
    assert (await times.app.lookup.hand(SOUTH.id, match.id)).may_nudge
    await prefer(times.app, NORTH, reminders=Reminders.DAILY)
    times.make_absent(NORTH)
    await times.pass_by(DAY)
    assert not (await times.app.lookup.hand(SOUTH.id, match.id)).may_nudge
    with pytest.raises(NoNudge):
        await times.app.times.nudge(SOUTH.id, match.id)


async def test_a_claim_works_while_discord_does_not_answer(times: ClockDriver) -> None:
    """A claim that the timekeeper has allowed works even if Discord does not answer."""
    match = await times.begin("1d")
    await times.pass_by(DAY + MINUTE)
    times.attendance.unknown |= {NORTH.id, SOUTH.id}
    hand = await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.attendance)
    assert (hand.match.status, hand.match.kind) == (MatchStatus.FINISHED, MatchKind.STANDARD)


@pytest.mark.nightly
async def test_a_loss_of_a_present_member_counts(times: ClockDriver) -> None:
    """If a player still in the server loses on time, the match counts even if both players can remove members."""
    match = await times.begin("1d flag")
    times.attendance.removers |= {NORTH.id, SOUTH.id}
    await times.pass_by(DAY + MINUTE)
    assert (await match_info(times, match.id)).kind is MatchKind.STANDARD


@pytest.mark.parametrize("limit", nightly_after(1, ["1d flag", "1d", "none"]))
async def test_a_match_that_everybody_left_is_called_off(times: ClockDriver, limit: str) -> None:
    """If all players left the server, the match is called off."""
    match = await times.begin(limit)
    times.make_absent(NORTH)
    times.make_absent(SOUTH)
    for _ in range(8):
        await times.pass_by(DAY + MINUTE)
    assert (await match_info(times, match.id)).status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_a_match_with_one_unreachable_player_is_called_off(times: ClockDriver) -> None:
    """If one player left and the other is unreachable, a match with a day per turn is called off on the second day."""
    match = await times.begin("1d flag")
    times.make_absent(NORTH, Presence.SHUT_OUT)
    times.make_absent(SOUTH)
    await times.pass_by(DAY)
    assert (await match_info(times, match.id)).status is MatchStatus.RUNNING
    await times.pass_by(DAY)
    assert (await match_info(times, match.id)).status is MatchStatus.CANCELLED


async def test_a_player_who_comes_back_in_time_plays_on(times: ClockDriver) -> None:
    """A player who was marked as gone is present again once they act, and the table shows it."""
    match = await times.begin("2d flag")
    times.make_absent(NORTH)
    await times.pass_by(36 * HOUR)
    assert (await times.app.lookup.table(match.id)).times_left[Seat(0)].has_left_server
    await times.app.timekeeper.note_active(NORTH.id)
    shown = (await times.app.lookup.table(match.id)).times_left[Seat(0)]
    assert (shown.has_left_server, shown.left) == (False, 12 * HOUR)
    await times.app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    times.make_absent(SOUTH)
    await times.pass_by(36 * HOUR)
    assert (await times.app.lookup.table(match.id)).times_left[Seat(1)].has_left_server
    await times.app.turns.move(SOUTH.id, match.id, Move.parse("take"), interaction())
    assert not (await times.app.lookup.table(match.id)).times_left[Seat(1)].has_left_server


@pytest.mark.nightly
async def test_a_player_may_leave_in_the_turn_of_another(times: ClockDriver) -> None:
    """A player who leaves during another player's turn loses on time only in their own turn."""
    match = await times.begin("1d flag")
    times.make_absent(SOUTH)
    await times.pass_by(12 * HOUR)
    await times.app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(1), on_time=True)


@pytest.mark.nightly
async def test_a_waiting_players_holiday_does_not_stop_the_clock(times: ClockDriver) -> None:
    """A holiday of the waiting player does not stop the clock."""
    match = await times.begin("1d flag")
    await times.app.holidays.take(SOUTH, 14)
    times.make_absent(NORTH)
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.nightly
async def test_a_holiday_ends_for_a_player_who_left(times: ClockDriver) -> None:
    """A holiday of a player who left the server stops their clock, but only until the holiday ends."""
    match = await times.begin("1d flag")
    await times.app.holidays.take(NORTH, 14)
    times.make_absent(NORTH)
    await times.pass_by(14 * DAY)
    assert (await match_info(times, match.id)).status is MatchStatus.RUNNING
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


async def test_nobody_loses_while_discord_does_not_answer(times: ClockDriver) -> None:
    """If Discord does not say if a player is present, it is asked five times; then the last known answer counts."""
    match = await times.begin("2d flag")
    times.make_absent(NORTH)
    times.attendance.removers.add(SOUTH.id)
    await times.pass_by(36 * HOUR)
    times.attendance.unknown.add(NORTH.id)
    await times.pass_by(12 * HOUR + timedelta(seconds=5))
    for _ in range(4):
        assert (await match_info(times, match.id)).status is MatchStatus.RUNNING
        await times.pass_by(MINUTE)
    ended = await match_info(times, match.id)
    assert (ended.status, ended.kind) == (MatchStatus.FINISHED, MatchKind.CASUAL)


@pytest.mark.nightly
async def test_earlier_failed_attempts_do_not_count(times: ClockDriver) -> None:
    """Discord is asked five times at the deadline, even if requests at an earlier reminder failed."""
    match = await times.begin("2d flag")
    times.attendance.unknown.add(NORTH.id)
    await times.pass_by(36 * HOUR)
    await times.pass_by(12 * HOUR + timedelta(seconds=5))
    for _ in range(4):
        assert (await match_info(times, match.id)).status is MatchStatus.RUNNING
        await times.pass_by(MINUTE)
    assert (await match_info(times, match.id)).status is MatchStatus.FINISHED


@pytest.mark.parametrize(
    ("limit", "asked_after", "left"),
    nightly_after(
        1,
        [
            ("2d flag", 36 * HOUR, 12 * HOUR),
            ("2d", 36 * HOUR, 12 * HOUR),
            ("12h flag", 9 * HOUR, 3 * HOUR),
            ("none", 2 * DAY, 5 * DAY),
        ],
    ),
)
async def test_others_can_call_off_a_match_with_an_unreachable_player(
    times: ClockDriver, courier: FakeCourier, limit: str, asked_after: timedelta, left: timedelta
) -> None:
    """If a player cannot reach the table, others can call off the match when the time is up, and are notified once."""
    await Players(times.app).open_dms(NORTH, SOUTH)
    match = await times.begin(limit)
    await courier.deliver()
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(asked_after)
    shown = (await times.app.lookup.table(match.id)).times_left[Seat(0)]
    assert shown.call_off_at == times.clock.now + left
    await times.pass_by(left - MINUTE)
    await courier.deliver()
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, False]
    before = courier.of_kind(MessageKind.HAND, dm_of(SOUTH))[-1].id
    await times.pass_by(MINUTE)
    await courier.deliver()
    notification = courier.of_kind(MessageKind.HAND, dm_of(SOUTH))[-1]
    assert notification.id != before
    assert notification.notifies
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, True]
    await times.pass_by(30 * DAY)
    assert await courier.deliver() == []
    with pytest.raises(TooSoon):
        await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.attendance)
    hand = await times.app.endings.call_off(SOUTH.id, match.id, times.attendance)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_the_wait_for_an_unreachable_player_is_at_most_a_week(times: ClockDriver) -> None:
    """The wait before others can call off a match with a player who cannot reach the table is at most a week."""
    match = await times.begin("14d flag")
    await prefer(times.app, NORTH, reminders=Reminders.DAILY)
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(DAY)
    shown = (await times.app.lookup.table(match.id)).times_left[Seat(0)]
    assert (shown.left, shown.call_off_at) == (13 * DAY, times.clock.now + WEEK)


async def test_everyone_else_can_call_off(times: ClockDriver) -> None:
    """If a player cannot reach the table, all others can call off the match, including those on the other board."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    people = (NORTH, SOUTH, EAST, WEST)
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    times.make_absent(people[turn], Presence.SHUT_OUT)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    assert await may_call_off(times, match.id, *people) == [seat != turn for seat in range(4)]


@pytest.mark.nightly
async def test_a_ping_tells_those_who_want_no_direct_message(times: ClockDriver, courier: FakeCourier) -> None:
    """A player who prefers pings is pinged in the channel when they can call off the match."""
    await prefer(times.app, SOUTH, push=Push.CHANNEL)
    await times.begin("1d flag")
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    await courier.deliver()
    pings = [
        message.shown.content
        for message in courier.of_kind(MessageKind.PING)
        if isinstance(message.shown.content, Ping)
    ]
    assert [ping.person_id for ping in pings if ping.may_call_off] == [SOUTH.id]


@pytest.mark.parametrize("press", nightly_after(1, [True, False]))
async def test_a_player_who_can_reach_the_table_again_plays_on(times: ClockDriver, press: bool) -> None:
    """When others become able to call off a match, or try to, the bot checks whether the unreachable player is back.

    If so, the player's clock runs again.
    """
    match = await times.begin("2d flag")
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(36 * HOUR)
    if press:
        await times.pass_by(12 * HOUR)
        times.make_present(NORTH)
        with pytest.raises(BackAtTable):
            await times.app.endings.call_off(SOUTH.id, match.id, times.attendance)
    else:
        times.make_present(NORTH)
        await times.pass_by(12 * HOUR)
    shown = (await times.app.lookup.table(match.id)).times_left[Seat(0)]
    assert (shown.left, shown.ends_at) == (12 * HOUR, times.clock.now + 12 * HOUR)
    assert await may_call_off(times, match.id, SOUTH) == [False]
    assert (await match_info(times, match.id)).open_proposal is None
    await times.pass_by(12 * HOUR + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize("limit", nightly_after(1, ["1d flag", "1d"]))
async def test_an_unreachable_player_returns_by_moving(times: ClockDriver, limit: str) -> None:
    """A move in the middle of a turn restarts a stopped clock with time for a turn, even if it had been used up."""
    match = await times.begin(limit)
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    await times.pass_by(DAY)
    assert await may_call_off(times, match.id, SOUTH) == [True]
    times.make_present(NORTH)
    hand = await times.app.turns.move(NORTH.id, match.id, Move.parse("take"), interaction())
    assert hand.view.is_to_act
    assert hand.times_left[Seat(0)].left == 6 * HOUR
    assert await may_call_off(times, match.id, SOUTH) == [False]
    async with times.database.read() as transaction:
        changes = [kind for _, kind, _, _ in await clocks.changes(transaction, match.id)]
    assert changes == [TimeChange.UNSEEN, TimeChange.SEEN]
    await times.pass_by(6 * HOUR + MINUTE)
    if limit == "1d":
        await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.attendance)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.nightly
async def test_an_unreachable_player_who_leaves_loses_on_time(times: ClockDriver) -> None:
    """The clock of an unreachable player runs again when they are found to have left the server."""
    match = await times.begin("2d flag")
    times.make_absent(NORTH, Presence.SHUT_OUT)
    await times.pass_by(36 * HOUR)
    times.make_absent(NORTH)
    await times.pass_by(12 * HOUR)
    assert (await times.app.lookup.table(match.id)).times_left[Seat(0)].has_left_server
    await times.pass_by(12 * HOUR + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


async def test_an_unreachable_player_cannot_be_claimed_against(times: ClockDriver) -> None:
    """A claim against an unreachable player is refused and stops their clock; others can then call off the match."""
    match = await times.begin("1d")
    await times.pass_by(DAY + MINUTE)
    times.make_absent(NORTH, Presence.SHUT_OUT)
    with pytest.raises(TooSoon) as caught:
        await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.attendance)
    assert caught.value.time is not None
    assert caught.value.time.call_off_at == times.clock.now
    hand = await times.app.endings.call_off(SOUTH.id, match.id, times.attendance)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_a_deleted_channel_stops_the_clock(times: ClockDriver) -> None:
    """After the channel is deleted, the clock stops and the opponent can call off the match.

    The clock runs again once the table is reposted.
    """
    match = await times.begin("1d flag")
    await times.app.outbox.save_channel_deleted(CHANNEL)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    assert await may_call_off(times, match.id, SOUTH) == [True]
    await times.app.tables.repost(match.id, SOUTH.id, place(ELSEWHERE))
    with pytest.raises(BackAtTable):
        await times.app.endings.call_off(SOUTH.id, match.id, times.attendance)
    assert await times.time_left(match.id, NORTH) == 6 * HOUR


@pytest.mark.nightly
async def test_a_player_who_left_loses_after_the_channel_was_deleted(times: ClockDriver) -> None:
    """A player who left loses on time even if the channel was deleted."""
    match = await times.begin("1d flag")
    await times.app.outbox.save_channel_deleted(CHANNEL)
    times.make_absent(NORTH)
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize("declined", nightly_after(1, [True, False]))
async def test_resuming_a_pause_allows_calling_off_after_a_week(
    times: ClockDriver, courier: FakeCourier, declined: bool
) -> None:
    """A player who asks to end a pause can call off the match alone after a week, even if the others decline."""
    await Players(times.app).open_dms(NORTH, SOUTH)
    match = await times.begin("2d flag")
    for person in (NORTH, SOUTH):
        await times.app.pauses.pause(person.id, match.id)
    times.make_absent(SOUTH)
    await times.pass_by(30 * DAY)
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, False]
    await times.app.pauses.resume(NORTH.id, match.id)
    if declined:
        await times.app.endings.decline(SOUTH.id, match.id)
    await times.pass_by(WEEK - MINUTE)
    await courier.deliver()
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, False]
    await times.pass_by(MINUTE)
    assert ("edit", MessageKind.HAND) in await courier.deliver()
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [True, False]
    await times.pass_by(WEEK)
    assert await courier.deliver() == []
    hand = await times.app.endings.call_off(NORTH.id, match.id, times.attendance)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_holidays_and_withdrawn_requests_during_a_pause(times: ClockDriver) -> None:
    """A player who asked to end a pause can call off the match after a week, unless they withdrew the request.

    Other players' holidays do not count towards the week.
    """
    match = await times.begin("none")
    for person in (NORTH, SOUTH):
        await times.app.pauses.pause(person.id, match.id)
    await times.app.pauses.resume(NORTH.id, match.id)
    await times.app.endings.decline(NORTH.id, match.id)
    await times.pass_by(2 * WEEK)
    assert await may_call_off(times, match.id, NORTH) == [False]
    await times.app.holidays.take(SOUTH, 14)
    await times.app.pauses.resume(NORTH.id, match.id)
    await times.pass_by(2 * WEEK)
    assert await may_call_off(times, match.id, NORTH) == [False]
    await times.pass_by(WEEK)
    assert await may_call_off(times, match.id, NORTH) == [True]
    hand = await times.app.pauses.resume(SOUTH.id, match.id)
    assert (hand.match.is_paused, hand.match.proposals) == (False, (None, None))
    for person in (NORTH, SOUTH):
        await times.app.pauses.pause(person.id, match.id)
    assert await may_call_off(times, match.id, NORTH) == [False]
    assert (await match_info(times, match.id)).open_proposal is not Proposal.CONTINUE


async def test_discord_is_asked_only_about_the_due_player(times: ClockDriver) -> None:
    """When a player's time runs out, Discord is asked once about that player, and never about the others."""
    match = await times.begin("1d flag")
    await times.pass_by(12 * HOUR)
    assert times.attendance.asked == []
    await times.pass_by(12 * HOUR + MINUTE)
    assert (await match_info(times, match.id)).status is MatchStatus.FINISHED
    assert times.attendance.asked == [NORTH.id]
