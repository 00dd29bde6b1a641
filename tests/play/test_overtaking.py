"""Races between two processes: the result is always as if one change had come after the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from time import perf_counter
from typing import Any, Final

import pytest
from sqlalchemy import delete, insert, select, text, update
from structlog.testing import capture_logs

from bot.engine.deals.moves import Move, Verb
from bot.engine.fairness.audit import SeedKind
from bot.model.challenges import Challenge
from bot.model.fairness import Fairness
from bot.model.matches import MatchStatus, Proposal
from bot.model.orders import Orders, Planned
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.model.seasons import Seasons
from bot.model.shards import ALL_SHARDS
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.clocks.turn_time import UNTIMED_REMINDER_INTERVAL
from bot.play.loading import unit_of_work
from bot.play.loading.unit_of_work import MAX_ATTEMPTS, Units, shielded
from bot.play.matches.checking import find_fault
from bot.play.outbox.offers import MAX_PINGS
from bot.play.people.people import NAME_CACHE_SECONDS
from bot.play.refusals import (
    AlreadyOffered,
    CannotTakeBack,
    ChannelBusy,
    MatchOver,
    NotForYou,
    NotOffered,
    NotSeated,
    NotVacant,
    NotYourTurn,
    OutcomeUnknown,
    Stale,
    TooManyChallenges,
    Unavailable,
    UnknownRules,
    Vacant,
)
from bot.store import chains, challenges, guilds, matches, outbox, people, records, seasons, tables
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.opening import open_database
from bot.store.transaction import Transaction
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.gates import Gate
from tests.helpers.messages import FakeCourier
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    FakeMembers,
    Players,
    change_settings,
    interaction,
    place,
    prefer,
)
from tests.helpers.waiting import eventually
from tests.play.finished import save_finished_match

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

BOTH_ORDERS: Final = pytest.mark.parametrize("first", nightly_after(1, ["one", "other"]))


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
    """Return the clock that both applications share."""
    return Clock()


@pytest.fixture
def apps(databases: tuple[Database, Database], clock: Clock) -> tuple[Application, Application]:
    """Build two applications, with decks that let the player who acts first go gin in the first turn."""
    one, other = (
        Application(database, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 30), clock=clock) for database in databases
    )
    return one, other


async def assert_forgotten(database: Database, person: Person) -> None:
    """Assert that no row contains the person's id."""
    for table in tables.metadata.sorted_tables:
        rows = json.dumps(await fetch(database, select(table)), default=str)
        assert str(person.id) not in rows, table.name


