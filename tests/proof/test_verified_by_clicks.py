"""On a phone, a person can play a complete match by clicking, and then verify the match's cards."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Page, expect

from bot.engine.fairness.audit import Answer
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus
from bot.sandbox import Message
from cogs.actions import Action
from cogs.fairness import verification_text as texts
from tests.helpers.components import find_button
from tests.helpers.fixed_chain import CHAIN, WORDS, use_fixed_chain
from tests.helpers.living import RunningBot, running_bot
from tests.sandbox.page.screens import Tabs, command, enable_presses, visit

PHONE: Final = {"width": 390, "height": 844}
MATCH: Final = MatchId(1)


class Visit:
    """South's view of the channel: the sandbox's page on a phone."""

    def __init__(self, alive: RunningBot, page: Page) -> None:
        self._alive = alive
        self._page = page
        self._south = alive.person("South")

    @property
    def messages(self) -> list[Message]:
        """The messages that South sees in the channel."""
        return self._south.sees(self._alive.channel)

    async def click(self, action: Action, argument: str | None = None) -> None:
        """Wait until a button for an action is offered and the bot is idle. Press the newest such button."""
        await self.wait_for_button(action, argument)
        await self._alive.idle()
        custom_id = await self.wait_for_button(action, argument)
        await self._page.locator(f'.button[data-custom="{custom_id}"]').last.click()

    async def wait_for_button(self, action: Action, argument: str | None = None) -> str:
        """Wait until a button for an action is offered. Return the custom id of the newest such button."""

        def find() -> list[str]:
            found = [find_button(message, action, argument) for message in self.messages]
            return [custom_id for custom_id in found if custom_id is not None]

        return (await self._alive.sandbox.until(find))[-1]


@pytest.mark.whole_process
@pytest.mark.asyncio(loop_scope="session")
async def test_somebody_who_only_clicks_has_a_match_checked(
    tmp_path: Path, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After South has given shuffle words and won the match, *Verify* and `/gin-deal verify` confirm its cards."""
    use_fixed_chain(monkeypatch)
    north, south = WORDS
    async with running_bot(tmp_path) as alive:
        challenger, opponent = alive.person("North"), alive.person("South")
        await alive.sandbox.until(lambda: challenger.commands(alive.channel))
        given = {"opponent": opponent, "words": north, "target": 10}
        await (await challenger.slash("gin challenge", alive.channel, **given)).done()
        page = await visit(tabs, alive.sandbox, PHONE)
        here = Visit(alive, page)
        await enable_presses(page)
        await page.get_by_role("radio", name="South").click()
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="games").click()
        await expect(page.get_by_text(CHAIN.commitment.hex())).to_be_visible()
        await here.click(Action.CHALLENGE_MORE)
        await here.click(Action.ACCEPT_WITH_WORDS)
        await page.locator("dialog input, dialog textarea").fill(south)
        await page.get_by_role("button", name="Submit").click()
        await here.click(Action.TAKE)
        await here.click(Action.KNOCK, "7s")
        await here.wait_for_button(Action.REMATCH)
        assert (await alive.app.lookup.info(MATCH)).status is MatchStatus.FINISHED
        script = page.get_by_role("link", name="verify.py")
        await expect(script).to_have_count(0)
        await here.click(Action.SHOWDOWN_DETAILS)
        await here.click(Action.VERIFY)
        await expect(script).to_have_count(1)
        deal = await alive.app.verification.deal(MATCH)
        assert deal.audit.answer is Answer.OK
        assert texts.outcome(deal) in here.messages[-1].text
        for words in WORDS:
            await expect(page.get_by_text(words).last).to_be_visible()
        before = len(here.messages)
        await here.click(Action.HOW_VERIFIED)
        await alive.sandbox.until(lambda: len(here.messages) > before)
        assert texts.HOW in here.messages[-1].text
        await command(page, 0, "/gin-deal verify")
        await page.get_by_label("Send").click()
        await expect(script).to_have_count(2)
