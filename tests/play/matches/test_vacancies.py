"""Vacant seats: after a loss on time the other players decide whether a computer takes over or the match ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.deals.moves import Move, Seat
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Forfeit
from bot.model.matches import LostSeat, MadeCasual, MatchInfo, MatchKind, MatchStatus, Ping, Proposal
from bot.model.outbox import MessageKind
from bot.model.people import Person, Push
from bot.opponent.play.levels import Level
from bot.play import refusals
from bot.play.application import Application
from bot.store import matches
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, GUILD, MANAGER, NORTH, SOUTH, WEST, Players, dm_of, interaction, prefer
from tests.play.matches.times import ClockDriver

pytestmark = pytest.mark.thorough

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
OTHERS = {
    "rotation": (SOUTH, EAST),
    "winner_stays": (SOUTH, EAST),
    "penalty": (SOUTH, EAST, WEST),
    "partners": (SOUTH, EAST, WEST),
}


@pytest.fixture
async def times(app: Application, database: Database, clock: Clock) -> ClockDriver:
    """Connect the application's shard, and return a helper that lets time pass."""
    await app.outages.beat([0], 1)
    return ClockDriver(app, database, clock)


async def start_with_a_vacant_seat(
    times: ClockDriver, rules: str = "rotation", clock: str = "1d flag"
) -> tuple[MatchInfo, Person, list[Person]]:
    """Let a player's time run out. Return the match, that player and the others."""
    others = OTHERS[rules]
    match = await times.begin(clock, *others, rules=rules)
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    await times.pass_by(DAY + MINUTE)
    match = await times.app.lookup.info(match.id)
    people = {person.id: person for person in (NORTH, *others)}
    seated = [people[player.id] for player in match.players if player.id is not None]
    return match, seated[turn], [person for person in seated if person is not seated[turn]]


async def start_with_two_leavers(times: ClockDriver) -> tuple[MatchInfo, Seat, Person, Person, Person]:
    """Start a match of three, let two players leave, and let one of them lose on time.

    Return the match, the vacant seat, the player who lost, the other player who left, and the player who stayed.
    """
    match = await times.begin("1d flag", SOUTH, EAST, rules="rotation")
    people = {player.id: player for player in (NORTH, SOUTH, EAST)}
    turn = (await times.app.lookup.table(match.id)).view.turn
    assert turn is not None
    leaver = people[match.players[turn].id or NORTH.id]
    gone, stayer = (person for person in people.values() if person is not leaver)
    times.make_absent(leaver)
    times.make_absent(gone)
    await times.pass_by(DAY + MINUTE)
    return match, turn, leaver, gone, stayer


async def agree_to_play_on(app: Application, match: MatchInfo, *people: Person) -> None:
    for person in people:
        await app.vacancies.play_on(person.id, match.id, interaction())


async def action_log(database: Database, match: MatchInfo) -> tuple[str, ...]:
    async with database.read() as transaction:
        return await matches.actions(transaction, match.id)


@pytest.mark.parametrize("rules", nightly_after(2, ["partners", "penalty", "rotation", "winner_stays"]))
async def test_nothing_can_be_done_while_a_seat_is_vacant(app: Application, times: ClockDriver, rules: str) -> None:
    """While a seat is vacant, nobody can move, resign, pause or give time, and no time passes."""
    match, lost, others = await start_with_a_vacant_seat(times, rules)
    assert (match.status, match.vacant_seat) == (MatchStatus.RUNNING, match.seat_of(lost.id))
    assert match.open_proposal is Proposal.REPLACE
    services = (app.endings.decline, app.endings.call_off, app.pauses.pause, app.pauses.resume, app.times.give)
    for person in (lost, *others):
        for service in services:
            with pytest.raises(refusals.Vacant):
                await service(person.id, match.id)
        for ending in (app.endings.resign, app.endings.claim):
            with pytest.raises(refusals.Vacant):
                await ending(person.id, match.id, interaction())
        with pytest.raises(refusals.Vacant):
            await app.turns.move(person.id, match.id, Move.parse("pass"), interaction())
        with pytest.raises(refusals.Vacant):
            await app.words.give(person.id, match.id, "three blue boats", interaction())
        hand = await app.lookup.hand(person.id, match.id)
        assert (hand.view.moves, hand.may_claim, hand.awaited_seat) == ((), False, None)
    table = await app.lookup.table(match.id)
    assert (table.view.turn, dict(table.times_left)) == (None, {})
    assert await app.lookup.next_hand(others[0].id, match.id) is None


