"""Descriptions of the computers' levels."""

from __future__ import annotations

from typing import Final

from bot.opponent.play.levels import Level

LEVELS: Final = {
    Level.NOVICE: "knows the rules, and not much more",
    Level.CASUAL: "plays a decent game",
    Level.STRONG: "makes few mistakes",
    Level.EXPERT: "plays as well as it can",
}
