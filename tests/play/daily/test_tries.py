"""People's tries at the deal of the day."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from bot.engine.deals.moves import TAKE, Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.views import SeatView
from bot.model.daily import LEVEL, PLAYER, DailyServer, day_at, end_of
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, OwnHand, Shortcut
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.matches import computers
from bot.play.matches.checking import find_fault
from bot.play.refusals import Damaged, DayOver, NoPractice, NotInDaily, Sealed, TryCalledOff
from bot.store import tables
from bot.store.database import Database
from bot.store.opening import open_database
from bot.workers.workers import Workers
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch, url_of
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, GUILD, NORTH, OTHER_GUILD, SOUTH, change_settings, dm_of, interaction
from tests.helpers.thinkers import LocalThinker


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application with decks that let the person go gin in the first turn."""
    clock.pass_by(timedelta(days=1))  # On this day, the person acts first.
    return Application(database, thinker=LocalThinker(), shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 9), clock=clock)


@pytest.fixture
def unrigged(database: Database, clock: Clock) -> Application:
    """Build an application whose cards follow from the server seeds."""
    return Application(database, thinker=LocalThinker(), clock=clock)


async def start(app: Application, person: Person = NORTH) -> OwnHand:
    """Begin or continue a person's try on the server `GUILD`."""
    hand = (await app.daily_tries.start(person, GUILD, interaction())).hand
    return await app.computers.answer(person.id, hand)


async def test_a_damaged_try_can_be_called_off(app: Application, database: Database, clock: Clock) -> None:
    """If a try becomes unreadable, its person can call it off, and then cannot play on that day."""
    hand, action = await start(app), tables.action.c
    await execute(database, update(tables.action).where(action.match_id == hand.match.id).values(text="nonsense"))
    later = Application(database, thinker=LocalThinker(), clock=clock)
    with pytest.raises(Damaged):
        await start(later)
    await later.endings.call_off_damaged(NORTH.id, hand.match.id)
    with pytest.raises(TryCalledOff):
        await start(later)


async def go_gin(app: Application, hand: OwnHand, person: Person = NORTH) -> OwnHand:
    """Take the upcard and go gin."""
    await app.turns.move(person.id, hand.match.id, TAKE, interaction())
    return await app.turns.move(person.id, hand.match.id, Shortcut.GIN, interaction())


async def test_everybody_gets_the_same_cards(unrigged: Application) -> None:
    """Two people who make the same choices see the same cards and the same moves of the computer."""
    hands = [await start(unrigged, person) for person in (NORTH, SOUTH)]
    for _ in range(6):
        first, second = hands
        assert first.view == second.view
        if first.match.status is not MatchStatus.RUNNING:
            break
        move = first.view.moves[0]
        hands = [
            await unrigged.computers.answer(
                person.id, await unrigged.turns.move(person.id, hand.match.id, move, interaction())
            )
            for person, hand in zip((NORTH, SOUTH), hands, strict=True)
        ]


async def views_against_new_workers(database: Database, clock: Clock, person: Person) -> list[SeatView]:
    """Let a person begin their try against a computer in new worker processes. Return their hands in each turn."""
    team = Workers(1)
    app = Application(database, thinker=team, clock=clock)
    try:
        hand = await start(app, person)
        views = [hand.view]
        while hand.match.status is MatchStatus.RUNNING and len(views) < 6:
            moved = await app.turns.move(person.id, hand.match.id, hand.view.moves[0], interaction())
            hand = await app.computers.answer(person.id, moved)
            views.append(hand.view)
        return views
    finally:
        await team.close()


