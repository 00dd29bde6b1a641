"""Servers: settings, leaderboards, and removal of the bot."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select

from bot.model.appearance import Appearance
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.guilds import GuildSettings
from bot.model.ids import PersonId
from bot.model.statistics import Category
from bot.play.application import Application
from bot.play.guilds.guilds import RETENTION
from bot.play.refusals import NoMatch
from bot.store import tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.messages import FakeCourier
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    MANAGER,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    WEST,
    Person,
    Players,
    change_settings,
    interaction,
    place,
)
from tests.play.boards import full_standings
from tests.play.finished import save_finished_match

BEST = Person(PersonId(8), "Best")
WORST = Person(PersonId(8), "Worst")


async def leaderboard_names(app: Application, *, recent: bool = False) -> list[str]:
    """Return the names on the leaderboard, best first."""
    return [row.name for row in await full_standings(app, GUILD, recent=recent)]


@pytest.mark.thorough
async def test_settings_are_stored_for_each_server(app: Application) -> None:
    """A server has the default settings until its managers change them, and each server has its own."""
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())
    chosen = GuildSettings("low", 60, (CHANNEL, ELSEWHERE), ("low", "partners"))
    channels, offered = (CHANNEL, ELSEWHERE), ("low", "partners")
    assert await change_settings(app, rules="low", target=60, channels=channels, offered=offered) == chosen
    assert await app.guilds.settings(GUILD) == chosen
    assert await app.guilds.settings(OTHER_GUILD) == GuildSettings("classic", None, ())
    assert await change_settings(app, target=None) == GuildSettings("low", None, channels, offered)
    dark = await change_settings(app, appearance=Appearance("dark", True))
    assert dark == GuildSettings("low", None, channels, offered, Appearance("dark", True))
    await change_settings(app, appearance=Appearance())
    await change_settings(app, rules="classic", channels=(), offered=())
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())


async def test_simultaneous_changes_of_settings_are_all_saved(app: Application) -> None:
    """Simultaneous changes of different settings are all saved."""
    choices = [change_settings(app, rules="low"), change_settings(app, target=60)]
    await asyncio.gather(*choices, change_settings(app, channels=(CHANNEL,)))
    assert await app.guilds.settings(GUILD) == GuildSettings("low", 60, (CHANNEL,))


async def test_matches_won_come_first_then_share_then_points(
    app: Application, database: Database, clock: Clock
) -> None:
    """The leaderboard sorts by matches won, then the percentage won, then points."""
    for _ in range(2):
        await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, SOUTH, NORTH, points=500)
    assert await leaderboard_names(app) == ["North", "South"]
    await save_finished_match(database, clock, EAST, WEST)
    assert await leaderboard_names(app) == ["North", "East", "South", "West"]
    await save_finished_match(database, clock, BEST, WEST, points=51)
    assert await leaderboard_names(app) == ["North", "Best", "East", "South", "West"]


async def test_standings_add_up(app: Application, database: Database, clock: Clock) -> None:
    """Deals, points, gins and undercuts add up. A drawn match is not won or lost, but lowers the percentage won."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, NORTH, SOUTH, drawn=True)
    await save_finished_match(database, clock, EAST, WEST, points=1)
    rows = {row.name: row for row in await full_standings(app, GUILD)}
    north, south = rows["North"], rows["South"]
    assert (north.won, north.lost, north.deals_won, north.deals_lost) == (1, 0, 4, 2)
    assert (north.points, north.gins, north.undercuts) == (100, 2, 0)
    assert (south.won, south.lost, south.points, south.gins, south.undercuts) == (0, 1, 20, 0, 2)
    assert list(rows)[:2] == ["East", "North"]


