"""Fixtures for all tests of the cogs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
import structlog

import cardart
from tests.cogs.scenes import at_table
from tests.helpers.living import never_defer

__all__ = ["never_defer"]


_DRAWN: Final = ("draw_hand", "draw_scorecard", "draw_showdown", "draw_step", "draw_table")


@pytest.fixture(autouse=True, scope="session")
def _drawn_once() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Draw each picture only once: most tests deal the same few decks, and drawing would take a tenth of their time."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in _DRAWN:
            monkeypatch.setattr(cardart, name, cache(getattr(cardart, name)))
        yield


@pytest.fixture(autouse=True, scope="session")
def _first_use(_drawn_once: None, tmp_path_factory: pytest.TempPathFactory) -> None:  # pyright: ignore[reportUnusedFunction]
    """Set up a table before the first test, to load fonts and compile statements outside its run time."""

    async def set_a_table() -> None:
        async with at_table(tmp_path_factory.mktemp("first")):
            pass

    asyncio.run(set_a_table())


@pytest.fixture(autouse=True, scope="package")
def _plain_tracebacks() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Write tracebacks without local variables: formatting those would block the event loop for seconds."""
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, console])
    yield
    structlog.reset_defaults()
