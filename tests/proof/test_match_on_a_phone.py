"""A complete match on two phones: a turn takes two presses, a pass and the step to the next deal take one.

A confirmation takes one more.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, Page, expect

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus, OwnHand
from bot.sandbox import Person
from cardart import all_emojis
from cogs.actions import Action
from cogs.delivery import emoji_uploads
from tests.cogs.test_knocks import LAYOFFS_DECK
from tests.helpers.living import RunningBot, running_bot, start_match
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, RiggedShuffler
from tests.sandbox.page.screens import Tabs, enable_presses, page_marks, visit

pytestmark = [*page_marks, pytest.mark.nightly, pytest.mark.both_databases]

PHONE: Final = {"width": 390, "height": 844}
"""The size of a phone's window in CSS pixels."""
MATCH: Final = MatchId(1)

DRAWN: Final = "the card just drawn"
DRAW, TAKE, PASS, GIN, KNOCK = (
    str(action) for action in (Action.DRAW, Action.TAKE, Action.PASS, Action.GIN, Action.KNOCK)
)
DONE: Final = str(Action.FINISH_LAYING_OFF)
QUEEN: Final = "Qh"
"""A card that is discarded in two deals of this match."""


_HEIGHTS: Final = """() => {
    const message = [...document.querySelectorAll(".message")].at(-1);
    const rows = [...message.querySelectorAll(".row")].map(row => row.offsetHeight);
    return [message.offsetHeight, message.closest(".log").clientHeight, rows];
}"""
"""JavaScript that returns the heights of the newest message, the visible area and the rows of buttons."""


class Phone:
    """A person's phone, which shows their direct messages."""

    def __init__(self, alive: RunningBot, person: Person, page: Page) -> None:
        self.page = page
        self._alive = alive
        self._person = person

    @staticmethod
    async def of(name: str, alive: RunningBot, tabs: Tabs) -> Phone:
        """Open the page on a new phone, and choose a person's direct messages."""
        page = await visit(tabs, alive.sandbox, PHONE)
        await enable_presses(page)
        await page.get_by_role("radio", name=name).click()
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="Bot").click()
        return Phone(alive, alive.person(name), page)

    @property
    def hand(self) -> Locator:
        """The newest direct message, which shows the hand."""
        return self.page.locator(".message").last

    async def turn(self, *presses: str) -> None:
        """Make a turn by pressing buttons with these actions or cards. Check that only the last press ends the turn."""
        before = await self._look()
        for press in presses:
            assert not _is_over(before, await self._look())
            # The press must not hit a message that is about to be replaced.
            await self._alive.idle()
            button = self._button(await self._drawn_card() if press is DRAWN else press)
            await button.wait_for()
            await self._check_layout()
            await button.click()
        async with asyncio.timeout(60):
            while not _is_over(before, await self._look()):  # noqa: ASYNC110 - nothing tells when a press arrives
                await asyncio.sleep(0.01)

    async def next_deal(self) -> None:
        """Continue after the showdown of a deal with one press."""
        await self._alive.idle()
        button = self.hand.locator(f'.button:enabled[data-custom*=":{Action.NEXT_DEAL}:"]')
        await button.click()
        await button.wait_for(state="detached")

    async def _check_layout(self) -> None:
        """Check that picture, text and buttons are visible together, and that rows of cards are not wrapped."""
        await expect(self.hand.locator(".gallery img")).to_have_js_property("complete", value=True)
        shown, log, rows = await self.page.evaluate(_HEIGHTS)
        assert shown <= log
        assert len({*rows[:3]}) == 1, rows

    def _button(self, press: str) -> Locator:
        if press == KNOCK:
            return self.hand.locator(f'.button:enabled[data-custom*=":{KNOCK}:"]')
        ends = f'[data-custom$=":{press}"], [data-custom$=" {press}"]'
        return self.hand.locator(f'.button:enabled:is({ends}):not([data-custom*=":{KNOCK}:"])')

    async def _drawn_card(self) -> str:
        card = (await self._look()).view.new_card
        assert card is not None
        return card.text

    async def _look(self) -> OwnHand:
        return await self._alive.app.lookup.hand(PersonId(self._person.id), MATCH)


def _is_over(before: OwnHand, now: OwnHand) -> bool:
    """Return True if a player's turn, the deal or the match has ended."""
    return not now.view.is_to_act or now.view.public.number != before.view.public.number


async def test_a_match_by_presses_alone(tmp_path: Path, tabs: Tabs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn takes two presses. A pass, the end of laying off and the next deal take one, a confirmation one more."""
    monkeypatch.setattr(emoji_uploads, "START_DELAY", 0)
    monkeypatch.setattr(emoji_uploads, "UPLOAD_PAUSE", 0)
    shuffler = RiggedShuffler(IMMEDIATE_GIN, IMMEDIATE_KNOCK, LAYOFFS_DECK)
    async with running_bot(tmp_path, shuffler=shuffler, emojis=True) as alive:
        await alive.sandbox.until(lambda: len(alive.sandbox.emojis) == len(list(all_emojis())))
        await start_match(alive, rules="standard", target=100)
        await alive.idle()
        north, south = await Phone.of("North", alive, tabs), await Phone.of("South", alive, tabs)

        async def continue_both() -> None:
            await north.next_deal()
            await south.next_deal()

        # North could go gin, so a normal discard asks for confirmation.
        await north.turn(TAKE, QUEEN, QUEEN)
        await south.turn(DRAW, DRAWN)
        await north.turn(DRAW, GIN)
        await continue_both()
        # In deal 2, South acts first.
        await south.turn(PASS)
        await north.turn(PASS)
        await south.turn(DRAW, QUEEN)
        await north.turn(DRAW, DRAWN)
        await south.turn(DRAW, KNOCK)
        await north.turn(DONE)
        await continue_both()
        # In deal 3, North knocks on the first turn. South finishes without a lay-off, so the bot asks to confirm this.
        await north.turn(TAKE, KNOCK)
        await south.turn(DONE, DONE)
        assert (await alive.app.lookup.info(MATCH)).status is MatchStatus.FINISHED