@pytest.mark.parametrize("rules", nightly_after(2, ["partners", "penalty", "rotation", "winner_stays"]))
async def test_no_time_is_shown_while_a_seat_is_vacant(app: Application, times: ClockDriver, rules: str) -> None:
    """While a seat is vacant, no time is shown, even with a live clock."""
    match, lost, others = await start_with_a_vacant_seat(times, rules, "1m flag")
    for board in range(1, FORMATS[match.rules.format].boards + 1):
        assert not (await app.lookup.table(match.id, board)).times_left
    for person in (lost, *others):
        assert not (await app.lookup.hand(person.id, match.id)).times_left


@pytest.mark.parametrize("rules", nightly_after(2, ["partners", "penalty", "rotation", "winner_stays"]))
async def test_a_computer_takes_over_once_all_agree(
    app: Application, times: ClockDriver, database: Database, rules: str
) -> None:
    """If all agree, a computer takes over. The match becomes casual, and the leaver cannot return.

    The clocks of the current turns start again with the full time.
    """
    match, lost, others = await start_with_a_vacant_seat(times, rules)
    seat = match.vacant_seat
    assert seat is not None
    before = await action_log(database, match)
    await agree_to_play_on(app, match, *others[:-1])
    assert (await app.lookup.info(match.id)).vacant_seat == seat
    await times.pass_by(HOUR)
    await agree_to_play_on(app, match, others[-1])
    after = await app.lookup.info(match.id)
    assert await action_log(database, match) == (*before, f"replace {seat}")
    assert (after.status, after.kind, after.vacant_seat, after.vacant_at) == (
        MatchStatus.RUNNING,
        MatchKind.CASUAL,
        None,
        None,
    )
    assert (after.players[seat].id, after.players[seat].computer) == (None, Level.STRONG)
    assert after.former_seat_of(lost.id) == seat
    assert after.proposals == (None,) * len(after.players)
    assert await app.lookup.hands(lost.id) == ()
    with pytest.raises(refusals.NotSeated):
        await app.lookup.hand(lost.id, match.id)
    with pytest.raises(refusals.NotSeated):
        await app.turns.move(lost.id, match.id, Move.parse("pass"), interaction())
    with pytest.raises(refusals.NotSeated):
        await app.vacancies.play_on(lost.id, match.id, interaction())
    for person in others:
        own = after.seat_of(person.id)
        assert own is not None
        time = (await app.lookup.hand(person.id, match.id)).times_left.get(own)
        assert time is None or time.left == DAY


@pytest.mark.parametrize("rules", nightly_after(2, ["partners", "penalty", "rotation", "winner_stays"]))
async def test_one_refusal_ends_the_match(app: Application, times: ClockDriver, database: Database, rules: str) -> None:
    """If one player refuses a computer, the match ends and the vacant seat loses on time, even if another agreed."""
    match, _, others = await start_with_a_vacant_seat(times, rules)
    await agree_to_play_on(app, match, others[0])
    await app.vacancies.end(others[1].id, match.id, interaction())
    table = await app.lookup.table(match.id)
    assert (table.match.status, table.match.kind) == (MatchStatus.FINISHED, MatchKind.STANDARD)
    assert table.view.forfeit == Forfeit(match.vacant_seat or Seat(0), on_time=True)
    assert (table.match.vacant_seat, table.match.vacant_at) == (None, None)
    assert f"{match.vacant_seat} time" in await action_log(database, match)
    with pytest.raises(refusals.MatchOver):
        await app.vacancies.play_on(others[-1].id, match.id, interaction())


async def test_a_day_without_all_answers_ends_the_match(app: Application, times: ClockDriver) -> None:
    """If not everyone has answered within a day, not counting outages, the match ends."""
    match, _, others = await start_with_a_vacant_seat(times)
    await agree_to_play_on(app, match, others[0])
    await times.pass_by(12 * HOUR)
    await times.pass_by(3 * DAY, connected=False)
    await app.guilds.save_left(GUILD)
    await times.pass_by(5 * DAY)
    await app.guilds.save_joined(GUILD)
    await times.run_timekeeper()
    await times.pass_by(12 * HOUR - 2 * MINUTE)
    assert (await app.lookup.info(match.id)).status is MatchStatus.RUNNING
    await times.pass_by(3 * MINUTE)
    table = await app.lookup.table(match.id)
    assert (table.match.status, table.view.forfeit is not None) == (MatchStatus.FINISHED, True)


