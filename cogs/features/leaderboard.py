"""The leaderboard of a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import ButtonStyle, app_commands

from bot.values.ids import GuildId, PersonId
from bot.values.statistics import Category, Standing
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, UnknownComponent, button
from cogs.kit.messages import Message
from cogs.panels.layout import Accent, Item, Row, message
from cogs.support.errors import UserError
from cogs.support.feature import Feature, handles
from cogs.support.interactions import person_id_of, require_guild
from cogs.support.replies import show
from cogs.text.people import safe
from cogs.text.profile import CATEGORIES, activity

PAGE: Final = 10
ALL_TIME: Final = "all"
RECENT: Final = "recent"

LONGEST_FILTER: Final = 32


class Leaderboard(Feature):
    """Who leads on a server."""

    @app_commands.command(description="Who leads on this server, and where you stand")
    @app_commands.describe(
        period="All time, or the last 30 days",
        rules="Matches for points, team matches, matches for penalty points, or matches with certain rules",
    )
    @app_commands.choices(
        period=[
            app_commands.Choice(name="all time", value=ALL_TIME),
            app_commands.Choice(name="last 30 days", value=RECENT),
        ]
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        period: str = ALL_TIME,
        rules: app_commands.Range[str, 1, LONGEST_FILTER] = Category.POINTS,
    ) -> None:
        """Show the server's standings, and the person's own place in them."""
        await show(interaction, await self._page(interaction, period, rules, 0))

    @leaderboard.autocomplete("rules")
    async def complete_filter(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the categories, then the rulesets that were played here."""
        played = () if interaction.guild_id is None else await self._app.guilds.played(GuildId(interaction.guild_id))
        choices = [app_commands.Choice(name=label, value=category) for category, label in CATEGORIES.items()]
        choices += [
            app_commands.Choice(name=f"{ruleset} rules", value=ruleset)
            for _, ruleset in played
            if ruleset not in {*Category}
        ]
        return [choice for choice in choices if typed.strip().lower() in choice.name.lower()][:MENU_SIZE]

    @handles(Action.LEADERBOARD)
    async def _turn_page(self, interaction: Interaction, event: ComponentEvent) -> None:
        period, _, rules = (event.argument or "").partition("/")
        if period not in (ALL_TIME, RECENT):
            raise UnknownComponent
        await show(interaction, await self._page(interaction, period, rules or Category.POINTS, event.version))

    async def _page(self, interaction: Interaction, period: str, rules: str, page: int) -> Message:
        guild_id, person_id = require_guild(interaction), person_id_of(interaction)
        played = await self._app.guilds.played(guild_id)
        category, ruleset = _read_filter(played, rules)
        recent = period == RECENT
        standings = await self._app.guilds.standings(guild_id, recent=recent, category=category, ruleset=ruleset)
        last_page = max(0, (len(standings) - 1) // PAGE)
        page = min(page, last_page)
        compared = CATEGORIES[category] if ruleset is None else f"{ruleset} rules"
        kind = "penalty points" if category is Category.PENALTY else "points"
        weeks = await self._app.profiles.weeks(guild_id, category, ruleset) if page == 0 else ()
        preferences = await self._app.people.preferences(person_id)
        picture = await self._pictures.activity(weeks, preferences.appearance) if preferences.pictures else None
        others = [one for one in Category if one is not category and one in {found for found, _ in played}]
        return message(
            Accent.OVER,
            _lines(standings, page, kind),
            activity(weeks),
            _own_place(standings, person_id, page, kind),
            title=f"Leaderboard: {compared}, {'last 30 days' if recent else 'all time'}",
            picture=picture,
            rows=[_buttons(period, rules, page, last_page, others)],
        )


def _buttons(period: str, rules: str, page: int, last_page: int, others: Sequence[Category]) -> Row:
    def to(label: str, period: str, rules: str, page: int = 0, style: ButtonStyle = ButtonStyle.secondary) -> Item:
        return button(Subject.LEADERBOARD, page, Action.LEADERBOARD, label, style, argument=f"{period}/{rules}")

    other_period, label = (ALL_TIME, "All time") if period == RECENT else (RECENT, "Last 30 days")
    return [
        to(label, other_period, rules, style=ButtonStyle.primary),
        to("Back", period, rules, page - 1) if page > 0 else None,
        to("More", period, rules, page + 1) if page < last_page else None,
        *(to(CATEGORIES[one].capitalize(), period, one) for one in others),
    ]


def _read_filter(played: Sequence[tuple[Category, str]], rules: str) -> tuple[Category, str | None]:
    """Return the category that a filter means, and the ruleset if it is one of those that were played.

    Raise `UserError` if no match with such rules has ended here.
    """
    if rules in {*Category}:
        return Category(rules), None
    for category, ruleset in played:
        if ruleset.lower() == rules.lower():
            return category, ruleset
    raise UserError(
        f"No match with **{safe(rules)}** rules has ended here. Leave the filter out, or choose from its list."
    )


def _lines(standings: Sequence[Standing], page: int, kind: str) -> str:
    if not standings:
        return "No match has ended here yet. `/gin challenge` starts one."
    first = page * PAGE
    return "\n".join(_line(rank, one, kind) for rank, one in enumerate(standings[first : first + PAGE], first + 1))


def _line(rank: int, standing: Standing, kind: str) -> str:
    facts = [f"{standing.points} {kind}", f"deals {standing.deals_won}–{standing.deals_lost}"]
    if standing.gins:
        facts.append(f"{standing.gins} gin")
    if standing.undercuts:
        facts.append(f"{standing.undercuts} undercut")
    head = f"**{rank}.** {safe(standing.name)}: **{standing.won}** won, {standing.lost} lost"
    return f"{head}\n-# {' · '.join(facts)}"


def _own_place(standings: Sequence[Standing], person_id: PersonId, page: int, kind: str) -> str:
    """Return the person's own place, in full if the page does not show it."""
    rank = next((rank for rank, one in enumerate(standings, 1) if one.person_id == person_id), None)
    if rank is None:
        return "You have not finished a match here yet."
    if (rank - 1) // PAGE == page:
        return f"Your place: **{rank}** of {len(standings)}"
    return f"You: {_line(rank, standings[rank - 1], kind)}"
