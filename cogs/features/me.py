"""What concerns one person: their preferences, their profile, and what is kept about them."""

from __future__ import annotations

import json

import discord
from discord import app_commands
from discord.ext import commands

from bot.values.people import Push
from bot.values.statistics import Category
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, file_message, message, note
from cogs.panels.preferences import PREFERENCES, YES, preferences_panel
from cogs.panels.profile import profile as profile_panel
from cogs.support.interactions import person_id_of, person_of, require_guild
from cogs.support.replies import show
from cogs.support.services import Services
from cogs.text import pages


class Me(commands.Cog):
    """A person's own choices and data."""

    me = app_commands.Group(name="me", description="Your preferences, your results, and what I keep about you")

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._courier = services.courier
        self._pictures = services.pictures
        services.components.register(
            dict.fromkeys(PREFERENCES, self._preference_chosen)
            | {
                Action.PROFILE: self._profile_pressed,
                Action.PRIVACY: self._privacy_pressed,
                Action.EXPORT: self._export_pressed,
                Action.FORGET: self._forget_pressed,
                Action.FORGET_NOW: self._forget_confirmed,
            }
        )

    @me.command(description="Direct messages, pings, who may challenge you, and how cards are shown to you")
    async def preferences(self, interaction: Interaction) -> None:
        """Show the person's preferences, to change them."""
        settings = await self._app.people.settings(person_id_of(interaction))
        await Answer.to(interaction).reply(preferences_panel(settings))

    @me.command(description="Your results on this server: matches, points over time, deals; only you see them")
    async def profile(self, interaction: Interaction) -> None:
        """Show the person's results in the category they play most."""
        await Answer.to(interaction).reply(await self._profile(interaction))

    @me.command(description="What I keep about you: see it, export it, or have it deleted")
    async def privacy(self, interaction: Interaction) -> None:
        """Say what is kept, with the export and the way to be forgotten."""
        await Answer.to(interaction).reply(_privacy_panel())

    async def _preference_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        people, person = self._app.people, person_of(interaction)
        action, value = Action(event.action), event.values[0]
        settings = await people.change_preferences(
            person, lambda now: PREFERENCES[action](now, value), retry_dms=_asks_for_dms(action, value)
        )
        if settings.preferences.hand_by_dm:
            await self._courier.open_dm(interaction.user)
            settings = await people.settings(person.id)
        await show(interaction, preferences_panel(settings, "Saved."))

    async def _profile_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, await self._profile(interaction, Category(event.argument or Category.POINTS)))

    async def _profile(self, interaction: Interaction, category: Category | None = None) -> Message:
        profile = await self._app.profiles.profile(person_of(interaction), require_guild(interaction), category)
        preferences = await self._app.people.preferences(person_id_of(interaction))
        return await profile_panel(profile, preferences, self._pictures)

    async def _privacy_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, _privacy_panel())

    async def _export_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        exported = await self._app.exports.export(person_id_of(interaction))
        content = json.dumps(exported, indent=2, ensure_ascii=False).encode()
        await Answer.to(interaction).reply(file_message("Everything I keep about you:", "deadwood.json", content))

    async def _forget_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        row = [
            button(Subject.SELF, 0, Action.FORGET_NOW, "Forget me", discord.ButtonStyle.danger),
            button(Subject.SELF, 0, Action.PRIVACY, "Keep everything"),
        ]
        await show(interaction, note(pages.FORGET, Accent.TROUBLE, [row]))

    async def _forget_confirmed(self, interaction: Interaction, event: ComponentEvent) -> None:
        resigned = await self._app.people.forget(person_id_of(interaction))
        matches = "1 running match was" if resigned == 1 else f"{resigned} running matches were"
        resignations = f" {matches} resigned." if resigned else ""
        await show(interaction, note(f"I have forgotten you.{resignations} If you play again, you start fresh."))


def _asks_for_dms(action: Action, value: str) -> bool:
    return (action, value) in (
        (Action.PREFER_HAND, YES),
        (Action.PREFER_PUSH, Push.DM),
        (Action.PREFER_PUSH, Push.BOTH),
    )


def _privacy_panel() -> Message:
    row = [
        button(Subject.SELF, 0, Action.EXPORT, "Export"),
        button(Subject.SELF, 0, Action.FORGET, "Forget me"),
    ]
    return message(Accent.WAITING, pages.PRIVACY, title="What I keep about you", rows=[row])
