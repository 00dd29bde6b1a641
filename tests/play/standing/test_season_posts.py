"""Season results are posted once, in the channel that managers chose, with public data only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.model.ids import ChannelId
from bot.model.outbox import MessageKind
from bot.model.seasons import Award, SeasonResult, Seasons
from bot.model.statistics import Category, Title
from bot.play.application import Application
from bot.play.guilds.guilds import RETENTION
from bot.play.outbox.outbox import Work
from bot.store import tables
from bot.store.database import Database
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


async def posted_result(courier: FakeCourier) -> SeasonResult:
    """Deliver due messages, and return the only result ever posted."""
    await courier.deliver()
    (posted,) = courier.of_kind(SEASON)
    assert isinstance(posted.shown.content, SeasonResult)
    return posted.shown.content


@pytest.mark.thorough
async def test_a_result_is_posted_once(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A result is posted when the season is over, in the channel set at that time, and never edited."""
    switched_on = clock.now
    for winner, loser in ((NORTH, SOUTH), (NORTH, EAST), (EAST, SOUTH)):
        await save_finished_match(database, clock, winner, loser, void=False)
    await save_finished_match(database, clock, SOUTH, EAST, category=Category.PENALTY, ruleset="penalty")
    await app.leaderboards.run_upkeep()
    assert await courier.deliver() == []
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    await change_settings(app, season_channel=ELSEWHERE)
    season_result = await posted_result(courier)
    assert [message.channel_id for message in courier.of_kind(SEASON)] == [ELSEWHERE]
    assert season_result.season == "2026-11"
    assert season_result.began_late_at == switched_on
    main, other = season_result.podiums
    assert (main.category, other.category) == (Category.POINTS, Category.PENALTY)
    assert [(row.place, row.standing.name) for row in main.rows] == [(1, "North"), (2, "East")]
    await app.people.forget(SOUTH.id)
    for _ in range(2):
        await app.leaderboards.run_upkeep()
        await app.outbox.forget_posts()
        assert await courier.deliver() == []


async def test_a_crash_after_the_post_does_not_post_twice(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """After a crash between posting and recording, the same nonce prevents a second post."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    for message in await courier.due():
        courier.send(message)
    courier.app = Application(database, clock=clock)
    assert (await posted_result(courier)).season == "2026-11"


@pytest.mark.nightly
async def test_the_ten_largest_deals_are_stored(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A season's ten largest deals are stored, except those for penalty points. Only the largest gets an award."""
    for number in range(12):
        channel = ChannelId(CHANNEL + 100 + number)
        await save_finished_match(database, clock, NORTH, SOUTH, 20 + number, void=False, channel_id=channel)
    await save_finished_match(database, clock, SOUTH, EAST, 99, category=Category.PENALTY, void=False)
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    deals = [
        superlative for superlative in (await posted_result(courier)).superlatives if superlative.award is Award.DEAL
    ]
    assert [deal.value for deal in deals] == [*range(31, 21, -1)]
    assert [deal.channel_id for deal in deals] == [CHANNEL + 100 + number for number in range(11, 1, -1)]
    awards = await app.leaderboards.awards(GUILD, "2026-11")
    assert [award.value for award in awards if award.award is Award.DEAL] == [31]
    exported = (await app.exports.export(NORTH.id))["awards"]
    assert len([award for award in exported if award["award"] == "deal" and award["match"] is not None]) == 10


@pytest.mark.nightly
async def test_empty_seasons_are_not_posted(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """Nothing is posted for a season if it had no matches or no channel, or if all its players were forgotten."""
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    await change_settings(app, season_channel=None)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now += timedelta(days=31)
    await app.leaderboards.run_upkeep()
    await change_settings(app, season_channel=CHANNEL)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now += timedelta(days=31)
    await app.leaderboards.run_upkeep()
    for person in (NORTH, SOUTH):
        await app.people.forget(person.id)
    await courier.deliver()
    assert courier.messages == {}


@pytest.mark.nightly
async def test_a_running_season_is_not_posted_early(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """The result of a running season is not posted early if settings change or the clock was ahead."""
    await app.time_repair.repair()
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, time_zone="Europe/Berlin")
    await change_settings(app, seasons=Seasons.NONE)
    await change_settings(app, seasons=Seasons.MONTHLY)
    present, clock.now = clock.now, clock.now + timedelta(days=400)
    await app.time_repair.repair()
    await app.leaderboards.run_upkeep()
    clock.now = present
    await app.time_repair.repair()
    assert await courier.deliver() == []
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    assert (await posted_result(courier)).season == "2026-11"


async def test_results_wait_for_the_bot_and_are_purged(
    app: Application, database: Database, clock: Clock, courier: FakeCourier
) -> None:
    """A season's result waits while the bot is removed from the server, and is deleted if the server is purged."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.guilds.save_left(GUILD)
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    assert await app.outbox.work() == Work()
    await app.guilds.save_joined(GUILD)
    assert len((await app.outbox.work()).groups) == 1
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(days=1))
    await app.guilds.purge()
    async with database.read() as transaction:
        left = await transaction.execute(select(func.count()).select_from(tables.outbox_message))
        assert left.scalar() == 0


@pytest.mark.thorough
async def test_champions_have_titles(app: Application, database: Database, clock: Clock) -> None:
    """A profile lists the person's titles in all categories, newest first, and their rating and rank, if any."""
    await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    await save_finished_match(database, clock, NORTH, EAST, category=Category.PENALTY, ruleset="penalty")
    assert (await app.profiles.profile(NORTH, GUILD)).titles == ()
    clock.now = DECEMBER
    await app.leaderboards.run_upkeep()
    for _ in range(4):
        await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    clock.now += timedelta(days=31)
    await app.leaderboards.run_upkeep()
    north, south = [await app.profiles.profile(person, GUILD) for person in (NORTH, SOUTH)]
    assert north.titles == (
        Title("2026-12", Category.POINTS),
        Title("2026-11", Category.PENALTY),
        Title("2026-11", Category.POINTS),
    )
    assert south.titles == ()
    assert [(rank.place, rank.people) for rank in (north.rank, south.rank) if rank] == [(None, 0)] * 2
    assert (await app.profiles.profile(NORTH, GUILD, Category.PENALTY)).titles == north.titles
    assert (await app.profiles.profile(EAST, GUILD)).rank is None
