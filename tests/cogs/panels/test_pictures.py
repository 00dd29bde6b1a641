"""Pictures are drawn beside the event loop, and whoever waits for one hears of it in any case."""

import asyncio
from dataclasses import replace

import pytest

from bot.values.appearance import Appearance
from cardart import Picture
from cogs.panels.pictures import Pictures
from tests.cogs.text.samples import begun, hand_of
from tests.helpers.shufflers import KNOCK_AT_ONCE


async def test_a_picture_that_runs_out_of_something_fails() -> None:
    """No future can carry a `StopIteration`: it comes as another error, and does not keep anybody waiting for ever."""

    def draw() -> Picture:
        return next(iter(()))

    pictures = Pictures()
    try:
        async with asyncio.timeout(5):
            with pytest.raises(RuntimeError, match="StopIteration"):
                await pictures._drawn(draw)  # pyright: ignore[reportPrivateUsage]
    finally:
        pictures.close()


async def test_a_look_that_is_none_any_more_is_the_usual_one() -> None:
    """What was kept of a theme or a language that a later release took away keeps nobody from a picture."""
    hand, pictures = hand_of(begun("classic", deck=KNOCK_AT_ONCE), 0), Pictures()
    try:
        usual = await pictures.hand(hand)
        assert await pictures.hand(replace(hand, look=Appearance("plaid", False, "tlh"))) == usual
        assert await pictures.hand(replace(hand, look=Appearance(language="de"))) != usual
    finally:
        pictures.close()
