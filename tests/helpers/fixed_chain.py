"""A fixed hash chain of server seeds, with which a match ends after one turn."""

from __future__ import annotations

from typing import Final

import pytest

from bot.engine.fairness.fair import Chain

CHAIN: Final = Chain.ending_with(bytes([0, 174]) * 16)
"""A hash chain with which, given `WORDS`, seat 1 can take the upcard, knock with 7♠, and win a match to 10."""
WORDS: Final = ("three blue boats", "a red kite")


def use_fixed_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every match use `CHAIN` for its server seeds."""
    monkeypatch.setattr(Chain, "random", lambda: CHAIN)
