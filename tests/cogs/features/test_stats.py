"""Profiles, two people against each other, and the records of a server, as people use them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update

from bot.store import tables
from bot.values.ids import ChannelId, GuildId
from cogs.kit.actions import Action
from cogs.text import versus as versus_text
from tests.cogs.scenes import Scene, at_table, clubhouse, labels, latest, person_of
from tests.helpers.databases import execute
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, interaction
from tests.play.finished import save_a_deal

pytestmark = pytest.mark.slow


async def test_a_profile_shows_how_one_does_here(tmp_path: Path) -> None:
    """Kind words before the first match is over; then its numbers, and a chart in the look of who asks."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        before = await scene.use(scene.north, "gin-stats profile", scene.channel)
        assert "You have not finished a match here yet" in before.text
        assert before.message.images == []
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.post("Rematch")
        panel = (await scene.use(scene.north, "gin-stats profile", scene.channel)).message
        assert panel.ephemeral
        assert "### ⁨North⁩: matches for points" in panel.text
        assert "**1** match: **1** won (100%), 0 lost" in panel.text
        assert "Net points **+85**" in panel.text
        assert "Most often against ⁨South⁩: 1 match" in panel.text
        (chart,) = panel.images
        assert "Last match: won. Most often against S: 1 won, 0 lost." in str(chart.alt)
        choices = await scene.use(scene.north, "gin me preferences", scene.channel)
        await scene.change(scene.north, choices.message, Action.PREFER_APPEARANCE, "dark-four")
        (dark,) = (await scene.use(scene.north, "gin-stats profile", scene.channel)).message.images
        assert dark.content != chart.content
        assert dark.alt == chart.alt
        assert "Net points **−85**" in (await scene.use(scene.south, "gin-stats profile", scene.channel)).text
        assert (
            "You have not finished a match here yet"
            in (await scene.use(scene.east, "gin-stats profile", scene.channel)).text
        )
        assert "This only works in a server" in (await scene.use(scene.north, "gin-stats profile", scene.north.dm)).text


