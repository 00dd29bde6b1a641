"""Challenges: making, accepting, declining and withdrawing them, and the rematch."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoMatch
from bot.values.challenges import Challenge
from bot.values.ids import ChallengeId, MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.outbox import MessageKind
from cogs.kit.actions import Action
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, button
from cogs.panels.layout import Accent, note
from cogs.panels.options import options as options_panel
from cogs.support.choosing import choose_challenge, complete_rules
from cogs.support.errors import UserError
from cogs.support.interactions import (
    channel_id_of,
    interaction_id_of,
    parent_id_of,
    person_id_of,
    person_of,
    require_guild,
    require_place,
)
from cogs.support.permissions import require_present, require_table_permissions
from cogs.support.replies import show, show_hand
from cogs.support.services import Services
from cogs.support.threads import begin_with_room, require_room
from cogs.text import refusals as texts
from cogs.text import rules as rules_text
from cogs.text.people import joined, name
from cogs.text.table import relative_time


class Challenges(commands.Cog):
    """Challenges to a match."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        self._courier = services.courier
        answers = (Action.ACCEPT, Action.ACCEPT_WITHOUT_DMS, Action.DECLINE, Action.WITHDRAW)
        services.components.register(dict.fromkeys(answers, self._answer_pressed))
        services.components.register({Action.REMATCH: self._rematch_pressed})

    @app_commands.command(description="Challenge someone to a match, or anyone who wants to play")
    @app_commands.describe(
        opponent="Who to challenge; leave it out to let anyone accept",
        second="Another player to keep a place for, if the rules are for more than two",
        third="One more player to keep a place for",
        rules="The rules to play with, and any changes: oklahoma spade_doubles=on",
        target="The score that ends the match: 100 is usual, 10 makes it short",
        options="Change individual rules before the challenge is sent",
    )
    async def challenge(
        self,
        interaction: Interaction,
        opponent: discord.Member | None = None,
        rules: str | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
        second: discord.Member | None = None,
        third: discord.Member | None = None,
        options: bool = False,
    ) -> None:
        """Challenge people to a match in this channel, at once or after changing options."""
        place = require_place(interaction)
        named = [member for member in (opponent, second, third) if member is not None]
        for member in named:
            require_present(interaction, member)
        require_table_permissions(interaction)
        await require_room(interaction, self._app)
        challenge = await self._app.challenges.issue(
            person_of(interaction),
            [PersonId(member.id) for member in named],
            place,
            interaction_id_of(interaction),
            rules=rules,
            target=target,
            draft=options,
        )
        await self._courier.open_dm(interaction.user)
        if options:
            await show(interaction, options_panel(challenge, await self._app.rulebook.offered(challenge.guild_id)))
        else:
            await show_sent(interaction, challenge)

    @challenge.autocomplete("rules")
    async def complete_challenge_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the server's rules."""
        return await complete_rules(interaction, self._app, typed)

    @app_commands.command(description="Accept a challenge")
    async def accept(self, interaction: Interaction) -> None:
        """Accept a challenge of this server."""
        await self._answer_one(interaction, await self._open_challenges(interaction), Action.ACCEPT)

    @app_commands.command(description="Decline a challenge to you")
    async def decline(self, interaction: Interaction) -> None:
        """Decline a challenge of this server."""
        person_id = person_id_of(interaction)
        challenges = await self._open_challenges(interaction)
        named = [one for one in challenges if any(player.id == person_id for player in one.named)]
        await self._answer_one(interaction, named, Action.DECLINE)

    @app_commands.command(description="Withdraw your challenge")
    async def withdraw(self, interaction: Interaction) -> None:
        """Withdraw the person's own challenge."""
        own = await self._app.challenges.own(person_id_of(interaction))
        await self._answer_one(interaction, own, Action.WITHDRAW)

    @app_commands.command(description="Play the last match of this channel again, with the same rules")
    async def rematch(self, interaction: Interaction) -> None:
        """Agree to a rematch."""
        try:
            last = await self._app.lookup.last_ended_in(channel_id_of(interaction), person_id_of(interaction))
        except NoMatch:
            raise UserError(texts.NO_MATCH_BEFORE) from None
        await self._rematch(interaction, last.id)

    async def _open_challenges(self, interaction: Interaction) -> Sequence[Challenge]:
        return await self._app.challenges.open_to(person_id_of(interaction), require_guild(interaction))

    async def _answer_one(self, interaction: Interaction, challenges: Sequence[Challenge], action: Action) -> None:
        challenge = await choose_challenge(interaction, challenges, action)
        if challenge is not None:
            await self._answer(interaction, action, challenge.id)

    async def _answer_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._answer(interaction, Action(event.action), event.challenge_id)

    async def _answer(self, interaction: Interaction, action: Action, challenge_id: ChallengeId) -> None:
        person_id = person_id_of(interaction)
        match action:
            case Action.DECLINE:
                declined = await self._app.challenges.decline(person_id, challenge_id)
                await show(interaction, note(f"You declined {name(declined.challenger)}'s challenge."))
            case Action.WITHDRAW:
                await self._app.challenges.withdraw(person_id, challenge_id)
                await show(interaction, note("You withdrew your challenge."))
            case _:
                await self._accept(interaction, challenge_id, hand_by_dm=action is Action.ACCEPT)

    async def _accept(self, interaction: Interaction, challenge_id: ChallengeId, *, hand_by_dm: bool) -> None:
        app, person = self._app, person_of(interaction)
        # No direct message channel is opened for somebody who may not accept.
        await app.challenges.require_open_to(person.id, challenge_id)
        if hand_by_dm:
            await self._courier.open_dm(interaction.user)
        challenge, match = await begin_with_room(
            interaction,
            app,
            MessageKind.CHALLENGE,
            challenge_id,
            lambda channel_id: app.challenges.accept(person, challenge_id, channel_id, hand_by_dm=hand_by_dm),
        )
        if match is None:
            row = [button(challenge.id, 0, Action.LEAVE_LOBBY, "Leave")]
            joined_text = f"You are in. {name(challenge.challenger)} starts the match."
            await show(interaction, note(joined_text, Accent.YOURS, [row]))
            return
        hand = await app.lookup.hand(person.id, match.id)
        await show_hand(interaction, app, self._pictures, hand, f"The match is on in <#{match.channel_id}>.")

    async def _rematch_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._rematch(interaction, event.match_id)

    async def _rematch(self, interaction: Interaction, match_id: MatchId) -> None:
        app, person_id = self._app, person_id_of(interaction)
        await self._courier.open_dm(interaction.user)
        match = await begin_with_room(
            interaction,
            app,
            MessageKind.END,
            match_id,
            lambda channel_id: app.endings.rematch(person_id, match_id, channel_id, parent_id_of(interaction)),
        )
        if match.status is not MatchStatus.RUNNING:
            others = "the other player agrees" if len(match.players) == 2 else "everyone agrees"
            row = [button(match.id, 0, Action.WITHDRAW_REMATCH, "Withdraw the offer")]
            text = f"You have offered a rematch. It starts if {others} within a day."
            await Answer.to(interaction).reply(note(text, Accent.YOURS, [row]))
            return
        hand = await app.lookup.hand(person_id, match.id)
        await show_hand(interaction, app, self._pictures, hand, "The rematch is on!")


async def show_sent(interaction: Interaction, challenge: Challenge) -> None:
    """Tell a challenger that their challenge was sent."""
    challenged = [f"<@{player.id}>" for player in challenge.named]
    if challenge.free:
        challenged.append("anyone here")
    line = rules_text.line(challenge.rules, challenge.ruleset)
    text = f"Your challenge to {joined(challenged)} was sent: {line}. It closes {relative_time(challenge.expires_at)}."
    row = [button(challenge.id, 0, Action.WITHDRAW, "Withdraw")]
    await show(interaction, note(text, Accent.WAITING, [row]))
