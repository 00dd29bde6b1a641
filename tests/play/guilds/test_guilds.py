"""Servers: their settings, who stands where, and what is left of them once they remove the bot."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select

from bot.play.application import Application
from bot.play.guilds.guilds import KEPT_FOR
from bot.play.refusals import NoMatch
from bot.store import matches, people, tables
from bot.store.database import Database, Transaction
from bot.store.rows import SeatResult
from bot.values.appearance import Appearance
from bot.values.guilds import GuildSettings
from bot.values.statistics import Category
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, GUILD, NORTH, SOUTH, Person, Players, interaction


async def record(
    database: Database,
    clock: Clock,
    winner: Person,
    loser: Person,
    points: int = 50,
    *,
    drawn: bool = False,
    ladder: str = "points",
    system: str = "classic",
) -> None:
    """Put the result of a match into the standings without playing it."""

    async def work(transaction: Transaction) -> None:
        for person in (winner, loser):
            await people.meet(transaction, *person, clock.now)
        values = {"guild_id": GUILD, "channel_id": interaction(), "system": system, "ladder": ladder}
        people_by_seat = [winner[0], loser[0]]
        match_id = await matches.create(transaction, values | {"rules": "classic"}, people_by_seat, clock.now)
        results = [
            SeatResult(None if drawn else True, drawn, 2, 1, points, 1, 0),
            SeatResult(None if drawn else False, drawn, 1, 2, 10, 0, 1),
        ]
        await matches.finish(transaction, match_id, results, clock.now)

    await database.write(work)


async def names(app: Application, *, recent: bool = False) -> list[str]:
    """The standing, best first."""
    return [row.name for row in await app.guilds.standings(GUILD, recent=recent)]


@pytest.mark.slow
async def test_settings_are_kept(app: Application) -> None:
    """A server has the defaults until its managers choose, each server its own."""
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())
    chosen = GuildSettings("low", 60, (CHANNEL, ELSEWHERE), ("low", "partners"))
    where, offered = (CHANNEL, ELSEWHERE), ("low", "partners")
    assert await app.guilds.set(GUILD, rules="low", target=60, channels=where, offered=offered) == chosen
    assert await app.guilds.settings(GUILD) == chosen
    assert await app.guilds.settings(GUILD + 1) == GuildSettings("classic", None, ())
    assert await app.guilds.set(GUILD, target=None) == GuildSettings("low", None, where, offered)
    dark = await app.guilds.set(GUILD, theme="dark", four_colours=True)
    assert dark == GuildSettings("low", None, where, offered, Appearance("dark", True))
    danish = await app.guilds.set(GUILD, language="da")
    assert danish.look == Appearance("dark", True, "da")
    await app.guilds.set(GUILD, theme="classic", four_colours=False, language="en")
    await app.guilds.set(GUILD, rules="classic", channels=(), offered=())
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())


async def test_managers_who_choose_at_once_lose_nothing(app: Application) -> None:
    """Each sets what they chose, and leaves to the others what they chose."""
    choices = [app.guilds.set(GUILD, rules="low"), app.guilds.set(GUILD, target=60)]
    await asyncio.gather(*choices, app.guilds.set(GUILD, channels=(CHANNEL,)))
    assert await app.guilds.settings(GUILD) == GuildSettings("low", 60, (CHANNEL,))


async def test_matches_won_come_first_then_share_then_points(
    app: Application, database: Database, clock: Clock
) -> None:
    """Two won of three beat one of one; with as many won the larger share leads; then more deal points."""
    for _ in range(2):
        await record(database, clock, NORTH, SOUTH)
    await record(database, clock, SOUTH, NORTH, points=500)
    assert await names(app) == ["North", "South"]
    await record(database, clock, EAST, (9, "West"))
    assert await names(app) == ["North", "East", "South", "West"]
    await record(database, clock, (8, "Best"), (9, "West"), points=51)
    assert await names(app) == ["North", "Best", "East", "South", "West"]


async def test_the_standing_adds_up(app: Application, database: Database, clock: Clock) -> None:
    """Deals, points, gins and undercuts are summed; a drawn match is neither won nor lost, but lowers the share."""
    await record(database, clock, NORTH, SOUTH)
    await record(database, clock, NORTH, SOUTH, drawn=True)
    await record(database, clock, EAST, (9, "West"), points=1)
    rows = {row.name: row for row in await app.guilds.standings(GUILD, recent=False)}
    north, south = rows["North"], rows["South"]
    assert (north.won, north.lost, north.deals_won, north.deals_lost) == (1, 0, 4, 2)
    assert (north.points, north.gins, north.undercuts) == (100, 2, 0)
    assert (south.won, south.lost, south.points, south.gins, south.undercuts) == (0, 1, 20, 0, 2)
    assert list(rows)[:2] == ["East", "North"]


async def test_what_cannot_be_compared_is_kept_apart(app: Application, database: Database, clock: Clock) -> None:
    """Points, teams and penalty points have a standing each; a rule system filters it; fewest penalty points lead."""
    await record(database, clock, NORTH, SOUTH)
    await record(database, clock, NORTH, SOUTH, system="Ours")
    await record(database, clock, EAST, SOUTH, system="low")
    await record(database, clock, SOUTH, NORTH, ladder="teams", system="partners")
    await record(database, clock, NORTH, (8, "Worst"), ladder="penalty", system="penalty", points=90)
    await record(database, clock, EAST, (9, "West"), ladder="penalty", system="penalty", points=80)

    async def found(ladder: Category, system: str | None = None) -> list[tuple[str, int]]:
        rows = await app.guilds.standings(GUILD, recent=True, ladder=ladder, system=system)
        return [(row.name, row.won) for row in rows]

    assert await found(Category.POINTS) == [("North", 2), ("East", 1), ("South", 0)]
    assert await found(Category.POINTS, "Ours") == [("North", 1), ("South", 0)]
    assert await found(Category.POINTS, "penalty") == []
    assert await found(Category.TEAMS) == [("South", 1), ("North", 0)]
    assert await found(Category.PENALTY) == [("East", 1), ("North", 1), ("West", 0), ("Worst", 0)]
    assert await app.guilds.played(GUILD) == (
        (Category.PENALTY, "penalty"),
        (Category.POINTS, "classic"),
        (Category.POINTS, "low"),
        (Category.POINTS, "Ours"),
        (Category.TEAMS, "partners"),
    )
    clock.pass_by(timedelta(seconds=1))
    await app.guilds.reset_leaderboard(GUILD)
    assert await app.guilds.played(GUILD) == ()


async def test_only_what_is_over_counts(app: Application, players: Players) -> None:
    """A running match and a cancelled one count for nobody, nor does another server's."""
    card = await players.begin()
    await players.win(card.id)
    assert await names(app) == []
    await app.endings.cancel(card.id, GUILD)
    assert await names(app) == []
    other = await players.begin("classic target=10", guild_id=GUILD + 1)
    await players.win(other.id)
    assert await names(app) == []
    assert [row.name for row in await app.guilds.standings(GUILD + 1, recent=False)] == ["North", "South"]


