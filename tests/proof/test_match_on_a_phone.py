"""A complete match on two phones, with two presses for a turn, one for a pass, and one more for a confirmation."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, Page, expect

from bot.sandbox import Person
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus, OwnHand
from cardart import all_emojis
from cogs.kit.actions import Action
from cogs.support import emoji_uploads
from tests.cogs.test_knocks import LAY_OFFS
from tests.helpers.living import Living, living, start_match
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE, RiggedShuffler
from tests.sandbox.page.screens import Tabs, on_the_page, press_at_once, visit

pytestmark = [*on_the_page, pytest.mark.nightly, pytest.mark.both_databases]

PHONE: Final = {"width": 390, "height": 844}
"""The size of a phone's window in CSS pixels."""
MATCH: Final = MatchId(1)

DRAWN: Final = "the card just drawn"
DRAW, TAKE, PASS, GIN, KNOCK = (str(one) for one in (Action.DRAW, Action.TAKE, Action.PASS, Action.GIN, Action.KNOCK))
DONE: Final = str(Action.FINISH_LAYING_OFF)
QUEEN: Final = "Qh"
"""The card that every hand here can discard."""


_HEIGHTS: Final = """() => {
    const message = [...document.querySelectorAll(".message")].at(-1);
    const rows = [...message.querySelectorAll(".row")].map(row => row.offsetHeight);
    return [message.offsetHeight, message.closest(".log").clientHeight, rows];
}"""
"""Returns the heights in CSS pixels of the newest message, the visible area, and the message's rows of buttons."""


class Phone:
    """A person's phone, which shows their direct messages."""

    def __init__(self, alive: Living, person: Person, page: Page) -> None:
        self.page = page
        self._alive = alive
        self._person = person

    @staticmethod
    async def of(name: str, alive: Living, tabs: Tabs) -> Phone:
        """Open a person's direct messages."""
        page = await visit(tabs, alive.sandbox, PHONE)
        await press_at_once(page)
        await page.get_by_role("radio", name=name).click()
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="Bot").click()
        return Phone(alive, alive.person(name), page)

    @property
    def hand(self) -> Locator:
        """The newest message."""
        return self.page.locator(".message").last

    async def turn(self, *presses: str) -> None:
        """Make a turn by pressing these actions or cards. Check that it ends with the last press and not earlier."""
        before = await self._look()
        for press in presses:
            assert not _is_over(before, await self._look())
            # A press on a hand that is about to be reposted would be lost.
            await self._alive.idle()
            await self._button(press).wait_for()
            await self._check_layout()
            await self._button(press).click()
        async with asyncio.timeout(60):
            while not _is_over(before, await self._look()):  # noqa: ASYNC110 - nothing tells when a press arrives
                await asyncio.sleep(0.01)

    async def _check_layout(self) -> None:
        """Check that picture, text and buttons are visible together, and that rows of cards are not wrapped."""
        await expect(self.hand.locator(".gallery img")).to_have_js_property("complete", value=True)
        shown, log, rows = await self.page.evaluate(_HEIGHTS)
        assert shown <= log
        assert len({*rows[:3]}) == 1, rows

    def _button(self, press: str) -> Locator:
        if press is DRAWN:
            return self.hand.locator(".button.primary:enabled")
        if press == KNOCK:
            return self.hand.locator(f'.button:enabled[data-custom*=":{KNOCK}:"]')
        ends = f'[data-custom$=":{press}"], [data-custom$=" {press}"]'
        return self.hand.locator(f'.button:enabled:is({ends}):not([data-custom*=":{KNOCK}:"])')

    async def _look(self) -> OwnHand:
        return await self._alive.app.lookup.hand(PersonId(self._person.id), MATCH)


def _is_over(before: OwnHand, now: OwnHand) -> bool:
    """Return True if a turn that began earlier has ended, perhaps with its deal or the match."""
    return not now.view.to_act or now.view.public.number != before.view.public.number


async def test_a_match_by_presses_alone(tmp_path: Path, tabs: Tabs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn takes two presses. A pass, gin and a lay-off take one, and a confirmation takes one more."""
    monkeypatch.setattr(emoji_uploads, "FIRST_AFTER", 0)
    monkeypatch.setattr(emoji_uploads, "PAUSE", 0)
    shuffler = RiggedShuffler(GIN_AT_ONCE, KNOCK_AT_ONCE, LAY_OFFS)
    async with living(tmp_path, shuffler=shuffler, emojis=True) as alive:
        await alive.sandbox.until(lambda: len(alive.sandbox.emojis) == len(list(all_emojis())))
        await start_match(alive, rules="standard", target=100)
        await alive.idle()
        north, south = await Phone.of("North", alive, tabs), await Phone.of("South", alive, tabs)
        # North's hand is gin, so a discard asks for confirmation.
        await north.turn(TAKE, QUEEN, QUEEN)
        await south.turn(DRAW, DRAWN)
        await north.turn(DRAW, GIN)
        # South acts first.
        await south.turn(PASS)
        await north.turn(PASS)
        await south.turn(DRAW, QUEEN)
        await north.turn(DRAW, DRAWN)
        await south.turn(DRAW, KNOCK)
        await north.turn(DONE)
        # North knocks in one turn. South lays off no cards, which asks for confirmation.
        await north.turn(TAKE, KNOCK)
        await south.turn(DONE, DONE)
        assert (await alive.app.lookup.info(MATCH)).status is MatchStatus.FINISHED
