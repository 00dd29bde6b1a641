"""Profiles of people, and the activity of a server."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.model.statistics import ActivitySpan, Category, Rival
from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, WEST, Players
from tests.play.boards import full_standings
from tests.play.finished import save_finished_match


async def test_a_profile_agrees_with_the_leaderboard(app: Application, database: Database, clock: Clock) -> None:
    """A profile agrees with the leaderboard and lists matches oldest first."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(days=1))
    await save_finished_match(database, clock, SOUTH, NORTH, points=80)
    clock.pass_by(timedelta(days=1))
    await save_finished_match(database, clock, NORTH, EAST, drawn=True)
    (row,) = [row for row in await full_standings(app, GUILD) if row.name == "North"]
    profile = await app.profiles.profile(NORTH, GUILD)
    assert [(match.won, match.drawn, match.net) for match in profile.played_matches] == [
        (True, False, 40),
        (False, False, -70),
        (None, True, 40),
    ]
    assert profile.played_matches[0].ended_at < profile.played_matches[1].ended_at < profile.played_matches[2].ended_at
    assert (profile.results, profile.net) == (row.results, 10)
    assert (len(profile.played_matches), profile.net) == (row.matches, row.net)
    assert (profile.deals_won, profile.deals_lost, profile.points) == (row.deals_won, row.deals_lost, row.points)
    assert (profile.gins, profile.undercuts) == (row.gins, row.undercuts)


async def test_the_rival_is_the_opponent_met_most(app: Application, database: Database, clock: Clock) -> None:
    """The rival is the most frequent opponent; of several, the most recent one. Forgotten people are excluded."""
    for other in (SOUTH, EAST, SOUTH, EAST):
        await save_finished_match(database, clock, NORTH, other)
        clock.pass_by(timedelta(hours=1))
    await save_finished_match(database, clock, SOUTH, WEST)
    rival = (await app.profiles.profile(NORTH, GUILD)).rival
    assert rival is not None
    assert (rival.player.name, rival.matches, rival.won, rival.lost) == ("East", 2, 2, 0)
    await save_finished_match(database, clock, SOUTH, NORTH)
    assert _rival_summary((await app.profiles.profile(NORTH, GUILD)).rival) == ("South", 3, 2, 1)
    await app.people.forget(SOUTH.id)
    assert _rival_summary((await app.profiles.profile(NORTH, GUILD)).rival) == ("East", 2, 2, 0)
    assert (await app.profiles.profile(SOUTH, GUILD)).played_matches == ()


def _rival_summary(rival: Rival | None) -> tuple[str | None, int, int, int] | None:
    return rival and (rival.player.name, rival.matches, rival.won, rival.lost)


async def test_a_streak_ends_with_another_result(app: Application, database: Database, clock: Clock) -> None:
    """A profile shows the longest streak, and a draw ends a streak."""
    for won in "1101110d1":
        winner, loser = (NORTH, SOUTH) if won == "1" else (SOUTH, NORTH)
        await save_finished_match(database, clock, winner, loser, drawn=won == "d")
        clock.pass_by(timedelta(hours=1))
    assert (await app.profiles.profile(NORTH, GUILD)).streak == 3
    assert (await app.profiles.profile(EAST, GUILD)).streak == 0


async def test_the_most_played_category_comes_first(app: Application, database: Database, clock: Clock) -> None:
    """A profile shows the most played category by default. Fewer penalty points mean positive net points."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    for _ in range(2):
        await save_finished_match(database, clock, NORTH, SOUTH, points=4, category=Category.PENALTY, ruleset="penalty")
    profile = await app.profiles.profile(NORTH, GUILD)
    assert (profile.category, profile.categories) == (Category.PENALTY, (Category.PENALTY, Category.POINTS))
    assert [match.net for match in profile.played_matches] == [6, 6]
    rows = await full_standings(app, GUILD, category=Category.PENALTY)
    assert {row.name: row.net for row in rows} == {"North": 12, "South": -12}
    assert len((await app.profiles.profile(NORTH, GUILD, Category.POINTS)).played_matches) == 1
    assert (await app.profiles.profile(NORTH, GUILD, Category.TEAMS)).played_matches == ()


@pytest.mark.thorough
async def test_partners_share_their_net_points(app: Application) -> None:
    """Partners have the same net points, the other team the opposite, and only an opponent can be a rival."""
    table = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await table.begin("partners target=10")
    for board in (1, 2):
        await table.move_on_board(board, match.id, "take", "gin")
    profiles = [await app.profiles.profile(person, GUILD) for person in table.people]
    nets = [profile.net for profile in profiles]
    assert nets == [nets[0], -nets[0], nets[0], -nets[0]]
    assert abs(nets[0]) == 170
    rows = await full_standings(app, GUILD, category=Category.TEAMS)
    assert {row.person_id: row.net for row in rows} == {profile.player.id: profile.net for profile in profiles}
    rival = profiles[0].rival
    assert rival is not None
    assert rival.player.name in ("South", "West")


async def test_a_profile_is_of_one_server_since_its_reset(app: Application, database: Database, clock: Clock) -> None:
    """A profile has only the matches on this server since the last reset of its leaderboard."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    assert (await app.profiles.profile(NORTH, OTHER_GUILD)).played_matches == ()
    clock.pass_by(timedelta(seconds=1))
    await app.leaderboards.reset(GUILD)
    empty = await app.profiles.profile(NORTH, GUILD)
    assert (empty.category, empty.categories, empty.played_matches, empty.rival) == (Category.POINTS, (), (), None)
    assert await app.profiles.activity(GUILD, Category.POINTS) is None


