"""Players who left or cannot reach the table: the others can end the match, but not win by removing them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.match import Forfeit
from bot.engine.moves import Move, Seat
from bot.play.application import Application
from bot.play.refusals import BackAtTable, NoNudge, TooSoon
from bot.store.database import Database
from bot.values.ids import MatchId
from bot.values.matches import MadeCasual, MatchInfo, MatchKind, MatchStatus, Ping, Proposal
from bot.values.outbox import MessageKind
from bot.values.people import Person, Push, Reminders
from bot.values.presence import Presence
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
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
from tests.play.matches.times import Times

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
WEEK = 7 * DAY


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> Times:
    """Return the times of a bot whose shard has just connected."""
    await app.outages.beat([0], 1)
    return Times(app, database, clock)


async def info(times: Times, match_id: MatchId) -> MatchInfo:
    return await times.app.lookup.info(match_id)


async def may_call_off(times: Times, match_id: MatchId, *people: Person) -> list[bool]:
    """Return for each player whether they can call off the match alone."""
    return [(await times.app.lookup.hand(person.id, match_id)).may_call_off for person in people]


async def forfeit(times: Times, match_id: MatchId) -> Forfeit | None:
    """Return the match's forfeit, or None."""
    return (await times.app.lookup.table(match_id)).view.forfeit


@pytest.mark.parametrize("limit", nightly_after(1, ["2d flag", "1m flag", "10m+20s flag"]))
async def test_a_player_who_left_loses_on_time(times: Times, limit: str) -> None:
    """With a flag, a player who left loses on time, and the result counts if no player could have removed them."""
    match = await times.begin(limit)
    times.lose(NORTH)
    await times.pass_by(2 * DAY + MINUTE)
    ended = await info(times, match.id)
    assert (ended.status, ended.kind, ended.made_casual) == (MatchStatus.FINISHED, MatchKind.STANDARD, None)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize(
    ("rules", "others"), nightly_after(1, [("penalty", 3), ("rotation", 2), ("penalty", 2), ("winner_stays", 2)])
)
async def test_a_player_who_left_a_larger_table_loses_on_time(times: Times, rules: str, others: int) -> None:
    """With three or four players, a player who left loses on time, unless a computer takes over."""
    people = (NORTH, SOUTH, EAST, WEST)[: others + 1]
    match = await times.begin("1m flag", *people[1:], rules=rules)
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    times.lose(people[turn])
    await times.pass_by(2 * MINUTE)
    assert (await info(times, match.id)).vacant_seat == turn
    await times.pass_by(DAY)
    assert await forfeit(times, match.id) == Forfeit(turn, on_time=True)


@pytest.mark.parametrize(("limit", "span"), nightly_after(1, [("none", WEEK), ("1d", DAY), ("10m+20s", 10 * MINUTE)]))
async def test_a_player_who_left_can_be_claimed(
    times: Times, courier: FakeCourier, limit: str, span: timedelta
) -> None:
    """Without a flag, a player who left can be claimed against; they get no reminder, and the table shows it."""
    await Players(times.app).reach(NORTH, SOUTH)
    match = await times.begin(limit)
    await courier.deliver()
    times.lose(NORTH)
    for _ in range(7):
        await times.pass_by(span / 7)
        await courier.deliver()
    assert courier.of(MessageKind.REMINDER) == []
    table = await times.app.lookup.table(match.id)
    assert table.times[Seat(0)].gone
    assert courier.of(MessageKind.HAND, dm_of(SOUTH))[-1].notifies
    hand = await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.people)
    assert hand.view.public.forfeit == Forfeit(Seat(0), on_time=True)
    assert hand.match.kind is MatchKind.STANDARD


async def played_a_deal(times: Times, limit: str) -> MatchInfo:
    """Start a match and play its first deal."""
    app = Application(times.database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 3), clock=times.clock)
    times.app = app
    match = await times.begin(limit)
    await Players(app).win(match.id)
    return match


