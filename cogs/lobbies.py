"""Lobbies: the challenges for more than two, from the first to join until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoInvitation
from bot.play.values import Invitation, NoticeKind
from cogs.answers import Answer, Interaction
from cogs.choosing import invitation_meant
from cogs.panels.layout import note
from cogs.permissions import require_present
from cogs.presses import Press
from cogs.replies import show, show_hand
from cogs.services import Services
from cogs.threads import with_room
from cogs.words.people import joined, name


class Lobbies(commands.Cog):
    """What may be done in a lobby beside joining, declining and withdrawing."""

    lobby = app_commands.Group(name="lobby", description="A challenge for more than two, before it begins")

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        services.presses.on(start=self._pressed, teams=self._pressed, leave_lobby=self._pressed)

    @lobby.command(description="Begin the match of your challenge with those who have joined")
    async def start(self, interaction: Interaction) -> None:
        """Start one's own lobby."""
        await self._do_one(interaction, await self._own(interaction), "start")

    @lobby.command(description="Have other partners in your challenge: there are three ways")
    async def teams(self, interaction: Interaction) -> None:
        """Change the teams of one's own lobby."""
        await self._do_one(interaction, await self._own(interaction), "teams")

    @lobby.command(description="Leave a challenge that you joined")
    async def leave(self, interaction: Interaction) -> None:
        """Leave a lobby."""
        await self._do_one(interaction, await self._house.challenges.joined(interaction.user.id), "leave_lobby")

    @lobby.command(description="Keep a place in your challenge for somebody")
    @app_commands.describe(player="Whom to keep it for")
    async def invite(self, interaction: Interaction, player: discord.Member) -> None:
        """Keep a place of one's own lobby."""
        require_present(interaction, player)
        lobbies = await self._own(interaction)
        here = [one for one in lobbies if one.channel_id == interaction.channel_id] or lobbies
        if not here:
            raise NoInvitation
        await self._house.lobbies.invite(interaction.user.id, here[-1].id, [player.id])
        await Answer.to(interaction).say(note(f"A place is kept for <@{player.id}>."))

    async def _own(self, interaction: Interaction) -> Sequence[Invitation]:
        return [one for one in await self._house.challenges.own(interaction.user.id) if one.is_lobby]

    async def _do_one(self, interaction: Interaction, invitations: Sequence[Invitation], verb: str) -> None:
        meant = await invitation_meant(interaction, invitations, verb)
        if meant is not None:
            await self._do(interaction, verb, meant.id)

    async def _pressed(self, interaction: Interaction, press: Press) -> None:
        await self._do(interaction, press.verb, press.number)

    async def _do(self, interaction: Interaction, verb: str, challenge_id: int) -> None:
        house, person_id = self._house, interaction.user.id
        match verb:
            case "leave_lobby":
                left = await house.lobbies.leave(person_id, challenge_id)
                await show(interaction, note(f"You left {name(left.challenger)}'s challenge."))
            case "teams":
                changed = await house.lobbies.change_teams(person_id, challenge_id)
                told = " against ".join(joined([name(player) for player in team]) for team in changed.teams)
                await show(interaction, note(f"Now it is {told}."))
            case _:
                _, card = await with_room(
                    interaction,
                    house,
                    NoticeKind.CHALLENGE,
                    challenge_id,
                    lambda channel_id: house.lobbies.start(person_id, challenge_id, channel_id),
                )
                hand = await house.lookup.hand(person_id, card.id)
                await show_hand(interaction, house, self._pictures, hand, f"The match is on in <#{card.channel_id}>.")
