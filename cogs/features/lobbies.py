"""Lobbies: challenges for more than two, from the first to join until the challenger starts the match."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoChallenge
from bot.values.challenges import Challenge
from bot.values.ids import ChallengeId, PersonId
from bot.values.outbox import MessageKind
from cogs.kit.actions import Action
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.panels.layout import note
from cogs.support.choosing import choose_challenge
from cogs.support.interactions import person_id_of
from cogs.support.permissions import require_present
from cogs.support.replies import show, show_hand
from cogs.support.services import Services
from cogs.support.threads import begin_with_room
from cogs.text.people import joined, name


class Lobbies(commands.Cog):
    """What people can do in a lobby besides joining, declining and withdrawing."""

    lobby = app_commands.Group(name="lobby", description="A challenge for more than two players, before it starts")

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        actions = (Action.START_LOBBY, Action.CHANGE_TEAMS, Action.LEAVE_LOBBY)
        services.components.register(dict.fromkeys(actions, self._pressed))

    @lobby.command(description="Start the match of your challenge with those who have joined")
    async def start(self, interaction: Interaction) -> None:
        """Start the person's own lobby."""
        await self._do_one(interaction, await self._own(interaction), Action.START_LOBBY)

    @lobby.command(description="Change the partners in your challenge: there are three ways")
    async def teams(self, interaction: Interaction) -> None:
        """Change the teams of the person's own lobby."""
        await self._do_one(interaction, await self._own(interaction), Action.CHANGE_TEAMS)

    @lobby.command(description="Leave a challenge that you joined")
    async def leave(self, interaction: Interaction) -> None:
        """Leave a lobby."""
        await self._do_one(
            interaction, await self._app.challenges.joined(person_id_of(interaction)), Action.LEAVE_LOBBY
        )

    @lobby.command(description="Keep a place in your challenge for someone")
    @app_commands.describe(player="Who to keep it for")
    async def invite(self, interaction: Interaction, player: discord.Member) -> None:
        """Keep a place in the person's own lobby."""
        require_present(interaction, player)
        lobbies = await self._own(interaction)
        here = [one for one in lobbies if one.channel_id == interaction.channel_id] or lobbies
        if not here:
            raise NoChallenge
        await self._app.lobbies.invite(person_id_of(interaction), here[-1].id, [PersonId(player.id)])
        await Answer.to(interaction).reply(note(f"I am keeping a place for <@{player.id}>."))

    async def _own(self, interaction: Interaction) -> Sequence[Challenge]:
        return [one for one in await self._app.challenges.own(person_id_of(interaction)) if one.is_lobby]

    async def _do_one(self, interaction: Interaction, challenges: Sequence[Challenge], action: Action) -> None:
        challenge = await choose_challenge(interaction, challenges, action)
        if challenge is not None:
            await self._do(interaction, action, challenge.id)

    async def _pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._do(interaction, Action(event.action), event.challenge_id)

    async def _do(self, interaction: Interaction, action: Action, challenge_id: ChallengeId) -> None:
        app, person_id = self._app, person_id_of(interaction)
        match action:
            case Action.LEAVE_LOBBY:
                left = await app.lobbies.leave(person_id, challenge_id)
                await show(interaction, note(f"You left {name(left.challenger)}'s challenge."))
            case Action.CHANGE_TEAMS:
                changed = await app.lobbies.change_teams(person_id, challenge_id)
                teams = " against ".join(joined([name(player) for player in team]) for team in changed.teams)
                await show(interaction, note(f"The teams are now {teams}."))
            case _:
                _, match = await begin_with_room(
                    interaction,
                    app,
                    MessageKind.CHALLENGE,
                    challenge_id,
                    lambda channel_id: app.lobbies.start(person_id, challenge_id, channel_id),
                )
                hand = await app.lookup.hand(person_id, match.id)
                await show_hand(interaction, app, self._pictures, hand, f"The match is on in <#{match.channel_id}>.")
