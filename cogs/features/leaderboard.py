"""The leaderboard of a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.values.statistics import Category, Standing
from cogs.kit.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, message
from cogs.kit.components import ComponentEvent, button
from cogs.support.replies import Kind, show
from cogs.support.services import Services
from cogs.text import refusals as texts
from cogs.text.categories import CATEGORIES
from cogs.text.people import safe
from cogs.text.profile import activity

PAGE: Final = 10
ALL: Final = "all"
RECENT: Final = "recent"

LONGEST_FILTER: Final = 32


class Standings(commands.Cog):
    """Who won how much."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.on(standing=self._pressed)

    @app_commands.command(description="Who leads on this server, and where you stand")
    @app_commands.describe(
        period="Of all time, or of the last 30 days",
        rules="Matches for points, of teams, for penalty points, or by one system of rules",
    )
    @app_commands.choices(
        period=[app_commands.Choice(name="all time", value=ALL), app_commands.Choice(name="last 30 days", value=RECENT)]
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        period: str = ALL,
        rules: app_commands.Range[str, 1, LONGEST_FILTER] = Category.POINTS,
    ) -> None:
        """Show the server's standing, and one's own place in it."""
        await Answer.to(interaction).say(await self._page(interaction, period, rules, 0))

    @leaderboard.autocomplete("rules")
    async def filters(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What can be compared, then the rule systems that were played here."""
        played = () if interaction.guild_id is None else await self._app.guilds.played(interaction.guild_id)
        choices = [app_commands.Choice(name=told, value=ladder) for ladder, told in CATEGORIES.items()]
        choices += [
            app_commands.Choice(name=f"{system} rules", value=system) for _, system in played if system not in {*Category}
        ]
        return [choice for choice in choices if typed.strip().lower() in choice.name.lower()][:25]

    async def _pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        period, _, rules = (press.argument or ALL).partition("/")
        await show(interaction, await self._page(interaction, period, rules or Category.POINTS, press.version))

    async def _page(self, interaction: Interaction, period: str, rules: str, page: int) -> Message:
        if interaction.guild_id is None:
            raise Kind(texts.ONLY_IN_SERVERS)
        played = await self._app.guilds.played(interaction.guild_id)
        ladder, system = _compared(played, rules)
        rows = await self._app.guilds.standing(
            interaction.guild_id, recent=period == RECENT, ladder=ladder, system=system
        )
        last = max(0, (len(rows) - 1) // PAGE)
        page = min(page, last)
        what = CATEGORIES[ladder] if system is None else f"{system} rules"
        title = f"Leaderboard: {what}, " + ("last 30 days" if period == RECENT else "all time")

        def turn(label: str, to: int, when: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> None:
            buttons.append(button("standing", to, "standing", label, style, argument=f"{when}/{rules}"))

        buttons: list[ui.Item[Any]] = []
        other = ALL if period == RECENT else RECENT
        turn("All time" if other == ALL else "Last 30 days", 0, other, discord.ButtonStyle.primary)
        if page > 0:
            turn("Back", page - 1, period)
        if page < last:
            turn("More", page + 1, period)
        others = {one for one, _ in played} - {ladder}
        for one in (one for one in Category if one in others):
            label = CATEGORIES[one].capitalize()
            buttons.append(button("standing", 0, "standing", label, argument=f"{period}/{one}"))
        kind = "penalty points" if ladder is Category.PENALTY else "points"
        own = _own(rows, interaction.user.id, page, kind)
        weeks = await self._app.profiles.weeks(interaction.guild_id, ladder, system) if page == 0 else ()
        chosen = await self._app.people.preferences(interaction.user.id)
        picture = await self._pictures.activity(weeks, chosen.look) if chosen.pictures else None
        lines = _lines(rows, page, kind)
        return message(Accent.OVER, lines, activity(weeks), own, title=title, picture=picture, rows=[buttons])


def _compared(played: Sequence[tuple[Category, str]], rules: str) -> tuple[Category, str | None]:
    """The ladder that a filter means, and the rule system if it is one of those that were played.

    Raises:
        Kind: no match by rules of that name has ended here.
    """
    if rules in {*Category}:
        return Category(rules), None
    for ladder, system in played:
        if system.lower() == rules.lower():
            return ladder, system
    raise Kind(f"No match by **{safe(rules)}** rules has ended here. Leave the filter out, or choose from its list.")


def _lines(rows: Sequence[Standing], page: int, kind: str) -> str:
    if not rows:
        return "Nothing to compare is finished yet. `/gin challenge` begins a match."
    first = page * PAGE
    return "\n".join(_line(rank, row, kind) for rank, row in enumerate(rows[first : first + PAGE], first + 1))


def _line(rank: int, row: Standing, kind: str) -> str:
    more = [f"{row.gins} gin" if row.gins else "", f"{row.undercuts} undercut" if row.undercuts else ""]
    told = " · ".join(filter(None, (f"{row.points} {kind}", f"deals {row.deals_won}–{row.deals_lost}", *more)))
    return f"**{rank}.** {safe(row.name)}: **{row.won}** won, {row.lost} lost\n-# {told}"


def _own(rows: Sequence[Standing], person_id: int, page: int, kind: str) -> str:
    """One's own place: in full where the page does not show it."""
    for rank, row in enumerate(rows, 1):
        if row.person_id == person_id:
            shown = (rank - 1) // PAGE == page
            return f"Your place: **{rank}** of {len(rows)}" if shown else f"You: {_line(rank, row, kind)}"
    return "You: no finished match yet."
