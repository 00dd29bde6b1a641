"""A bot with one empty command, made with discord.py alone, as a reference for the time of answers."""

from __future__ import annotations

import os

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route


class BareBot(discord.Client):
    """A client with the command `/empty`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        @self.tree.command(description="Answer with a word")
        async def empty(interaction: discord.Interaction) -> None:  # pyright: ignore[reportUnusedFunction]
            await interaction.response.send_message("pong", ephemeral=True)

        await self.tree.sync()


if __name__ == "__main__":
    Route.BASE = os.environ["DEADWOOD_DISCORD_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DEADWOOD_DISCORD_GATEWAY"])
    BareBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
