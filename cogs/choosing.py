"""Private menus for what a command leaves open: which match, which invitation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord

from bot.play.house import House
from bot.play.refusals import WhichMatch
from bot.play.values import Invitation, MatchCard
from cogs.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, note
from cogs.presses import WHICH, menu
from cogs.words.people import plain


async def match_meant(interaction: Interaction, house: House, verb: str) -> MatchCard | None:
    """The match that a player's command means; None where they are asked, and their choice comes back with the verb.

    Raises:
        NoMatch, NotSeated: there is none; see `Lookup.meant_by`.
    """
    try:
        return await house.lookup.meant_by(interaction.user.id, interaction.channel_id)
    except WhichMatch as several:
        await Answer.to(interaction).say(which_match(interaction.client, several.matches, verb))
        return None


def which_match(
    client: discord.Client, matches: Sequence[MatchCard], verb: str, argument: str | None = None
) -> Message:
    """Ask which match is meant; the choice comes back with the verb and the argument."""
    options = match_options(client, matches, lambda card: f"{card.rules.preset} rules")
    row = menu(WHICH, 0, verb, "Choose a match …", options, argument=argument)
    return note("You play several matches. Which one do you mean?", Accent.YOURS, [[row]])


def which_invitation(client: discord.Client, invitations: Sequence[Invitation], verb: str) -> Message:
    """Ask which invitation is meant; the choice comes back with the verb."""
    options = [
        discord.SelectOption(
            label=_between(one)[:100],
            description=f"{place(client, one.channel_id)}, {one.rules.preset} rules",
            value=str(one.id),
        )
        for one in invitations[:25]
    ]
    row = menu(WHICH, 0, verb, "Choose a challenge …", options)
    return note("There are several challenges. Which one do you mean?", Accent.YOURS, [[row]])


def match_options(
    client: discord.Client, matches: Sequence[MatchCard], told: Callable[[MatchCard], str]
) -> list[discord.SelectOption]:
    """An option for each of the first 25 matches: who plays, where, and what else is told of it."""
    return [
        discord.SelectOption(
            label=" vs ".join(plain(player) for player in card.players)[:100],
            description=f"{place(client, card.channel_id)}, {told(card)}",
            value=str(card.id),
        )
        for card in matches[:25]
    ]


def place(client: discord.Client, channel_id: int) -> str:
    """A channel by its name, since a menu shows no mentions."""
    channel = client.get_channel(channel_id)
    known = isinstance(channel, (discord.abc.GuildChannel, discord.Thread))
    return f"#{channel.name}"[:50] if known else "In a channel that is gone"


def _between(invitation: Invitation) -> str:
    opponent = "anyone" if invitation.opponent is None else plain(invitation.opponent)
    return f"{plain(invitation.challenger)} challenges {opponent}"
