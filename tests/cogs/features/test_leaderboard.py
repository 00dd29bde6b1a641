"""The leaderboard of a server."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.moves import Move
from bot.sandbox import World
from bot.values.ids import ChannelId, GuildId, PersonId
from bot.values.matches import Shortcut
from bot.values.people import Person
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, clubhouse, labels, person_of
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import interaction, place, prefer
from tests.play.finished import save_a_deal

pytestmark = pytest.mark.slow


async def _gin(scene: Scene) -> None:
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "gin")
    await scene.post("Rematch")


async def test_the_leaderboard_ranks_and_always_tells_ones_own_place(tmp_path: Path) -> None:
    """Winner first with matches, points, deals and gins; a spectator reads that they have finished none."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        assert "No match has ended here yet" in await scene.ask(scene.north, "leaderboard")
        await _gin(scene)
        told = await scene.ask(scene.south, "leaderboard")
        assert "**1.** ⁨North⁩: **1** won, 0 lost\n-# 85 points · net +85 · deals 1–0 · 1 gin · rating 1658?" in told
        assert "**2.** ⁨South⁩: **0** won, 1 lost" in told
        assert told.endswith("Your place: **2** of 2")
        assert "You have not finished a match for points here yet" in await scene.ask(scene.east, "leaderboard")
        recent = await scene.ask(scene.east, "leaderboard", period="recent")
        assert "You have not finished a match for points here in the last 30 days." in recent
        by_rules = await scene.ask(scene.east, "leaderboard", rules="classic")
        assert "You have not finished a match with **classic** rules here yet." in by_rules


