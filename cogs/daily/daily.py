"""The deal of the day: the same deal for everybody, against the computer."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from discord import app_commands

from bot.model.ids import GuildId
from bot.model.matches import MatchStatus
from bot.play.refusals import MatchRunning, NewDaily
from cogs.actions import Action
from cogs.daily import daily_panel as panels
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import deliberate, handles
from cogs.delivery.interactions import channel_id_of, guild_id_of, interaction_id_of, person_id_of, person_of
from cogs.delivery.replies import show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, parse_day
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import note
from cogs.turns.daily_panel import finished_try
from cogs.turns.match_feature import MatchFeature
from cogs.words import daily as texts
from cogs.words.names import name


class Daily(MatchFeature):
    """The command and the buttons for the deal of the day."""

    @app_commands.command(description="Play today's deal: one try, the same cards for everyone")
    async def daily(self, interaction: Interaction) -> None:
        """Show today's deal, or the person's try at it."""
        await self._open(interaction)

    @handles(Action.DAILY)
    async def _daily(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._open(interaction)

    async def _open(self, interaction: Interaction) -> None:
        """Answer with the invitation, or, if the person has begun, with their hand or their result."""
        guild_id = guild_id_of(interaction)
        today = await self._app.daily_tries.open(person_id_of(interaction), guild_id)
        if today.own is None:
            guilds = [interaction.client.get_guild(server.guild_id) for server in today.servers]
            names = {GuildId(guild.id): guild.name for guild in guilds if guild is not None}
            invitation = panels.invitation(today, names, in_server=guild_id is not None)
            await show(interaction, invitation, as_new_message=True)
        else:
            await self._start(interaction)

    @handles(Action.START_DAILY)
    async def _start_daily(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Begin the try at the deal whose commitment the person has read, or show today's deal if it is another one."""
        if event.argument is None:
            # The button is from a version in which it did not name its deal.
            await self._open(interaction)
            return
        try:
            await self._start(interaction, parse_day(event.argument))
        except NewDaily:
            await self._open(interaction)

    async def _start(self, interaction: Interaction, day: date | None = None) -> None:
        """Begin the person's try, or continue it, and answer with the hand or the result. `day` is as in `start`."""
        await self._direct_messages.open(interaction.user)
        guild_id = guild_id_of(interaction)
        started = await self._app.daily_tries.start(
            person_of(interaction), guild_id, interaction_id_of(interaction), day
        )
        hand, is_new = started.hand, started.is_new
        with after_saving():
            if hand.match.status is not MatchStatus.RUNNING:
                counts = guild_id is None or started.counts_here or hand.daily_score is None
                await self._hands.show(interaction, hand, None if counts else texts.COUNTS_ELSEWHERE)
                return
            announcement = (
                "This is your only try. Good luck!" if is_new else "Welcome back! You can pick up where you left off."
            )
            if started.is_new_here:
                announcement += " It counts on this server, too."
            await self._show_private_match(interaction, hand, announcement, is_new=is_new)

    @handles(Action.STOP_DAILY)
    async def _stop_reminders(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.people.change_preferences(person_of(interaction), lambda now: replace(now, daily_hour=None))
        await show(interaction, panels.reminders_stopped())

    @handles(Action.SHARE_DAILY)
    @deliberate
    async def _share(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show a person's result to everybody in the channel, or let them copy it in direct messages."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        match, score = hand.match, hand.daily_score
        if match.day is None or score is None:
            raise MatchRunning(match)
        headline = texts.headline(match.day, score)
        guild_id, channel_id = guild_id_of(interaction), channel_id_of(interaction)
        if guild_id is None:
            await show(interaction, note(f"Copy this line to share it:\n{headline}"), as_new_message=True)
            return
        await self.access.require_may_write(interaction, guild_id, channel_id)
        # Remove the button before posting: a second press would post again.
        await show(interaction, finished_try(hand, can_share=False, in_server=True))
        try:
            await Answer.to(interaction).post(panels.shared(headline, name(match.players[hand.view.seat])))
        except REQUEST_FAILURES:
            await show(interaction, finished_try(hand, in_server=True))
            raise
        await show(interaction, finished_try(hand, texts.SHARED, can_share=False, in_server=True))