@pytest.mark.nightly
async def test_a_claim_makes_the_seat_vacant(app: Application, times: ClockDriver) -> None:
    """Without the option `flag`, a claim makes the seat vacant. The claiming player is asked about a computer, too."""
    match, lost, others = await start_with_a_vacant_seat(times, clock="1d")
    assert match.vacant_seat is None
    hand = await app.endings.claim(others[0].id, match.id, interaction())
    assert (hand.match.status, hand.match.vacant_seat) == (MatchStatus.RUNNING, match.seat_of(lost.id))
    await agree_to_play_on(app, match, *others)
    assert (await app.lookup.info(match.id)).former_seat_of(lost.id) is not None


@pytest.mark.nightly
async def test_players_who_left_are_not_asked(app: Application, times: ClockDriver) -> None:
    """Players who left the server are not asked about the vacant seat; the remaining players decide."""
    match, turn, lost, _, there = await start_with_two_leavers(times)
    match = await app.lookup.info(match.id)
    assert match.vacant_seat == turn
    await agree_to_play_on(app, match, there)
    match = await app.lookup.info(match.id)
    assert (match.status, match.vacant_seat, match.former_seat_of(lost.id)) == (MatchStatus.RUNNING, None, turn)


@pytest.mark.nightly
async def test_players_who_come_back_are_asked(app: Application, times: ClockDriver) -> None:
    """A player who comes back before the decision about a vacant seat is asked too."""
    match, turn, _, gone, there = await start_with_two_leavers(times)
    times.make_present(gone)
    await app.timekeeper.note_active(gone.id)
    match = await app.lookup.info(match.id)
    await agree_to_play_on(app, match, there)
    assert (await app.lookup.info(match.id)).vacant_seat == turn
    await agree_to_play_on(app, match, gone)
    assert (await app.lookup.info(match.id)).vacant_seat is None


@pytest.mark.parametrize("plays_on", nightly_after(1, [True, False]))
async def test_a_player_who_can_remove_members_makes_it_casual(
    app: Application, times: ClockDriver, plays_on: bool
) -> None:
    """If a player could have removed the leaver, the match becomes casual; a rematch is casual only with a computer."""
    match = await times.begin("1d flag", SOUTH, EAST, rules="rotation")
    people = {player.id: player for player in (NORTH, SOUTH, EAST)}
    turn = (await app.lookup.table(match.id)).view.turn
    assert turn is not None
    lost = people[match.players[turn].id or NORTH.id]
    others = [person for person in people.values() if person is not lost]
    times.make_absent(lost)
    times.attendance.removers.add(others[0].id)
    await times.pass_by(DAY + MINUTE)
    match = await app.lookup.info(match.id)
    assert (match.kind, match.made_casual) == (MatchKind.CASUAL, MadeCasual.REMOVER)
    if plays_on:
        await agree_to_play_on(app, match, *others)
    else:
        await app.vacancies.end(others[0].id, match.id, interaction())
    match = await app.lookup.info(match.id)
    why = MadeCasual.COMPUTER if plays_on else MadeCasual.REMOVER
    assert (match.kind, match.made_casual) == (MatchKind.CASUAL, why)
    assert match.terms.kind is (MatchKind.CASUAL if plays_on else MatchKind.STANDARD)