@BOTH_ORDERS
async def test_forgetting_a_player_races_with_a_rematch(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a player is forgotten while the opponent accepts a rematch, the rematch does not begin, or it is resigned."""
    one, other = apps
    players = Players(one)
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await one.endings.rematch(SOUTH.id, match.id)
    # Delete the offer's ping, as the bot does after an hour. Otherwise, the second change would wait for the first.
    await execute(databases[0], delete(tables.offer_ping))
    forget, agree = one.people.forget(SOUTH.id), other.endings.rematch(NORTH.id, match.id)
    if first == "one":
        resigned, rematch = await Gate(monkeypatch, matches, "running_of").interleave(forget, agree)
        assert (resigned, rematch.version > 0) == (1, True)
    else:
        refused, resigned = await Gate(monkeypatch, matches, "load").interleave(agree, forget)
        assert isinstance(refused, NotSeated)
        assert resigned == 0
    await assert_forgotten(databases[0], SOUTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_forgetting_a_person_races_with_the_end_of_a_season(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    clock: Clock,
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person who is forgotten while the season ends gets no award."""
    one, other = apps
    await change_settings(one, seasons=Seasons.MONTHLY)
    await save_finished_match(databases[0], clock, NORTH, SOUTH)
    clock.pass_by(timedelta(days=20))
    forget, close = one.people.forget(NORTH.id), other.leaderboards.run_upkeep()
    if first == "one":
        await Gate(monkeypatch, matches, "running_of").interleave(forget, close)
    else:
        await Gate(monkeypatch, seasons, "seats").interleave(close, forget)
    assert (await one.leaderboards.seasons(GUILD)).last == "2026-11"
    await assert_forgotten(databases[0], NORTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_forgetting_a_person_races_with_a_streak_backfill(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person who is forgotten while streaks are backfilled has no streak afterwards."""
    one, other = apps
    players = Players(one)
    for _ in range(2):
        await players.win((await players.begin("classic target=10")).id)
    await execute(databases[0], delete(tables.streak))
    for _ in range(2):
        await other.records_backfill.step()
    forget, fill = one.people.forget(NORTH.id), other.records_backfill.step()
    if first == "one":
        await Gate(monkeypatch, matches, "running_of").interleave(forget, fill)
    else:
        await Gate(monkeypatch, records, "players_after").interleave(fill, forget)
    await assert_forgotten(databases[0], NORTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_removing_rules_races_with_making_them_the_default(
    apps: tuple[Application, Application], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that is removed while it becomes the default is not the default afterwards."""
    one, other = apps
    await one.rulebook.save(GUILD, "Ours", "classic target=50")
    remove, choose = one.rulebook.remove(GUILD, "Ours"), change_settings(other, rules="Ours")
    if first == "one":
        removed, _ = await Gate(monkeypatch, guilds, "load").interleave(remove, choose)
        assert removed.name == "Ours"
    else:
        refused, _ = await Gate(monkeypatch, guilds, "load").interleave(choose, remove)
        assert isinstance(refused, UnknownRules | NotOffered)
    settings = await one.guilds.settings(GUILD)
    assert settings.rules == "classic"
    assert settings == await other.guilds.settings(GUILD)


@pytest.mark.nightly
async def test_pending_challenges_are_limited_across_processes(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a draft is sent while another challenge is made, the limit on pending challenges holds."""
    one, other = apps
    for _ in range(MAX_PENDING - 1):
        await one.challenges.issue(NORTH, [], place(), interaction())
    draft = await one.challenges.issue(NORTH, [], place(), interaction(), draft=True)
    send = one.drafts.send(NORTH.id, draft.id)
    issue = other.challenges.issue(NORTH, [], place(), interaction())
    refused, _ = await Gate(monkeypatch, challenges, "load").interleave(send, issue)
    assert isinstance(refused, TooManyChallenges)
    assert len(await one.challenges.own(NORTH.id)) == MAX_PENDING


@pytest.mark.nightly
async def test_reposting_races_with_a_new_match_in_the_channel(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match cannot move to a channel in which another match starts; the refusal names that match."""
    one, other = apps
    match = await Players(one).begin()
    await one.outbox.save_channel_deleted(CHANNEL)
    repost = one.tables.repost(match.id, NORTH.id, place(ELSEWHERE))
    begin = Players(other, (EAST, WEST)).begin(channel_id=ELSEWHERE)
    refused, new_match = await Gate(monkeypatch, matches, "running_in").interleave(repost, begin)
    assert isinstance(refused, ChannelBusy)
    assert refused.match.id == new_match.id


@pytest.mark.nightly
async def test_resuming_races_with_a_new_match_in_the_channel(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paused match stays paused if another match starts in its channel; the refusal names that match."""
    one, other = apps
    match = await Players(one).begin()
    for person in (NORTH, SOUTH):
        await one.pauses.pause(person.id, match.id)
    await one.pauses.resume(NORTH.id, match.id)
    resume, begin = one.pauses.resume(SOUTH.id, match.id), Players(other, (EAST, WEST)).begin()
    refused, new_match = await Gate(monkeypatch, matches, "running_in").interleave(resume, begin)
    assert isinstance(refused, ChannelBusy)
    assert refused.match.id == new_match.id
    assert (await other.lookup.info(match.id)).is_paused


async def test_a_permanent_conflict_is_retried_a_few_times_then_logged(
    databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that always violates a unique constraint is attempted `MAX_ATTEMPTS` times, then logged."""
    monkeypatch.setattr(unit_of_work, "FIRST_PAUSE", 0)
    units, attempts = Units(databases[0], Clock()), list[int]()

    @shielded
    async def save_twice() -> None:
        attempts.append(len(attempts))
        async with units.write() as unit:
            for _ in range(2):
                await unit.transaction.execute(insert(tables.key_value).values(key="one", value="1"))

    with capture_logs() as logs, pytest.raises(Unavailable):
        await save_twice()
    assert len(attempts) == MAX_ATTEMPTS
    assert ["key_value" in log["problem"] for log in logs] == [True]


@pytest.mark.nightly
async def test_offer_pings_are_limited_across_processes(
    apps: tuple[Application, Application], databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two simultaneous rematch offers do not exceed the limit on pings."""
    one, other = apps
    players = Players(one)
    first, second = await players.begin(), await players.begin(channel_id=ELSEWHERE)
    for match in (first, second):
        await one.endings.resign(NORTH.id, match.id, interaction())
    for _ in range(MAX_PINGS - 1):
        challenge = await one.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
        await one.challenges.withdraw(NORTH.id, challenge.id)
    ask, ask_again = one.endings.rematch(NORTH.id, first.id), other.endings.rematch(NORTH.id, second.id)
    await Gate(monkeypatch, matches, "load").interleave(ask, ask_again)
    assert len(await fetch(databases[0], select(tables.offer_ping))) == MAX_PINGS


@pytest.mark.nightly
async def test_a_name_overwritten_by_another_process_is_saved_again(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that another process overwrote is saved again after the cache expires."""
    one, other = apps
    match = await Players(one).begin()
    for app, name in ((one, "Polaris"), (other, "North")):
        await app.people.save_name(Person(NORTH.id, name))
    monkeypatch.setattr("time.monotonic", lambda: perf_counter() + NAME_CACHE_SECONDS)
    await one.people.save_name(Person(NORTH.id, "Polaris"))
    assert (await one.lookup.table(match.id)).match.players[0].name == "Polaris"


@pytest.fixture
def is_waiting(url: str) -> Callable[[], bool]:
    """Return a function that returns True if a transaction is waiting for a lock."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return lambda: bool(DatabaseInspector(url).rows(waiting))


@pytest.fixture
def deadlocks(databases: tuple[Database, Database]) -> list[str]:
    """Return a list that collects the deadlocks that PostgreSQL detects."""
    deadlocks_found = list[str]()
    for database in databases:
        health: Any = database.health
        health._diagnose = _recording(health._diagnose, deadlocks_found)
    return deadlocks_found


def _recording(
    diagnose: Callable[[Any], DatabaseError | None], deadlock_errors: list[str]
) -> Callable[[Any], DatabaseError | None]:
    def note(error: Any) -> DatabaseError | None:
        database_error = diagnose(error)
        if "40P01" in str(database_error):
            deadlock_errors.append(str(error))
        return database_error

    return note


async def test_a_move_and_a_delivery_report_do_not_deadlock(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A move and a delivery report do not deadlock, even if a click's answer has already updated the player's hand."""
    app, _ = apps
    players = Players(app)
    await players.open_dms(NORTH, SOUTH)
    match = await players.begin()
    courier = FakeCourier(app)
    await courier.deliver()
    hand = await players.move(match.id, "pass")
    posted = await app.outbox.find(MessageKind.HAND, match.id, hand.view.seat)
    assert posted is not None
    app.outbox.note_hand_answered(hand, posted.message_id)
    clock.pass_by(timedelta(minutes=1))
    table = next(message for message in await courier.due() if message.kind is MessageKind.TABLE)
    record, move = app.outbox.record([courier.send(table)]), players.move(match.id, "pass")
    await Gate(monkeypatch, outbox, "save_shown").run_until_blocked(record, move, is_waiting)
    assert deadlocks == []
    assert [message.kind for message in await courier.due()].count(MessageKind.HAND) == 2


async def test_a_move_and_a_proposal_do_not_deadlock(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A move and a proposal do not deadlock, although both change the seats and the match."""
    one, other = apps
    challenge = await one.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), clock="10m+20s")
    _, match = await one.challenges.accept(SOUTH, challenge.id)
    assert match is not None
    propose, move = one.pauses.pause(NORTH.id, match.id), Players(other).move(match.id, "pass")
    await Gate(monkeypatch, matches, "change_seats").run_until_blocked(propose, move, is_waiting)
    assert deadlocks == []
    assert (await one.lookup.info(match.id)).seats_proposing(Proposal.PAUSE) == [0]


@pytest.mark.parametrize("known", [(), *nightly_after(0, [((NORTH,),), ((SOUTH,),), ((NORTH, SOUTH),)])], ids=len)
async def test_mutual_challenges_do_not_deadlock(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
    known: tuple[Person, ...],
) -> None:
    """Of two people who challenge each other simultaneously, one is shown the other's challenge. Nothing deadlocks."""
    one, other = apps
    for person in known:
        await one.people.save_person(person)
    issue = result_or_refusal(one.challenges.issue(NORTH, [SOUTH.id], place(), interaction()))
    issue_back = result_or_refusal(other.challenges.issue(SOUTH, [NORTH.id], place(ELSEWHERE), interaction()))
    results = await Gate(monkeypatch, people, "touch").run_until_blocked(issue, issue_back, is_waiting)
    assert deadlocks == []
    (refusal,) = [result for result in results if isinstance(result, AlreadyOffered)]
    (sent,) = [result for result in results if isinstance(result, Challenge)]
    pending = [*await one.challenges.own(NORTH.id), *await one.challenges.own(SOUTH.id)]
    assert (
        [challenge.id for challenge in pending]
        == [challenge.id for challenge in refusal.offers.challenges]
        == [sent.id]
    )


@BOTH_ORDERS
async def test_a_challenge_and_a_simultaneous_rematch_offer_do_not_deadlock(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
    first: str,
) -> None:
    """Of a challenge and a rematch offer made simultaneously, the second is refused, without a deadlock."""
    one, other = apps
    players = Players(one)
    match = await players.begin("classic target=10")
    await players.win(match.id)
    changes = [
        result_or_refusal(one.endings.rematch(NORTH.id, match.id)),
        result_or_refusal(other.challenges.issue(SOUTH, [NORTH.id], place(), interaction())),
    ]
    held_up, other_change = changes if first == "one" else reversed(changes)
    results = await Gate(monkeypatch, people, "touch").run_until_blocked(held_up, other_change, is_waiting)
    assert deadlocks == []
    assert sum(isinstance(result, AlreadyOffered) for result in results) == 1
    offered = (await one.lookup.info(match.id)).seats_proposing(Proposal.REMATCH)
    assert len(offered) + len(await one.challenges.own(SOUTH.id)) == 1


async def result_or_refusal(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of this call, or the `AlreadyOffered` refusal that it raises."""
    try:
        return await work
    except AlreadyOffered as refusal:
        return refusal


async def test_forgetting_a_player_and_a_proposal_do_not_deadlock(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forgetting a person, which resigns their match, does not deadlock with a simultaneous proposal in that match."""
    one, other = apps
    match = await Players(one).begin()
    forget, propose = one.people.forget(NORTH.id), other.pauses.pause(SOUTH.id, match.id)
    with suppress(MatchOver):
        await Gate(monkeypatch, matches, "append").run_until_blocked(forget, propose, is_waiting)
    assert deadlocks == []
    assert (await other.lookup.info(match.id)).status is MatchStatus.FINISHED


@pytest.mark.parametrize("other_change", nightly_after(2, ["end", "forget", "agree", "look", "forget the leaver"]))
@pytest.mark.parametrize("first", nightly_after(1, ["takeover", "meanwhile"]))
async def test_a_vacant_seat_is_decided_once(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    other_change: str,
    first: str,
) -> None:
    """If the last player agrees to play on while another process changes the match, the vacant seat is decided once."""
    one, other = apps
    players = Players(one, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation")
    absent = await players.to_act(match.id)
    agreed, late = (person for person in players.people if person is not absent)
    clock.pass_by(UNTIMED_REMINDER_INTERVAL)
    await players.run_timekeeper()
    await one.endings.claim(agreed.id, match.id, interaction())
    await one.vacancies.play_on(agreed.id, match.id, interaction())
    clock.pass_by(timedelta(days=1))
    changes: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "agree": lambda: other.vacancies.play_on(late.id, match.id, interaction()),
        "end": lambda: other.vacancies.end(agreed.id, match.id, interaction()),
        "look": lambda: other.timekeeper.check_due(FakeMembers()),
        "forget": lambda: other.people.forget(agreed.id),
        "forget the leaver": lambda: other.people.forget(absent.id),
    }
    change = _ignoring_refusals(changes[other_change])
    agree = _ignoring_refusals(lambda: one.vacancies.play_on(late.id, match.id, interaction()))
    gate = Gate(monkeypatch, matches, "append")
    await gate.run_until_blocked(*((agree, change) if first == "takeover" else (change, agree)), is_waiting)
    assert deadlocks == []
    async with databases[0].read() as transaction:
        log = await matches.actions(transaction, match.id)
        row = await matches.load(transaction, match.id)
    assert row is not None
    decisions = [text for text in log if text.startswith("replace") or text.endswith(("time", "resign"))]
    is_replaced = any(text.startswith("replace") for text in decisions)
    computers = [player.computer for player in row.info.players if player.computer is not None]
    assert len(decisions) == (2 if is_replaced and other_change == "forget" else 1)
    assert (row.info.vacant_seat, len(computers)) == (None, int(is_replaced))
    assert (row.info.status is MatchStatus.RUNNING) == (is_replaced and other_change != "forget")
    assert row.info == (await other.lookup.info(match.id))
    if other_change.startswith("forget"):
        await assert_forgotten(databases[0], agreed if other_change == "forget" else absent)


async def _ignoring_refusals(change: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Run the change, and ignore a refusal because another process was first."""
    with suppress(MatchOver, NotSeated, NotVacant, Vacant):
        await change()


@pytest.mark.nightly
async def test_a_name_is_saved_although_another_process_was_first(
    apps: tuple[Application, Application], databases: tuple[Database, Database], url: str
) -> None:
    """After a conflict with another process, the retry saves the name."""
    one, _ = apps
    await one.people.save_person(NORTH)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with databases[1].write() as transaction:
        people.touch(transaction, [NORTH.id])
        saving = asyncio.create_task(one.people.save_name(Person(NORTH.id, "Polaris")))
        await eventually(lambda: bool(DatabaseInspector(url).rows(waiting)))
    await saving
    assert (await fetch(databases[0], select(tables.person.c.name))) == [("Polaris",)]


@pytest.mark.parametrize("gets_notifications", nightly_after(1, [False, True]))
async def test_caches_follow_a_database_that_lost_a_move(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    clock: Clock,
    url: str,
    gets_notifications: bool,
) -> None:
    """After a failover to a replica without the last move, both processes follow the database, not their caches.

    A process discards its cache if the last move's time in the database differs, or if its connection for
    notifications was lost.
    """
    one, other = apps
    await one.leases.begin(ALL_SHARDS)
    match = await Players(one).begin()
    (before,) = await fetch(databases[0], select(tables.match))
    await Players(one).move(match.id, "pass")
    if gets_notifications:
        await one.outbox.wait(timedelta())
        others: Any = databases[0].others
        pid = await others.execute(text("SELECT pg_backend_pid()"))
        DatabaseInspector(url).rows("SELECT pg_terminate_backend(:pid)", pid=pid[0])
        await eventually(lambda: one.outbox.is_notified)
    else:
        clock.pass_by(timedelta(milliseconds=1))
    values = dict(zip(tables.match.c.keys(), before, strict=True))
    await execute(databases[1], update(tables.match).values(values))
    await execute(databases[1], delete(tables.action).where(tables.action.c.number > match.version))
    await Players(other).move(match.id, "take")
    views = [(await app.lookup.table(match.id, 1)).view for app in apps]
    assert views[0] == views[1]
    await Players(one).move(match.id, "gin")
    async with databases[1].read() as transaction:
        assert await find_fault(transaction, match.id) is None


@asynccontextmanager
async def _connections_killed_at_commit(database: Database) -> AsyncGenerator[None]:
    """Make PostgreSQL close each connection that is about to commit moves."""
    function = "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    await execute(database, text(f"{function} PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"))
    trigger = "CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON action DEFERRABLE INITIALLY DEFERRED"
    await execute(database, text(f"{trigger} FOR EACH ROW EXECUTE FUNCTION die()"))
    yield
    await execute(database, text("DROP FUNCTION die CASCADE"))


async def test_a_commit_that_was_cut_off_has_an_unknown_outcome(
    apps: tuple[Application, Application], databases: tuple[Database, Database]
) -> None:
    """If the connection is lost during a commit, the error says that the outcome is unknown. A retry works."""
    one, other = apps
    players = Players(one)
    match = await players.begin()
    mover, pass_ = await players.to_act(match.id), Move(Verb.PASS)
    async with _connections_killed_at_commit(databases[1]):
        with pytest.raises(OutcomeUnknown):
            await one.turns.move(mover.id, match.id, pass_, interaction())
    assert (await other.lookup.info(match.id)).version == match.version
    await other.turns.move(mover.id, match.id, pass_, interaction())


async def test_a_saved_move_succeeds_although_the_commit_reply_was_lost(
    apps: tuple[Application, Application], databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If only the reply to a commit is lost, a saved move succeeds, because the interaction is in the database."""
    one, _ = apps
    players = Players(one)
    match = await players.begin()
    mover = await players.to_act(match.id)
    writing: Any = databases[0]._write_transaction  # pyright: ignore[reportPrivateUsage]

    @asynccontextmanager
    async def writing_and_losing() -> AsyncGenerator[Transaction]:
        async with writing() as transaction:
            yield transaction
        raise ConnectionResetError

    monkeypatch.setattr(databases[0], "_write_transaction", writing_and_losing)
    hand = await one.turns.move(mover.id, match.id, Move(Verb.PASS), interaction())
    assert hand.match.version > match.version
    with pytest.raises(OutcomeUnknown):
        await one.people.save_person(NORTH)


@BOTH_ORDERS
async def test_posting_a_commitment_races_with_accepting_the_challenge(
    apps: tuple[Application, Application], first: str, is_waiting: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a commitment is posted while its challenge is accepted, the order decides whether the match is verifiable."""
    one, other = apps
    challenge = await one.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    courier = FakeCourier(other)
    (message,) = await courier.due()
    await courier.deliver_one(message)
    (commitment,) = await courier.due()
    accept, record = one.challenges.accept(SOUTH, challenge.id), other.outbox.record([courier.send(commitment)])
    if first == "one":
        accepted, _ = await Gate(monkeypatch, chains, "assign_to_match").run_until_blocked(accept, record, is_waiting)
    else:
        _, accepted = await Gate(monkeypatch, chains, "save_posted").run_until_blocked(record, accept, is_waiting)
    match, posted_first = accepted[1], first == "other"
    assert match.fairness is (Fairness.VERIFIABLE if posted_first else Fairness.UNPOSTED)
    verified = await one.verification.deal(match.id)
    assert {seed.kind for seed in verified.seeds} == {SeedKind.MESSAGE if posted_first else SeedKind.NONE}
    assert verified.promise.message_id is not None


@BOTH_ORDERS
async def test_words_and_a_simultaneous_move_are_both_saved(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a player's shuffle words and another player's move are saved simultaneously, both are in the log."""
    one, other = apps
    match = await Players(one).begin()
    words, move = one.words.give(SOUTH.id, match.id, "meanwhile", interaction()), Players(other).move(match.id, "pass")
    changes = (words, move) if first == "one" else (move, words)
    results = await Gate(monkeypatch, matches, "load").interleave(*changes)
    assert not any(isinstance(result, Exception) for result in results)
    async with databases[0].read() as transaction:
        log = await matches.actions(transaction, match.id)
        assert await find_fault(transaction, match.id) is None
    assert sum(text.startswith("seed 1") for text in log) == 2
    assert "0 pass" in log


@BOTH_ORDERS
async def test_an_order_races_with_the_discard(
    apps: tuple[Application, Application], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an order is given while the opponent discards, it is made with the discard or refused as too late."""
    one, other = apps
    match = await Players(one).begin()
    await Players(one).move(match.id, "take")
    turn = (await one.lookup.hand(SOUTH.id, match.id)).next_turn
    give = one.orders.give(SOUTH.id, match.id, Orders(draws=True), turn)
    discard = other.turns.move(NORTH.id, match.id, Move.parse("x Qh"), interaction())
    gate = Gate(monkeypatch, matches, "load")
    # The change that is suspended comes second: it is retried after the other one.
    given, _ = await gate.interleave(give, discard) if first == "one" else (await gate.interleave(discard, give))[::-1]
    hand = await one.lookup.hand(SOUTH.id, match.id)
    if first == "one":
        assert isinstance(given, Stale)
        assert (hand.view.new_card, hand.planned) == (None, None)
    else:
        assert hand.view.new_card is not None
        assert hand.planned is Planned.DONE
    assert hand == await other.lookup.hand(SOUTH.id, match.id)


@BOTH_ORDERS
async def test_an_answer_to_a_request_races_with_a_draw(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a player allows a discard to be taken back and draws at once, one of the two counts."""
    one, other = apps
    await prefer(one, SOUTH, take_backs=True)
    match = await Players(one).begin()
    await Players(one).move(match.id, "take", "x Qh")
    await one.taking_back.take_back(NORTH.id, match.id, interaction())
    allow = one.taking_back.take_back(SOUTH.id, match.id, interaction(), is_answer=True)
    draw = other.turns.move(SOUTH.id, match.id, Move(Verb.DRAW), interaction())
    gate = Gate(monkeypatch, matches, "load")
    if first == "one":
        refused, _ = await gate.interleave(allow, draw)
        assert isinstance(refused, CannotTakeBack)
    else:
        refused, _ = await gate.interleave(draw, allow)
        assert isinstance(refused, NotYourTurn)
    async with databases[0].read() as transaction:
        log = await matches.actions(transaction, match.id)
        assert await find_fault(transaction, match.id) is None
    assert log[-2:] == (("0 x Qh", "1 draw") if first == "one" else ("0 x Qh", "back 0"))


async def test_simultaneous_agreements_to_a_rematch_create_one_chain(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two simultaneous agreements to a rematch create one hash chain: the second retries and uses the first's chain."""
    one, other = apps
    match = await Players(one).begin()
    await one.endings.resign(NORTH.id, match.id, interaction())
    agree, agree_too = one.endings.rematch(NORTH.id, match.id), other.endings.rematch(SOUTH.id, match.id)
    infos = await Gate(monkeypatch, chains, "of_rematch").run_until_blocked(agree, agree_too, is_waiting)
    assert max(info.id for info in infos) == match.id + 1
    assert len(await fetch(databases[0], select(tables.chain.c.id))) == 2


@pytest.mark.nightly
@BOTH_ORDERS
async def test_forgetting_a_person_races_with_giving_words(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a person gives shuffle words while they are being forgotten, the words are deleted or refused."""
    one, other = apps
    table = await one.challenges.issue(NORTH, [], place(), interaction(), rules="penalty")
    await one.challenges.accept(SOUTH, table.id)
    give, forget = one.words.give_for_challenge(SOUTH.id, table.id, "remember me"), other.people.forget(SOUTH.id)
    if first == "one":
        await Gate(monkeypatch, challenges, "load").run_until_blocked(give, forget, is_waiting)
    else:
        with pytest.raises(NotForYou):
            await Gate(monkeypatch, challenges, "involving").run_until_blocked(forget, give, is_waiting)
    await assert_forgotten(databases[0], SOUTH)
    assert await fetch(databases[0], select(tables.player_words.c.text)) == []
