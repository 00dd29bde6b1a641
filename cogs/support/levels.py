"""Levels of computers, as an option of commands."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.opponent.levels import Level
from cogs.support.errors import UserError
from cogs.text.practice import LEVELS
from cogs.text.refusals import UNKNOWN_LEVEL

LEVEL_CHOICES: Final = [
    app_commands.Choice(name=f"{level.capitalize()}: {text}", value=str(level)) for level, text in LEVELS.items()
]


def read_level(text: str) -> Level:
    """Return a level by its name. Raise `UserError` if there is none."""
    try:
        return Level(text)
    except ValueError:
        raise UserError(UNKNOWN_LEVEL) from None
