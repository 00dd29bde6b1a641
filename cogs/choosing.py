"""Private menus for what a command leaves open: which match, which invitation."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.play.values import Invitation, MatchCard
from cogs.answers import Message
from cogs.panels.layout import Accent, note
from cogs.presses import menu
from cogs.words.people import plain

WHICH = "which"
"""The subject of such a menu; what is meant is the value chosen."""


def which_match(
    client: discord.Client, matches: Sequence[MatchCard], verb: str, argument: str | None = None
) -> Message:
    """Ask which match is meant; the choice comes back with the verb and the argument."""
    options = [
        discord.SelectOption(
            label=" vs ".join(plain(player) for player in card.players)[:100],
            description=f"{place(client, card.channel_id)}, {card.rules.preset} rules",
            value=str(card.id),
        )
        for card in matches[:25]
    ]
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
    row = menu(WHICH, 0, verb, "Choose an invitation …", options)
    return note("There are several invitations. Which one do you mean?", Accent.YOURS, [[row]])


def place(client: discord.Client, channel_id: int) -> str:
    """A channel by its name, since a menu shows no mentions."""
    channel = client.get_channel(channel_id)
    known = isinstance(channel, (discord.abc.GuildChannel, discord.Thread))
    return f"#{channel.name}"[:50] if known else "In a channel that is gone"


def _between(invitation: Invitation) -> str:
    opponent = "anyone" if invitation.opponent is None else plain(invitation.opponent)
    return f"{plain(invitation.challenger)} challenges {opponent}"
