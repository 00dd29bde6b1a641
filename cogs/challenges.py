"""Challenges: inviting, accepting, declining, withdrawing, and the rematch."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.rules import Rules, playable_presets
from bot.play.refusals import ChannelBusy, NoInvitation, NoMatch
from bot.play.values import Invitation, MatchStatus, NoticeKind
from cogs.answers import Answer, Interaction
from cogs.choosing import which_invitation
from cogs.panels.layout import Accent, note
from cogs.permissions import require_table_permissions
from cogs.presses import Press, button
from cogs.replies import Kind, show, show_hand
from cogs.services import Services
from cogs.words import refusals as words
from cogs.words.game import differences, rules_line, since
from cogs.words.people import name

ALREADY_A_THREAD = 160004
"""Discord's code where a message has a thread already; its id is the message's."""


class Challenges(commands.Cog):
    """Invitations to play."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        self._courier = services.courier
        services.presses.on(
            accept=self._pressed,
            accept_silently=self._pressed,
            decline=self._pressed,
            withdraw=self._pressed,
            rematch=self._rematch_pressed,
        )

    @app_commands.command(description="Challenge somebody to a match, or anyone who likes")
    @app_commands.describe(
        opponent="Whom to challenge; leave it out to let anyone accept",
        rules="The rules to play by",
        target="The score that ends the match: 100 is usual, 10 makes a short one",
    )
    async def challenge(
        self,
        interaction: Interaction,
        opponent: discord.Member | None = None,
        rules: str | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
    ) -> None:
        """Invite somebody, or anyone, to a match in this channel."""
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Kind(words.ONLY_IN_SERVERS)
        _require_present(interaction, opponent)
        require_table_permissions(interaction)
        await self._require_room(interaction)
        challenger = (interaction.user.id, interaction.user.display_name)
        invitation = await self._house.challenges.issue(
            challenger,
            None if opponent is None else (opponent.id, opponent.display_name),
            interaction.guild_id,
            interaction.channel_id,
            interaction.id,
            rules=rules,
            target=target,
            parent_id=interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None,
        )
        await self._courier.open_dm(interaction.user)
        whom = "anyone here" if opponent is None else f"<@{opponent.id}>"
        row = [button(invitation.id, 0, "withdraw", "Withdraw")]
        said = f"Your challenge to {whom} is out: {rules_line(invitation.rules)}. It closes "
        await show(interaction, note(f"{said}{since(invitation.expires_at)}.", Accent.WAITING, [row]))

    @challenge.autocomplete("rules")
    async def presets(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The rules that can be played."""
        found = [preset for preset in playable_presets() if typed.strip().lower() in preset]
        return [
            app_commands.Choice(name=f"{preset}: {differences(Rules.parse(preset))}"[:100], value=preset)
            for preset in found[:25]
        ]

    @app_commands.command(description="Accept a challenge")
    async def accept(self, interaction: Interaction) -> None:
        """Accept an invitation of this server."""
        await self._answer_one(interaction, await self._to_answer(interaction), "accept")

    @app_commands.command(description="Decline a challenge to you")
    async def decline(self, interaction: Interaction) -> None:
        """Decline an invitation of this server."""
        named = [one for one in await self._to_answer(interaction) if one.opponent is not None]
        await self._answer_one(interaction, named, "decline")

    @app_commands.command(description="Take back a challenge of yours")
    async def withdraw(self, interaction: Interaction) -> None:
        """Withdraw an invitation of one's own."""
        await self._answer_one(interaction, await self._house.challenges.own(interaction.user.id), "withdraw")

    @app_commands.command(description="Play the last match of this channel again, by the same rules")
    async def rematch(self, interaction: Interaction) -> None:
        """Agree to a rematch."""
        try:
            last = await self._house.lookup.last_in(interaction.channel_id or 0, interaction.user.id)
        except NoMatch:
            raise Kind(words.NO_MATCH_BEFORE) from None
        await self._rematch(interaction, last.id)

    async def _to_answer(self, interaction: Interaction) -> Sequence[Invitation]:
        if interaction.guild_id is None:
            raise Kind(words.ONLY_IN_SERVERS)
        return await self._house.challenges.to_answer(interaction.user.id, interaction.guild_id)

    async def _answer_one(self, interaction: Interaction, invitations: Sequence[Invitation], verb: str) -> None:
        """Do what the verb says with the only invitation there is, or the only one here, or ask which one."""
        here = [one for one in invitations if one.channel_id == interaction.channel_id]
        meant = here if len(here) == 1 else invitations
        if not meant:
            raise NoInvitation
        if len(meant) > 1:
            await Answer.to(interaction).say(which_invitation(interaction.client, meant, verb))
            return
        await self._do(interaction, verb, meant[0].id)

    async def _pressed(self, interaction: Interaction, press: Press) -> None:
        await self._do(interaction, press.verb, press.number)

    async def _do(self, interaction: Interaction, verb: str, challenge_id: int) -> None:
        match verb:
            case "decline":
                declined = await self._house.challenges.decline(interaction.user.id, challenge_id)
                await show(interaction, note(f"You declined {name(declined.challenger)}'s challenge."))
            case "withdraw":
                await self._house.challenges.withdraw(interaction.user.id, challenge_id)
                await show(interaction, note("Your challenge is withdrawn."))
            case _:
                await self._accept(interaction, challenge_id, silently=verb == "accept_silently")

    async def _accept(self, interaction: Interaction, challenge_id: int, *, silently: bool) -> None:
        person = (interaction.user.id, interaction.user.display_name)
        if silently:
            await self._house.people.prefer(person, hand_by_dm=False)
        else:
            await self._courier.open_dm(interaction.user)
        try:
            _, card = await self._house.challenges.accept(person, challenge_id)
        except ChannelBusy as busy:
            thread_id = await self._open_thread(interaction, NoticeKind.CHALLENGE, challenge_id, busy)
            _, card = await self._house.challenges.accept(person, challenge_id, thread_id)
        hand = await self._house.lookup.hand(interaction.user.id, card.id)
        await show_hand(interaction, self._house, self._pictures, hand, f"The match is on in <#{card.channel_id}>.")

    async def _rematch_pressed(self, interaction: Interaction, press: Press) -> None:
        await self._rematch(interaction, press.number)

    async def _rematch(self, interaction: Interaction, match_id: int) -> None:
        await self._courier.open_dm(interaction.user)
        try:
            card = await self._house.endings.rematch(interaction.user.id, match_id)
        except ChannelBusy as busy:
            thread_id = await self._open_thread(interaction, NoticeKind.END, match_id, busy)
            card = await self._house.endings.rematch(interaction.user.id, match_id, thread_id)
        if card.status is not MatchStatus.RUNNING:
            await Answer.to(interaction).say(note("You offer a rematch. It begins once the other agrees."))
            return
        hand = await self._house.lookup.hand(interaction.user.id, card.id)
        await show_hand(interaction, self._house, self._pictures, hand, "The rematch is on!")

    async def _require_room(self, interaction: Interaction) -> None:
        """Check that the channel is free, or that a thread of its own can be opened for the match.

        Raises:
            ChannelBusy: it is neither.
        """
        busy = await self._house.lookup.in_channel(interaction.channel_id or 0)
        in_thread = isinstance(interaction.channel, discord.Thread)
        if busy is not None and (in_thread or not interaction.app_permissions.create_public_threads):
            raise ChannelBusy(busy)

    async def _open_thread(self, interaction: Interaction, kind: NoticeKind, subject: int, busy: ChannelBusy) -> int:
        """Open a thread for a match whose channel is taken: on its invitation, or on the end of the match before it.

        Raises:
            ChannelBusy: no thread can be opened here.
        """
        place = await self._house.outbox.place_of(kind, subject)
        in_thread = isinstance(interaction.channel, discord.Thread)
        if place is None or in_thread or not interaction.app_permissions.create_public_threads:
            raise busy
        channel_id, message_id = place
        channel = interaction.client.get_partial_messageable(channel_id, guild_id=interaction.guild_id)
        try:
            thread = await channel.get_partial_message(message_id).create_thread(
                name="Gin rummy", auto_archive_duration=10080
            )
        except discord.HTTPException as error:
            if error.code == ALREADY_A_THREAD:
                return message_id
            raise busy from None
        return thread.id


def _require_present(interaction: Interaction, opponent: discord.Member | None) -> None:
    """Check that an opponent is a person who can follow the match here.

    Raises:
        Kind: they are a bot, or cannot see the channel.
    """
    if opponent is None:
        return
    if opponent.bot:
        raise Kind(words.NO_BOTS)
    channel = interaction.channel
    can_see = isinstance(channel, (discord.abc.GuildChannel, discord.Thread)) and (
        channel.permissions_for(opponent).view_channel
    )
    if not can_see:
        raise Kind(words.NOT_A_PLAYER_THERE)
