"""For people who manage a server: settings, ending a match, permissions, and a new standing."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import PRESETS, Rules
from bot.play.refusals import NotOffered
from bot.values.guilds import GuildSettings, NamedRules
from cogs.kit.answers import Answer, Interaction, Message
from cogs.support.choosing import complete_rules, match_options
from cogs.features.help import explained
from cogs.panels.layout import Accent, Row, message, note
from cogs.panels.appearance import look_menu, look_of, names_menu
from cogs.panels.options import rules_menus, rules_option
from cogs.support.permissions import missing_anywhere
from cogs.kit.components import WHICH, ComponentEvent, button, channel_menu, menu
from cogs.support.replies import Kind, show
from cogs.support.services import Services
from cogs.text import refusals as texts
from cogs.text import rules as rules_text
from cogs.text.people import joined, versus

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
    rules = app_commands.Group(name="rules", description="Application rules of this server", parent=gin_admin)

    def __init__(self, services: Services) -> None:
        self._app = services.app
        services.components.on(
            set_rules=self._set,
            set_target=self._set,
            set_offered=self._set,
            set_look=self._set,
            set_names=self._set,
            set_channels=self._set,
            end_match=self._end_chosen,
            end_now=self._end_pressed,
            reset_now=self._reset_pressed,
        )

    @gin_admin.command(description="Default rules and target, the channels to play in, and how cards are shown there")
    async def settings(self, interaction: Interaction) -> None:
        """Show the server's settings, to change them."""
        await Answer.to(interaction).say(await self._settings(_managed(interaction)))

    @rules.command(description="Look at rules in full before you save them")
    @app_commands.describe(rules="A name and single changes: classic target=150 line_bonus=25")
    async def preview(self, interaction: Interaction, rules: str) -> None:
        """Explain rules that are not saved yet."""
        offer = await self._app.rulebook.read(_managed(interaction), rules, offered=False)
        await Answer.to(interaction).say(explained(offer.rules, offer.name))

    @rules.command(description="Save app rules of this server under a name")
    @app_commands.describe(
        name="How challenges call them: letters, digits, spaces and hyphens",
        rules="A name and single changes: classic target=150 line_bonus=25",
    )
    async def save(self, interaction: Interaction, name: app_commands.Range[str, 1, 32], rules: str) -> None:
        """Keep app rules, and show what was kept."""
        offer = await self._app.rulebook.save(_managed(interaction), name, rules)
        await Answer.to(interaction).say(explained(offer.rules, offer.name, "Saved. Challenges may name them now."))

    @rules.command(description="Remove app rules; matches by them go on")
    @app_commands.describe(name="Which app rules")
    async def remove(self, interaction: Interaction, name: str) -> None:
        """Forget app rules."""
        offer = await self._app.rulebook.remove(_managed(interaction), name)
        await Answer.to(interaction).say(note(f"The **{offer.name}** rules are removed. Running matches keep them."))

    @rules.command(name="list", description="The app rules of this server")
    async def list_(self, interaction: Interaction) -> None:
        """List the app rules."""
        offers = await self._app.rulebook.house_rules(_managed(interaction))
        lines = [f"- {rules_text.brief(rules_text.line(one.rules, one.name))}" for one in offers]
        none = "There are no app rules. `/gin-admin rules save` keeps some."
        await Answer.to(interaction).say(note("\n".join(lines) or none))

    @preview.autocomplete("rules")
    @save.autocomplete("rules")
    async def texts(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The rules there are, and what is typed if it can be played."""
        return await complete_rules(interaction, self._app, typed)

    @remove.autocomplete("name")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The names of the app rules."""
        offers = await self._app.rulebook.house_rules(interaction.guild_id or 0)
        found = [one.name for one in offers if typed.strip().lower() in one.name.lower()]
        return [app_commands.Choice(name=name, value=name) for name in found[:25]]

    @gin_admin.command(description="End a match without a result")
    async def end(self, interaction: Interaction) -> None:
        """Choose a running match to end."""
        guild_id = _managed(interaction)
        running = await self._app.guilds.running(guild_id)
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
        """Shortcut once more before the standing begins anew."""
        _managed(interaction)
        row = [button(ADMIN, 0, "reset_now", "Begin anew", discord.ButtonStyle.danger)]
        text = "Begin the leaderboard anew? Every result so far leaves it. Matches that run go on."
        await Answer.to(interaction).say(note(text, Accent.TROUBLE, [row]))

    async def _set(self, interaction: Interaction, press: ComponentEvent) -> None:
        guild_id = _managed(interaction)
        try:
            await self._choose(guild_id, press)
        except NotOffered as refused:
            raise Kind(texts.offers_default(refused.name)) from None
        await show(interaction, await self._settings(guild_id, "Saved."))

    async def _choose(self, guild_id: int, press: ComponentEvent) -> None:
        guilds = self._app.guilds
        match press.verb:
            case "set_rules":
                await guilds.set(guild_id, rules=press.values[0])
            case "set_target":
                await guilds.set(guild_id, target=None if press.values[0] == DEFAULT else int(press.values[0]))
            case "set_look":
                theme, four_colours = look_of(press.values[0])
                await guilds.set(guild_id, theme=theme, four_colours=four_colours)
            case "set_names":
                await guilds.set(guild_id, language=press.values[0])
            case "set_offered":
                await guilds.set(guild_id, offered=() if len(press.values) == len(PRESETS) else press.values)
            case _:
                await guilds.set(guild_id, channels=tuple(map(int, press.values)))

    async def _settings(self, guild_id: int, said: str | None = None) -> Message:
        settings = await self._app.guilds.settings(guild_id)
        return _settings(settings, await self._app.rulebook.offers(guild_id), said)

    async def _end_chosen(self, interaction: Interaction, press: ComponentEvent) -> None:
        guild_id, match_id = _managed(interaction), press.number
        card = next((one for one in await self._app.guilds.running(guild_id) if one.id == match_id), None)
        if card is None:
            raise Kind(texts.ENDED_ALREADY)
        row = [button(match_id, 0, "end_now", "End the match", discord.ButtonStyle.danger)]
        text = f"End {versus(card)} now? It counts for nobody, and its players see that it was called off."
        await show(interaction, note(text, Accent.TROUBLE, [row]))

    async def _end_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        card = await self._app.endings.end(press.number, _managed(interaction))
        await show(interaction, note(f"{versus(card)} is ended. It counts for nobody."))

    async def _reset_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._app.guilds.reset_standing(_managed(interaction))
        await show(interaction, note("The leaderboard begins anew."))


def _managed(interaction: Interaction) -> int:
    """The server of an interaction whose person may manage it.

    Raises:
        Kind: it is in no server, or they may not.
    """
    if interaction.guild_id is None:
        raise Kind(texts.ONLY_IN_SERVERS)
    if not interaction.permissions.manage_guild:
        raise Kind(texts.MANAGERS_ONLY)
    return interaction.guild_id


def _settings(now: GuildSettings, offers: Sequence[NamedRules], said: str | None = None) -> Message:
    offered = [
        rules_option(name, Rules.parse(name), chosen=not now.offered or name in now.offered, label="Offered: ")
        for name in PRESETS
    ]
    own = discord.SelectOption(label="Target: as the rules say", value=DEFAULT, default=now.target is None)
    targets = [
        discord.SelectOption(label=f"Target: {target} points", value=str(target), default=target == now.target)
        for target in _TARGETS
    ]
    rows: list[Row] = [
        *rules_menus(ADMIN, "set_rules", offers, now.rules, "Rules: "),
        [menu(ADMIN, 0, "set_target", "Target …", [own, *targets])],
        [menu(ADMIN, 0, "set_offered", "Presets to offer …", offered, most=len(offered))],
        [channel_menu(ADMIN, "set_channels", EVERY_CHANNEL, now.channels)],
        [look_menu(ADMIN, "set_look", now.look)],
        [names_menu(ADMIN, "set_names", now.look)],
    ]
    where = joined([f"<#{channel}>" for channel in now.channels]) or "every channel"
    presets = joined([f"**{name}**" for name in now.offered]) or "every preset"
    app = [one.name for one in offers if one.app]
    rules = f"Application rules: {joined([f'**{name}**' for name in app])}." if app else "No app rules yet."
    return message(
        Accent.WAITING,
        f"A challenge that names no rules plays **{now.rules}**. Played in {where}.",
        f"Offered: {presets}. {rules} `/gin-admin rules` keeps them.",
        title="Gin rummy on this server",
        said=said,
        rows=rows,
    )