@pytest.mark.parametrize("by_claim", nightly_after(1, [False, True]))
async def test_nobody_wins_by_removing_an_opponent(times: Times, by_claim: bool) -> None:
    """If an opponent could have removed the player, the result is casual; a rematch counts as usual."""
    match = await played_a_deal(times, "1d" if by_claim else "1d flag")
    turn = await Players(times.app).to_act(match.id)
    other = SOUTH if turn is NORTH else NORTH
    times.lose(turn)
    times.people.removers.add(other.id)
    await times.pass_by(DAY + MINUTE)
    if by_claim:
        await times.app.endings.claim(other.id, match.id, interaction(), times.people)
    ended = await info(times, match.id)
    assert (ended.status, ended.kind, ended.made_casual) == (
        *(MatchStatus.FINISHED, MatchKind.CASUAL),
        MadeCasual.REMOVER,
    )
    assert ended.ratings == (None, None)
    assert await times.app.leaderboards.played(GUILD) == ()
    assert ended.terms.kind is MatchKind.STANDARD


@pytest.mark.nightly
async def test_a_mate_who_may_remove_members_counts_too(times: Times) -> None:
    """Any remaining player may have removed the absent one, even a partner."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    people = (NORTH, SOUTH, EAST, WEST)
    times.lose(people[turn])
    times.people.removers.add(people[(turn + 2) % 4].id)
    await times.pass_by(DAY + MINUTE)
    assert (await info(times, match.id)).kind is MatchKind.CASUAL


async def test_a_player_who_left_the_other_board_loses_on_time(times: Times) -> None:
    """Each board has its own time; if a player left the other board, their team loses the match."""
    people = (NORTH, SOUTH, EAST, WEST)
    match = await times.begin("1d flag", *people[1:], rules="partners")
    four = Players(times.app, people)
    left = await four.to_act(match.id, 2)
    times.lose(left)
    await times.pass_by(12 * HOUR)
    await four.move_on(1, match.id, "pass")
    await times.pass_by(12 * HOUR + MINUTE)
    await times.pass_by(DAY)
    assert await forfeit(times, match.id) == Forfeit(Seat(people.index(left)), on_time=True)


@pytest.mark.nightly
async def test_a_player_who_left_is_not_nudged(times: Times) -> None:
    """A player who left cannot be nudged."""
    match = await times.begin("7d")
    await times.pass_by(2 * DAY)
    assert (await times.app.lookup.hand(SOUTH.id, match.id)).may_nudge
    await prefer(times.app, NORTH, reminders=Reminders.DAILY)
    times.lose(NORTH)
    await times.pass_by(DAY)
    assert not (await times.app.lookup.hand(SOUTH.id, match.id)).may_nudge
    with pytest.raises(NoNudge):
        await times.app.times.nudge(SOUTH.id, match.id)


async def test_a_claim_works_while_discord_does_not_say(times: Times) -> None:
    """A claim that the timekeeper has allowed works even if Discord does not answer."""
    match = await times.begin("1d")
    await times.pass_by(DAY + MINUTE)
    times.people.unknown |= {NORTH.id, SOUTH.id}
    hand = await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.people)
    assert (hand.match.status, hand.match.kind) == (MatchStatus.FINISHED, MatchKind.STANDARD)


@pytest.mark.nightly
async def test_a_remover_who_is_there_changes_nothing_else(times: Times) -> None:
    """A loss on time by a present member counts, even if the players can remove members."""
    match = await times.begin("1d flag")
    times.people.removers |= {NORTH.id, SOUTH.id}
    await times.pass_by(DAY + MINUTE)
    assert (await info(times, match.id)).kind is MatchKind.STANDARD


@pytest.mark.parametrize("limit", nightly_after(1, ["1d flag", "1d", "none"]))
async def test_a_match_that_everybody_left_is_called_off(times: Times, limit: str) -> None:
    """If all players left, the match is called off and the channel is free."""
    match = await times.begin(limit)
    times.lose(NORTH)
    times.lose(SOUTH)
    for _ in range(8):
        await times.pass_by(DAY + MINUTE)
    assert (await info(times, match.id)).status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_a_match_waits_for_one_who_is_kept_out_while_the_other_left(times: Times) -> None:
    """If one player left and the other cannot reach the table, the match is called off after the wait."""
    match = await times.begin("1d flag")
    times.lose(NORTH, Presence.SHUT_OUT)
    times.lose(SOUTH)
    await times.pass_by(DAY)
    assert (await info(times, match.id)).status is MatchStatus.RUNNING
    await times.pass_by(DAY)
    assert (await info(times, match.id)).status is MatchStatus.CANCELLED


async def test_a_player_who_comes_back_in_time_plays_on(times: Times) -> None:
    """A player who was marked as gone is present again once they act, and the table shows it."""
    match = await times.begin("2d flag")
    times.lose(NORTH)
    await times.pass_by(36 * HOUR)
    assert (await times.app.lookup.table(match.id)).times[Seat(0)].gone
    await times.app.timekeeper.came_back(NORTH.id)
    shown = (await times.app.lookup.table(match.id)).times[Seat(0)]
    assert (shown.gone, shown.left) == (False, 12 * HOUR)
    await times.app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    times.lose(SOUTH)
    await times.pass_by(36 * HOUR)
    assert (await times.app.lookup.table(match.id)).times[Seat(1)].gone
    await times.app.turns.move(SOUTH.id, match.id, Move.parse("take"), interaction())
    assert not (await times.app.lookup.table(match.id)).times[Seat(1)].gone


@pytest.mark.nightly
async def test_a_player_may_leave_in_the_turn_of_another(times: Times) -> None:
    """If a player leaves during another's turn, it matters only once it is their turn."""
    match = await times.begin("1d flag")
    times.lose(SOUTH)
    await times.pass_by(12 * HOUR)
    await times.app.turns.move(NORTH.id, match.id, Move.parse("pass"), interaction())
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(1), on_time=True)


