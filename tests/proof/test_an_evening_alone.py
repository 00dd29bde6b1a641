"""A practice match on a phone, from the first command to the review of the match."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, Page

from bot.sandbox import Message
from cogs.actions import Action
from cogs.kit.layout import Accent
from cogs.showdowns.review_panel import WHOLE_MATCH
from tests.helpers.components import accent_of, find_button, has_button
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.players import Player
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.thinkers import make_reviews_brief
from tests.proof.test_match_on_a_phone import PHONE
from tests.sandbox.page.screens import Tabs, command, enable_presses, page_marks, visit

pytestmark = [*page_marks, pytest.mark.nightly, pytest.mark.both_databases]

HINTS: Final = 3
MAX_PRESSES: Final = 600
REVIEW_TIMEOUT: Final = 240.0
"""Timeout for a review, in seconds. Only a hang takes this long."""


async def test_a_stranger_practises_asks_for_hints_and_has_the_match_reviewed(
    tmp_path: Path, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One command and button presses are enough to practise and to get hints and reviews. All of it fits on a phone."""
    make_reviews_brief(monkeypatch)
    async with running_bot(tmp_path, shuffler=RiggedShuffler(seed=2)) as alive:
        page = await visit(tabs, alive.sandbox, PHONE)
        await enable_presses(page)
        await page.get_by_role("radio", name="North").click()
        await command(page, 0, "/gin practice start level:novice target:100")
        await page.get_by_label("Send").click()
        evening = Evening(alive, page)
        await alive.sandbox.until(lambda: evening.player.has_turn, 60)
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="Bot").click()
        await evening.button(evening.newest, Action.HINT).wait_for()
        await evening.play()
        review = await evening.review()
        # The review of a deal has a button for the review of the whole match. The review of the match has none.
        whole = await evening.review(WHOLE_MATCH)
        assert review.id != whole.id
        assert find_button(whole, Action.REVIEW, WHOLE_MATCH) is None


class Evening:
    """North's practice match on a phone."""

    def __init__(self, alive: RunningBot, page: Page) -> None:
        self.player = Player(alive.sandbox, "North", alive.person("North").dm, seed=4)
        self._alive, self._page = alive, page
        self._hints = 0

    @property
    def newest(self) -> Message:
        """North's newest direct message."""
        return self.player.person.direct_messages()[-1]

    @property
    def is_over(self) -> bool:
        return has_button(self.newest, Action.REMATCH)

    def button(self, message: Message, action: Action, argument: str | None = None) -> Locator:
        """Return a message's button on the page, found by its action."""
        custom_id = find_button(message, action, argument)
        assert custom_id is not None, (action, message)
        return self._message(message).locator(f'.button[data-custom="{custom_id}"]')

    async def play(self) -> None:
        """Play by pressing buttons until the match is over, and ask for a few hints."""
        for _ in range(MAX_PRESSES):
            await self._alive.idle()
            # If the computer is slow, its move comes after the answer to the press.
            await self._alive.sandbox.until(lambda: self.player.has_turn or self.is_over)
            deed = self.player.choose()
            if deed is None:
                return
            if self._hints < HINTS:
                self._hints += 1
                # Press *Hint* twice: the second hint is the next best move.
                for _ in range(2):
                    await self._press(deed.message, self.button(deed.message, Action.HINT))
                deed = self.player.choose()
                assert deed is not None
            pressed = self._message(deed.message).locator(f'.button[data-custom="{deed.custom_id}"]')
            await self._press(deed.message, pressed)
        raise AssertionError("the match does not end")

    async def review(self, argument: str | None = None) -> Message:
        """Request a review with a button of the newest message. Return the message with the review."""
        before = self.newest
        await self.button(before, Action.REVIEW, argument).click()
        review = await self._alive.sandbox.until(lambda: self._review_after(before), REVIEW_TIMEOUT)
        assert review is not None
        await self._message(review).locator("img").last.wait_for()
        return review

    def _review_after(self, before: Message) -> Message | None:
        newest = self.newest
        return newest if newest.id != before.id and accent_of(newest) == Accent.OVER.value else None

    async def _press(self, message: Message, pressed: Locator) -> None:
        """Press a button, wait for its effect, and check that the page is not wider than the phone."""
        before = _look(message), self.newest.id
        await pressed.click()
        await self._alive.sandbox.until(lambda: (_look(message), self.newest.id) != before)
        assert await self._page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    def _message(self, message: Message) -> Locator:
        return self._page.locator(f'[data-id="{message.id}"]')


def _look(message: Message) -> tuple[str, list[str | None]]:
    return message.text, [button.custom_id for button in message.buttons]
