"""Challenges: inviting, accepting, declining, withdrawing, and the rematch."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.refusals import NoMatch
from bot.values.challenges import Challenge
from bot.values.matches import MatchStatus
from bot.values.outbox import MessageKind
from cogs.kit.answers import Answer, Interaction
from cogs.support.choosing import complete_rules, invitation_meant
from cogs.panels.layout import Accent, note
from cogs.panels.options import options as options_panel
from cogs.support.permissions import require_present, require_table_permissions
from cogs.kit.components import ComponentEvent, button
from cogs.support.replies import Kind, show, show_hand
from cogs.support.services import Services
from cogs.support.threads import require_room, with_room
from cogs.text import refusals as texts
from cogs.text import rules as rules_text
from cogs.text.people import joined, name
from cogs.text.table import since


class Challenges(commands.Cog):
    """Invitations to play."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        self._courier = services.courier
        services.components.on(
            accept=self._pressed,
            accept_silently=self._pressed,
            decline=self._pressed,
            withdraw=self._pressed,
            rematch=self._rematch_pressed,
        )

    @app_commands.command(description="Challenge somebody to a match, or anyone who likes")
    @app_commands.describe(
        opponent="Whom to challenge; leave it out to let anyone accept",
        second="Another player to keep a place for, where the rules are for more than two",
        third="One more player to keep a place for",
        rules="The rules to play by, and single changes: oklahoma spade_doubles=on",
        target="The score that ends the match: 100 is usual, 10 makes a short one",
        options="Change single rules before the challenge goes out",
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
        """Invite people to a match in this channel, at once or after a look at the options."""
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Kind(texts.ONLY_IN_SERVERS)
        named = [member for member in (opponent, second, third) if member is not None]
        for member in named:
            require_present(interaction, member)
        require_table_permissions(interaction)
        await require_room(interaction, self._app)
        challenger = (interaction.user.id, interaction.user.display_name)
        invitation = await self._app.challenges.issue(
            challenger,
            [member.id for member in named],
            interaction.guild_id,
            interaction.channel_id,
            interaction.id,
            rules=rules,
            target=target,
            parent_id=interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None,
            draft=options,
        )
        await self._courier.open_dm(interaction.user)
        if options:
            await show(interaction, options_panel(invitation, await self._app.rulebook.offers(invitation.guild_id)))
        else:
            await show_issued(interaction, invitation)

    @challenge.autocomplete("rules")
    async def presets(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The rules that the server offers."""
        return await complete_rules(interaction, self._app, typed)

    @app_commands.command(description="Accept a challenge")
    async def accept(self, interaction: Interaction) -> None:
        """Accept an invitation of this server."""
        await self._answer_one(interaction, await self._to_answer(interaction), "accept")

    @app_commands.command(description="Decline a challenge to you")
    async def decline(self, interaction: Interaction) -> None:
        """Decline an invitation of this server."""
        person_id = interaction.user.id
        to_answer = await self._to_answer(interaction)
        named = [one for one in to_answer if any(player.id == person_id for player in one.named)]
        await self._answer_one(interaction, named, "decline")

    @app_commands.command(description="Take back a challenge of yours")
    async def withdraw(self, interaction: Interaction) -> None:
        """Withdraw an invitation of one's own."""
        await self._answer_one(interaction, await self._app.challenges.own(interaction.user.id), "withdraw")

    @app_commands.command(description="Play the last match of this channel again, by the same rules")
    async def rematch(self, interaction: Interaction) -> None:
        """Agree to a rematch."""
        try:
            last = await self._app.lookup.last_in(interaction.channel_id or 0, interaction.user.id)
        except NoMatch:
            raise Kind(texts.NO_MATCH_BEFORE) from None
        await self._rematch(interaction, last.id)

    async def _to_answer(self, interaction: Interaction) -> Sequence[Challenge]:
        if interaction.guild_id is None:
            raise Kind(texts.ONLY_IN_SERVERS)
        return await self._app.challenges.to_answer(interaction.user.id, interaction.guild_id)

    async def _answer_one(self, interaction: Interaction, invitations: Sequence[Challenge], verb: str) -> None:
        meant = await invitation_meant(interaction, invitations, verb)
        if meant is not None:
            await self._do(interaction, verb, meant.id)

    async def _pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._do(interaction, press.verb, press.number)

    async def _do(self, interaction: Interaction, verb: str, challenge_id: int) -> None:
        match verb:
            case "decline":
                declined = await self._app.challenges.decline(interaction.user.id, challenge_id)
                await show(interaction, note(f"You declined {name(declined.challenger)}'s challenge."))
            case "withdraw":
                await self._app.challenges.withdraw(interaction.user.id, challenge_id)
                await show(interaction, note("Your challenge is withdrawn."))
            case _:
                await self._accept(interaction, challenge_id, silently=verb == "accept_silently")

    async def _accept(self, interaction: Interaction, challenge_id: int, *, silently: bool) -> None:
        app, person = self._app, (interaction.user.id, interaction.user.display_name)
        # Before anything is changed or opened for somebody who may not accept.
        await app.challenges.answerable(person[0], challenge_id)
        if silently:
            await app.people.prefer(person, hand_by_dm=False)
        else:
            await self._courier.open_dm(interaction.user)
        invitation, card = await with_room(
            interaction,
            app,
            MessageKind.CHALLENGE,
            challenge_id,
            lambda channel_id: app.challenges.accept(person, challenge_id, channel_id),
        )
        if card is None:
            row = [button(invitation.id, 0, "leave_lobby", "Leave")]
            told = f"You are in. {name(invitation.challenger)} starts the match."
            await show(interaction, note(told, Accent.YOURS, [row]))
            return
        hand = await app.lookup.hand(person[0], card.id)
        await show_hand(interaction, app, self._pictures, hand, f"The match is on in <#{card.channel_id}>.")

    async def _rematch_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._rematch(interaction, press.number)

    async def _rematch(self, interaction: Interaction, match_id: int) -> None:
        app, person_id = self._app, interaction.user.id
        await self._courier.open_dm(interaction.user)
        card = await with_room(
            interaction,
            app,
            MessageKind.END,
            match_id,
            lambda channel_id: app.endings.rematch(person_id, match_id, channel_id),
        )
        if card.status is not MatchStatus.RUNNING:
            others = "the other agrees" if len(card.players) == 2 else "all agree"
            row = [button(card.id, 0, "take_back", "Take the offer back")]
            told = f"You offer a rematch. It begins once {others}, within a day."
            await Answer.to(interaction).say(note(told, Accent.YOURS, [row]))
            return
        hand = await app.lookup.hand(person_id, card.id)
        await show_hand(interaction, app, self._pictures, hand, "The rematch is on!")


async def show_issued(interaction: Interaction, invitation: Challenge) -> None:
    """Tell a challenger that their challenge is out."""
    whom = joined([f"<@{player.id}>" for player in invitation.named])
    if invitation.free:
        whom = joined([*filter(None, (whom,)), "anyone here"])
    said = f"Your challenge to {whom} is out: {rules_text.line(invitation.rules, invitation.system)}. It closes "
    row = [button(invitation.id, 0, "withdraw", "Withdraw")]
    await show(interaction, note(f"{said}{since(invitation.expires_at)}.", Accent.WAITING, [row]))
