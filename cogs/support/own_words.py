"""The command option for a player's own words, which go into the shuffles of a match."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.engine.fair import MOST_WORDS

OwnWords = app_commands.Range[str, 1, MOST_WORDS]
ABOUT_WORDS: Final = "Your own words for the shuffles; everybody here can read them"