@pytest.mark.nightly
async def test_each_category_has_standings_of_its_own(app: Application, database: Database, clock: Clock) -> None:
    """Points, teams and penalty matches have separate leaderboards. Fewer penalty points break ties in wins."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await save_finished_match(database, clock, NORTH, SOUTH, ruleset="Ours")
    await save_finished_match(database, clock, EAST, SOUTH, ruleset="low")
    await save_finished_match(database, clock, SOUTH, NORTH, category=Category.TEAMS, ruleset="partners")
    await save_finished_match(database, clock, NORTH, WORST, category=Category.PENALTY, ruleset="penalty", points=90)
    await save_finished_match(database, clock, EAST, WEST, category=Category.PENALTY, ruleset="penalty", points=80)

    async def names_and_wins(category: Category, ruleset: str | None = None) -> list[tuple[str, int]]:
        rows = await full_standings(app, GUILD, recent=True, category=category, ruleset=ruleset)
        return [(row.name, row.won) for row in rows]

    assert await names_and_wins(Category.POINTS) == [("North", 2), ("East", 1), ("South", 0)]
    assert await names_and_wins(Category.POINTS, "Ours") == [("North", 1), ("South", 0)]
    assert await names_and_wins(Category.POINTS, "penalty") == []
    assert await names_and_wins(Category.TEAMS) == [("South", 1), ("North", 0)]
    assert await names_and_wins(Category.PENALTY) == [("East", 1), ("North", 1), ("West", 0), ("Worst", 0)]
    assert await app.leaderboards.categories_played(GUILD) == (
        (Category.PENALTY, "penalty"),
        (Category.POINTS, "classic"),
        (Category.POINTS, "low"),
        (Category.POINTS, "Ours"),
        (Category.TEAMS, "partners"),
    )
    clock.pass_by(timedelta(seconds=1))
    await app.leaderboards.reset(GUILD)
    assert await app.leaderboards.categories_played(GUILD) == ()


@pytest.mark.thorough
async def test_only_finished_matches_count(app: Application, players: Players) -> None:
    """Running and cancelled matches count on no leaderboard. Finished matches count only on their own server's."""
    match = await players.begin()
    await players.win(match.id)
    assert await leaderboard_names(app) == []
    await app.endings.cancel(match.id, GUILD, MANAGER)
    assert await leaderboard_names(app) == []
    other = await players.begin("classic target=10", guild_id=OTHER_GUILD)
    await players.win(other.id)
    assert await leaderboard_names(app) == []
    assert [row.name for row in await full_standings(app, OTHER_GUILD)] == ["North", "South"]


async def test_a_match_without_a_finished_deal_counts_in_no_standing(
    app: Application, players: Players, clock: Clock
) -> None:
    """A match counts in leaderboards, profiles and charts only if one of its deals was finished."""
    resigned = await players.begin()
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    claimed = await players.begin()
    clock.pass_by(CLAIM_TIME_WITHOUT_CLOCK)
    await Players(app).run_timekeeper()
    await app.endings.claim(SOUTH.id, claimed.id, interaction())
    assert await leaderboard_names(app) == await leaderboard_names(app, recent=True) == []
    assert await app.leaderboards.categories_played(GUILD) == ()
    for person in players.people:
        profile = await app.profiles.profile(person, GUILD)
        assert (profile.played_matches, profile.categories, profile.rival) == ((), (), None)
    assert await app.profiles.activity(GUILD, Category.POINTS) is None
    counted = await players.begin()
    await players.win(counted.id)
    await app.endings.resign(NORTH.id, counted.id, interaction())
    assert await leaderboard_names(app) == ["South", "North"]
    profile = await app.profiles.profile(SOUTH, GUILD)
    assert (profile.results.won, profile.rival and (profile.rival.matches, profile.rival.won)) == (1, (1, 1))


async def test_a_reset_starts_the_leaderboard_again(app: Application, database: Database, clock: Clock) -> None:
    """Matches that ended before a reset of the leaderboard do not count."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(seconds=1))
    await app.leaderboards.reset(GUILD)
    assert await leaderboard_names(app) == await leaderboard_names(app, recent=True) == []
    await save_finished_match(database, clock, EAST, SOUTH)
    assert await leaderboard_names(app) == await leaderboard_names(app, recent=True) == ["East", "South"]


async def test_the_recent_leaderboard_covers_thirty_days(app: Application, database: Database, clock: Clock) -> None:
    """The recent leaderboard excludes matches older than thirty days."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(days=30))
    assert await leaderboard_names(app, recent=True) == ["North", "South"]
    clock.pass_by(timedelta(seconds=1))
    await app.leaderboards.run_upkeep()
    assert await leaderboard_names(app, recent=True) == []
    assert await leaderboard_names(app) == ["North", "South"]


