"""Lobbies: challenges for more than two players that the challenger starts."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.model.challenges import Challenge
from bot.model.ids import PersonId
from bot.opponent.play.levels import Level
from bot.play.refusals import AlreadyOffered
from cogs.actions import Action
from cogs.challenges import challenge_panel as panels
from cogs.challenges.levels import LEVEL_CHOICES, parse_level
from cogs.challenges.offers import make_offer
from cogs.challenges.play_panel import PLAYER_COUNTS
from cogs.challenges.wizard_feature import WizardFeature
from cogs.delivery.access import Need
from cogs.delivery.choosing import NO_OWN_TABLE, OWN_TABLE, challenge_event
from cogs.delivery.errors import UserError, after_saving
from cogs.delivery.feature import handles
from cogs.delivery.interactions import person_id_of, person_of
from cogs.delivery.places import begin_at_home, require_can_accept
from cogs.delivery.replies import show
from cogs.fairness.own_words import WORDS_DESCRIPTION, OwnWords
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, button, parse_id
from cogs.kit.layout import note
from cogs.words.names import joined, name


class Lobbies(WizardFeature):
    """Commands and buttons for lobbies. Joining, declining and withdrawing are the same as for other challenges."""

    lobby = app_commands.Group(name="lobby", description="Set up a table for three or four players")

    @lobby.command(description="Start the match at your table with everyone who has joined")
    @app_commands.describe(words=WORDS_DESCRIPTION)
    async def start(self, interaction: Interaction, words: OwnWords | None = None) -> None:
        """Start the person's own lobby, with their shuffle words if given. Without a lobby, open the wizard."""
        # If there are several lobbies, a menu asks for one of them. A menu cannot keep the shuffle words typed with the
        # command, so choosing a lobby there opens the dialog for them.
        action = Action.START_LOBBY if words is None else Action.CHALLENGE_WORDS
        lobbies = await self._own_lobbies(interaction)
        if not lobbies and interaction.guild_id is not None:
            await self.open_wizard(interaction, PLAYER_COUNTS[1])
            return
        event = await challenge_event(interaction, self.access, lobbies, action)
        await self._start(interaction, event.with_text(words))

    @handles(Action.START_LOBBY, need=Need.POST_FOR_CHALLENGE)
    async def _start(self, interaction: Interaction, event: ComponentEvent) -> None:
        app, person, challenge_id = self._app, person_of(interaction), event.challenge_id
        if event.text is not None:
            await app.words.give_for_challenge(person.id, challenge_id, event.text)
        opening = await app.lobbies.opening(person, challenge_id)
        start = partial(app.lobbies.start, person.id, challenge_id)
        _, match = await begin_at_home(interaction, app, self.access, opening, start)
        with after_saving():
            await self._show_first_hand(interaction, match)

    @lobby.command(description="Change the teams at your table")
    async def teams(self, interaction: Interaction) -> None:
        event = await challenge_event(
            interaction, self.access, await self._own_lobbies(interaction), Action.CHANGE_TEAMS
        )
        await self._change_teams(interaction, event)

    @handles(Action.CHANGE_TEAMS, need=Need.POST_FOR_CHALLENGE)
    async def _change_teams(self, interaction: Interaction, event: ComponentEvent) -> None:
        changed = await self._app.lobbies.change_teams(person_id_of(interaction), event.challenge_id)
        teams = " against ".join(joined([name(player) for player in team]) for team in changed.teams)
        await show(interaction, note(f"The teams: {teams}."))

    @lobby.command(description="Leave a table you've joined")
    async def leave(self, interaction: Interaction) -> None:
        lobbies = await self._app.challenges.joined(person_id_of(interaction))
        if not lobbies and await self._own_lobbies(interaction):
            raise UserError(OWN_TABLE)
        await self._leave(interaction, await challenge_event(interaction, self.access, lobbies, Action.LEAVE_LOBBY))

    @handles(Action.LEAVE_LOBBY)
    async def _leave(self, interaction: Interaction, event: ComponentEvent) -> None:
        left = await self._app.lobbies.leave(person_id_of(interaction), event.challenge_id)
        await show(interaction, note(f"You left {name(left.challenger)}'s table."))

    @lobby.command(description="Save a seat at your table for someone")
    @app_commands.describe(player="Who to save the seat for")
    async def invite(self, interaction: Interaction, player: discord.Member) -> None:
        """Reserve a place for a player in the lobby of the person who uses the command."""
        lobbies = await self._own_lobbies(interaction)
        here = [lobby for lobby in lobbies if lobby.channel_id == interaction.channel_id] or lobbies
        if not here:
            raise UserError(NO_OWN_TABLE)
        lobby = here[-1]
        await self.access.require_may_write(interaction, lobby.guild_id, lobby.channel_id)
        await require_can_accept(interaction, self.access, player, lobby.place)
        await self._invite(interaction, lobby, PersonId(player.id))

    @handles(Action.INVITE_ANYWAY, need=Need.POST_FOR_CHALLENGE)
    async def _invite_anyway(self, interaction: Interaction, event: ComponentEvent) -> None:
        player, _, known = (event.argument or "").partition("-")
        player_id = PersonId(parse_id(player))
        lobby = await self._app.challenges.get_own(person_id_of(interaction), event.challenge_id)
        await require_can_accept(interaction, self.access, discord.Object(player_id), lobby.place)
        await self._invite(interaction, lobby, player_id, known)

    async def _invite(
        self, interaction: Interaction, lobby: Challenge, player_id: PersonId, known: str | None = None
    ) -> None:
        """Reserve a place for a player, unless that player has already made the inviting person an offer.

        In that case, show the open offers. `known` is the digest of the offers that the inviting person has already
        seen. The place is reserved despite those offers.
        """
        person_id = person_id_of(interaction)

        def make(unseen: AlreadyOffered | None) -> Awaitable[Challenge]:
            mark = known if unseen is None else unseen.mark
            return self._app.lobbies.invite(person_id, lobby.id, [player_id], known_digest=mark)

        try:
            await make_offer(interaction, self.access, make)
        except AlreadyOffered as refusal:
            argument = f"{player_id}-{refusal.mark}"
            anyway = button(lobby.id, 0, Action.INVITE_ANYWAY, "Invite anyway", argument=argument)
            await show(interaction, panels.standing_offers(refusal, anyway, interaction.channel_id))
            return
        await show(interaction, note(f"I'm saving a seat for <@{player_id}>."))

    @lobby.command(description="Add a computer to your table; the match becomes casual")
    @app_commands.describe(level="How well the computer plays")
    @app_commands.choices(level=LEVEL_CHOICES)
    async def computer(self, interaction: Interaction, level: str = Level.CASUAL) -> None:
        event = await challenge_event(interaction, self.access, await self._own_lobbies(interaction), Action.COMPUTERS)
        await self._add_computer(interaction, replace(event, values=(level,)))

    @handles(Action.COMPUTERS)
    async def _show_computers(self, interaction: Interaction, event: ComponentEvent) -> None:
        lobby = await self._app.challenges.get_own(person_id_of(interaction), event.challenge_id)
        await show(interaction, panels.computers(lobby))

    @handles(Action.ADD_COMPUTER)
    async def _add_computer(self, interaction: Interaction, event: ComponentEvent) -> None:
        level = parse_level(event.value)
        lobby = await self._app.lobbies.add_computer(person_id_of(interaction), event.challenge_id, level)
        await show(interaction, panels.computers(lobby))

    @handles(Action.REMOVE_COMPUTER)
    async def _remove_computer(self, interaction: Interaction, event: ComponentEvent) -> None:
        lobby = await self._app.lobbies.remove_computer(person_id_of(interaction), event.challenge_id)
        await show(interaction, panels.computers(lobby))

    async def _own_lobbies(self, interaction: Interaction) -> Sequence[Challenge]:
        return [
            challenge for challenge in await self._app.challenges.own(person_id_of(interaction)) if challenge.is_lobby
        ]
