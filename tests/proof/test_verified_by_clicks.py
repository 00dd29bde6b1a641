"""A whole match on a phone by somebody who only clicks, and who then has its cards checked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Page, expect

from bot.values.ids import MatchId
from bot.values.matches import MatchStatus
from tests.cogs.scenes import Scene
from tests.helpers.fixed_chain import CHAIN, WORDS, use_fixed_chain
from tests.helpers.living import Living, living
from tests.sandbox.page.screens import Tabs, command, on_the_page, press_at_once, visit

pytestmark = on_the_page

PHONE: Final = {"width": 390, "height": 844}


async def _click(page: Page, alive: Living, label: str) -> None:
    """Press the newest button with a label, once nothing moves any more."""
    await alive.idle()
    await page.get_by_role("button", name=label).last.click()


async def test_somebody_who_only_clicks_has_a_match_checked(
    tmp_path: Path, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They accept with words, take, knock and win; *Verify*, and the command, then say that nobody chose the cards."""
    use_fixed_chain(monkeypatch)
    north, south = WORDS
    async with living(tmp_path) as alive:
        scene = Scene(alive)
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.invite(scene.north, scene.south, words=north, target=10)
        page = await visit(tabs, alive.sandbox, PHONE)
        await press_at_once(page)
        await page.get_by_role("radio", name="South").click()
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="games").click()
        commitment = page.get_by_text(f"Every shuffle of this match is fixed: {CHAIN.commitment.hex()}")
        await expect(commitment).to_be_visible()
        await _click(page, alive, "Accept with my own words …")
        await page.get_by_label("Your words").fill(south)
        await page.get_by_role("button", name="Submit").click()
        await _click(page, alive, "Take")
        await _click(page, alive, "Knock 7♠")
        await alive.idle()
        assert (await alive.app.lookup.info(MatchId(1))).status is MatchStatus.FINISHED
        checked = page.get_by_text("Checked: nobody chose these cards.")
        await expect(checked).to_have_count(0)
        await _click(page, alive, "Verify")
        await expect(checked).to_have_count(1)
        for words in WORDS:
            await expect(page.get_by_text(f"“⁨{words}⁩”").last).to_be_visible()
        await expect(page.get_by_role("link", name="verify.py")).to_be_visible()
        await _click(page, alive, "How?")
        await expect(page.get_by_text("How can I know that the cards are fair?")).to_be_visible()
        await command(page, 0, "/gin-deal verify")
        await _click(page, alive, "Send")
        await expect(checked).to_have_count(2)
