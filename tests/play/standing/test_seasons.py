"""Seasons: their ends, their matches and their awards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.ids import PersonId
from bot.model.people import Person
from bot.model.seasons import (
    Award,
    Season,
    Seasons,
    ShownSeasons,
    first_moment,
    season_at,
    season_key,
    season_number,
)
from bot.model.standings import Order
from bot.model.statistics import Category
from bot.model.time_zones import zone_info
from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, change_settings
from tests.play.finished import save_finished_match

BERLIN = zone_info("Europe/Berlin")


async def leaderboard_names(app: Application, period: str) -> list[str]:
    """Return the names on a period's leaderboard, best first."""
    board = await app.leaderboards.page(GUILD, NORTH.id, period=period, order=Order.WINS)
    return [row.standing.name for row in board.rows]


def test_a_season_ends_at_midnight_in_the_servers_time_zone() -> None:
    """A season ends at midnight in the server's time zone, also at the end of a year and in summer time."""
    late = datetime(2026, 10, 31, 23, 30, tzinfo=UTC)
    november = Season("2026-11", datetime(2026, 10, 31, 23, tzinfo=UTC), datetime(2026, 11, 30, 23, tzinfo=UTC))
    assert season_at(late, Seasons.MONTHLY, BERLIN) == november
    october = Season("2026-10", datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC))
    assert season_at(late, Seasons.MONTHLY, zone_info("UTC")) == october
    autumn = Season("2026-Q4", datetime(2026, 9, 30, 22, tzinfo=UTC), datetime(2026, 12, 31, 23, tzinfo=UTC))
    assert season_at(late, Seasons.QUARTERLY, BERLIN) == autumn
    spring = Season("2027-03", datetime(2027, 2, 28, 23, tzinfo=UTC), datetime(2027, 3, 31, 22, tzinfo=UTC))
    march = datetime(2027, 3, 2, tzinfo=UTC)
    assert season_at(march, Seasons.MONTHLY, BERLIN) == spring
    assert season_at(march, Seasons.NONE, BERLIN) is None


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.sampled_from([Seasons.MONTHLY, Seasons.QUARTERLY]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]),
)
def test_seasons_are_contiguous(moment: datetime, seasons: Seasons, zone: str) -> None:
    """Every time belongs to a season. Each season starts when the previous one ends, and has a greater key."""
    season = season_at(moment, seasons, zone_info(zone))
    assert season is not None
    assert season.begins_at is not None
    assert season.begins_at <= moment < season.ends_at <= moment + timedelta(days=93)
    after = season_at(season.ends_at, seasons, zone_info(zone))
    before = season_at(season.ends_at - timedelta(milliseconds=1), seasons, zone_info(zone))
    assert before == season
    assert after is not None
    assert after.key > season.key
    assert after.begins_at == season.ends_at
    assert first_moment(season.key, zone_info(zone)) == season.begins_at


@pytest.mark.parametrize("key", ["2026-01", "2026-11", "2026-12", "2026-Q1", "2026-Q4"])
def test_season_keys_round_trip_through_numbers(key: str) -> None:
    """A season's key can be computed from its number, and the number from the key."""
    assert season_key(season_number(key)) == key