async def test_the_standings_are_a_picture_and_the_activity_a_page_of_its_own(tmp_path: Path) -> None:
    """Each page is a picture and the same in words, or words alone. Buttons turn from one to the other."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        empty = (await scene.use(scene.north, "gin leaderboard", scene.channel)).message
        assert (empty.images, labels(empty)) == ([], [])
        assert "No match has ended here yet. `/gin challenge` starts one" in empty.text
        await _gin(scene)
        shown = (await scene.use(scene.north, "gin leaderboard", scene.channel)).message
        (picture,) = shown.images
        assert str(picture.alt) == (
            "Most matches won. 1. North: 1 match, 1 won (100%), net +85. 2. South: 1 match, 0 won (0%), net −85. "
            "Your place: 1."
        )
        await scene.press(scene.north, shown, "Activity")
        (chart,) = shown.images
        assert ": 1, 2; otherwise none. The last week is not over." in str(chart.alt)
        assert "### Activity: matches for points" in shown.text
        assert "Matches in each of the last 6 weeks: 0 0 0 0 0 1\nPlayers: " in shown.text
        await scene.press(scene.north, shown, "Standings")
        assert [str(one.alt) for one in shown.images] == [str(picture.alt)]
        teams = await scene.use(scene.north, "gin leaderboard", scene.channel, rules="teams")
        assert teams.message.images == []
        quiet = await scene.press(scene.north, teams.message, "Activity")
        assert (quiet.message.images, "in the last twelve weeks" in quiet.text) == ([], True)
        await prefer(scene.alive.app, person_of(scene.south), pictures=False)
        words = (await scene.use(scene.south, "gin leaderboard", scene.channel)).message
        assert words.images == []
        assert "**1.** ⁨North⁩: **1** won, 0 lost" in words.text
        assert (await scene.press(scene.south, words, "Activity")).message.images == []


async def test_the_last_thirty_days_are_a_page_of_their_own(tmp_path: Path) -> None:
    """A match of last month is in all time and not in the last 30 days; the button turns from one to the other."""
    clock = Clock()
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, clock=clock) as scene:
        await _gin(scene)
        await scene.age(clock, timedelta(days=31))
        await scene.alive.app.leaderboards.tidy()
        recent = await scene.use(scene.north, "gin leaderboard", scene.channel, period="last 30 days")
        assert "No match has ended here in the last 30 days" in recent.text
        turned = await scene.press(scene.north, recent.message, "All time")
        assert turned.message is recent.message
        assert "**1.** ⁨North⁩" in turned.text
        assert "in the last 30 days" in (await scene.press(scene.north, recent.message, "Last 30 days")).text


async def test_rule_systems_are_kept_apart_where_they_cannot_be_compared(tmp_path: Path) -> None:
    """Points together, teams and penalty points each by themselves, and any system alone; filters are completed."""
    async with clubhouse(tmp_path) as scene:
        app, guild = scene.alive.app, next(iter(scene.sandbox.world.guilds.values()))
        guild_id = GuildId(guild.id)
        await app.rulebook.save(guild_id, "Friday night", "straight target=10")
        people = [person_of(one) for one in (scene.north, scene.south, scene.east, scene.west)]

        async def resigned(rules: str, seats: int, loser: int) -> None:
            where = place(ChannelId(9_000 + len(ended)), guild_id)
            challenge = await app.challenges.issue(people[0], [], where, interaction(), rules=rules)
            match = None
            for person in people[1:seats]:
                _, match = await app.challenges.accept(person, challenge.id)
            if match is None:
                _, match = await app.lobbies.start(people[0].id, challenge.id)
            await save_a_deal(scene.alive.database, match.id)
            await app.endings.resign(people[loser].id, match.id, interaction())
            ended.append(rules)

        ended: list[str] = []
        for rules, seats, loser in (
            ("classic", 2, 0),
            ("Friday night", 2, 1),
            ("partners", 4, 0),
            ("penalty", 2, 1),
            ("rotation", 3, 2),
        ):
            await resigned(rules, seats, loser)

        async def board(rules: str = "points") -> list[str]:
            told = await scene.ask(scene.north, "leaderboard", rules=rules)
            return [line for line in told.splitlines() if line.startswith(("###", "**", "Your", "You:"))]

        assert await board() == [
            "### Leaderboard: matches for points, all time",
            "**1.** ⁨North⁩: **1** won, 1 lost, 1 more without a result",
            "**1.** ⁨South⁩: **1** won, 1 lost, 1 more without a result",
            "**3.** ⁨East⁩: **0** won, 1 lost",
            "Your place: **1** of 3",
        ]
        teams = await board(rules="teams")
        assert teams[0] == "### Leaderboard: team matches, all time"
        assert {*teams[1:3]} == {"**1.** ⁨South⁩: **1** won, 0 lost", "**1.** ⁨West⁩: **1** won, 0 lost"}
        assert (await board(rules="penalty"))[:2] == [
            "### Leaderboard: matches for penalty points, all time",
            "**1.** ⁨North⁩: **1** won, 0 lost",
        ]
        assert "-# 0 penalty points · net 0 · deals" in await scene.ask(scene.north, "leaderboard", rules="penalty")
        friday = await board(rules="friday night")
        assert friday[:2] == ["### Leaderboard: Friday night rules, all time", "**1.** ⁨North⁩: **1** won, 0 lost"]
        assert "No match with **⁨straight⁩** rules has ended here" in await scene.ask(
            scene.north, "leaderboard", rules="straight"
        )
        asked = await scene.north.complete("gin leaderboard", scene.channel, option="rules", value="")
        values = [choice["value"] for choice in (await asked.answer()).choices]
        assert values[:3] == ["points", "teams", "penalty"]
        assert values[3:] == ["classic", "Friday night", "rotation", "partners"]
        shown = await scene.use(scene.north, "gin leaderboard", scene.channel, rules="Friday night")
        turned = await scene.press(scene.north, shown.message, "Last 30 days")
        assert "### Leaderboard: Friday night rules, last 30 days" in turned.text
        pages, penalty = ["Activity", "All time"], "Matches for penalty points"
        assert labels(turned.message) == [*pages, "By points", "Team matches", penalty]
        others = await scene.press(scene.north, turned.message, "Team matches")
        assert "### Leaderboard: team matches, last 30 days" in others.text
        assert labels(others.message) == [*pages, "By rating", "By points", "Matches for points", penalty]


async def test_a_long_leaderboard_has_pages(tmp_path: Path) -> None:
    """Ten to a page, with buttons back and forth, and one's own rank on each."""
    world = World.default()
    guild = next(iter(world.guilds.values()))
    async with clubhouse(tmp_path, world=world) as scene:
        app = scene.alive.app
        for number in range(6):
            one = Person(PersonId(4_000 + 2 * number), "A" * 32)
            two = Person(PersonId(4_001 + 2 * number), "*" * 32)
            where = place(ChannelId(9_000 + number), GuildId(guild.id))
            challenge = await app.challenges.issue(one, [two.id], where, interaction())
            _, match = await app.challenges.accept(two, challenge.id)
            assert match is not None
            await save_a_deal(scene.alive.database, match.id)
            await app.endings.resign(one.id, match.id, interaction())
        first = await scene.use(scene.north, "gin leaderboard", scene.channel)
        assert labels(first.message) == ["Activity", "Last 30 days", "More", "By rating", "By points"]
        second = await scene.press(scene.north, first.message, "More")
        assert second.text.count("**7.**") == 2
        assert "You have not finished a match for points here yet" in second.text
        assert labels(second.message) == ["Activity", "Last 30 days", "Back", "By rating", "By points"]
        assert (await scene.press(scene.north, first.message, "Back")).text.count("**7.**") == 4


