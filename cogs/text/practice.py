"""The levels of computers, in words."""

from __future__ import annotations

from typing import Final

from bot.opponent.levels import Level

LEVELS: Final = {
    Level.NOVICE: "Novice: knows the rules, and not much more",
    Level.CASUAL: "Casual: plays a decent game",
    Level.STRONG: "Strong: makes few mistakes",
    Level.EXPERT: "Expert: as well as it can",
}
