"""`/gin-stats`: profiles, head-to-head results, past matches and server records."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot.model.history import PageKey
from bot.model.ids import GuildId, PersonId
from bot.model.matches import MatchInfo
from bot.model.people import Person
from bot.model.records import RecordKind
from bot.model.statistics import Category, Player
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.errors import UserError
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import as_person, person_id_of, person_of, require_guild
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent, parse_id
from cogs.standings import records_panel as record_panels
from cogs.standings import versus_text
from cogs.standings.history_panel import history as history_panel
from cogs.standings.history_panel import parse_page
from cogs.standings.past_matches import PastMatches
from cogs.standings.profile_panel import profile as profile_panel
from cogs.standings.refusals import BOTS_HAVE_NONE
from cogs.standings.versus_panel import people_in, which_person
from cogs.standings.versus_panel import versus as versus_panel


class Stats(Feature):
    """The commands below `/gin-stats`, and their buttons."""

    gin_stats = app_commands.Group(
        name="gin-stats",
        description="Results, records and past matches",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )

    @gin_stats.command(description="See someone's results on this server")
    @app_commands.describe(person="Whose results to show; leave empty for your own")
    async def profile(self, interaction: Interaction, person: discord.Member | None = None) -> None:
        """Show a person's results in the category that they play most."""
        require_guild(interaction)
        await self._show_profile(interaction, _person_or_user(interaction, person), None)

    @handles(Action.PROFILE)
    async def _show_category(self, interaction: Interaction, event: ComponentEvent) -> None:
        category, _, person_id = (event.argument or "").partition("/")
        player = Player(PersonId(parse_id(person_id)), None) if person_id else person_of(interaction)
        wanted = _parse_category(category) if category else None
        await self._show_profile(interaction, player, wanted, as_new_message=event.opens_new_message)

    async def _show_profile(
        self,
        interaction: Interaction,
        person: Person | Player,
        category: Category | None,
        *,
        as_new_message: bool = False,
    ) -> None:
        guild_id, viewer_id = require_guild(interaction), person_id_of(interaction)
        async with self._long_work.slot(interaction):
            profile = await self._app.profiles.profile(person, guild_id, category, viewer_id=viewer_id)
            preferences = await self._app.people.preferences(viewer_id)
            has_dailies = await self._has_dailies(person.id, viewer_id)
            panel = await profile_panel(profile, viewer_id, preferences, self._pictures, has_dailies=has_dailies)
        await show(interaction, panel, as_new_message=as_new_message)

    async def _has_dailies(self, person_id: PersonId | None, viewer_id: PersonId) -> bool:
        """Return True if the person is the viewer, and has begun a deal of the day."""
        return person_id == viewer_id and await self._app.daily_calendars.has_days(viewer_id)

    @gin_stats.command(description="See your results against another player")
    @app_commands.describe(person="The other player")
    async def versus(self, interaction: Interaction, person: discord.Member) -> None:
        """Show the person's results against another person, in the category that the two played most."""
        guild_id = require_guild(interaction)
        await self._show_versus(interaction, guild_id, _person_or_user(interaction, person), None)

    @handles(Action.VERSUS_PERSON)
    async def _versus_person(self, interaction: Interaction, event: ComponentEvent) -> None:
        player, category = _parse_person(event.argument)
        await self._show_versus(interaction, require_guild(interaction), player, category)

    @handles(Action.VERSUS, need=Need.SEE_MATCH)
    async def _versus_in_match(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Compare the person with the other player of a finished match, or show a menu of the other players."""
        match, person_id = await self._app.lookup.info(event.match_id), person_id_of(interaction)
        if match.guild_id is None:
            raise UnknownComponent
        seat = match.seat_of(person_id)
        partners = next((side for side in match.sides if seat in side), ())
        others = [
            person for person in people_in(match) if person not in [match.players[partner] for partner in partners]
        ]
        if not others:
            raise UserError(versus_text.NOBODY)
        chosen = event.argument or next(iter(event.values), None)
        if chosen is None and len(others) > 1:
            await show(interaction, which_person(match, others), as_new_message=True)
            return
        asked, category = (others[0], None) if chosen is None else _parse_person(chosen)
        player = next((other for other in others if other.id == asked.id), None)
        if player is None:
            raise UnknownComponent
        await self._show_versus(interaction, match.guild_id, player, category, match, as_new_message=chosen is None)

    async def _show_versus(
        self,
        interaction: Interaction,
        guild_id: GuildId,
        other: Person | Player,
        category: Category | None,
        match: MatchInfo | None = None,
        *,
        as_new_message: bool = False,
    ) -> None:
        person = person_of(interaction)
        if other.id == person.id:
            raise UserError(versus_text.NOT_YOURSELF)
        async with self._long_work.slot(interaction):
            # A result opens the comparison of its own kind of match.
            preferred = category or (None if match is None else Category.of(match.rules))
            versus = await self._app.history.versus(person, other, guild_id, preferred)
            preferences = await self._app.people.preferences(person.id)
            panel = await versus_panel(versus, preferences, self._pictures, match)
        await show(interaction, panel, as_new_message=as_new_message)

    @gin_stats.command(description="See past matches: scores, replays, records")
    @app_commands.describe(person="Whose matches to show; leave empty for your own")
    async def history(self, interaction: Interaction, person: discord.Member | None = None) -> None:
        """List a person's matches on this server; in direct messages, all of the user's own matches and practice."""
        await self._show_history(interaction, _person_or_user(interaction, person).id, None)

    @handles(Action.HISTORY)
    async def _turn_page(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._show_history(interaction, *parse_page(event.argument or ""), as_new_message=event.opens_new_message)

    async def _show_history(
        self, interaction: Interaction, person_id: PersonId, key: PageKey | None, *, as_new_message: bool = False
    ) -> None:
        viewer_id = person_id_of(interaction)
        guild_id = require_guild(interaction) if interaction.guild_id is not None or person_id != viewer_id else None
        page = await PastMatches(self._app, self.access).page(interaction, person_id, guild_id, key)
        has_dailies = await self._has_dailies(person_id, viewer_id)
        panel = history_panel(page, viewer_id, everywhere=guild_id is None, has_dailies=has_dailies)
        await show(interaction, panel, as_new_message=as_new_message)

    @gin_stats.command(description="See this server's records")
    async def records(self, interaction: Interaction) -> None:
        """Show the best record of each kind."""
        await self._show_records(interaction, None)

    @handles(Action.SERVER_RECORDS)
    async def _turn_to_kind(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.argument is not None and event.argument not in {*RecordKind}:
            raise UnknownComponent
        kind = None if event.argument is None else RecordKind(event.argument)
        await self._show_records(interaction, kind, as_new_message=event.opens_new_message)

    async def _show_records(
        self, interaction: Interaction, kind: RecordKind | None, *, as_new_message: bool = False
    ) -> None:
        guild_id, records = require_guild(interaction), self._app.server_records
        held = await records.by_kind(guild_id)
        if kind is None or not held[kind]:
            await show(
                interaction,
                record_panels.overview(held, complete=await records.is_complete()),
                as_new_message=as_new_message,
            )
            return
        places = await asyncio.gather(*(self._visible_location(interaction, entry.match) for entry in held[kind]))
        await show(interaction, record_panels.podium(kind, held[kind], places))

    async def _visible_location(self, interaction: Interaction, match: MatchInfo) -> str | None:
        """Return the channel of a match as text; None if the person cannot see the match."""
        sees = await self.access.sees_match(interaction, match)
        return await PastMatches(self._app, self.access).location_text(interaction, match) if sees else None


def _person_or_user(interaction: Interaction, member: discord.Member | None) -> Person:
    """Return the named person, or the user of the command if none is named. Raise `UserError` for a bot."""
    if member is None:
        return person_of(interaction)
    if member.bot:
        raise UserError(BOTS_HAVE_NONE)
    return as_person(member)


def _parse_category(text: str) -> Category:
    if text not in {*Category}:
        raise UnknownComponent
    return Category(text)


def _parse_person(argument: str | None) -> tuple[Player, Category | None]:
    """Parse the person and the category in a button's argument. Raise `UnknownComponent` if they are invalid."""
    person_id, _, category = (argument or "").partition("/")
    return Player(PersonId(parse_id(person_id)), None), _parse_category(category) if category else None
