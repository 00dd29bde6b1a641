"""The command option for a player's own words, which are mixed into the shuffles of a match."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.engine.fairness.fair import MAX_WORDS_LENGTH

OwnWords = app_commands.Range[str, 1, MAX_WORDS_LENGTH]
WORDS_DESCRIPTION: Final = "Text to mix into the shuffles, so nobody can rig the cards; everyone here can read it"
