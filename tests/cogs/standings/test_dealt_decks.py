"""`/gin-deal fair`: statistical tests of the dealt decks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.luck.decks import DeckCounts
from bot.model.ids import GuildId
from bot.play.luck.dealt_decks import MIN_DECKS
from bot.sandbox import Message
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from cogs.kit.layout import Accent
from cogs.standings import dealt_decks_panel as panels
from tests.cogs.samples import text_of
from tests.cogs.scenes import Scene, buttons, open_scene
from tests.helpers.components import accent_of
from tests.helpers.forgery import click
from tests.luck.test_decks import fair
from tests.play.luck.test_dealt_decks import save_matches, shuffled_decks

DECKS = MIN_DECKS


async def _shows_report(
    scene: Scene, message: Message, decks: int, *, everywhere: bool = False, in_server: bool = True
) -> bool:
    """Return True if the message shows the current report, and check the report's number of decks.

    The report is about the server or, with `everywhere`, about all servers.
    """
    report = await scene.bot.app.dealt_decks.test(None if everywhere else scene.guild_id)
    assert report.decks == decks
    return message.text == text_of(panels.decks(report, everywhere=everywhere, in_server=in_server))


async def test_the_report_is_private_and_has_an_explanation(tmp_path: Path) -> None:
    """The private answer shows the test results, or says that there are too few decks; a button explains the tests."""
    async with open_scene(tmp_path) as scene:
        few = (await scene.use(scene.north, "gin-deal fair", scene.channel)).message
        assert await _shows_report(scene, few, 0)
        assert few.ephemeral
        await save_matches(scene.bot.database, shuffled_decks(fair, DECKS), guild_id=scene.guild_id)
        shown = (await scene.use(scene.north, "gin-deal fair", scene.channel)).message
        assert await _shows_report(scene, shown, DECKS)
        assert accent_of(shown) == Accent.OVER.value
        explained = await scene.press(scene.north, shown, Action.DECKS_EXPLAINED)
        assert explained.text == text_of(panels.explained())
        assert explained.message.id != shown.id


@pytest.mark.nightly
async def test_all_servers_have_a_separate_report(tmp_path: Path) -> None:
    """Another server's decks count only in the report for all servers; direct messages have only that report."""
    async with open_scene(tmp_path) as scene:
        south = scene.south
        await save_matches(scene.bot.database, shuffled_decks(fair, DECKS), guild_id=scene.guild_id)
        # These matches all have the same deck, which looks rigged, so the report has the colour for trouble.
        await save_matches(scene.bot.database, [*shuffled_decks(fair, 1)] * DECKS, guild_id=GuildId(5))
        panel = (await scene.use(south, "gin-deal fair", scene.channel)).message
        assert buttons(panel) == [Action.DECKS, Action.DECKS_EXPLAINED]
        turned = await scene.press(south, panel, Action.DECKS)
        assert turned.message is panel
        assert await _shows_report(scene, panel, 2 * DECKS, everywhere=True)
        assert accent_of(panel) == Accent.TROUBLE.value
        await scene.press(south, panel, Action.DECKS)
        assert await _shows_report(scene, panel, DECKS)
        everywhere = (await scene.use(south, "gin-deal fair", scene.channel, everywhere=True)).message
        assert await _shows_report(scene, everywhere, 2 * DECKS, everywhere=True)
        private = (await scene.use(south, "gin-deal fair", south.dm)).message
        assert await _shows_report(scene, private, 2 * DECKS, everywhere=True, in_server=False)
        assert buttons(private) == [Action.DECKS_EXPLAINED]
        forged = await click(south, panel, Action.DECKS, Subject.SELF, argument="5")
        assert forged.text == OLD_BUTTON


def _fail_test(*_: object) -> None:
    pytest.fail("a deck in play was counted")


@pytest.mark.thorough
async def test_decks_of_running_matches_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report neither reads nor counts the decks of running matches."""
    async with open_scene(tmp_path) as scene:
        monkeypatch.setattr(DeckCounts, "add", _fail_test)
        await save_matches(scene.bot.database, shuffled_decks(fair, 10), status="running", guild_id=scene.guild_id)
        shown = (await scene.use(scene.north, "gin-deal fair", scene.channel)).message
        assert await _shows_report(scene, shown, 0)
