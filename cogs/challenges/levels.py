"""The computers' levels in words, and as a command option."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.opponent.play.levels import Level
from cogs.challenges.refusals import UNKNOWN_LEVEL
from cogs.delivery.errors import UserError

LEVELS: Final = {
    Level.NOVICE: "knows the rules but not much more",
    Level.CASUAL: "plays a decent game",
    Level.STRONG: "makes few mistakes",
    Level.EXPERT: "plays as well as it can",
}

LEVEL_CHOICES: Final = [
    app_commands.Choice(name=f"{level.capitalize()}: {text}", value=str(level)) for level, text in LEVELS.items()
]


def parse_level(text: str) -> Level:
    """Parse a level. Raise `UserError` if it is unknown."""
    try:
        return Level(text)
    except ValueError:
        raise UserError(UNKNOWN_LEVEL) from None