@pytest.mark.thorough
async def test_other_worker_processes_choose_the_same_moves(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart, the computer in new processes plays in the same way against the same choices."""
    monkeypatch.setattr(computers, "ANSWER_WAIT", 600)
    first, second = [await views_against_new_workers(database, clock, person) for person in (NORTH, SOUTH)]
    assert first == second
    assert any(move.seat != PLAYER for view in first for move in view.public.history)


async def test_the_next_day_has_other_cards_and_the_other_dealer(unrigged: Application, clock: Clock) -> None:
    """The deals of two days differ in their cards, and the other seat deals."""
    first = (await unrigged.daily_tries.start(NORTH, None, interaction())).hand
    clock.pass_by(timedelta(days=1))
    second = (await unrigged.daily_tries.start(NORTH, None, interaction())).hand
    assert {first.view.public.dealer, second.view.public.dealer} == {Seat(0), Seat(1)}
    assert first.view.hand != second.view.hand


async def test_a_try_is_against_the_strong_computer(app: Application) -> None:
    """A person plays alone against the strong computer, and it is not among their practice matches."""
    hand = await start(app)
    assert [player.computer for player in hand.match.players] == [None, LEVEL] == [None, Level.STRONG]
    with pytest.raises(NoPractice):
        await app.lookup.find_practice(NORTH.id)


async def test_a_person_has_one_try(app: Application) -> None:
    """A second start continues the try, even on another server, and shows the result once it is finished."""
    hand = await start(app)
    again = await app.daily_tries.start(NORTH, OTHER_GUILD, interaction())
    assert (again.hand.match.id, again.is_new) == (hand.match.id, False)
    finished = await go_gin(app, hand)
    again = await app.daily_tries.start(NORTH, GUILD, interaction())
    assert (again.hand.match.id, again.is_new) == (hand.match.id, False)
    assert again.hand.daily_score == finished.daily_score
    today = await app.daily_tries.today(NORTH.id)
    assert today.own is not None
    assert today.own.score == finished.daily_score
    exported = await app.exports.export(NORTH.id)
    assert [entry["servers"] for entry in exported["daily"]] == [[GUILD, OTHER_GUILD]]


async def check_simultaneous_starts(*apps: Application) -> None:
    """Have a person start on two servers at the same time, in each process, and check that they have one try."""
    servers = [GUILD, OTHER_GUILD]
    starts = [app.daily_tries.start(NORTH, server, interaction()) for server in 2 * servers for app in apps]
    started = await asyncio.gather(*starts)
    (match_id,) = {one.hand.match.id for one in started}
    assert [one.is_new for one in started].count(True) == 1
    assert all(one.counts_here for one in started)
    exported = await apps[0].exports.export(NORTH.id)
    assert [(entry["match"], entry["servers"]) for entry in exported["daily"]] == [(match_id, servers)]


@pytest.mark.both_databases
async def test_simultaneous_starts_begin_one_try(app: Application, database: Database, clock: Clock) -> None:
    """If a person starts several times at the same moment, all answers show the same match."""
    await check_simultaneous_starts(app, Application(database, clock=clock))
    assert await fetch(database, select(func.count()).select_from(tables.match)) == [(1,)]


@pytest.mark.thorough
@pytest.mark.postgresql
async def test_two_processes_begin_one_try(database: Database, clock: Clock) -> None:
    """If a person starts at the same moment in two processes with one database, both show the same match."""
    other_database = await open_database(url_of(database))
    try:
        await check_simultaneous_starts(*(Application(one, clock=clock) for one in (database, other_database)))
        assert await fetch(database, select(func.count()).select_from(tables.match)) == [(1,)]
    finally:
        await other_database.close()


async def test_a_try_is_new_to_each_server_once(app: Application) -> None:
    """A try that began elsewhere is new to a server when it is first opened there, and never in direct messages."""
    opened = [await app.daily_tries.start(NORTH, guild_id, interaction()) for guild_id in (None, GUILD, None, GUILD)]
    assert [started.is_new for started in opened] == [True, False, False, False]
    assert [started.is_new_here for started in opened] == [False, True, False, False]
    assert [started.counts_here for started in opened] == [False, True, False, True]


async def test_a_try_counts_where_its_invitation_was_opened(app: Application) -> None:
    """Opening the invitation is enough, even if the person then plays in direct messages or not at all."""
    await app.daily_tries.open(NORTH.id, OTHER_GUILD)
    await app.daily_tries.open(NORTH.id, None)
    exported = await app.exports.export(NORTH.id)
    assert [(entry["match"], entry["servers"]) for entry in exported["daily"]] == [(None, [OTHER_GUILD])]
    hand = (await app.daily_tries.start(NORTH, None, interaction())).hand
    await go_gin(app, await app.computers.answer(NORTH.id, hand))
    await app.daily_tries.open(NORTH.id, GUILD)
    exported = await app.exports.export(NORTH.id)
    assert [(entry["match"], entry["servers"]) for entry in exported["daily"]] == [(hand.match.id, [OTHER_GUILD])]


async def test_a_finished_try_counts_on_no_further_server(app: Application) -> None:
    """People cannot choose where a result counts once they know it."""
    await go_gin(app, await start(app))
    elsewhere, here = [await app.daily_tries.start(NORTH, guild, interaction()) for guild in (OTHER_GUILD, GUILD)]
    assert [(one.is_new_here, one.counts_here) for one in (elsewhere, here)] == [(False, False), (False, True)]
    exported = await app.exports.export(NORTH.id)
    assert [entry["servers"] for entry in exported["daily"]] == [[GUILD]]


async def test_the_result_is_points_and_turns(app: Application) -> None:
    """The result of a try is the points of its deal and the number of the person's turns."""
    finished = await go_gin(app, await start(app))
    score = finished.daily_score
    assert score is not None
    assert (score.points, score.turns, score.kind) == (85, 1, OutcomeKind.GIN)


async def test_a_lost_deal_has_negative_points(app: Application, clock: Clock) -> None:
    """If the computer wins the deal, its points are negative for the person."""
    clock.pass_by(timedelta(days=1))  # On this day, the computer acts first.
    finished = await start(app)
    assert finished.match.status is MatchStatus.FINISHED
    assert finished.daily_score is not None
    assert finished.daily_score.points < 0


LOOKS_BACK: dict[str, Callable[[Application, MatchId], Awaitable[object]]] = {
    "summary": lambda app, match_id: app.lookup.summary(match_id),
    "deals": lambda app, match_id: app.replays.deals(match_id),
    "showdown": lambda app, match_id: app.replays.showdown(match_id, None),
    "replay": lambda app, match_id: app.replays.replay(match_id),
    "record": lambda app, match_id: app.match_records.record(match_id),
    "verification": lambda app, match_id: app.verification.deal(match_id),
    "reviewed deals": lambda app, match_id: app.reviews.deals(NORTH.id, match_id),
}


@pytest.mark.parametrize("look_back", LOOKS_BACK)
async def test_the_cards_are_sealed_until_the_day_is_over(app: Application, clock: Clock, look_back: str) -> None:
    """Nobody can look back at the deal of the day, during the try or after it, until the day is over."""
    hand = await start(app)
    with pytest.raises(Sealed):
        await LOOKS_BACK[look_back](app, hand.match.id)
    finished = await go_gin(app, hand)
    assert finished.last_deal is finished.unseen_deal is None
    with pytest.raises(Sealed):
        await LOOKS_BACK[look_back](app, hand.match.id)
    clock.now = end_of(day_at(clock.now)) - timedelta(milliseconds=1)
    with pytest.raises(Sealed):
        await LOOKS_BACK[look_back](app, hand.match.id)
    clock.pass_by(timedelta(milliseconds=1))
    await LOOKS_BACK[look_back](app, hand.match.id)


async def test_only_the_moves_of_a_running_try_are_shown(app: Application) -> None:
    """The public table of a try, which only its player can open, is sealed once the try is finished."""
    hand = await start(app)
    assert (await app.lookup.table(hand.match.id)).view.history == hand.view.public.history
    await go_gin(app, hand)
    with pytest.raises(Sealed):
        await app.lookup.table(hand.match.id)


async def test_an_export_leaves_todays_deal_out(app: Application, clock: Clock) -> None:
    """An export has the result of today's try, but its match only once the day is over."""
    await go_gin(app, await start(app))
    exported = await app.exports.export(NORTH.id)
    assert [entry["points"] for entry in exported["daily"]] == [85]
    assert exported["matches"] == []
    clock.pass_by(timedelta(days=1))
    assert len((await app.exports.export(NORTH.id))["matches"]) == 1


async def test_a_try_allows_no_help_and_no_way_out(app: Application) -> None:
    """There are no hints, words, resignations, pauses and rematches in the deal of the day."""
    hand = await start(app)
    match_id = hand.match.id
    for forbidden in (
        app.computers.advise(NORTH.id, match_id),
        app.words.give(NORTH.id, match_id, "my words", interaction()),
        app.endings.resign(NORTH.id, match_id, interaction()),
        app.endings.call_off(NORTH.id, match_id),
        app.pauses.pause(NORTH.id, match_id),
    ):
        with pytest.raises(NotInDaily):
            await forbidden
    assert not (await go_gin(app, hand)).match.can_have_rematch
    with pytest.raises(NotInDaily):
        await app.endings.rematch(NORTH.id, match_id)


async def test_a_try_counts_nowhere_else(app: Application, clock: Clock) -> None:
    """A try is in no history, no statistics of practice and of decks, and not the last match of a person."""
    await go_gin(app, await start(app))
    clock.pass_by(timedelta(days=1))
    assert await app.history.matches(NORTH.id, NORTH.id, None, None, 10) == ()
    profile = await app.profiles.profile(NORTH, GUILD)
    assert profile.practice == {}
    report = await app.dealt_decks.test(None)
    assert (report.decks, report.committed.begun) == (0, 0)
    assert (await app.daily_tries.today(NORTH.id)).earlier is not None


async def test_a_finished_try_agrees_with_its_log(app: Application, database: Database) -> None:
    """A check of the database finds nothing wrong with a finished try."""
    finished = await go_gin(app, await start(app))
    async with database.read() as transaction:
        assert await find_fault(transaction, finished.match.id) is None


async def test_a_move_after_the_end_of_the_day_is_refused(app: Application, clock: Clock) -> None:
    """Once the day is over, the person can no longer move, even before their try is ended."""
    hand = await start(app)
    clock.now = end_of(day_at(clock.now))
    with pytest.raises(DayOver):
        await app.turns.move(NORTH.id, hand.match.id, TAKE, interaction())


async def test_the_computer_may_end_a_deal_after_midnight(app: Application, clock: Clock) -> None:
    """If the person moved before the end of the day, the computer's answer still counts, whatever is done first."""
    clock.pass_by(timedelta(days=1))  # On this day, the computer acts first.
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    clock.now = end_of(day_at(clock.now))
    await app.daily_deals.close_past()
    finished = await app.computers.answer(NORTH.id, hand)
    earlier = (await app.daily_tries.today(NORTH.id)).earlier
    assert earlier is not None
    assert earlier.score == finished.daily_score is not None


async def test_a_late_knock_is_no_result(app: Application, clock: Clock) -> None:
    """A knock after the end of the day is refused, so the try stays unfinished."""
    hand = await start(app)
    await app.turns.move(NORTH.id, hand.match.id, TAKE, interaction())
    clock.now = end_of(day_at(clock.now))
    with pytest.raises(DayOver):
        await app.turns.move(NORTH.id, hand.match.id, Shortcut.GIN, interaction())
    await app.daily_deals.close_past()
    earlier = (await app.daily_tries.today(NORTH.id)).earlier
    assert earlier is not None
    assert earlier.score is None


async def test_direct_messages_lead_to_the_servers_of_the_last_try(
    app: Application, clock: Clock, database: Database
) -> None:
    """In direct messages, a person sees where their last try counted, without servers that the bot has left."""
    assert (await app.daily_tries.open(NORTH.id, None)).servers == ()
    await change_settings(app, GUILD, daily_channel=CHANNEL)
    for guild_id in (GUILD, OTHER_GUILD):
        await app.daily_tries.start(NORTH, guild_id, interaction())
    assert (await app.daily_tries.open(NORTH.id, None)).servers == ()
    clock.pass_by(timedelta(days=1))
    both = DailyServer(GUILD, CHANNEL), DailyServer(OTHER_GUILD, None)
    assert (await app.daily_tries.open(NORTH.id, None)).servers == both
    assert (await app.daily_tries.open(SOUTH.id, None)).servers == ()
    await app.guilds.save_left(GUILD)
    assert (await app.daily_tries.open(NORTH.id, None)).servers == both[1:]
    assert (await app.daily_tries.open(NORTH.id, OTHER_GUILD)).servers == ()


async def test_the_hand_arrives_by_direct_message(app: Application) -> None:
    """The hand of a try is a direct message, which shows the result in the end, without notifying anyone."""
    courier = FakeCourier(app)
    await app.people.save_person(NORTH)
    await app.people.save_dm_opened(NORTH.id, dm_of(NORTH))
    hand = await start(app)
    await courier.deliver()
    await go_gin(app, hand)
    await courier.deliver()
    (message,) = courier.of_kind(MessageKind.HAND, dm_of(NORTH))
    assert isinstance(message.shown.content, OwnHand)
    assert message.shown.content.daily_score is not None
    assert message.shown.content.last_deal is None


async def test_a_hand_shows_the_computers_first_moves_at_once(app: Application, clock: Clock) -> None:
    """A hand that arrived before the computer's first move is updated without delay: no answer updates it."""
    clock.pass_by(timedelta(days=1))  # On this day, the computer acts first.
    courier = FakeCourier(app)
    await app.people.save_person(NORTH)
    await app.people.save_dm_opened(NORTH.id, dm_of(NORTH))
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    await courier.deliver()
    await app.computers.answer(NORTH.id, hand)
    await courier.deliver()
    (message,) = courier.of_kind(MessageKind.HAND, dm_of(NORTH))
    assert isinstance(message.shown.content, OwnHand)
    assert message.shown.content.match.status is MatchStatus.FINISHED


async def test_forgetting_deletes_a_try(app: Application) -> None:
    """A forgotten person's tries are deleted, and an unfinished one ends without a result."""
    await start(app)
    await app.people.forget(NORTH.id)
    assert (await app.exports.export(NORTH.id))["daily"] == []
    assert (await app.daily_tries.today(NORTH.id)).own is None


async def test_the_last_try_can_be_found_for_a_review(app: Application, clock: Clock) -> None:
    """Without another match, reviews and replays are about the last past deal of the day, or else today's."""
    first = (await go_gin(app, await start(app))).match.id
    assert (await app.replays.find_match(NORTH.id, None)).id == first
    assert (await app.reviews.find_match(NORTH.id, None)).id == first
    clock.now = end_of(day_at(clock.now))
    await start(app)
    assert (await app.replays.find_match(NORTH.id, None)).id == first
