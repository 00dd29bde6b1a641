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

from bot.engine.audit import SeedKind
from bot.engine.moves import Move, Verb
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.clocks.turn_time import WITHOUT_CLOCK_EVERY
from bot.play.loading import unit_of_work
from bot.play.loading.unit_of_work import ATTEMPTS, Units, shielded
from bot.play.matches.checking import find_fault
from bot.play.outbox.offers import MOST_PINGS
from bot.play.people.people import REMEMBERED_FOR
from bot.play.refusals import (
    AlreadyOffered,
    ChannelBusy,
    MatchOver,
    NotForYou,
    NotOffered,
    NotSeated,
    NotVacant,
    OutcomeUnknown,
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
from bot.values.challenges import Challenge
from bot.values.fairness import Fairness
from bot.values.matches import MatchStatus, Proposal
from bot.values.outbox import MessageKind
from bot.values.people import Person
from bot.values.seasons import Seasons
from bot.values.shards import ALL
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.gates import Gate
from tests.helpers.messages import FakeCourier
from tests.helpers.onlooker import Onlooker
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Attendance,
    Players,
    change_settings,
    interaction,
    place,
)
from tests.helpers.waiting import eventually
from tests.play.finished import save_finished_match

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

BOTH_ORDERS: Final = pytest.mark.parametrize("first", nightly_after(1, ["one", "other"]))


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
    """Return the clock that both applications share."""
    return Clock()


@pytest.fixture
def apps(databases: tuple[Database, Database], clock: Clock) -> tuple[Application, Application]:
    """Build two applications. The player who acts first can win every deal immediately."""
    one, other = (
        Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock) for database in databases
    )
    return one, other


async def assert_forgotten(database: Database, person: Person) -> None:
    """Assert that no row contains the person's id."""
    for table in tables.metadata.sorted_tables:
        rows = json.dumps(await fetch(database, select(table)), default=str)
        assert str(person.id) not in rows, table.name