async def test_weeks_begin_on_monday(app: Application, database: Database, clock: Clock) -> None:
    """Matches and players of a category or ruleset are counted for each week, which begins on Monday.

    There are at most twelve weeks, the first of which has a match.
    """
    clock.now = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.now = datetime(2026, 11, 22, 23, 59, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, EAST, SOUTH)
    clock.now = datetime(2026, 11, 23, 0, 0, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH, ruleset="low")
    await save_finished_match(database, clock, NORTH, SOUTH, category=Category.PENALTY)
    activity = await app.profiles.activity(GUILD, Category.POINTS)
    assert activity is not None
    assert not activity.is_daily
    assert [(span.begins, span.matches, span.players) for span in activity.spans] == [
        (date(2026, 10, 26), 1, 2),
        (date(2026, 11, 2), 0, 0),
        (date(2026, 11, 9), 0, 0),
        (date(2026, 11, 16), 2, 3),
        (date(2026, 11, 23), 1, 2),
    ]
    assert (activity.matches, activity.deals, activity.players) == (4, 4, 3)
    assert activity.busiest == ActivitySpan(date(2026, 11, 16), 2, 3)
    clock.now = datetime(2027, 1, 18, 0, 0, tzinfo=UTC)
    later = await app.profiles.activity(GUILD, Category.POINTS)
    assert later is not None
    assert [span.matches for span in later.spans] == [2, 1, *[0] * 8]
    clock.pass_by(timedelta(weeks=12))
    assert await app.profiles.activity(GUILD, Category.POINTS) is None


@pytest.mark.both_databases
async def test_a_servers_first_days_are_shown_by_day(app: Application, database: Database, clock: Clock) -> None:
    """For two weeks from the first match, matches and players are counted by day in UTC, and then by week.

    If the clock has jumped back, nothing has been played yet.
    """
    clock.now = datetime(2026, 11, 17, 23, 59, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    first = await app.profiles.activity(GUILD, Category.POINTS)
    assert first is not None
    assert first.spans == (ActivitySpan(date(2026, 11, 17), 1, 2),)
    assert first.busiest is None
    clock.now = datetime(2026, 11, 19, 0, 0, tzinfo=UTC)
    await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, EAST, SOUTH, ruleset="low")
    for day, days in ((19, 3), (30, 14)):
        clock.now = datetime(2026, 11, day, 23, 59, tzinfo=UTC)
        activity = await app.profiles.activity(GUILD, Category.POINTS)
        assert activity is not None
        assert activity.is_daily
        assert len(activity.spans) == days
        assert activity.spans[:3] == (
            ActivitySpan(date(2026, 11, 17), 1, 2),
            ActivitySpan(date(2026, 11, 18), 0, 0),
            ActivitySpan(date(2026, 11, 19), 2, 3),
        )
        assert (activity.deals, activity.players) == (3, 3)
    low = await app.profiles.activity(GUILD, Category.POINTS, "low")
    assert low is not None
    assert (low.spans[0], low.deals, low.players) == (ActivitySpan(date(2026, 11, 19), 1, 2), 1, 2)
    clock.now = datetime(2026, 11, 16, 23, 59, tzinfo=UTC)
    assert await app.profiles.activity(GUILD, Category.POINTS) is None
    clock.now = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)
    weekly = await app.profiles.activity(GUILD, Category.POINTS)
    assert weekly is not None
    assert [(span.begins, span.matches) for span in weekly.spans] == [
        (date(2026, 11, 16), 3),
        (date(2026, 11, 23), 0),
        (date(2026, 11, 30), 0),
    ]