async def test_a_reset_begins_anew(app: Application, database: Database, clock: Clock) -> None:
    """What ended before the reset is in no standing any more; what ends after it is."""
    await record(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(seconds=1))
    await app.guilds.reset_leaderboard(GUILD)
    assert await names(app) == await names(app, recent=True) == []
    await record(database, clock, EAST, SOUTH)
    assert await names(app) == await names(app, recent=True) == ["East", "South"]


async def test_the_last_thirty_days(app: Application, database: Database, clock: Clock) -> None:
    """The recent standing forgets a match when thirty days are over, the other one never."""
    await record(database, clock, NORTH, SOUTH)
    clock.pass_by(timedelta(days=30))
    assert await names(app, recent=True) == ["North", "South"]
    clock.pass_by(timedelta(seconds=1))
    assert await names(app, recent=True) == []
    assert await names(app) == ["North", "South"]


async def test_the_forgotten_are_in_no_standing(app: Application, database: Database, clock: Clock) -> None:
    """Who asked to be forgotten leaves the standing; whoever they played keeps their results."""
    await record(database, clock, NORTH, SOUTH)
    await app.people.forget(NORTH[0])
    (south,) = await app.guilds.standings(GUILD, recent=False)
    assert (south.name, south.lost) == ("South", 1)


