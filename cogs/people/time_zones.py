"""The command option for a time zone."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.model.time_zones import matching_time_zones
from cogs.kit.components import MENU_SIZE

MAX_TIME_ZONE_LENGTH: Final = 64
"""Maximum length of a time zone's name."""


def time_zone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """Return completions: the time zones whose names contain the typed text."""
    return [app_commands.Choice(name=name, value=name) for name in matching_time_zones(typed)[:MENU_SIZE]]