async def test_matches_count_in_the_season_in_which_they_end(
    app: Application, database: Database, clock: Clock
) -> None:
    """A match counts in the season in which it ends; a finished season changes only when a person is forgotten."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, seasons=Seasons.MONTHLY, time_zone="Europe/Berlin")
    assert (await app.leaderboards.seasons(GUILD)).current == "2026-11"
    assert await leaderboard_names(app, "2026-11") == []
    await save_finished_match(database, clock, EAST, SOUTH)
    assert await leaderboard_names(app, "2026-11") == ["East", "South"]
    clock.now = datetime(2026, 11, 30, 22, 59, tzinfo=UTC)
    await save_finished_match(database, clock, EAST, NORTH)
    clock.now = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
    assert await app.leaderboards.seasons(GUILD) == ShownSeasons("2026-12", "2026-11")
    await save_finished_match(database, clock, SOUTH, NORTH)
    assert await app.leaderboards.seasons(GUILD) == ShownSeasons("2026-12", "2026-11")
    assert await leaderboard_names(app, "2026-12") == ["South", "North"]
    assert await leaderboard_names(app, "2026-11") == ["East", "North", "South"]
    await app.leaderboards.reset(GUILD)
    await app.leaderboards.run_upkeep()
    assert await leaderboard_names(app, "2026-12") == await leaderboard_names(app, "all") == []
    assert await leaderboard_names(app, "2026-11") == ["East", "North", "South"]
    await app.people.forget(EAST.id)
    assert await leaderboard_names(app, "2026-11") == ["North", "South"]


async def test_a_season_without_matches_ends(app: Application, database: Database, clock: Clock) -> None:
    """A season ends even if no more matches are played: the housekeeping closes it, only once, and starts the next."""
    await change_settings(app, seasons=Seasons.QUARTERLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = datetime(2027, 1, 5, tzinfo=UTC)
    for _ in range(2):
        await app.leaderboards.run_upkeep()
        assert await app.leaderboards.seasons(GUILD) == ShownSeasons("2027-Q1", "2026-Q4")
    assert await leaderboard_names(app, "2026-Q4") == ["North", "South"]


async def test_seasons_can_be_changed(app: Application, database: Database, clock: Clock) -> None:
    """Disabling seasons keeps the current season's results. Enabling them in the same month continues that season."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, seasons=Seasons.NONE)
    await save_finished_match(database, clock, EAST, SOUTH)
    assert await app.leaderboards.seasons(GUILD) == ShownSeasons(None, "2026-11")
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, EAST, NORTH)
    assert (await app.leaderboards.seasons(GUILD)).current == "2026-11"
    assert await leaderboard_names(app, "2026-11") == ["East", "North", "South"]


async def test_a_season_is_decided_by_its_matches(app: Application, database: Database, clock: Clock) -> None:
    """A season's leaderboard and podium go by wins in the season, not by ratings from before, which they don't show."""
    for _ in range(14):
        await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, SOUTH, NORTH, void=False)
    all_time = await app.leaderboards.page(GUILD, NORTH.id)
    assert [(row.place, row.standing.name) for row in all_time.rows] == [(1, "North"), (2, "South")]
    assert all_time.order is Order.RATING
    for order in (None, Order.RATING):
        board = await app.leaderboards.page(GUILD, NORTH.id, period="2026-11", order=order)
        assert board.order is Order.WINS
        assert [(row.place, row.standing.name, row.standing.rating) for row in board.rows] == [
            (1, "South", None),
            (2, "North", None),
        ]
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    await app.leaderboards.run_upkeep()
    podium = [award for award in await app.leaderboards.awards(GUILD, "2026-11") if award.award is Award.PODIUM]
    assert [(award.place, award.name) for award in podium] == [(1, "South")]


async def test_a_late_season_knows_when_it_began(app: Application, database: Database, clock: Clock) -> None:
    """A season that was switched on during its month says so, also when it is over; the next one has all its month."""

    async def began_late_at(key: str) -> datetime | None:
        return (await app.leaderboards.page(GUILD, NORTH.id, period=key)).began_late_at

    clock.now = switched_on = datetime(2026, 11, 15, 1, 2, tzinfo=UTC)
    await change_settings(app, seasons=Seasons.MONTHLY, time_zone="America/New_York")
    clock.now += timedelta(days=1)
    assert await began_late_at("2026-11") == switched_on
    for kind in (Seasons.NONE, Seasons.MONTHLY):
        await change_settings(app, seasons=kind)
    assert await app.leaderboards.seasons(GUILD) == ShownSeasons("2026-11", None)
    await save_finished_match(database, clock, NORTH, SOUTH)
    late = await began_late_at("2026-11")
    assert late is not None
    assert (late, late.day) == (switched_on, 14), "the day is that of the server's time zone"
    clock.now = datetime(2026, 12, 1, 5, 5, tzinfo=UTC)
    for _ in range(2):
        assert await app.leaderboards.seasons(GUILD) == ShownSeasons("2026-12", "2026-11")
        assert [await began_late_at(key) for key in ("2026-10", "2026-11", "2026-12")] == [None, switched_on, None]
        await app.leaderboards.run_upkeep()
    assert [await began_late_at(period) for period in ("all", "recent")] == [None, None]