async def kept(database: Database) -> dict[str, int]:
    """How many rows each table holds."""

    async def work(transaction: Transaction) -> dict[str, int]:
        return {
            name: int((await transaction.execute(select(func.count()).select_from(table))).scalar_one())
            for name, table in tables.metadata.tables.items()
        }

    return await database.read(work)


async def test_a_server_that_left_is_purged(
    app: Application, database: Database, players: Players, clock: Clock, post: Post
) -> None:
    """Thirty days after it left, all of a server is gone: matches, invitations, messages, settings; others stay."""
    other = await players.begin(channel_id=ELSEWHERE, guild_id=GUILD + 1)
    alone = await kept(database)
    await app.guilds.set(GUILD, rules="classic", target=10, offered=("classic", "penalty"))
    await app.rulebook.save(GUILD, "Ours", "low")
    over = await players.begin("classic target=10")
    await players.win(over.id)
    await players.begin()
    await app.challenges.issue(EAST, [SOUTH[0]], GUILD, CHANNEL, interaction())
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR)
    await app.guilds.purge()
    assert len(await app.guilds.running(GUILD)) == 1
    clock.pass_by(timedelta(seconds=1))
    await app.guilds.purge()
    assert await kept(database) == alone | {"person": 3}
    with pytest.raises(NoMatch):
        await app.lookup.table(over.id)
    assert (await app.lookup.table(other.id)).match.guild_id == GUILD + 1
    await post.deliver()
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())


async def test_a_server_that_comes_back_has_everything(app: Application, players: Players, clock: Clock) -> None:
    """Within thirty days all is as it was, and the time does not run on; other servers that left are purged still."""
    await players.begin()
    await app.guilds.left(GUILD)
    await app.guilds.left(GUILD + 1)
    clock.pass_by(timedelta(days=29))
    await app.guilds.joined({GUILD})
    clock.pass_by(timedelta(days=90))
    await app.guilds.purge()
    assert len(await app.guilds.running(GUILD)) == 1


async def test_servers_that_left_unseen_are_purged(app: Application, players: Players, clock: Clock) -> None:
    """A server that removed the bot while it was off counts as gone from the day this is found, however often it is."""
    card = await players.begin()
    other = await players.begin(channel_id=ELSEWHERE, guild_id=GUILD + 1)
    for days in (20, 11):
        await app.guilds.joined_only({GUILD + 1})
        clock.pass_by(timedelta(days=days))
    await app.guilds.purge()
    with pytest.raises(NoMatch):
        await app.lookup.table(card.id)
    await app.guilds.joined_only(set())
    await app.guilds.joined_only({GUILD + 1})
    clock.pass_by(KEPT_FOR * 2)
    await app.guilds.purge()
    assert (await app.lookup.table(other.id)).match == other


async def test_a_new_match_after_a_purge_is_a_match_of_its_own(
    app: Application, players: Players, clock: Clock
) -> None:
    """No id of a purged match comes back, in the file or in the memory of the services."""
    old = await players.begin()
    await players.move(old.id, "pass")
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(days=1))
    await app.guilds.purge()
    new = await players.begin()
    assert new.id > old.id


async def test_unknown_servers_can_leave(app: Application, database: Database) -> None:
    """A server that never played may leave and come back without a fuss."""
    await app.guilds.left(GUILD)
    await app.guilds.joined({GUILD, GUILD + 1})
    await database.write(lambda transaction: transaction.execute(insert(tables.guild).values(id=5)))
    await app.guilds.purge()
    assert (await kept(database))["guild"] == 2