async def test_a_profile_leads_to_the_other_ladders(tmp_path: Path) -> None:
    """Whoever played for penalty points too finds those behind a button, and the way back."""
    async with clubhouse(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        north, south = person_of(scene.north), person_of(scene.south)
        table = Players(scene.alive.app, (north, south))
        for number, rules in enumerate(("classic", "classic", "penalty")):
            match = await table.begin(rules, ChannelId(9_000 + number), GuildId(guild.id))
            await save_a_deal(scene.alive.database, match.id)
            await scene.alive.app.endings.resign(north.id, match.id, interaction())
        panel = (await scene.use(scene.north, "gin-stats profile", scene.channel)).message
        assert "**2** matches: **0** won (0%), 2 lost" in panel.text
        assert labels(panel) == ["Matches for penalty points"]
        turned = await scene.press(scene.north, panel, "Matches for penalty points")
        assert turned.message is panel
        assert "**1** match: **0** won" in panel.text
        assert labels(panel) == ["Matches for points"]


async def test_a_profile_shows_how_the_cards_fell(tmp_path: Path) -> None:
    """Until there are enough deals it says how many; then each measure is beside its range, for whoever may see it."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await win(scene)
        app, database = scene.alive.app, scene.alive.database
        while await app.luck_counting.count_some():
            pass
        few = (await scene.use(scene.north, "gin-stats profile", scene.channel)).text
        assert "Luck: from **30** deals on you see here how the cards fell; so far there is **1**" in few
        await execute(database, update(tables.luck).values(deals=40, opening=2200, draws=200, useful=130))
        own = (await scene.use(scene.north, "gin-stats profile", scene.channel)).text
        assert "**Luck in 40 deals**" in own
        assert "Opening deadwood: **55.0** on average (52.1 to 60.7)" in own
        assert "Useful draws: **65.0%** (60.5% to 73.7%)" in own
        assert "Gins: **1** (1 to 8)" in own
        assert "how you play" in own
        others = (await scene.use(scene.east, "gin-stats profile", scene.channel, person=scene.north)).text
        assert "Opening deadwood: **55.0**" in others
        assert "how they play" in others


async def win(scene: Scene) -> None:
    """Let North, who acts first, win the match with the first deal."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "gin")
    await scene.quiet()


async def test_somebody_elses_profile_is_shown_unless_they_keep_it(tmp_path: Path) -> None:
    """East sees South's results until South shows them only to people they played; North still does."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await win(scene)
        shown = await scene.use(scene.east, "gin-stats profile", scene.channel, person=scene.south)
        assert shown.message.ephemeral
        assert "### \u2068South\u2069: matches for points" in shown.text
        assert labels(shown.message) == ["Versus"]
        assert "Practice" not in shown.text
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, Action.PREFER_PROFILE, "played")
        assert "**My profile:** for people I have played with" in panel.text
        for command in ("gin-stats profile", "gin-stats versus", "gin-stats history"):
            refused = await scene.use(scene.east, command, scene.channel, person=scene.south)
            assert refused.message.ephemeral
            assert "shows results only to people they have played with" in refused.text
            allowed = await scene.use(scene.north, command, scene.channel, person=scene.south)
            assert "shows results only" not in allowed.text
        pressed = await scene.press(scene.east, shown.message, "Versus")
        assert "shows results only to people they have played with" in pressed.text
        own = await scene.use(scene.south, "gin-stats profile", scene.channel, person=scene.south)
        assert labels(own.message) == []


async def test_two_people_are_compared(tmp_path: Path) -> None:
    """By command, and by the button at the end of the match, for each of them from their side."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        none = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert "You and \u2068South\u2069 have not finished a match" in none.text
        await win(scene)
        shown = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.south)
        assert "### \u2068North\u2069 against \u2068South\u2069: matches for points" in shown.text
        assert "**1 match**: \u2068North\u2069 won **1**, \u2068South\u2069 won **0**" in shown.text
        assert str(shown.message.images[0].alt).startswith("N against S: 1 match.")
        end = await scene.post("Versus")
        mirrored = await scene.press(scene.south, end, "Versus")
        assert mirrored.message.ephemeral
        assert "### \u2068South\u2069 against \u2068North\u2069" in mirrored.text
        opened = await scene.choose(scene.south, mirrored.message, "Open a match …", "1")
        assert "\u2068North\u2069 wins the match" in opened.text
        assert opened.message.id != mirrored.message.id
        over = await scene.use(scene.south, "gin hand", scene.channel)
        assert "Versus" in labels(latest(scene.south.direct_messages(), "Versus")), over.text
        end = latest(scene.south.direct_messages(), "Versus")
        result = end.text
        private = await scene.press(scene.south, end, "Versus")
        assert "### \u2068South\u2069 against \u2068North\u2069" in private.text
        replayed = await scene.press(scene.south, end, "Replay")
        assert "### Replay" in replayed.text
        assert end.text == result
        oneself = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.north)
        assert "you cannot be compared with yourself" in oneself.text
        bot = await scene.use(scene.north, "gin-stats versus", scene.channel, person=scene.sandbox.world.bot.id)
        assert "Bots have no results" in bot.text


async def test_who_looks_on_chooses_whom_to_be_compared_with(tmp_path: Path) -> None:
    """The button is everybody's; a choice that was not offered is answered like an old button."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await win(scene)
        end = await scene.post("Versus")
        asked = await scene.press(scene.east, end, "Versus")
        assert versus_text.WHICH in asked.text
        (menu,) = asked.message.selects
        assert [one.label for one in menu.options] == ["North", "South"]
        other = await click(scene.east, end, Action.VERSUS, 1, argument=str(scene.west.id))
        assert "too old to work" in other.text
        chosen = await scene.choose(scene.east, asked.message, "Choose a player …", str(scene.south.id))
        assert "You and" in chosen.text


async def test_records_are_shown_with_a_podium_for_each(tmp_path: Path) -> None:
    """Nothing at first; then the best of each kind, behind each the best few, from which their matches open."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        before = await scene.use(scene.east, "gin-stats records", scene.channel)
        assert "No records here yet" in before.text
        await win(scene)
        shown = await scene.use(scene.east, "gin-stats records", scene.channel)
        assert "**Fastest gin:** 1 turn, \u2068North\u2069 against \u2068South\u2069" in shown.text
        assert "**Largest deal:** 85 points" in shown.text
        assert "still looking" not in shown.text
        assert labels(shown.message) == ["Fastest gin", "Largest deal", "Longest deal"]
        await scene.press(scene.east, shown.message, "Largest deal")
        assert "**1.** 85 points, \u2068North\u2069 against \u2068South\u2069" in shown.message.text
        assert f"<#{scene.channel.id}>" in shown.message.text
        opened = await scene.choose(scene.east, shown.message, "Open a match …", "1")
        assert "\u2068North\u2069 wins the match" in opened.text
        await scene.press(scene.east, shown.message, "All records")
        assert "**Fastest gin:**" in shown.message.text
        assert "This only works in a server" in (await scene.use(scene.east, "gin-stats records", scene.east.dm)).text
