"""The leaderboard command and its buttons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from discord import app_commands

from bot.model.ids import GuildId
from bot.model.names import find_name, search_key
from bot.model.standings import ALL_TIME, RECENT, Order
from bot.model.statistics import Category
from cogs.actions import Action
from cogs.delivery.errors import UserError
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import person_id_of, require_guild
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, UnknownComponent
from cogs.kit.messages import Message
from cogs.standings import leaderboard_panel as panels
from cogs.standings import leaderboard_text as texts
from cogs.standings.leaderboard_panel import Filters
from cogs.standings.profile_text import CATEGORIES
from cogs.words.rules import name_in_sentence

MAX_FILTER_LENGTH: Final = 32
SEASON: Final = "season"
_SEASON_KEY: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2]|Q[1-4])")


class Leaderboard(Feature):
    """The command for a server's leaderboard, and its buttons."""

    @app_commands.command(description="See who leads and where you stand")
    @app_commands.describe(
        period="All time, the last 30 days or this season",
        rules="The kind of match: for points, in teams, for penalty points, or with certain rules",
        order="Sort by rating, by matches won or by points",
    )
    @app_commands.choices(
        period=[
            app_commands.Choice(name="this season", value=SEASON),
            app_commands.Choice(name="all time", value=ALL_TIME),
            app_commands.Choice(name="last 30 days", value=RECENT),
        ],
        order=[
            app_commands.Choice(name="rating", value=Order.RATING),
            app_commands.Choice(name="matches won", value=Order.WINS),
            app_commands.Choice(name="points", value=Order.POINTS),
        ],
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        period: str = "",
        rules: app_commands.Range[str, 1, MAX_FILTER_LENGTH] = Category.POINTS,
        order: str = "",
    ) -> None:
        """Show the server's standings and the person's own place in them."""
        await show(interaction, await self._standings(interaction, period, order, rules))

    @leaderboard.autocomplete("rules")
    async def complete_filter(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the categories, then the rulesets played on this server."""
        guild_id = interaction.guild_id
        played = () if guild_id is None else await self._app.leaderboards.categories_played(GuildId(guild_id))
        choices = [app_commands.Choice(name=label, value=category) for category, label in CATEGORIES.items()]
        choices += [
            app_commands.Choice(name=name_in_sentence(ruleset), value=ruleset)
            for _, ruleset in played
            if ruleset not in {*Category}
        ]
        return [choice for choice in choices if search_key(typed) in search_key(choice.name)][:MENU_SIZE]

    @handles(Action.LEADERBOARD)
    async def _turn_page(self, interaction: Interaction, event: ComponentEvent) -> None:
        filters = ("", "", Category.POINTS) if event.opens_new_message else _parse_filters(event)
        await show(
            interaction,
            await self._standings(interaction, *filters, event.version),
            as_new_message=event.opens_new_message,
        )

    @handles(Action.ACTIVITY)
    async def _show_activity(self, interaction: Interaction, event: ComponentEvent) -> None:
        guild_id, filters = require_guild(interaction), await self._filters(interaction, *_parse_filters(event))
        activity = await self._app.profiles.activity(guild_id, filters.category, filters.ruleset)
        preferences = await self._app.people.preferences(person_id_of(interaction))
        await show(interaction, await panels.activity(activity, filters, preferences, self._pictures))

    async def _standings(self, interaction: Interaction, period: str, order: str, rules: str, page: int = 0) -> Message:
        guild_id, person_id = require_guild(interaction), person_id_of(interaction)
        filters = await self._filters(interaction, period, order, rules)
        board = await self._app.leaderboards.page(
            guild_id,
            person_id,
            category=filters.category,
            ruleset=filters.ruleset,
            period=filters.period,
            order=filters.order,
            page=page,
        )
        preferences = await self._app.people.preferences(person_id)
        is_over = filters.period not in (ALL_TIME, RECENT, filters.seasons.current)
        awards = await self._app.leaderboards.awards(guild_id, filters.period) if is_over else ()
        return await panels.standings(board, filters, person_id, preferences, self._pictures, awards)

    async def _filters(self, interaction: Interaction, period: str, order: str, rules: str) -> Filters:
        guild_id = require_guild(interaction)
        played, seasons = (
            await self._app.leaderboards.categories_played(guild_id),
            await self._app.leaderboards.seasons(guild_id),
        )
        if period == SEASON and seasons.current is None:
            raise UserError(texts.no_seasons())
        # Discord's clients send only the offered periods, but other clients can send anything.
        shown_period = period if _is_period(period) else seasons.current or ALL_TIME
        wanted = Order(order) if order in {*Order} else None
        categories = {category for category, _ in played}
        return Filters(shown_period, wanted, rules, *_parse_rules(played, rules), categories, seasons)


def _parse_filters(event: ComponentEvent) -> tuple[str, str, str]:
    """Parse a button's argument: the period, the order and the rules. Older buttons have no order.

    Raise `UnknownComponent` for an unknown period.
    """
    period, _, rest = (event.argument or "").partition("/")
    if not _is_period(period):
        raise UnknownComponent
    order, has_order, rules = rest.partition("/")
    if not has_order or (order and order not in {*Order}):
        order, rules = "", rest
    return period, order, rules or Category.POINTS


def _is_period(period: str) -> bool:
    return period in (ALL_TIME, RECENT) or _SEASON_KEY.fullmatch(period) is not None


def _parse_rules(played: Sequence[tuple[Category, str]], rules: str) -> tuple[Category, str | None]:
    """Parse a filter. Return the category, and the ruleset if the filter names one that was played on this server.

    Raise `UserError` if no match with these rules has ended on the server.
    """
    if (category := find_name(rules, Category)) is not None:
        return Category(category), None
    if (ruleset_name := find_name(rules, (ruleset for _, ruleset in played))) is not None:
        return next((category, ruleset) for category, ruleset in played if ruleset == ruleset_name)
    raise UserError(texts.nothing_with(rules))