@pytest.mark.nightly
async def test_a_holiday_of_the_one_who_waits_saves_nobody(times: Times) -> None:
    """A holiday of the waiting player does not stop the clock."""
    match = await times.begin("1d flag")
    await times.app.holidays.take(SOUTH, 14)
    times.lose(NORTH)
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.nightly
async def test_a_holiday_ends_for_a_player_who_left(times: Times) -> None:
    """The clock of a player who left stops only until their holiday ends."""
    match = await times.begin("1d flag")
    await times.app.holidays.take(NORTH, 14)
    times.lose(NORTH)
    await times.pass_by(14 * DAY)
    assert (await info(times, match.id)).status is MatchStatus.RUNNING
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


async def test_nobody_loses_while_discord_does_not_say(times: Times) -> None:
    """If Discord does not answer, it is asked five times, a minute apart; then the last known state counts."""
    match = await times.begin("2d flag")
    times.lose(NORTH)
    times.people.removers.add(SOUTH.id)
    await times.pass_by(36 * HOUR)
    times.people.unknown.add(NORTH.id)
    await times.pass_by(12 * HOUR + timedelta(seconds=5))
    for _ in range(4):
        assert (await info(times, match.id)).status is MatchStatus.RUNNING
        await times.pass_by(MINUTE)
    ended = await info(times, match.id)
    assert (ended.status, ended.kind) == (MatchStatus.FINISHED, MatchKind.CASUAL)


