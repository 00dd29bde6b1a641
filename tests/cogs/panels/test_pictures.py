"""Pictures are drawn in threads, and errors reach the task that awaits the picture."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.values.appearance import Appearance
from bot.values.people import Preferences
from cardart import Picture
from tests.cogs.text.samples import hand_of, just_dealt, opened_pictures
from tests.helpers.shufflers import KNOCK_AT_ONCE


async def test_drawing_that_raises_stop_iteration_fails() -> None:
    """A future cannot hold `StopIteration`, so it becomes a `RuntimeError` and the task does not hang."""

    def draw() -> Picture:
        return next(iter(()))

    async with opened_pictures() as pictures, asyncio.timeout(5):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await pictures._draw("a picture", draw)  # pyright: ignore[reportPrivateUsage]


async def test_an_appearance_that_no_longer_exists_is_drawn_as_the_default() -> None:
    """A stored theme or language that a later release removed falls back to the default."""
    hand = hand_of(just_dealt("classic", deck=KNOCK_AT_ONCE), 0)
    removed, german = (
        replace(hand, preferences=Preferences(appearance=appearance))
        for appearance in (Appearance("plaid", False, "tlh"), Appearance(language="de"))
    )
    async with opened_pictures() as pictures:
        usual = await pictures.hand(hand)
        assert await pictures.hand(removed) == usual
        assert await pictures.hand(german) != usual


async def test_no_hand_is_drawn_for_who_wants_no_pictures() -> None:
    """A player who has pictures switched off gets none, and none is drawn."""
    hand = hand_of(just_dealt("classic", deck=KNOCK_AT_ONCE), 0)
    async with opened_pictures() as pictures:
        assert await pictures.hand(replace(hand, preferences=Preferences(pictures=False))) is None
