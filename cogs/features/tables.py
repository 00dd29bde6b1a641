"""Looking at matches: the hand, the table, the score, and the list of running matches."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoMatch, NotSeated
from bot.values.guilds import Place
from bot.values.ids import ChannelId, MatchId
from bot.values.matches import MatchInfo
from bot.values.outbox import MessageKind, Posted
from cogs.kit.actions import Action
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.panels import match as panels
from cogs.panels.layout import note
from cogs.support.choosing import find_match
from cogs.support.errors import UserError
from cogs.support.interactions import channel_id_of, parent_id_of, person_id_of
from cogs.support.permissions import require_table_permissions
from cogs.support.replies import show_hand
from cogs.support.services import Services
from cogs.text import refusals as texts
from cogs.text.hand import turn_line

MAX_LISTED: Final = 10
"""A line has up to 320 characters, and a message 4,000."""


class Tables(commands.Cog):
    """Questions about matches."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.register(
            {
                Action.SHOW_HAND: self._hand_pressed,
                Action.REFRESH_HAND: self._hand_pressed,
                Action.SHOW_SCORE: self._score_pressed,
                Action.REPOST_TABLE: self._table_pressed,
            }
        )

    @app_commands.command(description="Look at your hand; only you see it")
    async def hand(self, interaction: Interaction) -> None:
        """Show the player's own hand, with everything they can do."""
        match = await find_match(interaction, self._app, Action.SHOW_HAND)
        if match is not None:
            await self._show_hand(interaction, match.id)

    @app_commands.command(description="Post the table again at the end of the channel")
    async def table(self, interaction: Interaction) -> None:
        """Post the table again. A match whose channel was deleted moves here."""
        match = await self._find_here(interaction, Action.REPOST_TABLE)
        if match is not None:
            await self._repost_table(interaction, match)

    @app_commands.command(description="The score of the match, deal by deal")
    async def score(self, interaction: Interaction) -> None:
        """Show the score."""
        try:
            match = await self._find_here(interaction, Action.SHOW_SCORE)
        except NoMatch as none:
            match = await self._just_ended(interaction, none)
        if match is not None:
            await self._show_score(interaction, match.id)

    @app_commands.command(description="Your running matches, and whose turn it is")
    async def games(self, interaction: Interaction) -> None:
        """List the person's running matches."""
        hands = await self._app.lookup.hands(person_id_of(interaction))
        if not hands:
            await Answer.to(interaction).reply(note("You have no running matches. Start one with `/gin challenge`."))
            return
        lines: list[str] = []
        for hand in hands[:MAX_LISTED]:
            line, posted = f"- {turn_line(hand)}", await self._app.outbox.find(MessageKind.TABLE, hand.match.id)
            if posted is not None:
                line += f" · [table]({message_url(hand.match, posted)})"
            if hand.match.channel_deleted:
                line += " · its channel was deleted: `/gin table` in another channel moves it there"
            lines.append(line)
        if len(hands) > MAX_LISTED:
            lines.append(f"… and {len(hands) - MAX_LISTED} more")
        await Answer.to(interaction).reply(note("\n".join(("### Your matches", *lines))))

    async def _hand_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._show_hand(interaction, event.match_id)

    async def _score_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._show_score(interaction, event.match_id)

    async def _table_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._repost_table(interaction, (await self._app.lookup.table(event.match_id)).match)

    async def _show_hand(self, interaction: Interaction, match_id: MatchId) -> None:
        hand = await self._app.lookup.hand(person_id_of(interaction), match_id)
        await show_hand(interaction, self._app, self._pictures, hand)

    async def _show_score(self, interaction: Interaction, match_id: MatchId) -> None:
        summary = await self._app.lookup.summary(match_id)
        preferences = await self._app.people.preferences(person_id_of(interaction))
        await Answer.to(interaction).reply(await panels.score(summary, preferences, self._pictures))

    async def _repost_table(self, interaction: Interaction, match: MatchInfo) -> None:
        channel_id = ChannelId(interaction.channel_id or match.channel_id)
        if match.channel_deleted and interaction.guild_id != match.guild_id:
            raise UserError(texts.CHANNEL_DELETED)
        if match.channel_deleted or match.channel_id == channel_id:
            require_table_permissions(interaction)
        place = Place(match.guild_id, channel_id, parent_id_of(interaction))
        match = await self._app.tables.repost(match.id, person_id_of(interaction), place)
        await Answer.to(interaction).reply(note(f"I'm reposting the table in <#{match.channel_id}>."))

    async def _find_here(self, interaction: Interaction, action: Action) -> MatchInfo | None:
        """Return the channel's match, which anyone may look at, or the person's own; None if they are asked which one.

        Raises:
            NoMatch: there is neither.
        """
        match = await self._app.lookup.running_in(channel_id_of(interaction))
        return match or await find_match(interaction, self._app, action)

    async def _just_ended(self, interaction: Interaction, none: NoMatch) -> MatchInfo:
        """Return the match that ended here last.

        Raises:
            NoMatch: none ended here that the person played.
        """
        try:
            return await self._app.lookup.last_ended_in(channel_id_of(interaction), person_id_of(interaction))
        except (NoMatch, NotSeated):
            raise none from None


def message_url(match: MatchInfo, posted: Posted) -> str:
    """Return the address of a message of a match."""
    return f"https://discord.com/channels/{match.guild_id}/{posted.channel_id}/{posted.message_id}"