@pytest.mark.nightly
async def test_nobody_is_reminded_of_a_lost_turn(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """A reminder of a turn that was lost on time is not sent, and an earlier one is removed."""
    await Players(app).open_dms(NORTH, SOUTH, EAST)
    match, _, _ = await start_with_a_vacant_seat(times)
    await courier.deliver()
    assert match.vacant_seat is not None
    assert courier.of_kind(MessageKind.REMINDER) == []
    await times.pass_by(12 * HOUR)
    await courier.deliver()
    assert courier.of_kind(MessageKind.REMINDER) == []


@pytest.mark.nightly
async def test_two_players_are_not_asked(app: Application, times: ClockDriver) -> None:
    """In a match of two, a loss on time ends the match without any questions."""
    match = await times.begin("1d flag")
    await times.pass_by(DAY + MINUTE)
    assert (await app.lookup.info(match.id)).status is MatchStatus.FINISHED


async def test_late_and_stale_answers_are_refused(app: Application, times: ClockDriver) -> None:
    """An answer that comes after the decision about the vacant seat, or from an outdated button, is refused."""
    match, lost, others = await start_with_a_vacant_seat(times)
    old = match.version
    with pytest.raises(refusals.Vacant):
        await app.vacancies.end(lost.id, match.id, interaction())
    with pytest.raises(refusals.NotSeated):
        await app.vacancies.end(WEST.id, match.id, interaction())
    await agree_to_play_on(app, match, others[0], *others)
    with pytest.raises(refusals.NotVacant):
        await app.vacancies.end(others[0].id, match.id, interaction(), version=old)
    current = await app.lookup.info(match.id)
    await times.pass_by(2 * DAY)
    if (await app.lookup.info(match.id)).vacant_seat is not None:
        with pytest.raises(refusals.Stale):
            await app.vacancies.end(others[0].id, match.id, interaction(), version=old)
    assert current.status is MatchStatus.RUNNING


@pytest.mark.nightly
async def test_the_same_interaction_decides_once(app: Application, times: ClockDriver, database: Database) -> None:
    """A repeated answer to the question about a vacant seat changes nothing and returns the current hand."""
    match, _, others = await start_with_a_vacant_seat(times)
    await agree_to_play_on(app, match, others[0])
    clicked = interaction()
    await app.vacancies.play_on(others[1].id, match.id, clicked)
    hand = await app.vacancies.play_on(others[1].id, match.id, clicked, version=match.version)
    assert hand.match.vacant_seat is None
    assert [text for text in await action_log(database, match) if text.startswith("replace")] == [
        f"replace {match.vacant_seat}"
    ]


@pytest.mark.nightly
async def test_a_manager_can_cancel_a_match_with_a_vacant_seat(app: Application, times: ClockDriver) -> None:
    """A manager can cancel a match with a vacant seat."""
    match, _, _ = await start_with_a_vacant_seat(times)
    called_off = await app.endings.cancel(match.id, GUILD, MANAGER)
    assert (called_off.status, called_off.vacant_seat, called_off.vacant_at) == (MatchStatus.CANCELLED, None, None)


@pytest.mark.parametrize("forgets", nightly_after(1, ["lost", "other"]))
async def test_forgetting_a_player_ends_the_match(
    app: Application, times: ClockDriver, database: Database, forgets: str
) -> None:
    """If any player is forgotten while a seat is vacant, the match ends and the vacant seat loses."""
    match, lost, others = await start_with_a_vacant_seat(times)
    await app.people.forget(lost.id if forgets == "lost" else others[0].id)
    assert (await app.lookup.info(match.id)).status is MatchStatus.FINISHED
    assert f"{match.vacant_seat} time" in await action_log(database, match)


async def test_each_player_is_notified_once(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """Each player, including the one who lost, is notified once of the vacant seat, but not of answers or holidays."""
    people = (NORTH, SOUTH, EAST)
    await Players(app).open_dms(*people)
    await prefer(app, EAST, push=Push.CHANNEL)
    match = await times.begin("1d flag", SOUTH, EAST, rules="rotation")
    await courier.deliver()
    before = {*courier.messages}
    await times.pass_by(DAY + MINUTE)
    await courier.deliver()
    match = await app.lookup.info(match.id)
    notifications = [message for message in courier.messages.values() if message.id not in before and message.notifies]
    pings = [
        notification.shown.content for notification in notifications if isinstance(notification.shown.content, Ping)
    ]
    assert [(ping.person_id, ping.is_turn, ping.is_over) for ping in pings] == [(EAST.id, False, False)]
    by_dm = [notification.channel_id for notification in notifications if notification.shown.kind is MessageKind.HAND]
    assert sorted(by_dm) == sorted([dm_of(NORTH), dm_of(SOUTH)])
    others = [person for person in people if match.seat_of(person.id) != match.vacant_seat]
    ids_before = {*courier.messages}
    await app.vacancies.play_on(others[0].id, match.id, interaction())
    await app.holidays.take(others[1], 3)
    await courier.deliver()
    assert [message for message in courier.messages.values() if message.id not in ids_before and message.notifies] == []


@pytest.mark.parametrize("wait", nightly_after(1, [timedelta(), 5 * HOUR]))
async def test_the_leaver_keeps_a_message_without_cards(
    app: Application, times: ClockDriver, courier: FakeCourier, wait: timedelta
) -> None:
    """The leaver's hand is silently replaced by a message without cards, and the leaver gets no more messages."""
    await Players(app).open_dms(NORTH, SOUTH, EAST)
    match, lost, others = await start_with_a_vacant_seat(times)
    await courier.deliver()
    (hand,) = courier.of_kind(MessageKind.HAND, dm_of(lost))
    await times.pass_by(wait)
    await agree_to_play_on(app, match, *others)
    await courier.deliver()
    (kept,) = courier.of_kind(MessageKind.HAND, dm_of(lost))
    assert isinstance(kept.shown.content, LostSeat)
    assert kept.id == hand.id or not kept.notifies
    edits = kept.edits
    await app.endings.resign(others[0].id, match.id, interaction())
    await courier.deliver()
    assert courier.of_kind(MessageKind.HAND, dm_of(lost)) == [kept]
    assert kept.edits == edits
    assert [
        message
        for message in courier.of_kind(MessageKind.PING)
        if getattr(message.shown.content, "person_id", None) == lost.id
    ] == []


@pytest.mark.nightly
async def test_a_leaver_without_direct_messages_gets_none(
    app: Application, times: ClockDriver, courier: FakeCourier
) -> None:
    """A leaver who closed direct messages gets none, neither at the takeover nor at the end."""
    await Players(app).open_dms(NORTH, SOUTH, EAST)
    match, lost, others = await start_with_a_vacant_seat(times)
    await courier.deliver()
    await app.outbox.save_dm_refused(lost.id)
    await agree_to_play_on(app, match, *others)
    await courier.deliver()
    assert courier.of_kind(MessageKind.HAND, dm_of(lost)) == []


@pytest.mark.nightly
async def test_a_refused_message_to_a_leaver_pings_nobody(
    app: Application, times: ClockDriver, courier: FakeCourier
) -> None:
    """If Discord refuses a message to the leaver after the end, they are not pinged in the channel instead."""
    await Players(app).open_dms(NORTH, SOUTH, EAST)
    match, lost, others = await start_with_a_vacant_seat(times)
    await courier.deliver()
    (hand,) = courier.of_kind(MessageKind.HAND, dm_of(lost))
    await agree_to_play_on(app, match, *others)
    await app.endings.resign(others[0].id, match.id, interaction())
    await app.outbox.save_dm_refused(lost.id, hand.shown.id)
    await courier.deliver()
    pings = [message.shown.content for message in courier.of_kind(MessageKind.PING)]
    assert lost.id not in [ping.person_id for ping in pings if isinstance(ping, Ping)]


@pytest.mark.nightly
async def test_a_forgotten_leavers_message_goes(app: Application, times: ClockDriver, courier: FakeCourier) -> None:
    """A forgotten leaver's hand is deleted, and no pending message is posted."""
    await Players(app).open_dms(NORTH, SOUTH, EAST)
    match, lost, others = await start_with_a_vacant_seat(times)
    await courier.deliver()
    await agree_to_play_on(app, match, *others)
    await app.people.forget(lost.id)
    await courier.deliver()
    assert courier.of_kind(MessageKind.HAND, dm_of(lost)) == []


@pytest.mark.nightly
async def test_a_live_clock_keeps_the_remaining_time(app: Application, times: ClockDriver) -> None:
    """After a computer takes over, players on the other board continue with the time that their live clocks had left.

    They get at least enough for a move.
    """
    match = await times.begin("10m+20s flag", SOUTH, EAST, WEST, rules="partners")
    persons = {person.id: person for person in (NORTH, SOUTH, EAST, WEST)}
    people = [persons[player.id] for player in match.players if player.id is not None]
    first = [(await app.lookup.table(match.id, board)).view.turn for board in (1, 2)]
    await times.pass_by(4 * MINUTE)
    # The move passes the turn on board 1 to the opponent, whose bank is full.
    assert first[0] is not None
    assert first[1] is not None
    await app.turns.move(people[first[0]].id, match.id, Move.parse("pass"), interaction())
    waiting = (await app.lookup.table(match.id, 1)).view.turn
    assert waiting is not None
    await times.pass_by(6 * MINUTE + timedelta(seconds=10))
    match = await app.lookup.info(match.id)
    assert match.vacant_seat == first[1]
    await times.pass_by(5 * HOUR)
    for seat, person in enumerate(people):
        if seat != match.vacant_seat:
            await agree_to_play_on(app, match, person)
    assert await times.time_left(match.id, people[waiting]) == 4 * MINUTE - timedelta(seconds=10)
    assert await times.time_left(match.id, people[first[0]]) == 6 * MINUTE + timedelta(seconds=20)


async def test_the_leaver_has_lost_the_match(
    app: Application, times: ClockDriver, database: Database, clock: Clock
) -> None:
    """However the match ends, the leaver has lost it, and it counts on no leaderboard."""
    match, lost, others = await start_with_a_vacant_seat(times)
    await agree_to_play_on(app, match, *others)
    assert await app.history.matches(lost.id, lost.id, None, None, 5) == ()
    await app.endings.resign(others[0].id, match.id, interaction())
    (past,) = await app.history.matches(lost.id, lost.id, None, None, 5)
    seat = past.match.former_seat_of(lost.id)
    assert seat is not None
    assert (past.match.id, past.results[seat].won, past.results[seat].drawn) == (match.id, False, False)
    board = await app.leaderboards.page(GUILD, NORTH.id)
    assert board.people == 0
    assert past.match.ratings == (None, None, None)
    rematch = past.match.terms
    assert rematch.kind is MatchKind.CASUAL


async def test_a_rematch_is_for_those_who_stayed(app: Application, times: ClockDriver) -> None:
    """A rematch includes the computer. The leaver is not asked and cannot propose it."""
    match, lost, others = await start_with_a_vacant_seat(times)
    await agree_to_play_on(app, match, *others)
    await app.endings.resign(others[0].id, match.id, interaction())
    with pytest.raises(refusals.NotSeated):
        await app.endings.rematch(lost.id, match.id)
    await app.endings.rematch(others[0].id, match.id)
    rematch = await app.endings.rematch(others[1].id, match.id)
    assert (rematch.status, rematch.kind, rematch.leavers) == (MatchStatus.RUNNING, MatchKind.CASUAL, ())
    assert [player.computer for player in rematch.players] == [
        player.computer for player in (await app.lookup.info(match.id)).players
    ]


async def test_forgetting_the_leaver_does_not_end_the_match(
    app: Application, times: ClockDriver, database: Database
) -> None:
    """After a computer took over, forgetting the leaver does not end the match."""
    match, lost, others = await start_with_a_vacant_seat(times)
    await agree_to_play_on(app, match, *others)
    assert await app.people.forget(lost.id) == 0
    after = await app.lookup.info(match.id)
    assert (after.status, after.leavers, after.has_known_players) == (MatchStatus.RUNNING, (), True)


async def test_an_export_has_no_cards_of_the_computer(app: Application, times: ClockDriver) -> None:
    """The leaver's export has the public view of the match, without the computer's cards."""
    match, lost, others = await start_with_a_vacant_seat(times)
    (before,) = (await app.exports.export(lost.id))["matches"]
    assert before["vacant"]["seat"] == match.vacant_seat
    await agree_to_play_on(app, match, *others)
    (exported,) = (await app.exports.export(lost.id))["matches"]
    assert (exported["seat"], exported["hidden_deals"]) == (match.vacant_seat, [])
    assert "deal_in_play" not in exported
    await app.endings.resign(others[0].id, match.id, interaction())
    (exported,) = (await app.exports.export(lost.id))["matches"]
    assert f"replace {match.vacant_seat}" in exported["record"]


@pytest.mark.nightly
async def test_a_second_player_can_lose_as_well(app: Application, times: ClockDriver) -> None:
    """If a second player loses on time, the last remaining player decides alone and can play on with two computers."""
    match = await times.begin("1d", SOUTH, EAST, rules="rotation")
    people = {player.id: player for player in (NORTH, SOUTH, EAST)}
    leavers = list[Person]()
    for _ in range(2):
        match = await app.lookup.info(match.id)
        turn = (await app.lookup.table(match.id)).view.turn
        assert turn is not None
        player = match.players[turn].id
        if player is None:
            return
        await times.pass_by(DAY)
        stayers = [person for person in people.values() if person.id != player and person not in leavers]
        await app.endings.claim(stayers[0].id, match.id, interaction())
        leavers.append(people[player])
        await agree_to_play_on(app, match, *stayers)
    assert len([player for player in (await app.lookup.info(match.id)).players if player.computer]) == len(leavers)