async def test_ratings_lead_once_there_are_five_matches(tmp_path: Path) -> None:
    """Until then matches won do. The order can be chosen, and the end of a match tells how ratings changed."""
    async with at_table(tmp_path, *[GIN_AT_ONCE] * 8, target=10) as scene:
        await _gin(scene)
        ended = await scene.post("Rematch")
        assert "Ratings: ⁨North⁩ 1500? → **1658?** · ⁨South⁩ 1500? → **1342?**" in ended.text
        nobody = await scene.use(scene.north, "gin leaderboard", scene.channel, order="rating")
        assert "Nobody here has five rated matches yet" in nobody.text
        assert "Your rating: 1658?. You have a place here after 4 more rated matches." in nobody.text
        people = [person_of(one) for one in (scene.north, scene.south)]
        app, guild_id = scene.alive.app, GuildId(next(iter(scene.sandbox.world.guilds.values())).id)
        for number in range(4):
            where = place(ChannelId(9_000 + number), guild_id)
            challenge = await app.challenges.issue(
                people[0], [people[1].id], where, interaction(), rules="classic target=10"
            )
            _, match = await app.challenges.accept(people[1], challenge.id)
            assert match is not None
            for move in (Move.parse("take"), Shortcut.GIN):
                await app.turns.move(people[0].id, match.id, move, interaction())
        shown = await scene.use(scene.north, "gin leaderboard", scene.channel)
        assert "**1.** ⁨North⁩: rating **2011?**, 5 won, 0 lost" in shown.text
        assert "**2.** ⁨South⁩: rating **989?**, 0 won, 5 lost" in shown.text
        assert "Everybody starts at 1500" in shown.text
        assert str(shown.message.images[0].alt).startswith("Highest rating. 1. North: 5 matches, 5 won (100%), rating ")
        assert labels(shown.message) == ["Activity", "Last 30 days", "By wins", "By points"]
        by_points = await scene.press(scene.north, shown.message, "By points")
        assert "**1.** ⁨North⁩: **425** points, 5 won" in by_points.text
        assert labels(by_points.message) == ["Activity", "Last 30 days", "By rating", "By wins"]
        assert "**1.** ⁨North⁩: **425**" in (await scene.press(scene.north, by_points.message, "Last 30 days")).text
        only = await scene.use(scene.north, "gin leaderboard", scene.channel, rules="classic", order="rating")
        assert labels(only.message) == ["Activity", "Last 30 days", "By points"]


async def test_a_season_is_what_is_shown_first(tmp_path: Path) -> None:
    """Once managers chose them, with the way to the last one, and all time; without seasons a person is told how."""
    clock = Clock()
    async with at_table(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE, target=10, clock=clock) as scene:
        told = await scene.use(scene.north, "gin leaderboard", scene.channel, period="this season")
        assert "This server has no seasons" in told.text
        panel = (await scene.use(scene.north, "gin-admin settings", scene.channel)).message
        assert "**Saved.**" in (await scene.change(scene.north, panel, Action.SET_SEASONS, "monthly")).text
        zone = await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="europe/berlin")
        assert "**Seasons:** monthly (Europe/Berlin)" in zone.text
        wrong = await scene.use(scene.north, "gin-admin time_zone", scene.channel, zone="Atlantis")
        assert "There is no time zone called **⁨Atlantis⁩**. Type another large city" in wrong.text
        asked = await scene.north.complete("gin-admin time_zone", scene.channel, option="zone", value="new york")
        assert [choice["value"] for choice in (await asked.answer()).choices] == ["America/New_York"]
        empty = await scene.use(scene.north, "gin leaderboard", scene.channel)
        assert "No match has ended here yet" in empty.text
        await _gin(scene)
        shown = await scene.use(scene.north, "gin leaderboard", scene.channel)
        month = f"{clock.now:%B %Y}"
        assert f"### Leaderboard: matches for points, {month}" in shown.text
        assert "**1.** ⁨North⁩" in shown.text
        assert labels(shown.message) == ["Activity", "Last 30 days", "All time", "By rating", "By points"]
        await scene.age(clock, timedelta(days=31))
        later = await scene.use(scene.north, "gin leaderboard", scene.channel)
        assert f"No match has ended here in {clock.now:%B %Y} yet." in later.text
        assert labels(later.message)[:4] == ["Activity", "Last season", "Last 30 days", "All time"]
        await scene.alive.app.leaderboards.tidy()
        last = await scene.press(scene.north, later.message, "Last season")
        assert f"### Leaderboard: matches for points, {month}" in last.text
        assert "**1.** ⁨North⁩" in last.text
        assert "**Champion of this season:** ⁨North⁩\nMost gins: ⁨North⁩ (1) · Largest deal: ⁨North⁩ (85 points)" in last.text
        again = await scene.press(scene.north, later.message, "This season")
        assert f"You have not finished a match for points here in {clock.now:%B %Y}." in again.text
