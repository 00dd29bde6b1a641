"""For people who manage a server: settings, ending a match, permissions, and a new standing."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import playable_presets
from bot.play.values import GuildSettings
from cogs.answers import Answer, Interaction, Message
from cogs.choosing import match_options
from cogs.panels.layout import Accent, Row, message, note
from cogs.permissions import missing_anywhere
from cogs.presses import WHICH, Press, button, channel_menu, menu
from cogs.replies import Kind, show
from cogs.services import Services
from cogs.words import refusals as words
from cogs.words.people import joined, versus

_TARGETS = (10, 25, 50, 100, 150, 200, 250, 500)
DEFAULT = "default"
ADMIN = "admin"
EVERY_CHANNEL = "Channels to play in: choose some, or none for every one"


class Admin(commands.Cog):
    """What managers of a server may do; Discord hides it from others, and it is checked again here."""

    gin_admin = app_commands.Group(
        name="gin-admin",
        description="Manage gin rummy on this server",
        default_permissions=discord.Permissions(manage_guild=True),
        guild_only=True,
    )

    def __init__(self, services: Services) -> None:
        self._house = services.house
        services.presses.on(
            set_rules=self._set,
            set_target=self._set,
            set_channels=self._set,
            end_match=self._end_chosen,
            end_now=self._end_pressed,
            reset_now=self._reset_pressed,
        )

    @gin_admin.command(description="Default rules and target, and the channels to play in")
    async def settings(self, interaction: Interaction) -> None:
        """Show the server's settings, to change them."""
        guild_id = _managed(interaction)
        await Answer.to(interaction).say(_settings(await self._house.guilds.settings(guild_id)))

    @gin_admin.command(description="End a match without a result")
    async def end(self, interaction: Interaction) -> None:
        """Choose a running match to end."""
        guild_id = _managed(interaction)
        running = await self._house.guilds.running(guild_id)
        if not running:
            await Answer.to(interaction).say(note("No match runs on this server."))
            return
        options = match_options(interaction.client, running, lambda card: f"last move {card.moved_at:%Y-%m-%d}")
        row = [menu(WHICH, 0, "end_match", "End a match …", options)]
        more = f" Here are the {len(options)} oldest of {len(running)}." if len(running) > len(options) else ""
        text = f"Which match shall end? It counts for nobody.{more}"
        await Answer.to(interaction).say(note(text, Accent.TROUBLE, [row]))

    @gin_admin.command(description="Which permissions I lack in this channel")
    async def check(self, interaction: Interaction) -> None:
        """List the permissions that are missing here."""
        _managed(interaction)
        lacking = missing_anywhere(interaction.app_permissions)
        if lacking:
            told = note(f"Here I lack: {joined([f'**{label}**' for label in lacking])}.", Accent.TROUBLE)
        else:
            told = note("I have every permission I need in this channel.")
        await Answer.to(interaction).say(told)

    @gin_admin.command(description="Begin the leaderboard anew")
    async def reset(self, interaction: Interaction) -> None:
        """Ask once more before the standing begins anew."""
        _managed(interaction)
        row = [button(ADMIN, 0, "reset_now", "Begin anew", discord.ButtonStyle.danger)]
        text = "Begin the leaderboard anew? Every result so far leaves it. Matches that run go on."
        await Answer.to(interaction).say(note(text, Accent.TROUBLE, [row]))

    async def _set(self, interaction: Interaction, press: Press) -> None:
        guild_id, guilds = _managed(interaction), self._house.guilds
        if press.verb == "set_rules":
            now = await guilds.set(guild_id, rules=press.values[0])
        elif press.verb == "set_target":
            now = await guilds.set(guild_id, target=None if press.values[0] == DEFAULT else int(press.values[0]))
        else:
            now = await guilds.set(guild_id, channels=tuple(map(int, press.values)))
        await show(interaction, _settings(now, "Saved."))

    async def _end_chosen(self, interaction: Interaction, press: Press) -> None:
        guild_id, match_id = _managed(interaction), press.number
        card = next((one for one in await self._house.guilds.running(guild_id) if one.id == match_id), None)
        if card is None:
            raise Kind(words.ENDED_ALREADY)
        row = [button(match_id, 0, "end_now", "End the match", discord.ButtonStyle.danger)]
        text = f"End {versus(card)} now? It counts for nobody, and both see that it was called off."
        await show(interaction, note(text, Accent.TROUBLE, [row]))

    async def _end_pressed(self, interaction: Interaction, press: Press) -> None:
        card = await self._house.endings.end(press.number, _managed(interaction))
        await show(interaction, note(f"{versus(card)} is ended. It counts for nobody."))

    async def _reset_pressed(self, interaction: Interaction, press: Press) -> None:
        await self._house.guilds.reset_standing(_managed(interaction))
        await show(interaction, note("The leaderboard begins anew."))


def _managed(interaction: Interaction) -> int:
    """The server of an interaction whose person may manage it.

    Raises:
        Kind: it is in no server, or they may not.
    """
    if interaction.guild_id is None:
        raise Kind(words.ONLY_IN_SERVERS)
    if not interaction.permissions.manage_guild:
        raise Kind(words.MANAGERS_ONLY)
    return interaction.guild_id


def _settings(now: GuildSettings, said: str | None = None) -> Message:
    presets = [
        discord.SelectOption(label=f"Rules: {preset}", value=preset, default=preset == now.rules)
        for preset in playable_presets()
    ]
    own = discord.SelectOption(label="Target: as the rules say", value=DEFAULT, default=now.target is None)
    targets = [
        discord.SelectOption(label=f"Target: {target} points", value=str(target), default=target == now.target)
        for target in _TARGETS
    ]
    rows: list[Row] = [
        [menu(ADMIN, 0, "set_rules", "Rules …", presets)],
        [menu(ADMIN, 0, "set_target", "Target …", [own, *targets])],
        [channel_menu(ADMIN, "set_channels", EVERY_CHANNEL, now.channels)],
    ]
    where = joined([f"<#{channel}>" for channel in now.channels]) or "every channel"
    return message(
        Accent.YOURS if said else Accent.WAITING,
        said,
        f"A challenge that names no rules plays **{now.rules}**. Played in {where}.",
        title="Gin rummy on this server",
        rows=rows,
    )
