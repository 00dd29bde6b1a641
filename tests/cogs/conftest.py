"""Fixtures for all tests of the cogs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

import cardart
from tests.cogs.scenes import open_match_scene
from tests.helpers.living import never_defer

__all__ = ["never_defer"]


_DRAW_FUNCTIONS: Final = ("draw_hand", "draw_scorecard", "draw_showdown", "draw_step", "draw_table")


@pytest.fixture(autouse=True, scope="session")
def _cached_pictures() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Draw each picture only once: most tests deal the same few decks, and drawing takes a tenth of the test time."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in _DRAW_FUNCTIONS:
            monkeypatch.setattr(cardart, name, cache(getattr(cardart, name)))
        yield


@pytest.fixture(autouse=True, scope="session")
def _warm_up(_cached_pictures: None, tmp_path_factory: pytest.TempPathFactory) -> None:  # pyright: ignore[reportUnusedFunction]
    """Begin a match before the first test, so that no test's run time includes loading fonts and compiling SQL."""

    async def set_a_table() -> None:
        async with open_match_scene(tmp_path_factory.mktemp("first")):
            pass

    asyncio.run(set_a_table())