async def test_forgotten_people_are_in_no_standings(app: Application, database: Database, clock: Clock) -> None:
    """A forgotten person is on no leaderboard, but the opponent's result stays."""
    await save_finished_match(database, clock, NORTH, SOUTH)
    await app.people.forget(NORTH.id)
    (south,) = await full_standings(app, GUILD)
    assert (south.name, south.lost) == ("South", 1)


async def row_counts(database: Database) -> dict[str, int]:
    """Return the number of rows in each table."""
    async with database.read() as transaction:
        return {
            name: int((await transaction.execute(select(func.count()).select_from(table))).scalar_one())
            for name, table in tables.metadata.tables.items()
        }


@pytest.mark.thorough
async def test_a_server_that_left_is_purged(
    app: Application, database: Database, players: Players, clock: Clock, courier: FakeCourier
) -> None:
    """Thirty days after the bot was removed, the server's data is deleted; other servers keep theirs."""
    other = await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    other_counts = await row_counts(database)
    await change_settings(app, rules="classic", target=10, offered=("classic", "penalty"))
    await app.rulebook.save(GUILD, "Ours", "low")
    finished = await players.begin("classic target=10")
    await players.win(finished.id)
    await players.begin()
    await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION)
    await app.guilds.purge()
    assert len(await app.guilds.running(GUILD)) == 1
    clock.pass_by(timedelta(seconds=1))
    await app.guilds.purge()
    assert await row_counts(database) == other_counts | {"person": 3, "offer_ping": 1}
    with pytest.raises(NoMatch):
        await app.lookup.table(finished.id)
    assert (await app.lookup.table(other.id)).match.guild_id == OTHER_GUILD
    await courier.deliver()
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())


async def test_a_server_that_comes_back_has_everything(app: Application, players: Players, clock: Clock) -> None:
    """A server that adds the bot again within thirty days keeps everything; other servers are still purged."""
    await players.begin()
    await app.guilds.save_left(GUILD)
    await app.guilds.save_left(OTHER_GUILD)
    clock.pass_by(timedelta(days=29))
    await app.guilds.save_joined(GUILD)
    clock.pass_by(timedelta(days=90))
    await app.guilds.purge()
    assert len(await app.guilds.running(GUILD)) == 1


@pytest.mark.nightly
async def test_servers_that_left_while_the_bot_was_offline_are_purged(
    app: Application, players: Players, clock: Clock
) -> None:
    """If a server removed the bot while the bot was offline, the thirty days start when the bot notices the removal."""
    match = await players.begin()
    other = await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    for days in (20, 11):
        await app.guilds.save_all_joined({OTHER_GUILD})
        clock.pass_by(timedelta(days=days))
    await app.guilds.purge()
    with pytest.raises(NoMatch):
        await app.lookup.table(match.id)
    await app.guilds.save_all_joined(set())
    await app.guilds.save_all_joined({OTHER_GUILD})
    clock.pass_by(RETENTION * 2)
    await app.guilds.purge()
    assert (await app.lookup.table(other.id)).match == other


async def test_ids_of_purged_matches_are_not_reused(app: Application, players: Players, clock: Clock) -> None:
    """The id of a purged match is never used again."""
    old = await players.begin()
    await players.move(old.id, "pass")
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(days=1))
    await app.guilds.purge()
    new = await players.begin()
    assert new.id > old.id


async def test_the_bot_can_leave_servers_without_data(app: Application, database: Database) -> None:
    """Removing and adding the bot works for servers that have no data."""
    await app.guilds.save_left(GUILD)
    for guild_id in (GUILD, OTHER_GUILD):
        await app.guilds.save_joined(guild_id)
    await execute(database, insert(tables.guild).values(id=5))
    await app.guilds.purge()
    assert (await row_counts(database))["guild"] == 2
