"""Two processes change what belongs together at the same time: it is as if one had come after the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any, Final

import pytest
from sqlalchemy import delete, select, text

from bot.engine.moves import Move, Verb
from bot.play.application import Application
from bot.play.challenges.steps import MAX_PENDING
from bot.play.outbox.offers import MOST_PINGS
from bot.play.refusals import NotOffered, NotSeated, OutcomeUnknown, TooManyChallenges, UnknownRules
from bot.store import challenges, guilds, matches, people, records, seasons, tables
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.transaction import Transaction
from bot.values.people import Person
from bot.values.seasons import Seasons
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.gates import Gate
from tests.helpers.onlooker import Onlooker
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.table import ELSEWHERE, GUILD, NORTH, SOUTH, Players, change_settings, interaction, place
from tests.helpers.waiting import eventually
from tests.play.finished import save_finished_match

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]

BOTH_ORDERS: Final = pytest.mark.parametrize("first", ["one", "other"])


@pytest.fixture
async def databases(url: str) -> AsyncIterator[tuple[Database, Database]]:
    """Open a database twice, as two processes do."""
    async with AsyncExitStack() as at_end:
        one, other = await open_database(url), await open_database(url)
        for database in (one, other):
            at_end.push_async_callback(database.close)
        yield one, other


@pytest.fixture
def clock() -> Clock:
    """Return the clock of both."""
    return Clock()


@pytest.fixture
def apps(databases: tuple[Database, Database], clock: Clock) -> tuple[Application, Application]:
    """Build the application twice. Whoever acts first can win every deal at once."""
    one, other = (
        Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock) for database in databases
    )
    return one, other


async def assert_forgotten(database: Database, person: Person) -> None:
    """Assert that no row has the id of a person."""
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
    """Either it has not begun, or it is resigned."""
    one, other = apps
    players = Players(one)
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await one.endings.rematch(SOUTH.id, match.id)
    # As an hour later, so that both do not change the same ping.
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


@BOTH_ORDERS
async def test_nobody_who_is_forgotten_gets_an_award(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    clock: Clock,
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if the season ends just then."""
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


@BOTH_ORDERS
async def test_nobody_who_is_forgotten_has_a_streak(
    apps: tuple[Application, Application],
    databases: tuple[Database, Database],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if those of older matches are found just then."""
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


@BOTH_ORDERS
async def test_the_default_rules_exist(
    apps: tuple[Application, Application], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if they are removed while somebody makes them the default."""
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


async def test_nobody_has_more_challenges_pending_than_may_be(
    apps: tuple[Application, Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a draft is sent while another challenge is made."""
    one, other = apps
    for _ in range(MAX_PENDING - 1):
        await one.challenges.issue(NORTH, [], place(), interaction())
    draft = await one.challenges.issue(NORTH, [], place(), interaction(), draft=True)
    send = one.drafts.send(NORTH.id, draft.id)
    issue = other.challenges.issue(NORTH, [], place(), interaction())
    refused, _ = await Gate(monkeypatch, challenges, "load").hold_up(send, issue)
    assert isinstance(refused, TooManyChallenges)
    assert len(await one.challenges.own(NORTH.id)) == MAX_PENDING


async def test_nobody_is_pinged_by_offers_more_often_than_may_be(
    apps: tuple[Application, Application], databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by two at once."""
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


async def test_a_name_is_saved_although_another_process_was_first(
    apps: tuple[Application, Application], databases: tuple[Database, Database], url: str
) -> None:
    """The second attempt does not take it for saved."""
    one, _ = apps
    await one.people.met(NORTH)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with databases[1].write() as transaction:
        await people.touch(transaction, [NORTH.id])
        saving = asyncio.create_task(one.people.save_name(Person(NORTH.id, "Polaris")))
        await eventually(lambda: bool(Onlooker(url).rows(waiting)), 5)
    await saving
    assert (await fetch(databases[0], select(tables.person.c.name))) == [("Polaris",)]


@asynccontextmanager
async def _killed_at_commits(database: Database) -> AsyncGenerator[None]:
    """Let the server end each connection that is about to commit moves."""
    function = "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    await execute(database, text(f"{function} PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"))
    trigger = "CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON action DEFERRABLE INITIALLY DEFERRED"
    await execute(database, text(f"{trigger} FOR EACH ROW EXECUTE FUNCTION die()"))
    yield
    await execute(database, text("DROP FUNCTION die CASCADE"))


async def test_a_move_whose_commit_was_cut_off_may_have_counted(
    apps: tuple[Application, Application], databases: tuple[Database, Database]
) -> None:
    """Nobody says that it did not, not even if nothing can be read either. This one did not, and can be made again."""
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
    """The interaction tells. Nobody is told that it did not count."""
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
