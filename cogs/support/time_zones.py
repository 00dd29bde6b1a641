"""The command option for a time zone."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.values.time_zones import time_zones_with
from cogs.kit.components import MENU_SIZE

LONGEST: Final = 64
"""Maximum length of a time zone's name."""


def time_zone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """Return completions: the time zones whose names contain the typed text."""
    return [app_commands.Choice(name=name, value=name) for name in time_zones_with(typed)[:MENU_SIZE]]
