"""A chain that is always the same, with which a match is over after one turn."""

from __future__ import annotations

from typing import Final

import pytest

from bot.engine.fair import Chain

CHAIN: Final = Chain.ending_with(bytes([0, 174]) * 16)
"""With these words of the players, seat 1 acts first, takes the upcard, knocks with 7♠, and wins a match to 10."""
WORDS: Final = ("three blue boats", "a red kite")


def use_fixed_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all matches have this chain."""
    monkeypatch.setattr(Chain, "draw", lambda: CHAIN)
