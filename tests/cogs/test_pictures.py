"""Pictures are drawn beside the event loop, and whoever waits for one hears of it in any case."""

import asyncio

import pytest

from cardart import Picture
from cogs.pictures import Pictures


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
