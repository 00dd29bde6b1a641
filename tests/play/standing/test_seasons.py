"""Seasons: their ends, their matches and their awards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.application import Application
from bot.store.database import Database
from bot.values.ids import PersonId
from bot.values.people import Person
from bot.values.seasons import (
    Award,
    Season,
    Seasons,
    SeasonsShown,
    key_of,
    number_of,
    season_at,
)
from bot.values.standings import Order
from bot.values.statistics import Category
from bot.values.time_zones import zone_of
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, GUILD, NORTH, SOUTH, change_settings
from tests.play.finished import save_finished_match

BERLIN = zone_of("Europe/Berlin")


async def names(app: Application, period: str) -> list[str]:
    """Return the names on a period's leaderboard, best first."""
    board = await app.leaderboards.page(GUILD, NORTH.id, period=period, order=Order.WINS)
    return [row.standing.name for row in board.rows]


def test_a_season_ends_at_midnight_where_the_server_is() -> None:
    """A season ends at midnight in the server's time zone, also at the end of a year and in summer time."""
    late = datetime(2026, 10, 31, 23, 30, tzinfo=UTC)
    assert season_at(late, Seasons.MONTHLY, BERLIN) == Season("2026-11", datetime(2026, 11, 30, 23, tzinfo=UTC))
    assert season_at(late, Seasons.MONTHLY, zone_of("UTC")) == Season("2026-10", datetime(2026, 11, 1, tzinfo=UTC))
    assert season_at(late, Seasons.QUARTERLY, BERLIN) == Season("2026-Q4", datetime(2026, 12, 31, 23, tzinfo=UTC))
    march = datetime(2027, 3, 2, tzinfo=UTC)
    assert season_at(march, Seasons.MONTHLY, BERLIN) == Season("2027-03", datetime(2027, 3, 31, 22, tzinfo=UTC))
    assert season_at(march, Seasons.NONE, BERLIN) is None


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.sampled_from([Seasons.MONTHLY, Seasons.QUARTERLY]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]),
)
def test_one_season_follows_another(moment: datetime, seasons: Seasons, zone: str) -> None:
    """Each season ends after any time in it, the next starts at that moment, and their keys sort in order."""
    season = season_at(moment, seasons, zone_of(zone))
    assert season is not None
    assert moment < season.ends_at <= moment + timedelta(days=93)
    after = season_at(season.ends_at, seasons, zone_of(zone))
    before = season_at(season.ends_at - timedelta(milliseconds=1), seasons, zone_of(zone))
    assert before == season
    assert after is not None
    assert after.key > season.key


@pytest.mark.parametrize("key", ["2026-01", "2026-11", "2026-12", "2026-Q1", "2026-Q4"])
def test_seasons_have_numbers(key: str) -> None:
    """A season's key round-trips through its number."""
    assert key_of(number_of(key)) == key


async def test_matches_count_in_the_season_that_runs_when_they_end(
    app: Application, database: Database, clock: Clock
) -> None:
    """A match counts in the season in which it ends; a finished season changes only when a person is forgotten."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, seasons=Seasons.MONTHLY, time_zone="Europe/Berlin")
    assert await app.leaderboards.seasons(GUILD) == SeasonsShown("2026-11", None)
    assert await names(app, "2026-11") == []
    await save_finished_match(database, clock, EAST, SOUTH)
    assert await names(app, "2026-11") == ["East", "South"]
    clock.now = datetime(2026, 11, 30, 22, 59, tzinfo=UTC)
    await save_finished_match(database, clock, EAST, NORTH)
    clock.now = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
    assert await app.leaderboards.seasons(GUILD) == SeasonsShown("2026-12", "2026-11")
    await save_finished_match(database, clock, SOUTH, NORTH)
    assert await app.leaderboards.seasons(GUILD) == SeasonsShown("2026-12", "2026-11")
    assert await names(app, "2026-12") == ["South", "North"]
    assert await names(app, "2026-11") == ["East", "North", "South"]
    await app.leaderboards.reset(GUILD)
    await app.leaderboards.tidy()
    assert await names(app, "2026-12") == await names(app, "all") == []
    assert await names(app, "2026-11") == ["East", "North", "South"]
    await app.people.forget(EAST.id)
    assert await names(app, "2026-11") == ["North", "South"]


async def test_a_season_in_which_nobody_plays_ends_too(app: Application, database: Database, clock: Clock) -> None:
    """A season without further matches is closed once by the housekeeping, which starts the next."""
    await change_settings(app, seasons=Seasons.QUARTERLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = datetime(2027, 1, 5, tzinfo=UTC)
    for _ in range(2):
        await app.leaderboards.tidy()
        assert await app.leaderboards.seasons(GUILD) == SeasonsShown("2027-Q1", "2026-Q4")
    assert await names(app, "2026-Q4") == ["North", "South"]


async def test_seasons_can_be_changed(app: Application, database: Database, clock: Clock) -> None:
    """Without seasons the last one is kept, and enabling them again in the same month continues it."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await change_settings(app, seasons=Seasons.NONE)
    await save_finished_match(database, clock, EAST, SOUTH)
    assert await app.leaderboards.seasons(GUILD) == SeasonsShown(None, "2026-11")
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, EAST, NORTH)
    assert await app.leaderboards.seasons(GUILD) == SeasonsShown("2026-11", None)
    assert await names(app, "2026-11") == ["East", "North", "South"]


