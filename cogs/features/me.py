"""What a person chooses for themselves: preferences, and what is kept of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.play.people.people import Choice
from bot.values.appearance import HandOrder
from bot.values.people import Challengers, Preferences, Push
from bot.values.statistics import Category
from cogs.kit.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, Row, handing_over, message, note
from cogs.panels.appearance import NONE, look_of, names_menu, pictures_menu
from cogs.panels.profile import profile as profile_panel
from cogs.kit.components import ComponentEvent, button, menu
from cogs.support.replies import Kind, show
from cogs.support.services import Services
from cogs.text import pages
from cogs.text import refusals as texts

ME = "me"
"""The subject of everything that is about the person who components."""

_HAND: Mapping[str, str] = {"yes": "My hand: by direct message", "no": "My hand: only when I ask"}
_PUSH: Mapping[str, str] = {
    Push.DM: "My turn: a direct message",
    Push.CHANNEL: "My turn: a ping in the channel",
    Push.BOTH: "My turn: a direct message and a ping",
    Push.NONE: "My turn: I look for myself",
}
_CHALLENGERS: Mapping[str, str] = {
    Challengers.ANYONE: "Challenges: from anyone",
    Challengers.PLAYED: "Challenges: from people I have played with",
    Challengers.NOBODY: "Challenges: none by name",
}
_ORDERS: Mapping[str, str] = {
    HandOrder.MELDS: "Hand: sorted by melds",
    HandOrder.SUIT: "Hand: sorted by suit",
    HandOrder.RANK: "Hand: sorted by rank",
}


class Me(commands.Cog):
    """One's own choices and data."""

    me = app_commands.Group(name="me", description="Your preferences, how you do, and what is kept of you")

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._courier = services.courier
        self._pictures = services.pictures
        services.components.on(
            prefer_hand=self._prefer,
            prefer_push=self._prefer,
            prefer_challengers=self._prefer,
            prefer_look=self._prefer,
            prefer_order=self._prefer,
            prefer_names=self._prefer,
            export=self._export,
            forget=self._ask_forget,
            forget_now=self._forget,
            privacy=self._privacy_pressed,
            profile=self._profile_pressed,
        )

    @me.command(description="Direct messages, pings, who may challenge you, and how cards are shown to you")
    async def preferences(self, interaction: Interaction) -> None:
        """Show one's preferences, to change them."""
        await Answer.to(interaction).say(_preferences(await self._app.people.preferences(interaction.user.id)))

    @me.command(description="How you do on this server: matches, points over time, deals; only you see it")
    async def profile(self, interaction: Interaction) -> None:
        """Show how one did where one played most."""
        await Answer.to(interaction).say(await self._profile(interaction))

    @me.command(description="What is kept of you: see it, take it with you, or have it removed")
    async def privacy(self, interaction: Interaction) -> None:
        """Say what is kept, with the export and the way to be forgotten."""
        await Answer.to(interaction).say(_privacy())

    async def _prefer(self, interaction: Interaction, press: ComponentEvent) -> None:
        person, people = (interaction.user.id, interaction.user.display_name), self._app.people
        chosen = await people.prefer(person, **_choice_of(press.verb, press.values[0]))
        if chosen.hand_by_dm:
            await self._courier.open_dm(interaction.user)
            chosen = await people.preferences(interaction.user.id)
        await show(interaction, _preferences(chosen, "Saved."))

    async def _profile_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await show(interaction, await self._profile(interaction, Category(press.argument or Category.POINTS)))

    async def _profile(self, interaction: Interaction, ladder: Category | None = None) -> Message:
        if interaction.guild_id is None:
            raise Kind(texts.ONLY_IN_SERVERS)
        person = (interaction.user.id, interaction.user.display_name)
        shown = await self._app.profiles.of(person, interaction.guild_id, ladder)
        chosen = await self._app.people.preferences(interaction.user.id)
        return await profile_panel(shown, chosen, self._pictures, ME)

    async def _privacy_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await show(interaction, _privacy())

    async def _export(self, interaction: Interaction, press: ComponentEvent) -> None:
        kept = await self._app.people.export(interaction.user.id)
        file = json.dumps(kept, indent=2, ensure_ascii=False).encode()
        await Answer.to(interaction).say(handing_over("All that is kept of you:", "deadwood.json", file))

    async def _ask_forget(self, interaction: Interaction, press: ComponentEvent) -> None:
        row = [
            button(ME, 0, "forget_now", "Forget me", discord.ButtonStyle.danger),
            button(ME, 0, "privacy", "Keep everything"),
        ]
        await show(interaction, note(pages.FORGET, Accent.TROUBLE, [row]))

    async def _forget(self, interaction: Interaction, press: ComponentEvent) -> None:
        resigned = await self._app.people.forget(interaction.user.id)
        many = "1 running match was" if resigned == 1 else f"{resigned} running matches were"
        matches = f" {many} resigned." if resigned else ""
        await show(interaction, note(f"You are forgotten.{matches} Should you play again, you start afresh."))


def _choice_of(verb: str, value: str) -> Choice:
    """What a line of a menu chooses."""
    match verb:
        case "prefer_hand":
            return {"hand_by_dm": value == "yes"}
        case "prefer_push":
            return {"push": Push(value)}
        case "prefer_challengers":
            return {"challengers": Challengers(value)}
        case "prefer_order":
            return {"hand_order": HandOrder(value)}
        case "prefer_names":
            return {"language": value}
        case _ if value == NONE:
            return {"pictures": False}
        case _:
            theme, four_colours = look_of(value)
            return {"pictures": True, "theme": theme, "four_colours": four_colours}


def _preferences(chosen: Preferences, said: str | None = None) -> Message:
    works = "Your direct messages are closed to me, so your hand waits behind *My hand* at the table."
    pinged = "A direct message at your turn comes with the hand in it. Without, you are pinged in the channel."
    rows: list[Row] = [
        [_choice("prefer_hand", _HAND, "yes" if chosen.hand_by_dm else "no")],
        [_choice("prefer_push", _PUSH, chosen.push)],
        [_choice("prefer_challengers", _CHALLENGERS, chosen.challengers)],
        [pictures_menu(ME, "prefer_look", chosen.look, pictures=chosen.pictures)],
        [_choice("prefer_order", _ORDERS, chosen.hand_order)],
        [names_menu(ME, "prefer_names", chosen.look)],
    ]
    return message(
        Accent.WAITING,
        "How your hand reaches you, how you hear of your turn, who may challenge you, and how cards are shown to you. "
        "What everybody sees is as the server has it.",
        works if chosen.dm_works is False and chosen.hand_by_dm else None,
        pinged if not chosen.hand_by_dm and chosen.push in (Push.DM, Push.BOTH) else None,
        title="Your preferences",
        said=said,
        rows=rows,
    )


def _choice(verb: str, choices: Mapping[str, str], chosen: str) -> ui.Item[Any]:
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in choices.items()
    ]
    return menu(ME, 0, verb, "Choose …", options)


def _privacy() -> Message:
    row = [
        button(ME, 0, "export", "Export"),
        button(ME, 0, "forget", "Forget me"),
    ]
    return message(Accent.WAITING, pages.PRIVACY, title="What is kept of you", rows=[row])
