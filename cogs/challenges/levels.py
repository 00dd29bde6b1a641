"""The command option for a computer's level."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.opponent.play.levels import Level
from cogs.challenges.level_text import LEVELS
from cogs.challenges.refusals import UNKNOWN_LEVEL
from cogs.delivery.errors import UserError

LEVEL_CHOICES: Final = [
    app_commands.Choice(name=f"{level.capitalize()}: {text}", value=str(level)) for level, text in LEVELS.items()
]


def parse_level(text: str) -> Level:
    """Parse a level. Raise `UserError` if it is unknown."""
    try:
        return Level(text)
    except ValueError:
        raise UserError(UNKNOWN_LEVEL) from None
