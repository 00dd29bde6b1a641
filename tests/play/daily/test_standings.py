"""People's results in the deals of the day, on a server."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.deals.moves import TAKE
from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import DailyResult, day_at
from bot.model.ids import GuildId
from bot.model.matches import Shortcut
from bot.model.people import Person
from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, interaction
from tests.helpers.thinkers import LocalThinker

pytestmark = pytest.mark.both_databases

DAY = timedelta(days=1)


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application with decks that let the person go gin in the first turn."""
    clock.pass_by(DAY)  # On this day, the person acts first.
    return Application(database, thinker=LocalThinker(), shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 99), clock=clock)


async def begin(app: Application, person: Person = NORTH, guild_id: GuildId | None = GUILD) -> None:
    """Begin a person's try from a server, or let it count there too."""
    await app.daily_tries.start(person, guild_id, interaction())


async def finish(app: Application, person: Person = NORTH, guild_id: GuildId | None = GUILD) -> None:
    """Let a person go gin in the first turn of their try, on a day on which they act first."""
    hand, _ = await app.daily_tries.start(person, guild_id, interaction())
    await app.turns.move(person.id, hand.match.id, TAKE, interaction())
    await app.turns.move(person.id, hand.match.id, Shortcut.GIN, interaction())


async def results(app: Application, clock: Clock, days: int = 1, guild_id: GuildId = GUILD) -> list[DailyResult]:
    """Return the results of the last days on a server, those of today included."""
    today = day_at(clock.now)
    return [*await app.daily_standings.results(guild_id, today - (days - 1) * DAY, today)]


async def test_a_try_counts_where_the_person_opened_it(app: Application, clock: Clock) -> None:
    """A result is on each server on which the person opened the deal, and on no other."""
    await finish(app)
    await begin(app, NORTH, OTHER_GUILD)
    await finish(app, SOUTH, None)
    for guild_id in (GUILD, OTHER_GUILD):
        (own,) = await results(app, clock, guild_id=guild_id)
        assert (own.player.id, own.kind, own.is_running) == (NORTH.id, OutcomeKind.GIN, False)
    assert await results(app, clock, guild_id=GuildId(OTHER_GUILD + 1)) == []


async def test_a_running_try_has_no_points(app: Application, clock: Clock) -> None:
    """While the deal is open, an unfinished try has no points, and is still running."""
    await finish(app)
    await begin(app, SOUTH)
    first, second = await results(app, clock)
    assert (first.is_finished, first.is_running) == (True, False)
    assert (second.points, second.is_finished, second.is_running) == (None, False, True)


async def test_an_unfinished_try_counts_as_the_worst_result(app: Application, clock: Clock) -> None:
    """Once the deal is closed, an unfinished try has the worst finished result, and is marked as unfinished."""
    await finish(app)
    await begin(app, SOUTH)
    clock.pass_by(DAY)
    await app.daily_deals.close_past()
    first, second = await results(app, clock, 2)
    assert (second.points, second.turns) == (first.points, first.turns)
    assert (second.is_finished, second.is_running, second.kind) == (False, False, None)


async def test_the_worst_result_stays_when_its_person_is_forgotten(app: Application, clock: Clock) -> None:
    """Forgetting the person with the worst result changes no other result."""
    await finish(app)
    await begin(app, SOUTH)
    clock.pass_by(DAY)
    await app.daily_deals.close_past()
    _, before = await results(app, clock, 2)
    await app.people.forget(NORTH.id)
    assert await results(app, clock, 2) == [before]


async def test_an_unfinished_try_counts_as_nothing_if_nobody_finished(app: Application, clock: Clock) -> None:
    """If nobody finished a deal, unfinished tries have no points."""
    await begin(app)
    clock.pass_by(DAY)
    await app.daily_deals.close_past()
    (own,) = await results(app, clock, 2)
    assert (own.points, own.turns, own.is_running) == (None, None, False)


async def test_only_the_given_days_are_returned(app: Application, clock: Clock) -> None:
    """The first and the last day are included, and no others."""
    for person in (NORTH, SOUTH, EAST):
        await finish(app, person)
        clock.pass_by(2 * DAY)
        await app.daily_deals.close_past()
    days = [own.day for own in await results(app, clock, 7)]
    assert [own.day for own in await results(app, clock, 3)] == days[-1:]
    assert [own.day for own in await results(app, clock, 5)] == days[-2:]
