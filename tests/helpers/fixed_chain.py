"""A fixed seed chain, with which a match ends after one turn."""

from __future__ import annotations

from typing import Final

import pytest

from bot.engine.fair import Chain

CHAIN: Final = Chain.ending_with(bytes([0, 174]) * 16)
"""With the players' words below, seat 1 acts first, takes the upcard, knocks with 7♠, and wins a match to 10."""
WORDS: Final = ("three blue boats", "a red kite")


def use_fixed_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every match this chain."""
    monkeypatch.setattr(Chain, "draw", lambda: CHAIN)
