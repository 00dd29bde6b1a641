"""How fair the dealt decks look, as people ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.luck.decks import DeckCounts
from bot.values.ids import GuildId
from cogs.kit.actions import Action, Subject
from tests.cogs.scenes import clubhouse, labels
from tests.helpers.forgery import click
from tests.luck.test_decks import fair, swapping_with_any
from tests.play.luck.test_dealt_decks import save_matches, shuffled

pytestmark = pytest.mark.slow


async def test_whoever_asks_hears_how_the_decks_test(tmp_path: Path) -> None:
    """Kind words while there are few decks; then three p-values, privately, and the way they were found."""
    async with clubhouse(tmp_path) as scene:
        few = await scene.use(scene.north, "gin-deal fair", scene.channel)
        assert "Too few decks so far: **0**" in few.text
        assert few.message.ephemeral
        guild = next(iter(scene.sandbox.world.guilds.values()))
        await save_matches(scene.alive.database, shuffled(fair, 300), guild_id=GuildId(guild.id))
        shown = await scene.use(scene.north, "gin-deal fair", scene.channel)
        assert "### Are the decks fair? This server" in shown.text
        assert "I tested all **300** decks" in shown.text
        assert "I found nothing wrong with the decks." in shown.text
        assert shown.text.count(" (p = 0.") == 3
        explained = await scene.press(scene.north, shown.message, "How?")
        assert "A deck is fair if every order" in explained.text
        assert explained.message.id != shown.message.id


async def test_decks_of_all_servers_are_another_question(tmp_path: Path) -> None:
    """Another server's decks are in that answer alone, and in direct messages it is the only one."""
    async with clubhouse(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        await save_matches(scene.alive.database, shuffled(fair, 300), guild_id=GuildId(guild.id))
        await save_matches(scene.alive.database, shuffled(swapping_with_any, 1_000), guild_id=GuildId(5))
        panel = (await scene.use(scene.south, "gin-deal fair", scene.channel)).message
        assert labels(panel) == ["All servers", "How?"]
        turned = await scene.press(scene.south, panel, "All servers")
        assert turned.message is panel
        assert "all **1,300** decks that were dealt on all servers, and in practice" in panel.text
        assert "That is hardly chance." in panel.text
        await scene.press(scene.south, panel, "This server")
        assert "all **300** decks" in panel.text
        everywhere = await scene.use(scene.south, "gin-deal fair", scene.channel, everywhere=True)
        private = await scene.use(scene.south, "gin-deal fair", scene.south.dm)
        for one in (everywhere, private):
            assert "all **1,300** decks" in one.text
        assert labels(private.message) == ["How?"]
        forged = await click(scene.south, panel, Action.DECKS, Subject.SELF, argument="5")
        assert "too old to work" in forged.text


def _fail(*_: object) -> None:
    pytest.fail("a deck in play was counted")


async def test_a_running_match_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its decks are not even read."""
    async with clubhouse(tmp_path) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        monkeypatch.setattr(DeckCounts, "add", _fail)
        await save_matches(scene.alive.database, shuffled(fair, 10), status="running", guild_id=GuildId(guild.id))
        assert "**0** were dealt" in (await scene.use(scene.north, "gin-deal fair", scene.channel)).text
