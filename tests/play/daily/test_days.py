"""The deals of the day begin at midnight, and are closed a day later."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from bot.engine.deals.moves import Seat
from bot.engine.fairness.audit import Answer
from bot.engine.fairness.fair import HOUSE_TEXT
from bot.model.daily import day_at, end_of
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person
from bot.play.application import Application
from bot.play.daily import days
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.refusals import NoDaily
from bot.store import chains, daily, tables
from bot.store.database import Database
from bot.store.opening import open_database
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, url_of
from tests.helpers.table import GUILD, NORTH, SOUTH, interaction
from tests.helpers.thinkers import LocalThinker


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build an application whose cards follow from the server seeds."""
    return Application(database, thinker=LocalThinker(), clock=clock)


async def start(app: Application, person: Person = NORTH) -> MatchId:
    """Begin a person's try, and return its match, in which it is the person's turn."""
    hand = (await app.daily_tries.start(person, GUILD, interaction())).hand
    return (await app.computers.answer(person.id, hand)).match.id


async def status(app: Application, match_id: MatchId) -> MatchStatus:
    return (await app.lookup.info(match_id)).status


async def test_a_deal_lasts_until_midnight(app: Application, clock: Clock) -> None:
    """The deal stays the same until the end of the day in UTC, when another one begins."""
    clock.now = end_of(day_at(clock.now)) - timedelta(milliseconds=1)
    last = (await app.daily_tries.today(NORTH.id)).deal
    clock.pass_by(timedelta(milliseconds=1))
    first = (await app.daily_tries.today(NORTH.id)).deal
    assert (first.day - last.day, first.commitment == last.commitment) == (timedelta(days=1), False)
    assert (await app.daily_tries.today(SOUTH.id)).deal == first


@pytest.mark.thorough
@pytest.mark.postgresql
async def test_two_processes_begin_one_deal(database: Database, clock: Clock) -> None:
    """If two processes begin the day's deal at the same time, both have the same deal."""
    other_database = await open_database(url_of(database))
    try:
        apps = [Application(one, clock=clock) for one in (database, other_database)]
        await asyncio.gather(*(app.daily_deals.begin_today() for app in apps for _ in range(2)))
        first, second = [(await app.daily_tries.today(NORTH.id)).deal for app in apps]
        assert first == second
    finally:
        await other_database.close()


