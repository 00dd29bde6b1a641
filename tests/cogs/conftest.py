"""Fixtures for all tests of the cogs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

import cardart
from tests.cogs.scenes import open_match_scene
from tests.helpers.living import independent_of_speed

__all__ = ["independent_of_speed"]


_DRAW_FUNCTIONS: Final = ("draw_hand", "draw_scorecard", "draw_showdown", "draw_step", "draw_table")
_CACHED_FUNCTIONS: Final = {name: cache(getattr(cardart, name)) for name in _DRAW_FUNCTIONS}


@pytest.fixture(autouse=True, scope="package")
def _cached_pictures() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Draw each picture only once: most tests deal the same few decks, and drawing takes a tenth of the test time.

    Tests elsewhere need the real functions: the drawing process gets a function by its name, which a cache lacks.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, draw in _CACHED_FUNCTIONS.items():
            monkeypatch.setattr(cardart, name, draw)
        yield


@pytest.fixture(autouse=True, scope="session")
def _warm_up(tmp_path_factory: pytest.TempPathFactory) -> None:  # pyright: ignore[reportUnusedFunction]
    """Begin a match before the first test, so that no test's run time includes loading fonts and compiling SQL."""

    async def set_a_table() -> None:
        async with open_match_scene(tmp_path_factory.mktemp("first")):
            pass

    asyncio.run(set_a_table())
