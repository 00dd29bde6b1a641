"""Pictures are drawn in threads, and errors reach the task that awaits the picture."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.model.appearance import Appearance
from bot.model.people import Preferences
from cardart import Picture
from tests.cogs.samples import hand_of, just_dealt, opened_pictures
from tests.helpers.shufflers import IMMEDIATE_KNOCK


async def test_stop_iteration_while_drawing_is_an_error() -> None:
    """`StopIteration` raised while drawing becomes a `RuntimeError`; otherwise the waiting task would hang."""

    def draw() -> Picture:
        return next(iter(()))

    async with opened_pictures() as pictures, asyncio.timeout(5):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await pictures.draw("a picture", draw)


async def test_an_appearance_that_no_longer_exists_is_drawn_as_the_default() -> None:
    """A stored theme or language that a later release removed falls back to the default."""
    hand = hand_of(just_dealt("classic", deck=IMMEDIATE_KNOCK), 0)
    removed, german = (
        replace(hand, preferences=Preferences(appearance=appearance))
        for appearance in (Appearance("plaid", False, "tlh"), Appearance(language="de"))
    )
    async with opened_pictures() as pictures:
        usual = await pictures.hand(hand)
        assert await pictures.hand(removed) == usual
        assert await pictures.hand(german) != usual


async def test_nothing_is_drawn_with_pictures_off() -> None:
    """For a player who has switched pictures off, neither the hand nor the themes are drawn."""
    hand = hand_of(just_dealt("classic", deck=IMMEDIATE_KNOCK), 0)
    async with opened_pictures() as pictures:
        assert await pictures.hand(replace(hand, preferences=Preferences(pictures=False))) is None
        assert await pictures.themes(Preferences(pictures=False), Appearance()) is None
