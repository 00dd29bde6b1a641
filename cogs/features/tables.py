"""Looking: one's hand, the table, the score, and the list of one's matches."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoMatch, NotSeated
from bot.values.matches import MatchInfo
from bot.values.outbox import MessageKind
from cogs.kit.answers import Answer, Interaction
from cogs.support.choosing import match_meant
from cogs.panels import match as panels
from cogs.panels.layout import note
from cogs.support.permissions import require_table_permissions
from cogs.kit.components import ComponentEvent
from cogs.support.replies import Kind, show_hand
from cogs.support.services import Services
from cogs.text import refusals as texts
from cogs.text.hand import turn_of

MOST_LISTED = 10
"""A line is up to 320 characters long, and a message 4,000."""


class Tables(commands.Cog):
    """Questions about matches."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.on(
            hand=self._hand_pressed,
            refresh=self._hand_pressed,
            score=self._score_pressed,
            table=self._table_pressed,
        )

    @app_commands.command(description="Look at your hand; only you see it")
    async def hand(self, interaction: Interaction) -> None:
        """Show one's own hand, with all one may do."""
        match = await match_meant(interaction, self._app, "hand")
        if match is not None:
            await self._show(interaction, match.id)

    @app_commands.command(description="Bring the table down to the end of the channel")
    async def table(self, interaction: Interaction) -> None:
        """Post the table afresh; a match whose channel is gone moves here."""
        match = await self._here(interaction, "table")
        if match is not None:
            await self._post(interaction, match)

    async def _table_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._post(interaction, (await self._app.lookup.table(press.number)).card)

    async def _post(self, interaction: Interaction, match: MatchInfo) -> None:
        channel_id = interaction.channel_id or match.channel_id
        if match.channel_deleted and interaction.guild_id != match.guild_id:
            raise Kind(texts.CHANNEL_GONE)
        if match.channel_deleted or match.channel_id == channel_id:
            require_table_permissions(interaction)
        card = await self._app.tables.show(match.id, interaction.user.id, channel_id)
        await Answer.to(interaction).say(note(f"The table comes anew in <#{card.channel_id}>."))

    @app_commands.command(description="The score of the match, deal by deal")
    async def score(self, interaction: Interaction) -> None:
        """Show the score sheet."""
        try:
            match = await self._here(interaction, "score")
        except NoMatch as none:
            match = await self._just_over(interaction, none)
        if match is not None:
            await self._show_score(interaction, match.id)

    @app_commands.command(description="Your running matches, and whose turn it is")
    async def games(self, interaction: Interaction) -> None:
        """List one's running matches."""
        hands = await self._app.lookup.hands(interaction.user.id)
        if not hands:
            await Answer.to(interaction).say(note("You play no match at the moment. Begin one with `/gin challenge`."))
            return
        lines: list[str] = []
        for hand in hands[:MOST_LISTED]:
            place = await self._app.outbox.place_of(MessageKind.TABLE, hand.card.id)
            where = "" if place is None else f" · [table]({jump(hand.card, *place)})"
            lost = (
                " · its channel is gone: `/gin table` in another channel moves it there" if hand.card.channel_deleted else ""
            )
            lines.append(f"- {turn_of(hand)}{where}{lost}")
        more = f"\n… and {len(hands) - MOST_LISTED} more" if len(hands) > MOST_LISTED else ""
        await Answer.to(interaction).say(note("### Your matches\n" + "\n".join(lines) + more))

    async def _here(self, interaction: Interaction, verb: str) -> MatchInfo | None:
        """The channel's match, which anyone may look at, or the person's own; None where they are asked which one.

        Raises:
            NoMatch: there is neither.
        """
        card = await self._app.lookup.in_channel(interaction.channel_id or 0)
        return card or await match_meant(interaction, self._app, verb)

    async def _just_over(self, interaction: Interaction, none: NoMatch) -> MatchInfo:
        """The match that ended here last, whose score is worth a look while none runs.

        Raises:
            NoMatch: none ended here that the person played.
        """
        try:
            return await self._app.lookup.last_in(interaction.channel_id or 0, interaction.user.id)
        except (NoMatch, NotSeated):
            raise none from None

    async def _hand_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._show(interaction, press.number)

    async def _score_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._show_score(interaction, press.number)

    async def _show_score(self, interaction: Interaction, match_id: int) -> None:
        sheet = await self._app.lookup.sheet(match_id)
        chosen = await self._app.people.preferences(interaction.user.id)
        await Answer.to(interaction).say(await panels.score(sheet, chosen, self._pictures))

    async def _show(self, interaction: Interaction, match_id: int) -> None:
        hand = await self._app.lookup.hand(interaction.user.id, match_id)
        await show_hand(interaction, self._app, self._pictures, hand)


def jump(card: MatchInfo, channel_id: int, message_id: int) -> str:
    """The address of a message."""
    return f"https://discord.com/channels/{card.guild_id}/{channel_id}/{message_id}"