async def test_a_season_that_ended_early_continues(app: Application, database: Database, clock: Clock) -> None:
    """If a season ended early because the clock was ahead, it continues when the clock is corrected."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.time_repair.repair()
    present, clock.now = clock.now, clock.now + timedelta(days=400)
    await app.time_repair.repair()
    await app.leaderboards.run_upkeep()
    await save_finished_match(database, clock, EAST, SOUTH)
    clock.now = present
    await app.time_repair.repair()
    assert (await app.leaderboards.seasons(GUILD)).current == "2026-11"
    await save_finished_match(database, clock, EAST, NORTH)
    assert await leaderboard_names(app, "2026-11") == ["East", "North", "South"]
    clock.now = present + timedelta(days=31)
    await app.leaderboards.run_upkeep()
    assert await leaderboard_names(app, "recent") == []


async def test_awards_of_a_finished_season(app: Application, database: Database, clock: Clock) -> None:
    """A finished season has awards: the top three of each category, most gins, longest streak and largest deal."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    for winner, loser in ((NORTH, SOUTH), (NORTH, EAST), (EAST, SOUTH), (NORTH, EAST), (SOUTH, NORTH)):
        await save_finished_match(database, clock, winner, loser, 60 if winner is SOUTH else 50, void=False)
    await save_finished_match(database, clock, SOUTH, EAST, category=Category.PENALTY, ruleset="penalty")
    assert await app.leaderboards.awards(GUILD, "2026-11") == ()
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)
    await app.leaderboards.run_upkeep()
    awards = await app.leaderboards.awards(GUILD, "2026-11")
    podium = {(award.category, award.place): award.name for award in awards if award.award is Award.PODIUM}
    assert podium == {
        (Category.POINTS, 1): "North",
        (Category.POINTS, 2): "South",
        (Category.POINTS, 3): "East",
        (Category.PENALTY, 1): "South",
    }
    others = {award.award: (award.name, award.value) for award in awards if award.award is not Award.PODIUM}
    assert others[Award.GINS] == ("North", 3)
    assert others[Award.STREAK] == ("North", 3)
    assert others[Award.DEAL] == ("South", 60)
    exported = (await app.exports.export(NORTH.id))["awards"]
    assert {award["season"] for award in exported} == {"2026-11"}
    await app.people.forget(NORTH.id)
    left = await app.leaderboards.awards(GUILD, "2026-11")
    assert {row.name for row in left} == {"South", "East"}


@pytest.mark.thorough
async def test_shared_awards(app: Application, database: Database, clock: Clock) -> None:
    """Everyone with the most gins, the longest streak or an equally large deal shares the award."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    for winner in (NORTH, NORTH, EAST, EAST):
        await save_finished_match(database, clock, winner, SOUTH, void=False)
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)
    await app.leaderboards.run_upkeep()
    holders = {
        award.award: {other.name for other in awards if other.award is award.award}
        for awards in [await app.leaderboards.awards(GUILD, "2026-11")]
        for award in awards
        if award.award is not Award.PODIUM
    }
    assert holders == {award: {"North", "East"} for award in (Award.GINS, Award.STREAK, Award.DEAL)}


async def test_shared_places_on_the_podium(app: Application, database: Database, clock: Clock) -> None:
    """Everyone who shares a place on the podium gets the award: four equal winners are all champions."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    winners = [Person(PersonId(500 + number), f"Winner {number}") for number in range(4)]
    for winner in winners:
        await save_finished_match(database, clock, winner, SOUTH)
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)
    await app.leaderboards.run_upkeep()
    awards = await app.leaderboards.awards(GUILD, "2026-11")
    podium = [(award.place, award.name) for award in awards if award.award is Award.PODIUM]
    assert podium == [(1, winner.name) for winner in winners]
