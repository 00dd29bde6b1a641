"""Commands for people who manage a server: settings, house rules, ending a match, permissions, the leaderboard."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Final

import discord
from discord import app_commands

from bot.model.ids import ChannelId, GuildId
from bot.model.matches import MatchInfo
from bot.model.names import search_key
from bot.model.time_zones import find_time_zone, suggested_time_zones
from bot.play.refusals import NotOffered, UnknownTimeZone
from cogs.actions import Action, Subject
from cogs.delivery.access import Need
from cogs.delivery.choosing import match_options
from cogs.delivery.errors import UserError, after_saving
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of, require_guild
from cogs.delivery.places import missing_permissions
from cogs.delivery.refusals import refused_in
from cogs.delivery.replies import show
from cogs.fairness.verification_text import hands_open
from cogs.kit.answers import Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, UnknownComponent, button, menu
from cogs.kit.layout import Accent, Item, message, note
from cogs.people.time_zones import MAX_TIME_ZONE_LENGTH, time_zone_choices
from cogs.rules.rules_panel import rules_page
from cogs.servers.refusals import (
    ALREADY_ENDED,
    MANAGERS_ONLY,
    cannot_post_daily,
    cannot_post_results,
    default_must_be_offered,
)
from cogs.servers.settings_panel import (
    CHANGES,
    COUNTS_FROM_TOMORROW,
    FURTHER_MENUS,
    SETTINGS,
    season_begins,
    server_panel,
)
from cogs.words import rules as rules_text
from cogs.words.names import joined, versus

NONE_RUNNING: Final = "No matches are in progress on this server."
NOTHING_MISSING: Final = "I have all the permissions I need here."
LIMIT_CHANNELS: Final = (
    "To limit me to certain channels, use `/gin-admin settings` or Discord's *Server Settings > Integrations*."
)
NOTHING_CHANGED: Final = "Nothing has changed."
_KEPT_IN_PROGRESS: Final = "Matches already in progress keep these rules."
NO_HOUSE_RULES: Final = "There are no house rules. Add some with `/gin-admin rules save`."
_POST_CHANNELS: Final = (Action.SET_SEASON_CHANNEL, Action.SET_DAILY_CHANNEL)
_CHANNEL_MENUS: Final = (Action.SET_CHANNELS, *_POST_CHANNELS)
_DAILY_MENUS: Final = (Action.SET_DAILY_CHANNEL, Action.SET_DAILY_HOUR)
_STAYING_OPEN: Final = (Action.SET_APPEARANCE, Action.SET_DAILY_CHANNEL)
"""Settings that stay open after a change, so that the picture shows it, or because another menu belongs to them."""
_UNNEEDED: Final = ("send_messages_in_threads", "embed_links", "read_message_history", "create_public_threads")
"""Permissions that the bot needs for matches, but not to post the result of a season or the deal of the day."""


class Admin(Feature):
    """Commands for managers of a server. Discord hides them from others, and each handler checks the permission."""

    gin_admin = app_commands.Group(
        name="gin-admin",
        description="Manage gin rummy on this server",
        default_permissions=discord.Permissions(manage_guild=True),
        guild_only=True,
    )
    rules = app_commands.Group(name="rules", description="The house rules of this server", parent=gin_admin)

    @gin_admin.command(description="Default rules, allowed channels, seasons, the deal of the day, and how cards look")
    async def settings(self, interaction: Interaction) -> None:
        await self._show_settings(interaction, _require_manager(interaction))

    @handles(Action.OPEN_SETTING)
    async def _open_setting(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the values of the chosen setting, or all settings again."""
        guild_id = _require_manager(interaction)
        opened = next((action for action in SETTINGS if (action,) == event.values), None)
        if event.values and opened is None:
            raise UnknownComponent
        await self._show_settings(interaction, guild_id, opened=opened)

    @handles(*CHANGES)
    async def _change_setting(self, interaction: Interaction, event: ComponentEvent) -> None:
        guild_id, change = _require_manager(interaction), CHANGES[event.action].change
        chosen, min_values = {*event.values}, 0 if event.action in _CHANNEL_MENUS else 1
        if len(chosen) < min_values or not chosen <= await self._menu_values(interaction, event):
            raise UnknownComponent
        notice = "Saved."
        if event.action in _POST_CHANNELS and chosen:
            channel_id = ChannelId(int(event.values[0]))
            await self.access.require_may_write(interaction, guild_id, channel_id)
            missing = _missing_for_posts(interaction, channel_id)
            if missing and event.action is Action.SET_SEASON_CHANNEL:
                notice = f"{notice} {cannot_post_results(channel_id, missing)}"
        before = await self._app.guilds.settings(guild_id)
        try:
            after = await self._app.guilds.change_settings(guild_id, lambda now: change(now, event.values))
        except NotOffered as refused:
            raise UserError(default_must_be_offered(refused.name)) from None
        with after_saving():
            season = (await self._app.leaderboards.seasons(guild_id)).current
            if season is not None and after.seasons is not before.seasons:
                notice = f"{notice} {season_begins(season)}"
            if event.action in _DAILY_MENUS:
                notice = f"{notice} {await self._counts_from(guild_id)}".strip()
            changed = FURTHER_MENUS.get(event.action, event.action)
            opened = changed if changed in _STAYING_OPEN else None
            await self._show_settings(interaction, guild_id, notice, opened=opened)

    async def _counts_from(self, guild_id: GuildId) -> str:
        """Have today's deal posted as the settings say now, or say that they count from the next one."""
        return COUNTS_FROM_TOMORROW if await self._app.daily_posts.try_again(guild_id) else ""

    async def _menu_values(self, interaction: Interaction, event: ComponentEvent) -> set[str]:
        """Return the values that the menu of a setting offers."""
        match event.action:
            case Action.SET_RULES:
                return {rules.name for rules in await self._app.rulebook.offered(_require_manager(interaction))}
            case action if action in _CHANNEL_MENUS:
                return {str(channel.id) for channel in interaction.guild.channels} if interaction.guild else set()
            case _:
                return {*(CHANGES[event.action].values or ())}

    async def _show_settings(
        self, interaction: Interaction, guild_id: GuildId, notice: str | None = None, *, opened: Action | None = None
    ) -> None:
        settings, offered = await self._app.guilds.settings(guild_id), await self._app.rulebook.offered(guild_id)
        picture = None
        if opened is Action.SET_APPEARANCE:
            preferences = await self._app.people.preferences(person_id_of(interaction))
            picture = await self._pictures.themes(preferences, settings.appearance)
        if opened is Action.SET_DAILY_CHANNEL and (channel_id := settings.daily_channel) is not None:
            missing = _missing_for_posts(interaction, channel_id)
            notice = " ".join(filter(None, (notice, cannot_post_daily(channel_id, missing) if missing else None)))
        await show(interaction, server_panel(settings, offered, notice, opened=opened, picture=picture))

    @gin_admin.command(
        name="time_zone", description="Set the time zone of this server's seasons, and of the hour of its daily post"
    )
    @app_commands.describe(zone="The name of the time zone, such as Europe/Berlin")
    async def time_zone(self, interaction: Interaction, zone: app_commands.Range[str, 1, MAX_TIME_ZONE_LENGTH]) -> None:
        """Set the server's time zone and show the settings."""
        guild_id = _require_manager(interaction)
        if (zone_name := find_time_zone(zone)) is None:
            raise UnknownTimeZone(zone, suggested_time_zones(zone))
        await self._app.guilds.change_settings(guild_id, lambda now: replace(now, time_zone=zone_name))
        with after_saving():
            notice = f"The time zone is now {zone_name}. {await self._counts_from(guild_id)}".strip()
            await self._show_settings(interaction, guild_id, notice)

    @time_zone.autocomplete("zone")
    async def complete_time_zone(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return time_zone_choices(typed)

    @gin_admin.command(description="End a match so that it doesn't count")
    async def end(self, interaction: Interaction) -> None:
        """Ask which running match to end."""
        running = await self._running(interaction)
        if not running:
            await show(interaction, note(NONE_RUNNING))
            return
        options = await match_options(
            interaction, self.access, running, lambda match: f"last move {match.moved_at:%Y-%m-%d}"
        )
        oldest = (
            f" These are the oldest {len(options)} of {len(running)} matches." if len(running) > len(options) else ""
        )
        text = f"Which match should I end? It won't count.{oldest}"
        choice = menu(Subject.CHOSEN, 0, Action.END_MATCH, "End a match …", options)
        await show(interaction, message(Accent.TROUBLE, text, rows=[[choice], [_cancel_button()]]))

    @handles(Action.END_MATCH, need=Need.SEE_MATCH)
    async def _confirm_end(self, interaction: Interaction, event: ComponentEvent) -> None:
        running = await self._running(interaction)
        match = next((running_match for running_match in running if running_match.id == event.match_id), None)
        if match is None:
            raise UserError(ALREADY_ENDED)
        text = f"End {versus(match)} now? It won't count."
        text = " ".join(filter(None, (text, hands_open(match))))
        end = button(match.id, 0, Action.END_MATCH_NOW, "End the match", discord.ButtonStyle.danger)
        await show(interaction, note(text, Accent.TROUBLE, end, _cancel_button()))

    @handles(Action.END_MATCH_NOW, need=Need.SEE_MATCH)
    async def _end(self, interaction: Interaction, event: ComponentEvent) -> None:
        match = await self._app.endings.cancel(event.match_id, _require_manager(interaction), person_id_of(interaction))
        await show(interaction, note(f"I ended {versus(match)}. It doesn't count."))

    async def _running(self, interaction: Interaction) -> Sequence[MatchInfo]:
        """Return the server's running matches that the manager can see."""
        running = await self._app.guilds.running(_require_manager(interaction))
        seen = await asyncio.gather(*(self.access.sees_match(interaction, match) for match in running))
        return list(compress(running, seen))

    @gin_admin.command(description="Check what's stopping the bot from posting in this channel")
    async def check(self, interaction: Interaction) -> None:
        """List the bot's missing permissions in the channel, and the reason why Discord refused its last message.

        If there is nothing to list, and the server has not limited the bot to some channels, say how to do that.
        """
        guild_id, channel_id = _require_manager(interaction), channel_id_of(interaction)
        missing, refused = (
            missing_permissions(interaction.app_permissions),
            await self._last_refusal(guild_id, channel_id),
        )
        labels = joined([f"**{label}**" for label in missing])
        text = f"I'm missing permissions here: {labels}." if missing else NOTHING_MISSING
        if refused is not None:
            text = f"{text}\n\n{refused_in(channel_id, refused)} Then post the table again with `/gin table`."
        if not missing and refused is None and not (await self._app.guilds.settings(guild_id)).channels:
            text = f"{text}\n\n{LIMIT_CHANNELS}"
        await show(interaction, note(text, Accent.TROUBLE if missing or refused else Accent.WAITING))

    @gin_admin.command(description="Reset the leaderboard")
    async def reset(self, interaction: Interaction) -> None:
        """Ask for confirmation before resetting the leaderboard."""
        _require_manager(interaction)
        text = "Reset the leaderboard? That removes all results so far. Matches in progress continue."
        reset = button(Subject.SERVER, 0, Action.RESET_LEADERBOARD_NOW, "Reset", discord.ButtonStyle.danger)
        await show(interaction, note(text, Accent.TROUBLE, reset, _cancel_button()))

    @handles(Action.RESET_LEADERBOARD_NOW)
    async def _reset(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.leaderboards.reset(_require_manager(interaction))
        await show(interaction, note("I've reset the leaderboard. Only results from now on count."))

    @rules.command(description="See the full rules before you save them")
    @app_commands.describe(rules="The rules and any changes to them, for example: classic target=150 line_bonus=25")
    @app_commands.autocomplete(rules=Feature.complete_rules)
    async def preview(self, interaction: Interaction, rules: str) -> None:
        """Show the explanation of rules before they are saved."""
        parsed = await self._app.rulebook.read(_require_manager(interaction), rules, offered=False)
        await show(interaction, rules_page(parsed.rules, parsed.name))

    @rules.command(description="Save house rules")
    @app_commands.describe(
        name="A name for these house rules, such as Mum's rules",
        rules="The rules and any changes to them, for example: classic target=150 line_bonus=25",
    )
    @app_commands.autocomplete(rules=Feature.complete_rules)
    async def save(self, interaction: Interaction, name: app_commands.Range[str, 1, 32], rules: str) -> None:
        """Save house rules and show them."""
        saved = await self._app.rulebook.save(_require_manager(interaction), name, rules)
        await show(
            interaction, rules_page(saved.rules, saved.name, "Saved. You can now use these rules in challenges.")
        )

    @rules.command(description="Remove house rules")
    @app_commands.describe(name="Which house rules to remove")
    async def remove(self, interaction: Interaction, name: str) -> None:
        """Ask for confirmation before removing house rules."""
        house_rules = await self._app.rulebook.house_rule(_require_manager(interaction), name)
        text = f"Remove {rules_text.name_in_sentence(house_rules.name, rules_text.bold)}? {_KEPT_IN_PROGRESS}"
        remove = button(
            Subject.SERVER, 0, Action.REMOVE_RULES_NOW, "Remove", discord.ButtonStyle.danger, argument=house_rules.name
        )
        await show(interaction, note(text, Accent.TROUBLE, remove, _cancel_button()))

    @handles(Action.REMOVE_RULES_NOW)
    async def _remove_rules(self, interaction: Interaction, event: ComponentEvent) -> None:
        removed = await self._app.rulebook.remove(_require_manager(interaction), event.argument or "")
        label = rules_text.name_in_sentence(removed.name, rules_text.bold)
        await show(interaction, note(f"Removed {label}. {_KEPT_IN_PROGRESS}"))

    @handles(Action.CHANGE_NOTHING)
    async def _change_nothing(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, note(NOTHING_CHANGED))

    @remove.autocomplete("name")
    async def complete_house_rule(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        house_rules = await self._app.rulebook.house_rules(GuildId(interaction.guild_id or 0))
        names = [house_rule.name for house_rule in house_rules if search_key(typed) in search_key(house_rule.name)]
        return [app_commands.Choice(name=name, value=name) for name in names[:MENU_SIZE]]

    @rules.command(name="list", description="The house rules of this server")
    async def list_(self, interaction: Interaction) -> None:
        house_rules = await self._app.rulebook.house_rules(_require_manager(interaction))
        lines = [
            f"- {rules_text.brief(rules_text.line(house_rule.rules, house_rule.name))}" for house_rule in house_rules
        ]
        await show(interaction, note("\n".join(lines) or NO_HOUSE_RULES))


def _cancel_button() -> Item:
    """Return the button that cancels a confirmation."""
    return button(Subject.SERVER, 0, Action.CHANGE_NOTHING, "Cancel")


def _missing_for_posts(interaction: Interaction, channel_id: ChannelId) -> list[str]:
    """Return the permissions that the bot lacks for posting results in a channel."""
    channel = None if interaction.guild is None else interaction.guild.get_channel(channel_id)
    return [] if channel is None else missing_permissions(channel.permissions_for(channel.guild.me), unneeded=_UNNEEDED)


def _require_manager(interaction: Interaction) -> GuildId:
    """Return the server of an interaction. Raise `UserError` if there is none, or if the person cannot manage it."""
    guild_id = require_guild(interaction)
    if not interaction.permissions.manage_guild:
        raise UserError(MANAGERS_ONLY)
    return guild_id
