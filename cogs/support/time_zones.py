"""Time zones as options of commands."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.values.time_zones import time_zones_with
from cogs.kit.components import MENU_SIZE

LONGEST: Final = 64
"""The most characters that a name may have."""


def time_zone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """Return the time zones to offer: those whose names have what is typed."""
    return [app_commands.Choice(name=name, value=name) for name in time_zones_with(typed)[:MENU_SIZE]]