async def test_unfinished_tries_end_with_the_day(
    app: Application, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the end of the day, all its unfinished tries are ended, and those of the new day go on."""
    monkeypatch.setattr(days, "TRIES_PER_TRANSACTION", 2)
    people = [Person(PersonId(NORTH.id + 100 + number), f"Person {number}") for number in range(5)]
    tries = [await start(app, person) for person in people]
    clock.now = end_of(day_at(clock.now))
    own = await start(app)
    await app.daily_deals.close_past()
    assert [await status(app, match_id) for match_id in tries] == [MatchStatus.CANCELLED] * len(people)
    for person in people:
        earlier = (await app.daily_tries.today(person.id)).earlier
        assert earlier is not None
        assert earlier.score is None
    assert await status(app, own) is MatchStatus.RUNNING


async def test_a_broken_try_blocks_nothing_else(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a try cannot be ended, this is logged; the others are ended, and the deal is closed."""
    broken, other = [await start(app, person) for person in (NORTH, SOUTH)]
    cancel = MatchWriter.cancel

    async def cancel_others(
        self: MatchWriter, unit: UnitOfWork, loaded: LoadedMatch, *, by: Seat | None
    ) -> LoadedMatch:
        if loaded.info.id == broken:
            raise RuntimeError("a fault of ours")
        return await cancel(self, unit, loaded, by=by)

    monkeypatch.setattr(MatchWriter, "cancel", cancel_others)
    day = day_at(clock.now)
    clock.pass_by(timedelta(days=1))
    with capture_logs() as lines:
        await app.daily_deals.close_past()
    assert [line["match"] for line in lines if line["log_level"] == "error"] == [broken]
    assert await status(app, other) is MatchStatus.CANCELLED
    async with database.read() as transaction:
        assert await daily.is_over(transaction, day)


async def test_a_damaged_try_counts_as_called_off(app: Application, database: Database, clock: Clock) -> None:
    """A try whose log is unreadable at the end of the day counts as nothing: its person could not finish it."""
    own, action = await start(app), tables.action.c
    await execute(database, update(tables.action).where(action.match_id == own).values(text="nonsense"))
    app = Application(database, thinker=LocalThinker(), clock=clock)
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    assert await status(app, own) is MatchStatus.CANCELLED
    earlier = (await app.daily_tries.today(NORTH.id)).earlier
    assert earlier is not None
    assert earlier.was_called_off


async def test_a_computer_that_does_not_move_is_not_awaited_for_ever(app: Application, clock: Clock) -> None:
    """While it is the computer's turn, a try continues after midnight, until its deal is closed."""
    own = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand.match.id
    clock.now = end_of(day_at(clock.now)) + days.CLOSING_DELAY - timedelta(milliseconds=1)
    await app.daily_deals.close_past()
    assert await status(app, own) is MatchStatus.RUNNING
    clock.pass_by(timedelta(milliseconds=1))
    await app.daily_deals.close_past()
    assert await status(app, own) is MatchStatus.CANCELLED


async def test_a_closed_deal_keeps_no_secrets(app: Application, database: Database, clock: Clock) -> None:
    """The secret seeds of a deal are kept until it is closed."""
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    async with database.read() as transaction:
        assert await chains.secrets(transaction, hand.match.id) is not None
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    async with database.read() as transaction:
        assert await chains.secrets(transaction, hand.match.id) is None
        row = await daily.load(transaction, day_at(clock.now - timedelta(days=1)))
    assert row is not None
    assert row.closed_at == clock.now


async def test_a_try_from_the_last_moment_ends_with_its_secrets(
    app: Application, database: Database, clock: Clock
) -> None:
    """A deal is closed some minutes after its day, so that a try that began in the last moment can still be ended."""
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    clock.now = end_of(day_at(clock.now)) + days.CLOSING_DELAY - timedelta(milliseconds=1)
    await app.daily_deals.close_past()
    async with database.read() as transaction:
        assert await chains.secrets(transaction, hand.match.id) is not None
    clock.pass_by(timedelta(milliseconds=1))
    await app.daily_deals.close_past()
    async with database.read() as transaction:
        assert await chains.secrets(transaction, hand.match.id) is None


async def test_past_deals_can_be_verified_after_a_restored_backup(app: Application, clock: Clock) -> None:
    """Calling off the deal of the day keeps the commitments of earlier ones."""
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    await app.daily_tries.today(NORTH.id)
    await app.restoring.call_off()
    assert (await app.verification.deal(hand.match.id)).audit.answer is Answer.OK


async def test_a_past_deal_can_be_verified(app: Application, clock: Clock) -> None:
    """After the day, the record of a try follows from the commitment that was shown before it, and from `house`."""
    commitment = (await app.daily_tries.today(NORTH.id)).deal.commitment
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    verified = await app.verification.deal(hand.match.id)
    assert verified.promise.commitment == commitment
    assert verified.audit.answer is Answer.OK
    assert {seed.text for seed in verified.seeds} == {HOUSE_TEXT}
    assert [event.number for event in verified.events] == [1]


async def test_a_deal_that_was_closed_by_a_wrong_clock_stays_closed(app: Application, clock: Clock) -> None:
    """If the clock was ahead and closed a deal, that deal is not played again once the clock is right."""
    await start(app)
    right = clock.now
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    clock.now = right
    with pytest.raises(NoDaily):
        await app.daily_tries.today(NORTH.id)
    with pytest.raises(NoDaily):
        await app.daily_tries.start(SOUTH, GUILD, interaction())
    clock.pass_by(timedelta(days=1))
    assert (await app.daily_tries.today(NORTH.id)).own is None


async def test_a_restored_backup_has_no_deal_today(app: Application, clock: Clock) -> None:
    """After a backup was restored, today's deal is called off, because its cards may be known."""
    hand = (await app.daily_tries.start(NORTH, GUILD, interaction())).hand
    assert (await app.restoring.call_off()).matches == 1
    assert (await app.lookup.info(hand.match.id)).status is MatchStatus.CANCELLED
    with pytest.raises(NoDaily):
        await app.daily_tries.today(NORTH.id)
    clock.pass_by(timedelta(days=1))
    await app.daily_deals.close_past()
    assert (await app.daily_tries.today(NORTH.id)).own is None


async def test_the_next_deal_exists_before_midnight(app: Application, database: Database, clock: Clock) -> None:
    """A few minutes before midnight, the next deal is begun as well, and cannot be played yet."""
    today = day_at(clock.now)
    clock.now = end_of(today) - days.LEAD
    await app.daily_deals.begin_today()
    async with database.read() as transaction:
        tomorrow = await daily.load(transaction, day_at(end_of(today)))
    assert tomorrow is not None
    assert (await app.daily_tries.today(NORTH.id)).deal.day == today
    clock.now = end_of(today)
    assert (await app.daily_tries.today(NORTH.id)).deal.commitment == tomorrow.commitment
