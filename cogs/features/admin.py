"""For people who manage a server: settings, house rules, ending a match, permissions, the leaderboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import PRESETS
from bot.play.refusals import NotOffered
from bot.values.guilds import GuildSettings
from bot.values.ids import ChannelId, GuildId
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, button, menu
from cogs.kit.messages import Message
from cogs.panels.appearance import with_theme
from cogs.panels.layout import Accent, note
from cogs.panels.rules import rules_page
from cogs.panels.server import DEFAULT_TARGET, server_panel
from cogs.support.choosing import complete_rules, match_options
from cogs.support.errors import UserError
from cogs.support.interactions import require_guild
from cogs.support.permissions import missing_of_all
from cogs.support.replies import show
from cogs.support.services import Services
from cogs.text import refusals as texts
from cogs.text import rules as rules_text
from cogs.text.people import joined, versus

_SETTINGS = (
    Action.SET_RULES,
    Action.SET_TARGET,
    Action.SET_OFFERED,
    Action.SET_CHANNELS,
    Action.SET_APPEARANCE,
    Action.SET_LANGUAGE,
)


class Admin(commands.Cog):
    """What managers of a server can do. Discord hides it from others, and it is checked again here."""

    gin_admin = app_commands.Group(
        name="gin-admin",
        description="Manage gin rummy on this server",
        default_permissions=discord.Permissions(manage_guild=True),
        guild_only=True,
    )
    rules = app_commands.Group(name="rules", description="The house rules of this server", parent=gin_admin)

    def __init__(self, services: Services) -> None:
        self._app = services.app
        services.components.register(
            dict.fromkeys(_SETTINGS, self._setting_chosen)
            | {
                Action.END_MATCH: self._match_to_end_chosen,
                Action.END_MATCH_NOW: self._end_confirmed,
                Action.RESET_LEADERBOARD_NOW: self._reset_confirmed,
            }
        )

    @gin_admin.command(description="Default rules and target, the channels to play in, and how cards are shown there")
    async def settings(self, interaction: Interaction) -> None:
        """Show the server's settings, to change them."""
        await Answer.to(interaction).reply(await self._server_panel(_require_manager(interaction)))

    @gin_admin.command(description="End a match without a result")
    async def end(self, interaction: Interaction) -> None:
        """Ask which running match to end."""
        running = await self._app.guilds.running(_require_manager(interaction))
        if not running:
            await Answer.to(interaction).reply(note("No match is running on this server."))
            return
        options = match_options(interaction.client, running, lambda match: f"last move {match.moved_at:%Y-%m-%d}")
        row = [menu(Subject.CHOSEN, 0, Action.END_MATCH, "End a match …", options)]
        oldest = f" These are the {len(options)} oldest of {len(running)}." if len(running) > len(options) else ""
        text = f"Which match should I end? It will count for nobody.{oldest}"
        await Answer.to(interaction).reply(note(text, Accent.TROUBLE, [row]))

    @gin_admin.command(description="Which permissions I am missing in this channel")
    async def check(self, interaction: Interaction) -> None:
        """List the permissions that are missing here."""
        _require_manager(interaction)
        missing = missing_of_all(interaction.app_permissions)
        if missing:
            result = note(f"I am missing here: {joined([f'**{label}**' for label in missing])}.", Accent.TROUBLE)
        else:
            result = note("I have every permission I need in this channel.")
        await Answer.to(interaction).reply(result)

    @gin_admin.command(description="Reset the leaderboard")
    async def reset(self, interaction: Interaction) -> None:
        """Ask for a confirmation before the leaderboard starts again."""
        _require_manager(interaction)
        row = [
            button(Subject.SERVER, 0, Action.RESET_LEADERBOARD_NOW, "Reset", discord.ButtonStyle.danger),
        ]
        text = "Reset the leaderboard? All results so far will be removed from it. Running matches go on."
        await Answer.to(interaction).reply(note(text, Accent.TROUBLE, [row]))

    @rules.command(description="See rules in full before you save them")
    @app_commands.describe(rules="A name and any changes: classic target=150 line_bonus=25")
    async def preview(self, interaction: Interaction, rules: str) -> None:
        """Explain rules that are not saved yet."""
        found = await self._app.rulebook.read(_require_manager(interaction), rules, offered=False)
        await Answer.to(interaction).reply(rules_page(found.rules, found.name))

    @rules.command(description="Save house rules for this server under a name")
    @app_commands.describe(
        name="Their name in challenges: letters, digits, spaces and hyphens",
        rules="A name and any changes: classic target=150 line_bonus=25",
    )
    async def save(self, interaction: Interaction, name: app_commands.Range[str, 1, 32], rules: str) -> None:
        """Save house rules, and show them."""
        saved = await self._app.rulebook.save(_require_manager(interaction), name, rules)
        await Answer.to(interaction).reply(rules_page(saved.rules, saved.name, "Saved. Challenges can use them now."))

    @rules.command(description="Remove house rules; matches with them go on")
    @app_commands.describe(name="Which house rules")
    async def remove(self, interaction: Interaction, name: str) -> None:
        """Remove house rules."""
        removed = await self._app.rulebook.remove(_require_manager(interaction), name)
        text = f"The **{removed.name}** rules were removed. Running matches keep them."
        await Answer.to(interaction).reply(note(text))

    @rules.command(name="list", description="The house rules of this server")
    async def list_(self, interaction: Interaction) -> None:
        """List the house rules."""
        found = await self._app.rulebook.house_rules(_require_manager(interaction))
        lines = [f"- {rules_text.brief(rules_text.line(one.rules, one.name))}" for one in found]
        none = "There are no house rules. `/gin-admin rules save` adds some."
        await Answer.to(interaction).reply(note("\n".join(lines) or none))

    @preview.autocomplete("rules")
    @save.autocomplete("rules")
    async def complete_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the known rules, and what is typed if it can be played."""
        return await complete_rules(interaction, self._app, typed)

    @remove.autocomplete("name")
    async def complete_house_rule(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the names of the house rules."""
        found = await self._app.rulebook.house_rules(GuildId(interaction.guild_id or 0))
        names = [one.name for one in found if typed.strip().lower() in one.name.lower()]
        return [app_commands.Choice(name=name, value=name) for name in names[:MENU_SIZE]]

    async def _setting_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        guild_id = _require_manager(interaction)
        change = _settings_change(Action(event.action), event.values)
        try:
            await self._app.guilds.change_settings(guild_id, change)
        except NotOffered as refused:
            raise UserError(texts.default_must_be_offered(refused.name)) from None
        await show(interaction, await self._server_panel(guild_id, "Saved."))

    async def _server_panel(self, guild_id: GuildId, notice: str | None = None) -> Message:
        settings = await self._app.guilds.settings(guild_id)
        return server_panel(settings, await self._app.rulebook.offered(guild_id), notice)

    async def _match_to_end_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        running = await self._app.guilds.running(_require_manager(interaction))
        match = next((one for one in running if one.id == event.match_id), None)
        if match is None:
            raise UserError(texts.ALREADY_ENDED)
        row = [button(match.id, 0, Action.END_MATCH_NOW, "End the match", discord.ButtonStyle.danger)]
        text = f"End {versus(match)} now? It will count for nobody, and its players will see that it was called off."
        await show(interaction, note(text, Accent.TROUBLE, [row]))

    async def _end_confirmed(self, interaction: Interaction, event: ComponentEvent) -> None:
        match = await self._app.endings.cancel(event.match_id, _require_manager(interaction))
        await show(interaction, note(f"I ended {versus(match)}. It counts for nobody."))

    async def _reset_confirmed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.guilds.reset_leaderboard(_require_manager(interaction))
        await show(interaction, note("The leaderboard was reset. New results count from now on."))


def _require_manager(interaction: Interaction) -> GuildId:
    """Return the server of an interaction whose person may manage it.

    Raises:
        UserError: it is not in a server, or they may not.
    """
    guild_id = require_guild(interaction)
    if not interaction.permissions.manage_guild:
        raise UserError(texts.MANAGERS_ONLY)
    return guild_id


def _settings_change(action: Action, values: tuple[str, ...]) -> Callable[[GuildSettings], GuildSettings]:
    """Return what the options chosen in a menu change."""
    first = values[0] if values else ""
    match action:
        case Action.SET_RULES:
            return _setting(rules=first)
        case Action.SET_TARGET:
            return _setting(target=None if first == DEFAULT_TARGET else int(first))
        case Action.SET_OFFERED:
            return _setting(offered=() if len(values) == len(PRESETS) else values)
        case Action.SET_LANGUAGE:
            return lambda now: replace(now, appearance=replace(now.appearance, language=first))
        case Action.SET_APPEARANCE:
            return lambda now: replace(now, appearance=with_theme(now.appearance, first))
        case _:
            return _setting(channels=tuple(ChannelId(int(value)) for value in values))


def _setting(**values: Any) -> Callable[[GuildSettings], GuildSettings]:
    return lambda now: replace(now, **values)