@BOTH_ORDERS
async def test_nobody_who_is_forgotten_sits_at_the_rematch(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a rematch starts while a player is forgotten, it is refused or resigned."""
    one, other = apps
    players = Players(one)
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await one.endings.rematch(SOUTH.id, match.id)
    # As if an hour had passed, so that both do not change the same ping.
    await execute(databases[0], delete(tables.offer_ping))
    forget, agree = one.people.forget(SOUTH.id), other.endings.rematch(NORTH.id, match.id)
    if first == "one":
        resigned, begun = await Gate(monkeypatch, matches, "running_of").hold_up(forget, agree)
        assert (resigned, begun.version > 0) == (1, True)
    else:
        refused, resigned = await Gate(monkeypatch, matches, "load").hold_up(agree, forget)
        assert isinstance(refused, NotSeated)
        assert resigned == 0
    await assert_forgotten(databases[0], SOUTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_nobody_who_is_forgotten_gets_an_award(
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
    forget, close = one.people.forget(NORTH.id), other.leaderboards.tidy()
    if first == "one":
        await Gate(monkeypatch, matches, "running_of").hold_up(forget, close)
    else:
        await Gate(monkeypatch, seasons, "seats").hold_up(close, forget)
    assert (await one.leaderboards.seasons(GUILD)).last == "2026-11"
    await assert_forgotten(databases[0], NORTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_nobody_who_is_forgotten_has_a_streak(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person who is forgotten while streaks are backfilled has none."""
    one, other = apps
    players = Players(one)
    for _ in range(2):
        await players.win((await players.begin("classic target=10")).id)
    await execute(databases[0], delete(tables.streak))
    for _ in range(2):
        await other.records_filling.step()
    forget, fill = one.people.forget(NORTH.id), other.records_filling.step()
    if first == "one":
        await Gate(monkeypatch, matches, "running_of").hold_up(forget, fill)
    else:
        await Gate(monkeypatch, records, "players_after").hold_up(fill, forget)
    await assert_forgotten(databases[0], NORTH)


@pytest.mark.nightly
@BOTH_ORDERS
async def test_the_default_rules_exist(
    apps: tuple[Application, Application], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that is removed while it becomes the default is not the default afterwards."""
    one, other = apps
    await one.rulebook.save(GUILD, "Ours", "classic target=50")
    remove, choose = one.rulebook.remove(GUILD, "Ours"), change_settings(other, rules="Ours")
    if first == "one":
        removed, _ = await Gate(monkeypatch, guilds, "load").hold_up(remove, choose)
        assert removed.name == "Ours"
    else:
        refused, _ = await Gate(monkeypatch, guilds, "load").hold_up(choose, remove)
        assert isinstance(refused, UnknownRules | NotOffered)
    settings = await one.guilds.settings(GUILD)
    assert settings.rules == "classic"
    assert settings == await other.guilds.settings(GUILD)


@pytest.mark.nightly
async def test_nobody_has_more_challenges_pending_than_may_be(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a draft is sent while another challenge is made, the limit on pending challenges holds."""
    one, other = apps
    for _ in range(MAX_PENDING - 1):
        await one.challenges.issue(NORTH, [], place(), interaction())
    draft = await one.challenges.issue(NORTH, [], place(), interaction(), draft=True)
    send = one.drafts.send(NORTH.id, draft.id)
    issue = other.challenges.issue(NORTH, [], place(), interaction())
    refused, _ = await Gate(monkeypatch, challenges, "load").hold_up(send, issue)
    assert isinstance(refused, TooManyChallenges)
    assert len(await one.challenges.own(NORTH.id)) == MAX_PENDING


@pytest.mark.nightly
async def test_a_match_does_not_move_to_a_channel_where_another_begins(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match cannot move to a channel in which another match starts; the refusal names that match."""
    one, other = apps
    match = await Players(one).begin()
    await one.outbox.channel_deleted(CHANNEL)
    repost = one.tables.repost(match.id, NORTH.id, place(ELSEWHERE))
    begin = Players(other, (EAST, WEST)).begin(channel_id=ELSEWHERE)
    refused, begun = await Gate(monkeypatch, matches, "running_in").hold_up(repost, begin)
    assert isinstance(refused, ChannelBusy)
    assert refused.match.id == begun.id


@pytest.mark.nightly
async def test_a_paused_match_does_not_go_on_where_another_begins(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paused match stays paused if another match starts in its channel; the refusal names that match."""
    one, other = apps
    match = await Players(one).begin()
    for person in (NORTH, SOUTH):
        await one.pauses.pause(person.id, match.id)
    await one.pauses.resume(NORTH.id, match.id)
    resume, begin = one.pauses.resume(SOUTH.id, match.id), Players(other, (EAST, WEST)).begin()
    refused, begun = await Gate(monkeypatch, matches, "running_in").hold_up(resume, begin)
    assert isinstance(refused, ChannelBusy)
    assert refused.match.id == begun.id
    assert (await other.lookup.info(match.id)).paused


async def test_what_another_row_excludes_for_good_is_tried_only_so_often(
    databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A permanent unique-constraint violation is retried `ATTEMPTS` times, then logged."""
    monkeypatch.setattr(unit_of_work, "FIRST_PAUSE", 0)
    units, tries = Units(databases[0], Clock()), list[int]()

    @shielded
    async def save_twice() -> None:
        tries.append(len(tries))
        async with units.write() as unit:
            for _ in range(2):
                await unit.transaction.execute(insert(tables.key_value).values(key="one", value="1"))

    with capture_logs() as logs, pytest.raises(Unavailable):
        await save_twice()
    assert len(tries) == ATTEMPTS
    assert ["key_value" in one["problem"] for one in logs] == [True]


@pytest.mark.nightly
async def test_nobody_is_pinged_by_offers_more_often_than_may_be(
    apps: tuple[Application, Application], databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two simultaneous rematch offers do not exceed the limit on pings."""
    one, other = apps
    players = Players(one)
    first, second = await players.begin(), await players.begin(channel_id=ELSEWHERE)
    for match in (first, second):
        await one.endings.resign(NORTH.id, match.id, interaction())
    for _ in range(MOST_PINGS - 1):
        challenge = await one.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
        await one.challenges.withdraw(NORTH.id, challenge.id)
    ask, ask_again = one.endings.rematch(NORTH.id, first.id), other.endings.rematch(NORTH.id, second.id)
    await Gate(monkeypatch, matches, "load").hold_up(ask, ask_again)
    assert len(await fetch(databases[0], select(tables.offer_ping))) == MOST_PINGS


@pytest.mark.nightly
async def test_a_name_that_another_process_replaced_by_an_older_one_comes_back(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that another process overwrote is saved again after the cache expires."""
    one, other = apps
    match = await Players(one).begin()
    for app, name in ((one, "Polaris"), (other, "North")):
        await app.people.save_name(Person(NORTH.id, name))
    monkeypatch.setattr("time.monotonic", lambda: perf_counter() + REMEMBERED_FOR)
    await one.people.save_name(Person(NORTH.id, "Polaris"))
    assert (await one.lookup.table(match.id)).match.players[0].name == "Polaris"


@pytest.fixture
def is_waiting(url: str) -> Callable[[], bool]:
    """Return a function that returns True if a transaction is waiting for a lock."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return lambda: bool(Onlooker(url).rows(waiting))


@pytest.fixture
def deadlocks(databases: tuple[Database, Database]) -> list[str]:
    """Record the deadlocks that PostgreSQL detects and resolves."""
    found = list[str]()
    for database in databases:
        health: Any = database.health
        health._diagnose = _noting(health._diagnose, found)
    return found


def _noting(diagnose: Callable[[Any], DatabaseError | None], found: list[str]) -> Callable[[Any], DatabaseError | None]:
    def note(error: Any) -> DatabaseError | None:
        meaning = diagnose(error)
        if "40P01" in str(meaning):
            found.append(str(error))
        return meaning

    return note


async def test_a_move_and_what_became_of_messages_do_not_wait_for_each_other(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A move and a delivery report do not deadlock, even if an answer updated a hand before the table was edited."""
    app, _ = apps
    players = Players(app)
    await players.reach(NORTH, SOUTH)
    match = await players.begin()
    courier = FakeCourier(app)
    await courier.deliver()
    hand = await players.move(match.id, "pass")
    posted = await app.outbox.find(MessageKind.HAND, match.id, hand.view.seat)
    assert posted is not None
    await app.outbox.hand_answered(hand, posted.message_id)
    clock.pass_by(timedelta(minutes=1))
    table = next(one for one in await courier.due() if one.kind is MessageKind.TABLE)
    record, move = app.outbox.record([courier.send(table)]), players.move(match.id, "pass")
    await Gate(monkeypatch, outbox, "save_shown").let_meet(record, move, is_waiting)
    assert deadlocks == []
    assert [one.kind for one in await courier.due()].count(MessageKind.HAND) == 2


async def test_a_move_and_a_proposal_do_not_wait_for_each_other(
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
    await Gate(monkeypatch, matches, "change_seats").let_meet(propose, move, is_waiting)
    assert deadlocks == []
    assert (await one.lookup.info(match.id)).proposing(Proposal.PAUSE) == [0]


@pytest.mark.parametrize("known", [(), *nightly_after(0, [((NORTH,),), ((SOUTH,),), ((NORTH, SOUTH),)])], ids=len)
async def test_of_two_who_challenge_each_other_one_learns_of_the_other(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
    known: tuple[Person, ...],
) -> None:
    """Of two people who challenge each other, one gets an error with the other's challenge, without a deadlock."""
    one, other = apps
    for person in known:
        await one.people.met(person)
    issue = outcome(one.challenges.issue(NORTH, [SOUTH.id], place(), interaction()))
    issue_back = outcome(other.challenges.issue(SOUTH, [NORTH.id], place(ELSEWHERE), interaction()))
    results = await Gate(monkeypatch, people, "touch").let_meet(issue, issue_back, is_waiting)
    assert deadlocks == []
    (refusal,) = [one for one in results if isinstance(one, AlreadyOffered)]
    (sent,) = [one for one in results if isinstance(one, Challenge)]
    pending = [*await one.challenges.own(NORTH.id), *await one.challenges.own(SOUTH.id)]
    assert [one.id for one in pending] == [one.id for one in refusal.offers.challenges] == [sent.id]


@BOTH_ORDERS
async def test_a_challenge_meets_a_rematch_that_is_offered_meanwhile(
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
    works = [
        outcome(one.endings.rematch(NORTH.id, match.id)),
        outcome(other.challenges.issue(SOUTH, [NORTH.id], place(), interaction())),
    ]
    held_up, meanwhile = works if first == "one" else reversed(works)
    results = await Gate(monkeypatch, people, "touch").let_meet(held_up, meanwhile, is_waiting)
    assert deadlocks == []
    assert sum(isinstance(one, AlreadyOffered) for one in results) == 1
    offered = (await one.lookup.info(match.id)).proposing(Proposal.REMATCH)
    assert len(offered) + len(await one.challenges.own(SOUTH.id)) == 1


async def outcome(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result, or the `AlreadyOffered` refusal."""
    try:
        return await work
    except AlreadyOffered as refusal:
        return refusal


async def test_who_is_forgotten_does_not_wait_for_whoever_waits_for_their_match(
    apps: tuple[Application, Application],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forgetting a person does not deadlock with a proposal in their match, which changes the match that it resigns."""
    one, other = apps
    match = await Players(one).begin()
    forget, propose = one.people.forget(NORTH.id), other.pauses.pause(SOUTH.id, match.id)
    with suppress(MatchOver):
        await Gate(monkeypatch, matches, "append").let_meet(forget, propose, is_waiting)
    assert deadlocks == []
    assert (await other.lookup.info(match.id)).status is MatchStatus.FINISHED


@pytest.mark.parametrize("meanwhile", nightly_after(2, ["end", "forget", "agree", "look", "forget the leaver"]))
@pytest.mark.parametrize("first", nightly_after(1, ["takeover", "meanwhile"]))
async def test_a_vacant_seat_is_decided_once(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    deadlocks: list[str],
    is_waiting: Callable[[], bool],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: str,
    first: str,
) -> None:
    """If the last player agrees while another process changes the match, a computer takes over or the match ends."""
    one, other = apps
    players = Players(one, (NORTH, SOUTH, EAST))
    match = await players.begin("rotation")
    lost = await players.to_act(match.id)
    agreed, late = (person for person in players.people if person is not lost)
    clock.pass_by(WITHOUT_CLOCK_EVERY)
    await players.look_at_times()
    await one.endings.claim(agreed.id, match.id, interaction())
    await one.vacancies.play_on(agreed.id, match.id, interaction())
    clock.pass_by(timedelta(days=1))
    changes: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "agree": lambda: other.vacancies.play_on(late.id, match.id, interaction()),
        "end": lambda: other.vacancies.end(agreed.id, match.id, interaction()),
        "look": lambda: other.timekeeper.look(Attendance()),
        "forget": lambda: other.people.forget(agreed.id),
        "forget the leaver": lambda: other.people.forget(lost.id),
    }
    change = _unless_late(changes[meanwhile])
    agree = _unless_late(lambda: one.vacancies.play_on(late.id, match.id, interaction()))
    gate = Gate(monkeypatch, matches, "change_seats")
    await gate.let_meet(*((agree, change) if first == "takeover" else (change, agree)), is_waiting)
    assert deadlocks == []
    async with databases[0].read() as transaction:
        log = await matches.actions(transaction, match.id)
        row = await matches.load(transaction, match.id)
    assert row is not None
    decided = [text for text in log if text.startswith("replace") or text.endswith(("time", "resign"))]
    is_replaced = any(text.startswith("replace") for text in decided)
    computers = [player.computer for player in row.info.players if player.computer is not None]
    assert len(decided) == (2 if is_replaced and meanwhile == "forget" else 1)
    assert (row.info.vacant_seat, len(computers)) == (None, int(is_replaced))
    assert (row.info.status is MatchStatus.RUNNING) == (is_replaced and meanwhile != "forget")
    assert row.info == (await other.lookup.info(match.id))
    if meanwhile.startswith("forget"):
        await assert_forgotten(databases[0], agreed if meanwhile == "forget" else lost)


async def _unless_late(change: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Run the change, and ignore refusals because another process was first."""
    with suppress(MatchOver, NotSeated, NotVacant, Vacant):
        await change()


@pytest.mark.nightly
async def test_a_name_is_saved_although_another_process_was_first(
    apps: tuple[Application, Application], databases: tuple[Database, Database], url: str
) -> None:
    """After a conflict with another process, the retry saves the name."""
    one, _ = apps
    await one.people.met(NORTH)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with databases[1].write() as transaction:
        await people.touch(transaction, [NORTH.id])
        saving = asyncio.create_task(one.people.save_name(Person(NORTH.id, "Polaris")))
        await eventually(lambda: bool(Onlooker(url).rows(waiting)))
    await saving
    assert (await fetch(databases[0], select(tables.person.c.name))) == [("Polaris",)]


@pytest.mark.parametrize("hears", nightly_after(1, [False, True]))
async def test_what_the_database_lost_is_not_in_memory_either(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    clock: Clock,
    url: str,
    hears: bool,
) -> None:
    """After a failover to a replica without the last move, both processes follow the database, not their caches.

    A process notices by the time of the last move, or because its connection for notifications was lost.
    """
    one, other = apps
    await one.leases.begin(ALL)
    match = await Players(one).begin()
    (before,) = await fetch(databases[0], select(tables.match))
    await Players(one).move(match.id, "pass")
    if hears:
        await one.outbox.wait(timedelta())
        others: Any = databases[0].others
        pid = await others.execute(text("SELECT pg_backend_pid()"))
        Onlooker(url).rows("SELECT pg_terminate_backend(:pid)", pid=pid[0])
        await eventually(lambda: one.outbox.notified)
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
async def _killed_at_commits(database: Database) -> AsyncGenerator[None]:
    """Make PostgreSQL close each connection that is about to commit moves."""
    function = "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    await execute(database, text(f"{function} PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"))
    trigger = "CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON action DEFERRABLE INITIALLY DEFERRED"
    await execute(database, text(f"{trigger} FOR EACH ROW EXECUTE FUNCTION die()"))
    yield
    await execute(database, text("DROP FUNCTION die CASCADE"))


async def test_a_move_whose_commit_was_cut_off_may_have_counted(
    apps: tuple[Application, Application], databases: tuple[Database, Database]
) -> None:
    """If the connection is lost during a commit, the outcome is unknown. Here nothing was saved; a retry works."""
    one, other = apps
    players = Players(one)
    match = await players.begin()
    mover, pass_ = await players.to_act(match.id), Move(Verb.PASS)
    async with _killed_at_commits(databases[1]):
        with pytest.raises(OutcomeUnknown):
            await one.turns.move(mover.id, match.id, pass_, interaction())
    assert (await other.lookup.info(match.id)).version == match.version
    await other.turns.move(mover.id, match.id, pass_, interaction())


async def test_a_move_that_was_saved_is_answered_although_the_commits_answer_was_lost(
    apps: tuple[Application, Application], databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If only the reply to a commit is lost, a saved move succeeds, because the interaction is in the database."""
    one, _ = apps
    players = Players(one)
    match = await players.begin()
    mover = await players.to_act(match.id)
    writing: Any = databases[0]._writing  # pyright: ignore[reportPrivateUsage]

    @asynccontextmanager
    async def writing_and_losing() -> AsyncGenerator[Transaction]:
        async with writing() as transaction:
            yield transaction
        raise ConnectionResetError

    monkeypatch.setattr(databases[0], "_writing", writing_and_losing)
    hand = await one.turns.move(mover.id, match.id, Move(Verb.PASS), interaction())
    assert hand.match.version > match.version
    with pytest.raises(OutcomeUnknown):
        await one.people.met(NORTH)


@BOTH_ORDERS
async def test_a_match_begins_with_its_commitment_or_without(
    apps: tuple[Application, Application], first: str, is_waiting: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a commitment is posted while its challenge is accepted, the match's fairness and its seeds agree."""
    one, other = apps
    challenge = await one.challenges.issue(NORTH, [SOUTH.id], place(), interaction())
    courier = FakeCourier(other)
    (commitment,) = await courier.due()
    accept, record = one.challenges.accept(SOUTH, challenge.id), other.outbox.record([courier.send(commitment)])
    if first == "one":
        accepted, _ = await Gate(monkeypatch, chains, "begin").let_meet(accept, record, is_waiting)
    else:
        _, accepted = await Gate(monkeypatch, chains, "save_posted").let_meet(record, accept, is_waiting)
    match, posted_first = accepted[1], first == "other"
    assert match.fairness is (Fairness.VERIFIABLE if posted_first else Fairness.UNPOSTED)
    verified = await one.verification.deal(match.id)
    assert {seed.kind for seed in verified.seeds} == {SeedKind.MESSAGE if posted_first else SeedKind.NONE}
    assert verified.promise.message_id is not None


@BOTH_ORDERS
async def test_words_and_a_move_both_count(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Words and a move saved simultaneously are both in the log."""
    one, other = apps
    match = await Players(one).begin()
    words, move = one.words.give(SOUTH.id, match.id, "meanwhile", interaction()), Players(other).move(match.id, "pass")
    works = (words, move) if first == "one" else (move, words)
    results = await Gate(monkeypatch, matches, "load").hold_up(*works)
    assert not any(isinstance(result, Exception) for result in results)
    async with databases[0].read() as transaction:
        log = await matches.actions(transaction, match.id)
        assert await find_fault(transaction, match.id) is None
    assert sum(text.startswith("seed 1") for text in log) == 2
    assert "0 pass" in log


async def test_two_who_agree_to_a_rematch_at_once_have_one_chain(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two simultaneous agreements to a rematch create one chain: the second retries and finds it."""
    one, other = apps
    match = await Players(one).begin()
    await one.endings.resign(NORTH.id, match.id, interaction())
    agree, agree_too = one.endings.rematch(NORTH.id, match.id), other.endings.rematch(SOUTH.id, match.id)
    found = await Gate(monkeypatch, chains, "of_rematch").let_meet(agree, agree_too, is_waiting)
    assert max(info.id for info in found) == match.id + 1
    assert len(await fetch(databases[0], select(tables.chain.c.id))) == 2


@pytest.mark.nightly
@BOTH_ORDERS
async def test_nobody_who_is_forgotten_leaves_words(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    is_waiting: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Words given while the person is forgotten are either deleted or refused."""
    one, other = apps
    table = await one.challenges.issue(NORTH, [], place(), interaction(), rules="penalty")
    await one.challenges.accept(SOUTH, table.id)
    give, forget = one.words.give_before(SOUTH.id, table.id, "remember me"), other.people.forget(SOUTH.id)
    if first == "one":
        await Gate(monkeypatch, challenges, "load").let_meet(give, forget, is_waiting)
    else:
        with pytest.raises(NotForYou):
            await Gate(monkeypatch, challenges, "concerning").let_meet(forget, give, is_waiting)
    await assert_forgotten(databases[0], SOUTH)
    assert await fetch(databases[0], select(tables.player_words.c.text)) == []
