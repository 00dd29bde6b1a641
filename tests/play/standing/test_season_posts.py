"""Season results are posted once, in the channel that managers chose, with public data only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.play.application import Application
from bot.play.guilds.guilds import KEPT_FOR
from bot.play.outbox.outbox import Work
from bot.store import tables
from bot.store.database import Database
from bot.values.ids import ChannelId
from bot.values.outbox import MessageKind
from bot.values.seasons import Award, SeasonResult, Seasons
from bot.values.standings import Order
from bot.values.statistics import Category, Rank, Title
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, GUILD, NORTH, SOUTH, change_settings
from tests.play.finished import save_finished_match

SEASON = MessageKind.SEASON
DECEMBER = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
async def _seasons(app: Application) -> None:  # pyright: ignore[reportUnusedFunction]
    """Enable monthly seasons with a channel for their results."""
    await change_settings(app, seasons=Seasons.MONTHLY, season_channel=CHANNEL)


async def result(courier: FakeCourier) -> SeasonResult:
    """Deliver due messages, and return the only result ever posted."""
    await courier.deliver()
    (posted,) = courier.of(SEASON)
    assert isinstance(posted.shown.content, SeasonResult)
    return posted.shown.content


@pytest.mark.thorough
async def test_a_result_is_posted_once(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A result is posted when the season is over, in the channel set at that time, and never edited."""
    for winner, loser in ((NORTH, SOUTH), (NORTH, EAST), (EAST, SOUTH)):
        await save_finished_match(database, clock, winner, loser, void=False)
    await save_finished_match(database, clock, SOUTH, EAST, category=Category.PENALTY, ruleset="penalty")
    await app.leaderboards.tidy()
    assert await courier.deliver() == []
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    await change_settings(app, season_channel=ELSEWHERE)
    told = await result(courier)
    assert [one.channel_id for one in courier.of(SEASON)] == [ELSEWHERE]
    assert told.season == "2026-11"
    main, other = told.podiums
    assert (main.category, main.order, other.category) == (Category.POINTS, Order.WINS, Category.PENALTY)
    assert [(row.place, row.standing.name) for row in main.rows] == [(1, "North"), (2, "East"), (3, "South")]
    await app.people.forget(SOUTH.id)
    for _ in range(2):
        await app.leaderboards.tidy()
        await app.outbox.forget_posts()
        assert await courier.deliver() == []


async def test_a_kill_between_the_post_and_its_record_costs_no_second_one(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """After a crash between posting and recording, the same nonce prevents a second post."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    for message in await courier.due():
        courier.send(message)
    courier.app = Application(database, clock=clock)
    assert (await result(courier)).season == "2026-11"


@pytest.mark.nightly
async def test_several_of_the_largest_deals_are_known(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A result has the ten largest deals with their channels, without penalty deals; the awards have only the first."""
    for number in range(12):
        channel = ChannelId(CHANNEL + 100 + number)
        await save_finished_match(database, clock, NORTH, SOUTH, 20 + number, void=False, channel_id=channel)
    await save_finished_match(database, clock, SOUTH, EAST, 99, category=Category.PENALTY, void=False)
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    deals = [one for one in (await result(courier)).superlatives if one.award is Award.DEAL]
    assert [one.value for one in deals] == [*range(31, 21, -1)]
    assert [one.channel_id for one in deals] == [CHANNEL + 100 + number for number in range(11, 1, -1)]
    awards = await app.leaderboards.awards(GUILD, "2026-11")
    assert [one.value for one in awards if one.award is Award.DEAL] == [31]
    exported = (await app.exports.export(NORTH.id))["awards"]
    assert len([one for one in exported if one["award"] == "deal" and one["match"] is not None]) == 10


@pytest.mark.nightly
async def test_nothing_is_posted_where_nobody_played_or_wants_it(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """Nothing is posted for a season without matches, without a channel, or whose people were all forgotten."""
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    await change_settings(app, season_channel=None)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now += timedelta(days=31)
    await app.leaderboards.tidy()
    await change_settings(app, season_channel=CHANNEL)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now += timedelta(days=31)
    await app.leaderboards.tidy()
    for person in (NORTH, SOUTH):
        await app.people.forget(person.id)
    await courier.deliver()
    assert courier.messages == {}


@pytest.mark.nightly
async def test_a_season_that_goes_on_is_not_over(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """Changed settings or a clock that was ahead do not post a running season early."""
    await app.moments.repair()
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, time_zone="Europe/Berlin")
    await change_settings(app, seasons=Seasons.NONE)
    await change_settings(app, seasons=Seasons.MONTHLY)
    present, clock.now = clock.now, clock.now + timedelta(days=400)
    await app.moments.repair()
    await app.leaderboards.tidy()
    clock.now = present
    await app.moments.repair()
    assert await courier.deliver() == []
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    assert (await result(courier)).season == "2026-11"


async def test_a_result_waits_for_the_bot_and_goes_with_the_server(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A result waits while the bot is removed from the server, and is deleted when the server is purged."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.guilds.left(GUILD)
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    assert await app.outbox.work() == Work()
    await app.guilds.joined(GUILD)
    assert len((await app.outbox.work()).groups) == 1
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(days=1))
    await app.guilds.purge()
    async with database.read() as transaction:
        left = await transaction.execute(select(func.count()).select_from(tables.outbox_message))
        assert left.scalar() == 0


@pytest.mark.thorough
async def test_champions_have_titles(app: Application, database: Database, clock: Clock) -> None:
    """A profile lists the person's titles in all categories, newest first, with the rating and rank if there is one."""
    await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    await save_finished_match(database, clock, NORTH, EAST, category=Category.PENALTY, ruleset="penalty")
    assert (await app.profiles.profile(NORTH, GUILD)).titles == ()
    clock.now = DECEMBER
    await app.leaderboards.tidy()
    for _ in range(4):
        await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    clock.now += timedelta(days=31)
    await app.leaderboards.tidy()
    north, south = [await app.profiles.profile(one, GUILD) for one in (NORTH, SOUTH)]
    assert north.titles == (
        Title("2026-12", Category.POINTS),
        Title("2026-11", Category.PENALTY),
        Title("2026-11", Category.POINTS),
    )
    assert south.titles == ()
    assert (north.rank, south.rank) == (Rank("2011?", 1, 2), Rank("989?", 2, 2))
    assert (await app.profiles.profile(NORTH, GUILD, Category.PENALTY)).titles == north.titles
    assert (await app.profiles.profile(EAST, GUILD)).rank is None
