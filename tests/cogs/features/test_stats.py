"""Profiles, two people against each other, and the records of a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.values.ids import ChannelId, GuildId
from cogs.kit.actions import Action
from tests.cogs.scenes import at_table, clubhouse, labels, person_of
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
