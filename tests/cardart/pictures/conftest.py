"""Fixtures for all tests of pictures."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import DECK
from cardart.deck.cards import face


@pytest.fixture(autouse=True, scope="session")
def _draw_all_faces() -> None:  # pyright: ignore[reportUnusedFunction]
    """Draw all faces once, because the slow drawing of court figures would count as the time of the first test."""
    for card in DECK:
        face(card)