@pytest.mark.nightly
async def test_old_questions_without_an_answer_do_not_count(times: Times) -> None:
    """The five attempts at the deadline do not include earlier ones at a reminder."""
    match = await times.begin("2d flag")
    times.people.unknown.add(NORTH.id)
    await times.pass_by(36 * HOUR)
    await times.pass_by(12 * HOUR + timedelta(seconds=5))
    for _ in range(4):
        assert (await info(times, match.id)).status is MatchStatus.RUNNING
        await times.pass_by(MINUTE)
    assert (await info(times, match.id)).status is MatchStatus.FINISHED


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
async def test_others_can_call_off_a_match_whose_player_is_kept_from_it(
    times: Times, courier: FakeCourier, limit: str, asked_after: timedelta, left: timedelta
) -> None:
    """After the remaining time the others can call off the match alone, and are notified once."""
    await Players(times.app).reach(NORTH, SOUTH)
    match = await times.begin(limit)
    await courier.deliver()
    times.lose(NORTH, Presence.SHUT_OUT)
    await times.pass_by(asked_after)
    shown = (await times.app.lookup.table(match.id)).times[Seat(0)]
    assert shown.call_off_at == times.clock.now + left
    await times.pass_by(left - MINUTE)
    await courier.deliver()
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, False]
    before = courier.of(MessageKind.HAND, dm_of(SOUTH))[-1].id
    await times.pass_by(MINUTE)
    await courier.deliver()
    told = courier.of(MessageKind.HAND, dm_of(SOUTH))[-1]
    assert told.id != before
    assert told.notifies
    assert await may_call_off(times, match.id, NORTH, SOUTH) == [False, True]
    await times.pass_by(30 * DAY)
    assert await courier.deliver() == []
    with pytest.raises(TooSoon):
        await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.people)
    hand = await times.app.endings.call_off(SOUTH.id, match.id, times.people)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_nobody_waits_for_more_than_a_week(times: Times) -> None:
    """The wait for a player who cannot reach the table is at most a week."""
    match = await times.begin("14d flag")
    await prefer(times.app, NORTH, reminders=Reminders.DAILY)
    times.lose(NORTH, Presence.SHUT_OUT)
    await times.pass_by(DAY)
    shown = (await times.app.lookup.table(match.id)).times[Seat(0)]
    assert (shown.left, shown.call_off_at) == (13 * DAY, times.clock.now + WEEK)


async def test_everybody_else_may_call_it_off(times: Times) -> None:
    """Everyone else can call off the match, including partners and players at the other board."""
    match = await times.begin("1d flag", SOUTH, EAST, WEST, rules="partners")
    people = (NORTH, SOUTH, EAST, WEST)
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    times.lose(people[turn], Presence.SHUT_OUT)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    assert await may_call_off(times, match.id, *people) == [seat != turn for seat in range(4)]


@pytest.mark.nightly
async def test_a_ping_tells_those_who_want_no_direct_message(times: Times, courier: FakeCourier) -> None:
    """A player who prefers pings gets one in the channel that they can call off the match."""
    await prefer(times.app, SOUTH, push=Push.CHANNEL)
    await times.begin("1d flag")
    times.lose(NORTH, Presence.SHUT_OUT)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    await courier.deliver()
    pings = [one.shown.content for one in courier.of(MessageKind.PING) if isinstance(one.shown.content, Ping)]
    assert [one.person_id for one in pings if one.may_call_off] == [SOUTH.id]