@pytest.mark.thorough
async def test_ratings_are_known_on_the_board_of_a_season(app: Application, database: Database, clock: Clock) -> None:
    """A season's leaderboard shows all-time ratings, including matches before the season."""
    await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, NORTH, SOUTH, void=False)
    (board,) = [await app.leaderboards.page(GUILD, NORTH.id, period="2026-11", order=Order.WINS)]
    ever = await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS)
    assert board.own is not None
    assert ever.own is not None
    assert (board.own.rating, board.own.rated, board.own.matches) == (ever.own.rating, 2, 1)


async def test_a_clock_that_was_ahead_ends_no_season_for_good(
    app: Application, database: Database, clock: Clock
) -> None:
    """A season that started too early is corrected: the previous one continues, and recent matches expire on time."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.moments.repair()
    present, clock.now = clock.now, clock.now + timedelta(days=400)
    await app.moments.repair()
    await app.leaderboards.tidy()
    await save_finished_match(database, clock, EAST, SOUTH)
    clock.now = present
    await app.moments.repair()
    assert (await app.leaderboards.seasons(GUILD)).running == "2026-11"
    await save_finished_match(database, clock, EAST, NORTH)
    assert await names(app, "2026-11") == ["East", "North", "South"]
    clock.now = present + timedelta(days=31)
    await app.leaderboards.tidy()
    assert await names(app, "recent") == []


async def test_a_season_says_who_led_and_who_did_most(app: Application, database: Database, clock: Clock) -> None:
    """A finished season has awards: the top three of each category, most gins, longest streak and largest deal."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    for winner, loser in ((NORTH, SOUTH), (NORTH, EAST), (EAST, SOUTH), (NORTH, EAST), (SOUTH, NORTH)):
        await save_finished_match(database, clock, winner, loser, 60 if winner is SOUTH else 50, void=False)
    await save_finished_match(database, clock, SOUTH, EAST, category=Category.PENALTY, ruleset="penalty")
    assert await app.leaderboards.awards(GUILD, "2026-11") == ()
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)
    await app.leaderboards.tidy()
    given = await app.leaderboards.awards(GUILD, "2026-11")
    podium = {(one.category, one.place): one.name for one in given if one.award is Award.PODIUM}
    assert podium == {
        (Category.POINTS, 1): "North",
        (Category.POINTS, 2): "South",
        (Category.POINTS, 3): "East",
        (Category.PENALTY, 1): "South",
        (Category.PENALTY, 2): "East",
    }
    others = {one.award: (one.name, one.value) for one in given if one.award is not Award.PODIUM}
    assert others[Award.GINS] == ("North", 3)
    assert others[Award.STREAK] == ("North", 3)
    assert others[Award.DEAL] == ("South", 60)
    exported = (await app.exports.export(NORTH.id))["awards"]
    assert {one["season"] for one in exported} == {"2026-11"}
    await app.people.forget(NORTH.id)
    left = await app.leaderboards.awards(GUILD, "2026-11")
    assert {one.name for one in left} == {"South", "East"}


async def test_everybody_who_shares_a_place_on_the_podium_has_it(
    app: Application, database: Database, clock: Clock
) -> None:
    """All who share a place on the podium get it; four equal winners are all champions."""
    await change_settings(app, seasons=Seasons.MONTHLY)
    winners = [Person(PersonId(500 + number), f"Winner {number}") for number in range(4)]
    for winner in winners:
        await save_finished_match(database, clock, winner, SOUTH)
    clock.now = datetime(2026, 12, 1, 0, 30, tzinfo=UTC)
    await app.leaderboards.tidy()
    given = await app.leaderboards.awards(GUILD, "2026-11")
    podium = [(one.place, one.name) for one in given if one.award is Award.PODIUM]
    assert podium == [(1, winner.name) for winner in winners]
