"""Fixtures for all tests of pictures."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import DECK
from cardart.deck.cards import face


@pytest.fixture(autouse=True, scope="session")
def _draw_all_faces() -> None:  # pyright: ignore[reportUnusedFunction]
    """Draw all faces once, so that the slow drawing of court figures does not count towards the first test's time."""
    for card in DECK:
        face(card)