@pytest.mark.parametrize("press", nightly_after(1, [True, False]))
async def test_a_player_who_can_reach_the_table_again_plays_on(times: Times, press: bool) -> None:
    """Time runs again once the player is found back, at the deadline or when the others try to call off."""
    match = await times.begin("2d flag")
    times.lose(NORTH, Presence.SHUT_OUT)
    await times.pass_by(36 * HOUR)
    if press:
        await times.pass_by(12 * HOUR)
        times.bring_back(NORTH)
        with pytest.raises(BackAtTable):
            await times.app.endings.call_off(SOUTH.id, match.id, times.people)
    else:
        times.bring_back(NORTH)
        await times.pass_by(12 * HOUR)
    shown = (await times.app.lookup.table(match.id)).times[Seat(0)]
    assert (shown.left, shown.ends_at) == (12 * HOUR, times.clock.now + 12 * HOUR)
    assert await may_call_off(times, match.id, SOUTH) == [False]
    assert (await info(times, match.id)).proposed is None
    await times.pass_by(12 * HOUR + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.nightly
async def test_a_player_who_leaves_while_kept_out_loses_on_time(times: Times) -> None:
    """Time runs again for an unreachable player once they are found to have left."""
    match = await times.begin("2d flag")
    times.lose(NORTH, Presence.SHUT_OUT)
    await times.pass_by(36 * HOUR)
    times.lose(NORTH)
    await times.pass_by(12 * HOUR)
    assert (await times.app.lookup.table(match.id)).times[Seat(0)].gone
    await times.pass_by(12 * HOUR + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


async def test_nobody_is_claimed_who_cannot_reach_the_table(times: Times) -> None:
    """A claim against an unreachable player stops their clock, and the match can be called off immediately."""
    match = await times.begin("1d")
    await times.pass_by(DAY + MINUTE)
    times.lose(NORTH, Presence.SHUT_OUT)
    with pytest.raises(TooSoon) as caught:
        await times.app.endings.claim(SOUTH.id, match.id, interaction(), times.people)
    assert caught.value.time is not None
    assert caught.value.time.call_off_at == times.clock.now
    hand = await times.app.endings.call_off(SOUTH.id, match.id, times.people)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_a_deleted_channel_keeps_members_out(times: Times) -> None:
    """A deleted channel stops the clock and lets the others call off; reposting the table starts it again."""
    match = await times.begin("1d flag")
    await times.app.outbox.channel_deleted(CHANNEL)
    await times.pass_by(18 * HOUR)
    await times.pass_by(6 * HOUR)
    assert await may_call_off(times, match.id, SOUTH) == [True]
    await times.app.tables.repost(match.id, SOUTH.id, place(ELSEWHERE))
    with pytest.raises(BackAtTable):
        await times.app.endings.call_off(SOUTH.id, match.id, times.people)
    assert await times.left(match.id, NORTH) == 6 * HOUR


@pytest.mark.nightly
async def test_a_player_who_left_loses_also_without_a_channel(times: Times) -> None:
    """A player who left loses on time even if the channel was deleted."""
    match = await times.begin("1d flag")
    await times.app.outbox.channel_deleted(CHANNEL)
    times.lose(NORTH)
    await times.pass_by(DAY + MINUTE)
    assert await forfeit(times, match.id) == Forfeit(Seat(0), on_time=True)


@pytest.mark.parametrize("declined", nightly_after(1, [True, False]))
async def test_a_pause_ends_for_those_who_ask_to_go_on(times: Times, courier: FakeCourier, declined: bool) -> None:
    """A player who asks to resume a pause can call off the match alone after a week, even if the others decline."""
    await Players(times.app).reach(NORTH, SOUTH)
    match = await times.begin("2d flag")
    for person in (NORTH, SOUTH):
        await times.app.pauses.pause(person.id, match.id)
    times.lose(SOUTH)
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
    hand = await times.app.endings.call_off(NORTH.id, match.id, times.people)
    assert hand.match.status is MatchStatus.CANCELLED


@pytest.mark.nightly
async def test_a_pause_waits_for_a_holiday_and_for_a_withdrawn_question(times: Times) -> None:
    """Holidays of the others extend that week, and a withdrawn request does not start it."""
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
    assert (hand.match.paused, hand.match.proposals) == (False, (None, None))
    for person in (NORTH, SOUTH):
        await times.app.pauses.pause(person.id, match.id)
    assert await may_call_off(times, match.id, NORTH) == [False]
    assert (await info(times, match.id)).proposed is not Proposal.CONTINUE


async def test_nobody_is_asked_about_who_is_at_the_table(times: Times) -> None:
    """Discord is asked once about the player whose time is due, and never about the others."""
    match = await times.begin("1d flag")
    await times.pass_by(12 * HOUR)
    assert times.people.asked == []
    await times.pass_by(12 * HOUR + MINUTE)
    assert (await info(times, match.id)).status is MatchStatus.FINISHED
    assert times.people.asked == [NORTH.id]
