"""Lobbies: the challenges for more than two, from the first to join until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoChallenge
from bot.values.challenges import Challenge
from bot.values.outbox import MessageKind
from cogs.kit.answers import Answer, Interaction
from cogs.support.choosing import invitation_meant
from cogs.panels.layout import note
from cogs.support.permissions import require_present
from cogs.kit.components import ComponentEvent
from cogs.support.replies import show, show_hand
from cogs.support.services import Services
from cogs.support.threads import with_room
from cogs.text.people import joined, name


class Lobbies(commands.Cog):
    """What may be done in a lobby beside joining, declining and withdrawing."""

    lobby = app_commands.Group(name="lobby", description="A challenge for more than two, before it begins")

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.on(start=self._pressed, teams=self._pressed, leave_lobby=self._pressed)

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
        await self._do_one(interaction, await self._app.challenges.joined(interaction.user.id), "leave_lobby")

    @lobby.command(description="Keep a place in your challenge for somebody")
    @app_commands.describe(player="Whom to keep it for")
    async def invite(self, interaction: Interaction, player: discord.Member) -> None:
        """Keep a place of one's own lobby."""
        require_present(interaction, player)
        lobbies = await self._own(interaction)
        here = [one for one in lobbies if one.channel_id == interaction.channel_id] or lobbies
        if not here:
            raise NoChallenge
        await self._app.lobbies.invite(interaction.user.id, here[-1].id, [player.id])
        await Answer.to(interaction).say(note(f"A place is kept for <@{player.id}>."))

    async def _own(self, interaction: Interaction) -> Sequence[Challenge]:
        return [one for one in await self._app.challenges.own(interaction.user.id) if one.is_lobby]

    async def _do_one(self, interaction: Interaction, invitations: Sequence[Challenge], verb: str) -> None:
        meant = await invitation_meant(interaction, invitations, verb)
        if meant is not None:
            await self._do(interaction, verb, meant.id)

    async def _pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._do(interaction, press.verb, press.number)

    async def _do(self, interaction: Interaction, verb: str, challenge_id: int) -> None:
        app, person_id = self._app, interaction.user.id
        match verb:
            case "leave_lobby":
                left = await app.lobbies.leave(person_id, challenge_id)
                await show(interaction, note(f"You left {name(left.challenger)}'s challenge."))
            case "teams":
                changed = await app.lobbies.change_teams(person_id, challenge_id)
                told = " against ".join(joined([name(player) for player in team]) for team in changed.teams)
                await show(interaction, note(f"Now it is {told}."))
            case _:
                _, card = await with_room(
                    interaction,
                    app,
                    MessageKind.CHALLENGE,
                    challenge_id,
                    lambda channel_id: app.lobbies.start(person_id, challenge_id, channel_id),
                )
                hand = await app.lookup.hand(person_id, card.id)
                await show_hand(interaction, app, self._pictures, hand, f"The match is on in <#{card.channel_id}>.")
